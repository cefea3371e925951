"""What a model under test is asked: P1 `direct`, P2 `definitions`, P3 `evidence`, in English or Chinese.

`given` asks nothing: it takes what a prediction file holds.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from trope.errors import ItemError, UsageError
from trope.judges.predictions import Predictions
from trope.nouns import Item
from trope.protocols.m3r.labels import CATEGORICAL
from trope.protocols.m3r.reading import EXPLANATIONS, as_value, read_answer
from trope.registry import Spec
from trope.requests import Prompt, Reply
from trope.strategies.options import Context, Strategy, Wordings, only
from trope.strategies.prompts import worded

PROMPTS: Final = {"direct": "P1", "definitions": "P2", "evidence": "P3"}
GIVEN: Final = "given"
LANGUAGES: Final = ("en", "zh")
MAX_TOKENS: Final = 1024  # the longest reply in the paper's training, section C.2
_FOLDER = Path(__file__).with_name("prompts")

SCHEMA: Final = {
    "type": "object",
    "properties": {
        **{name: {"type": ["string", "null"]} for name in EXPLANATIONS},
        "metaphor": {"enum": list(CATEGORICAL["metaphor"])},
        "target": {"type": ["string", "null"]},
        "source": {"type": ["string", "null"]},
        "sentiment": {"enum": list(CATEGORICAL["sentiment"])},
    },
    "required": [*EXPLANATIONS, "metaphor", "target", "source", "sentiment"],
    "additionalProperties": False,
}


@cache
def wordings(language: str) -> Wordings:
    """The prompts by strategy and language of the item; ``language`` `item` follows it, else it is the same for all."""
    read = {name: {lang: _prompt(name, lang) for lang in LANGUAGES} for name in PROMPTS}
    if language == "item":
        return read
    return {name: dict.fromkeys(("en", "zh", "ja", "ar"), texts[language]) for name, texts in read.items()}


def _prompt(name: str, lang: str) -> str:
    task, reply = ((_FOLDER / f"{part}.{lang}.txt").read_text("utf-8").strip() for part in (name, "reply"))
    return f"{task}\n\n{reply}"


def read(reply: str) -> dict[str, Any]:
    """A reply as it is stored: an `Answer` as JSON holds it; raises `Unreadable`."""
    return as_value(read_answer(reply))


def make(spec: Spec, context: Context) -> list[Strategy]:
    """The strategy that a spec names: `direct`, `definitions`, `evidence` or `given`.

    A prompt is for models that reply to it, `given` for prediction files; of the other kind a subject has no
    cells. Option ``schema=yes`` also holds the server to the reply's JSON schema, where it can.
    """
    files = tuple(name for name, subject in context.subjects.items() if isinstance(subject, Predictions))
    if spec.backend == GIVEN:
        only(spec, ())
        return [Strategy(GIVEN, _given, subjects=files)] if files else []
    only(spec, ("schema",))
    if spec.backend not in context.wordings:
        known = ", ".join(context.wordings)
        raise UsageError(f"strategy {spec.text!r} is a prompt of m3r. This protocol has the wordings {known}")
    asked = tuple(name for name in context.subjects if name not in files)
    if files and not asked:
        if spec.backend == next(iter(PROMPTS)):  # one of the default strategies
            return []
        raise UsageError(f"strategy {spec.text!r}: all subjects are prediction files. Expected: --strategy {GIVEN}")
    wanted = spec.options.get("schema", "no")
    if wanted not in ("yes", "no"):
        raise UsageError(f"strategy {spec.text!r}: schema={wanted!r}. Expected: yes or no")
    schema = SCHEMA if wanted == "yes" else None
    name = spec.backend + ("?schema=yes" if schema else "")
    script = partial(_asked, wordings=context.wordings, strategy=spec.backend, schema=schema)
    return [Strategy(name, script, subjects=asked if files else None)]


def _asked(item: Item, *, wordings: Wordings, strategy: str, schema: Any) -> Any:
    """One prompt with the item's own picture, one reply."""
    if item.lang not in wordings[strategy]:
        raise ItemError(
            f"item {item.id!r} is in {item.lang!r}, in which m3r has no prompt. Expected: {', '.join(LANGUAGES)};"
            " or name one for all items: --option language=en"
        )
    text = worded(wordings, strategy, item.lang, item.text)
    return (yield Reply(Prompt(text, read, max_tokens=MAX_TOKENS, schema=schema)))


def _given(item: Item) -> Any:
    """Whatever the file holds for the item."""
    return (yield Reply(Prompt("", read)))
