"""What a model is asked in each stage, and the reply it learns.

C1: is there a metaphor, on what evidence. C2: also target, source, and what is carried over. C3: also sentiment and
why; its prompt is word for word the `direct` prompt of `trope run m3r`, so that what is learned is what is asked.
Replies are JSON objects with the fields of m3r, reasons first: a reply is written from left to right, and labels
should follow from reasons.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from trope.errors import ItemError
from trope.nouns import Item
from trope.protocols.m3r.labels import FIELDS, NONE, gold
from trope.protocols.m3r.reading import STAGES as EXPLAINED
from trope.train.config import Stage

# fields of the reply, in the order in which they are written
_REPLY: Final[Mapping[Stage, tuple[str, ...]]] = {
    "C1": ("evidence", "metaphor"),
    "C2": ("evidence", "mapping", "metaphor", "target", "source"),
    "C3": ("evidence", "mapping", "justification", "metaphor", "target", "source", "sentiment"),
}
_REFERENCE: Final = {field: stage for stage, field in EXPLAINED.items()}
_FOLDER = Path(__file__).with_name("prompts")


def prompt_of(item: Item, stage: Stage) -> str:
    """What the model is asked about an item; raises `ItemError` for a language without a prompt."""
    from trope.protocols.m3r.prompting import wordings
    from trope.strategies.prompts import worded

    known = {"direct": wordings("item")["direct"]} if stage == "C3" else {"direct": _own(stage)}
    if item.lang not in known["direct"]:
        raise ItemError(f"item {item.id!r} is in {item.lang!r}, in which there is no prompt. Expected: en, zh")
    return worded(known, "direct", item.lang, item.text)


def reply_of(item: Item, stage: Stage) -> str:
    """The reply to learn: one line of JSON, as `trope.protocols.m3r.read_answer` reads it."""
    true = gold(item)
    said: dict[str, str | None] = {}
    for field in _REPLY[stage]:
        if field in FIELDS:
            said[field] = written(item, field)
        else:
            said[field] = None if field == "mapping" and not true.is_metaphor else reference(item, field)
    return json.dumps(said, ensure_ascii=False)


def labels_only(reply: str) -> str:
    """The same reply without its explanations: what is learned when they are taken away."""
    said = json.loads(reply)
    return json.dumps({name: value for name, value in said.items() if name in FIELDS}, ensure_ascii=False)


def needed(stage: Stage, *, metaphor: bool) -> tuple[str, ...]:
    """The explanations that a stage's reply is made of."""
    return tuple(f for f in _REPLY[stage] if f in _REFERENCE and (f != "mapping" or metaphor))


def reference(item: Item, field: str) -> str:
    """The explanation of ``evidence``, ``mapping`` or ``justification`` that an item carries; empty if none."""
    return item.references.get(_REFERENCE[field], "").strip()


def written(item: Item, field: str) -> str:
    """A label as it is written in a reply: open fields keep the case in which they were annotated."""
    if field in ("target", "source"):
        if not item.figures:
            return NONE
        figure = item.figures[0]
        return ((figure.tenor or "") if field == "target" else figure.vehicle).strip()
    label: str = getattr(gold(item), field)
    return label


@cache
def _own(stage: str) -> dict[str, str]:
    return {lang: (_FOLDER / f"{stage}.{lang}.txt").read_text("utf-8").strip() for lang in ("en", "zh")}
