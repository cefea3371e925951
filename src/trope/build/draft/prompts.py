"""What a drafting model is told about an item, and how its reply is read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Literal

from trope.items.rules.vista import AXES, CONTROLS
from trope.nouns import Item, Question
from trope.protocols.vista.questions import data_line
from trope.records import digest
from trope.requests import Prompt, Unreadable
from trope.wire import read_json

What = Literal["questions", "control"]
SCORES = (3.0, 2.0, 1.0, 0.0)
_LONGEST_REPLY = 2048  # tokens
_LONGEST_TEXT = 400  # characters of a stem or an option


def drafting_prompt(item: Item, what: What, last: str | None = None, faults: Sequence[str] = ()) -> Prompt:
    """Ask for the four questions, or for the five control questions, in the item's language.

    Control questions are written from the bare sentence: its annotation is not said. A draft that was found
    faulty is shown with its faults.
    """
    texts = _texts(item.lang)
    text = Template(texts[what]).substitute(data=data_line(_data(item, what)))
    if faults:
        text += Template(texts["again"]).substitute(faults=data_line({"reply": last or "", "faults": list(faults)}))
    read = read_questions if what == "questions" else read_control
    return Prompt(text.strip(), read, max_tokens=_LONGEST_REPLY, schema=_schema(what))


def _data(item: Item, what: What) -> Mapping[str, Any]:
    figure = item.figure
    if what == "control" or figure is None:
        return {"sentence": item.text}
    roles = {"tenor": figure.tenor, "vehicle": figure.vehicle, "ground": figure.ground}
    return {"sentence": item.text, **{name: said for name, said in roles.items() if said}}


def read_questions(reply: str) -> dict[str, Any]:
    """Read ``{"Q1": {"question": ..., "options": [four texts]}, ...}``; raises `Unreadable` for anything else."""
    value = read_json(reply, tuple(AXES))
    for name, part in value.items():
        _shape(name, part, {"question": str, "options": list})
        _texts_of(f"{name}.options", part["options"], 4)
    return value


def read_control(reply: str) -> dict[str, Any]:
    """Read ``{"C1": {"question": ..., "answer": ..., "others": [three texts]}, ...}``; raises `Unreadable`."""
    value = read_json(reply, tuple(CONTROLS))
    for name, part in value.items():
        _shape(name, part, {"question": str, "answer": str, "others": list})
        _texts_of(f"{name}.others", part["others"], 3)
    return value


def _shape(name: str, part: Any, fields: Mapping[str, type]) -> None:
    if not isinstance(part, dict) or set(part) != set(fields):
        raise Unreadable(f"{name}: expected an object with exactly {', '.join(fields)}")
    for field, kind in fields.items():
        if not isinstance(part[field], kind):
            raise Unreadable(f"{name}.{field}: expected {'a text' if kind is str else 'a list'}")
        if kind is str:
            _texts_of(f"{name}.{field}", [part[field]], 1)


def _texts_of(place: str, texts: Sequence[Any], count: int) -> None:
    if len(texts) != count:
        raise Unreadable(f"{place}: {len(texts)} texts. Expected: {count}")
    for text in texts:
        if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_TEXT:
            raise Unreadable(f"{place}: expected texts of 1 to {_LONGEST_TEXT} characters")


def made_of(item: Item, what: What, value: Mapping[str, Any]) -> tuple[Question, ...]:
    """A reply's questions; the right answer of a control question stands at a place that its item decides."""
    if what == "questions":
        return tuple(_ranked(name, value[name]) for name in AXES)
    made = []
    for name, axis in CONTROLS.items():
        place = int(digest([item.id, name])[:8], 16) % 4
        options = list(_stripped(value[name]["others"]))
        options.insert(place, value[name]["answer"].strip())
        stem = value[name]["question"].strip()
        made.append(Question(id=name, axis=axis, stem=stem, options=tuple(options), answer=place))
    return tuple(made)


def _ranked(name: str, part: Mapping[str, Any]) -> Question:
    options = _stripped(part["options"])
    return Question(id=name, axis=AXES[name], stem=part["question"].strip(), options=options, scores=SCORES)


def _stripped(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts)


def _schema(what: What) -> dict[str, Any]:
    text = {"type": "string"}
    several = {"type": "array", "items": text}  # how many is checked when it is read: not every server can be told
    part = {"question": text, "options": several}
    if what == "control":
        part = {"question": text, "answer": text, "others": several}
    return _object(dict.fromkeys(AXES if what == "questions" else CONTROLS, _object(part)))


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


@cache
def _texts(lang: str) -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name(f"{lang}.toml").read_text("utf-8"))
