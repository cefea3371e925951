"""The class a detector knows a vehicle by, in four languages; None unless the word names exactly that."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path

from trope.data.coco import mentions, words
from trope.strategies.guard.plan import Plan, PlannedFigure

_MARKS = re.compile(r"[\u064b-\u0652\u0670\u0640]")  # Arabic vowels and the stretching stroke
_ANIMALS = {"mouse", "mice"}  # the class is a computer's
_ANOTHER = re.compile(r"\b(?:sea|rocking|clothes|hobby|saw|gummy|water|paper|toy)[ -]$", re.IGNORECASE)  # no horse


def vehicle_class(plan: Plan, figure: PlannedFigure) -> str | None:
    """One of the 80 COCO classes, or None: `sea horse` is no horse, and a guess would be a wrong `absent`."""
    start, _ = figure.vehicle
    if plan.lang == "en" and _ANOTHER.search(plan.text[max(0, start - 12) : start]):
        return None
    return _named(plan.lang).get(_plain(plan.quote(figure.vehicle) or "", plan.lang))


def also_in_scene(plan: Plan, figure: PlannedFigure, name: str) -> bool:
    """Whether one of the class may be in the picture for good reason, so that finding it proves nothing.

    People may always be there; anything else if the text names one of its class besides this vehicle.
    """
    if figure.also_there or name == "person":
        return True
    start, end = figure.vehicle
    rest = plan.text[:start] + "\n" + plan.text[end:]
    if plan.lang == "en":
        return any(found == name for _, _, found in mentions(rest))
    rest = _plain(rest, plan.lang)
    return any(word in rest for word, found in _named(plan.lang).items() if found == name)


@cache
def _named(lang: str) -> dict[str, str]:
    if lang == "en":
        return {word: name for word, name in words().items() if word not in _ANIMALS}
    table = tomllib.loads(Path(__file__).with_name("classes.toml").read_text("utf-8")).get(lang, {})
    return {_plain(word, lang): name for name, of in table.items() for word in of.split()}


def _plain(text: str, lang: str) -> str:
    text = unicodedata.normalize("NFKC", text).strip().lower()
    if lang != "ar":
        return text
    text = re.sub("[أإآ]", "ا", _MARKS.sub("", text))
    return re.sub(r"(?<!\w)ال(?=\w{2})", "", text)
