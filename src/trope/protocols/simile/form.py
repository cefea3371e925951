"""The forms of simile: the judge's one question, and the ratings of the paper's study of people (section 2.6).

People alone are asked ``sentence`` (does the comparison suit the sentence?) and ``rate`` (is the vehicle
visible, does the picture fit?), 1 to 5; a model could be asked the same prompts.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from string import Template

from trope.nouns import Item
from trope.protocols.base import Measured
from trope.protocols.forms import Field, Form, Option
from trope.protocols.simile.reading import LOOK, look
from trope.records import Output
from trope.requests import Ask, Prompt, Request
from trope.wire import read_ratings

SENTENCE, RATE = "sentence", "rate"
_HERE = Path(__file__).parent


def form(item: Item, call: str, lang: str) -> Form | None:
    """The form of ``look``, ``sentence`` or ``rate`` in one of the four languages, else in English."""
    say = _texts().get(lang, _texts()["en"])
    lang = lang if lang in _texts() else "en"
    vehicle = _vehicle(item)
    if call == LOOK:
        options = (Option("A", say["yes"], 1.0), Option("B", say["no"], 0.0), Option("C", say["unsure"]))
        field = Field("Q1", "letters", say["present"], options, nominal=True)
        return Form((field,), lang, say["intro"].format(vehicle=vehicle))
    if call == SENTENCE:
        return Form((_rating("apt", say),), lang, say["sentence_intro"].format(vehicle=vehicle), shows=_TEXT)
    if call == RATE:
        intro = say["rate_intro"].format(vehicle=vehicle)
        return Form((_rating("visible", say), _rating("fits", say)), lang, intro, shows=_TEXT | {"picture"})
    return None


def extra(item: Item, output: Output, instrument: str) -> Mapping[str, Request]:
    """What only people are asked."""
    said = {"text": item.text, "vehicle": _vehicle(item)}
    return {
        SENTENCE: Ask(None, instrument, _prompt("sentence.txt", ("apt",), **said)),
        RATE: Ask(output, instrument, _prompt("rating.txt", ("visible", "fits"), **said)),
    }


def numbers(cell: Measured, instrument: str) -> Mapping[tuple[str, str], float]:
    """What a detector says of the judge's question: 1 there, 0 not."""
    present = look(cell, instrument).present
    return {} if math.isnan(present) else {(LOOK, "Q1"): present}


_TEXT = frozenset({"text"})


def _rating(name: str, say: Mapping[str, str]) -> Field:
    options = tuple(Option(str(n), say.get(f"{name}_{n}", ""), float(n)) for n in range(1, 6))
    return Field(name, "ratings", say[name], options)


def _vehicle(item: Item) -> str:
    assert item.figure is not None
    return item.figure.vehicle_class or item.figure.vehicle


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads((_HERE / "form.toml").read_text("utf-8"))


@cache
def _prompt(file: str, scales: tuple[str, ...], **said: str) -> Prompt:
    text = Template((_HERE / file).read_text("utf-8")).substitute(said)
    return Prompt(text, partial(read_ratings, scales=scales), max_tokens=32)
