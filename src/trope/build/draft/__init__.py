"""Drafting questions for a user's own sentences: a model drafts, the rules check, a person edits and accepts.

::

    *.toml         what the model is told, a file a language
    prompts.py     an item to a prompt; the reply's reader
    drafting.py    the errand: draft, check, draft again
    accepting.py   what a person accepts, and who it was
"""

from trope.build.draft.accepting import accept, of_the_set
from trope.build.draft.drafting import Draft, draft

__all__ = ["Draft", "accept", "draft", "of_the_set"]
