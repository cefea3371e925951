"""m3r: does a multimodal model understand a metaphor, and say why? See README.md in this folder.

::

    labels.py    the four fields, None, the truth of an item     prompting.py  P1, P2, P3, and their strategies
    reading.py   a reply to an answer, field by field            judging.py    the judge of explanations
    marks.py     fields, joint label, gates of one answer        protocol.py   who is asked what
    views.py     a subject's cells as arrays                     tables.py, comparisons.py, plots.py
    errors.py    the sheet of error kinds that people fill, and two systems compared by it
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trope.protocols.m3r.labels import Labels as Labels
    from trope.protocols.m3r.labels import gold as gold
    from trope.protocols.m3r.marks import Marks as Marks
    from trope.protocols.m3r.marks import field_scores as field_scores
    from trope.protocols.m3r.marks import gates as gates
    from trope.protocols.m3r.marks import to_match as to_match
    from trope.protocols.m3r.protocol import M3R as M3R
    from trope.protocols.m3r.reading import Answer as Answer
    from trope.protocols.m3r.reading import read_answer as read_answer

_PLACES = {
    "Answer": "reading", "Labels": "labels", "M3R": "protocol", "Marks": "marks", "field_scores": "marks",
    "gates": "marks", "gold": "labels", "read_answer": "reading", "to_match": "marks",
}  # fmt: skip
__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
