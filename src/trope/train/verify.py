"""A model that sees the picture says of each explanation whether picture, text and labels support it.

The rules of `quality` read words only. This asks; whatever is asked is stored, so a second call asks nothing. An
explanation counts as unsupported when the model says no, and when its answer cannot be read: what nobody vouches for
is not learned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from trope.backend import Backend
from trope.flow import Budget, Errand, carry_out
from trope.nouns import Item
from trope.requests import Ask, Prompt, Unreadable
from trope.store import Store
from trope.train.quality import faults
from trope.train.targets import needed, reference, written
from trope.wire import read_json

_PROMPT: Final = (Path(__file__).with_name("prompts") / "verify.txt").read_text("utf-8")


def unsupported(
    items: Sequence[Item], judge: Backend, store: Store, *, budget: Budget | None = None
) -> dict[str, tuple[str, ...]]:
    """The explanations that a judge does not find supported, by item id; only items without other faults are asked.

    Raises
    ------
    TropeError : why it stopped, e.g. the budget; what was answered is stored.
    """
    asked = [item for item in items if not faults(item)]
    errands = [Errand(item.id, partial(_ask, item, judge.name, store.adopt(Path(str(item.image))))) for item in asked]
    records = carry_out(errands, {judge.name: judge}, store, budget=budget)
    found = {}
    for item, record in zip(asked, records, strict=True):
        fields = _fields(item)
        said = record.value if record.ok else {}
        refused = tuple(name for name in fields if said.get(name) != "yes")
        if refused:
            found[item.id] = refused
    return found


def prompt(item: Item) -> Prompt:
    """The question about one item's explanations."""
    fields = _fields(item)
    told = "\n".join(f"{name}: {reference(item, name)}" for name in fields)
    labels = "; ".join(f"{name}: {written(item, name)}" for name in ("metaphor", "target", "source", "sentiment"))
    parts = {"labels": labels, "keys": ", ".join(fields), "text": item.text, "explanations": told}
    text = re.sub(
        r"\{(\w+)\}", lambda place: parts[place[1]], _PROMPT
    )  # in one go: a text may hold such a place itself
    return Prompt(text, partial(read, fields=fields), max_tokens=128)


def read(reply: str, *, fields: Sequence[str]) -> Mapping[str, str]:
    """One JSON object with yes or no for each field; anything else is `Unreadable`."""
    said = read_json(reply, fields)
    for name, value in said.items():
        if value not in ("yes", "no"):
            raise Unreadable(f"{name}: {value!r} is neither yes nor no")
    return said


def _ask(item: Item, judge: str, picture: str) -> Any:
    return (yield Ask(None, judge, prompt(item), picture=picture))


def _fields(item: Item) -> tuple[str, ...]:
    return needed("C3", metaphor=written(item, "metaphor") == "Yes")
