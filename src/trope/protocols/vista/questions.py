"""What a judge is asked: the questions of an item in the item's language, and the order of their options."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from string import Template
from typing import Any

from trope.nouns import Item, Question
from trope.protocols.vista.reading import LETTERS, read
from trope.records import digest
from trope.requests import Prompt

FIGURE = ("Q1", "Q2", "Q3", "Q4")
CONTROL = ("C1", "C2", "C3", "C4", "C5")
AXES = {"Q1": "tenor", "Q2": "vehicle", "Q3": "scene", "Q4": "meaning"}
PUBLISHED, PERMUTED = "published", "permuted"
_LONGEST_REPLY = 1024  # tokens: four reasons in a script that needs several tokens a character
Order = tuple[int, ...]

# What could pass for the mark that ends the questions, or turn the writing direction: written as \uXXXX.
_UNSAFE = re.compile("[<>\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def asked(item: Item, ids: Sequence[str]) -> tuple[Question, ...]:
    """The questions of an item with these ids, in this order; empty if it lacks one."""
    found = {question.id: question for question in item.questions}
    return tuple(found[name] for name in ids) if found.keys() >= set(ids) else ()


def orders(item: Item, questions: Sequence[Question], order: str, shuffle: str) -> tuple[Order, ...]:
    """For each question the stored positions of its options in the order shown.

    ``published`` is the order of the file, best first. ``permuted`` is a function of ``shuffle``, item and question
    alone: the same for every subject, strategy and judge, and found again from what the run keeps.
    """
    if order == PUBLISHED:
        return tuple(tuple(range(len(question.options))) for question in questions)
    return tuple(_shuffled(len(q.options), shuffle, item.id, q.id) for q in questions)


def _shuffled(count: int, *place: str) -> Order:
    return tuple(sorted(range(count), key=lambda n: digest([*place, n])))


def prompt(item: Item, questions: tuple[Question, ...], shown: tuple[Order, ...], kind: str) -> Prompt:
    """The prompt of one call: kind ``figure`` or ``control``. The judge never sees the sentence or its annotation."""
    return _prompt(item.lang, questions, shown, kind)


@lru_cache(maxsize=8192)
def _prompt(lang: str, questions: tuple[Question, ...], shown: tuple[Order, ...], kind: str) -> Prompt:
    ids = [question.id for question in questions]
    lines = [_line(question, order) for question, order in zip(questions, shown, strict=True)]
    text = _template(kind, lang).substitute(questions="\n".join(lines), form=_form(ids))
    reader = partial(read, orders=dict(zip(ids, shown, strict=True)))
    letters = {question.id: LETTERS[: len(question.options)] for question in questions}
    return Prompt(text, reader, max_tokens=_LONGEST_REPLY, schema=schema(letters))


def _line(question: Question, order: Order) -> str:
    """One question as a line of JSON: nothing that stands in it can end the line or the list."""
    fields = {"id": question.id, "question": question.stem}
    fields |= {LETTERS[n]: question.options[place] for n, place in enumerate(order)}
    return data_line(fields)


def data_line(fields: Mapping[str, Any]) -> str:
    """Fields as one line of JSON for a prompt: texts of users stay data, whatever they say."""
    text = json.dumps(fields, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _form(ids: Sequence[str]) -> str:
    answers = ",".join(f'"{name}":"<A-D>"' for name in ids)
    reasons = ",".join(f'"{name}":"..."' for name in ids)
    return f'{{"answers":{{{answers}}},"reasoning":{{{reasons}}}}}'


def schema(letters: Mapping[str, str]) -> dict[str, Any]:
    """The JSON schema of a reply, for servers that hold a model to one."""
    answers = {name: {"type": "string", "enum": list(of)} for name, of in letters.items()}
    return _object({"answers": _object(answers), "reasoning": _object({name: {"type": "string"} for name in letters})})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


@cache
def _template(kind: str, lang: str) -> Template:
    return Template((Path(__file__).parent / "judge" / f"{kind}.{lang}.txt").read_text("utf-8").strip())
