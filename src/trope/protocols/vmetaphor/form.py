"""The forms of vmetaphor: a judge's three calls as people fill them in, in the same order, read by the same reader."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from trope.nouns import Figure, Item
from trope.protocols.forms import Field, Form, Option
from trope.protocols.vmetaphor.calls import DIMENSIONS, annotation, rubrics
from trope.protocols.vmetaphor.questions import AXES, Shown, order_of, shown
from trope.protocols.vmetaphor.reading import LEVELS

_LEVEL_OF = {axis: level for level, axes in LEVELS.items() for axis in axes}


def form(item: Item, call: str, lang: str) -> Form | None:
    """The form of ``questions``, ``mappings`` or ``dimensions``, in English; an answer's score is 1 if it is right."""
    name, figure = call.partition("?")[0], item.figure
    if figure is None or name not in _texts():
        return None
    if name == "dimensions":
        return Form(tuple(_rating(d) for d in DIMENSIONS), "en", _texts()[name], facts=tuple(annotation(figure)))
    asked = shown(item, AXES[:4] if name == "questions" else AXES[4:], order_of(call))
    if not asked:
        return None
    return Form(tuple(_question(q) for q in asked), "en", _texts()[name], facts=_told(figure, name))


def headlines(call: str, form: Form, numbers: Mapping[str, float]) -> Mapping[str, float]:
    """Means of one filled form: L1 and L4 of its questions, the overall rating of its dimensions."""
    if call == "dimensions":
        return {"overall": sum(numbers.values()) / len(numbers)} if len(numbers) == len(DIMENSIONS) else {}
    by_level: dict[str, list[float]] = {}
    for field in form.fields:
        by_level.setdefault(field.level or "", []).append(numbers.get(field.name, float("nan")))
    return {level: sum(of) / len(of) for level, of in by_level.items() if level in ("L1", "L4")}


def _told(figure: Figure, name: str) -> tuple[tuple[str, str], ...]:
    return tuple(annotation(figure)[:2]) if name == "mappings" else ()


def _question(asked: Shown) -> Field:
    options = [
        Option(letter, text, float(recorded == asked.truth))
        for letter, text, recorded in zip(asked.letters, asked.options, asked.recorded, strict=True)
    ]
    return Field(asked.id, "letters", asked.stem, tuple(options), level=_LEVEL_OF[asked.axis], nominal=True)


def _rating(dimension: str) -> Field:
    anchors = rubrics()[dimension]
    options = tuple(Option(str(n), anchors[str(n)], float(n)) for n in range(1, 6))
    return Field(dimension, "ratings", anchors["question"], options)


@cache
def _texts() -> dict[str, str]:
    texts: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("form.toml").read_text("utf-8"))
    return texts["en"]
