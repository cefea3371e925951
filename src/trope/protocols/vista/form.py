"""The forms of vista: a judge's questions as people fill them in, in the same order and read by the same reader."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from trope.nouns import Item
from trope.protocols.forms import Field, Form, Option
from trope.protocols.vista.calls import parse_call
from trope.protocols.vista.questions import FIGURE, asked, orders
from trope.protocols.vista.reading import LETTERS
from trope.protocols.vista.scoring import v_score


def form(item: Item, call: str, lang: str) -> Form | None:
    """The form of a judge's call; its questions are in the item's language, what is said about them in ``lang``."""
    try:
        put = parse_call(call)
    except ValueError:
        return None
    questions = asked(item, put.ids)
    if not questions:
        return None
    fields = []
    for question, order in zip(questions, orders(item, questions, put.order, put.shuffle), strict=True):
        scores = question.scores or [float(n == question.answer) for n in range(len(question.options))]
        options = [Option(LETTERS[n], question.options[place], scores[place]) for n, place in enumerate(order)]
        fields.append(Field(question.id, "letters", question.stem, tuple(options), nominal=put.control))
    lang = lang if lang in _texts() else "en"
    intro = _texts()[lang]["control" if put.control else "figure"]
    shows = frozenset[str]() if put.blind else frozenset({"picture"})
    return Form(tuple(fields), lang, intro, shows=shows, write=_write, parse=_parse)


def headlines(call: str, form: Form, numbers: Mapping[str, float]) -> Mapping[str, float]:
    """The V-Score of one filled form about the figure; none for a control."""
    if list(numbers) != list(FIGURE):
        return {}
    return {"V-Score": float(v_score([numbers[name] for name in FIGURE]))}


def _write(answers: Mapping[str, str]) -> str:
    reply = {"answers": dict(answers), "reasoning": dict.fromkeys(answers, "")}
    return json.dumps(reply, separators=(",", ":"))


def _parse(raw: str) -> Mapping[str, str]:
    text = raw.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    return {name: str(letter).upper() for name, letter in json.loads(text)["answers"].items()}


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("form.toml").read_text("utf-8"))
