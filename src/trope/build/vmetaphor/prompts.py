"""What the model is asked in the three stages, and how its replies are read."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from trope.build.vmetaphor.records import Annotation, Options, Writing, why_not
from trope.items.rules.vmetaphor import CATEGORIES
from trope.requests import Ask, Prompt, Unreadable
from trope.wire import read_json

_FOLDER = Path(__file__).with_name("wordings")
R = TypeVar("R", bound=BaseModel)


class NoMetaphor:
    """Stage 1 says that there is none, and perhaps why."""

    def __init__(self, why: str) -> None:
        self.why = why


def annotate(picture: str, model: str) -> Ask:
    """Stage 1: what the metaphor of a stored picture is."""
    said = _filled("annotate", {"categories": ", ".join(CATEGORIES)})
    return Ask(None, model, Prompt(said, read=read_annotation, max_tokens=1024), picture=picture)


def write_up(picture: str, annotation: Annotation, model: str) -> Ask:
    """Stage 2: the prompts that would have it painted anew."""
    parts = {"annotation": told(annotation), "target": annotation.target, "source": annotation.source}
    return Ask(None, model, Prompt(_filled("write_up", parts), read=read_writing, max_tokens=1024), picture=picture)


def distract(annotation: Annotation, writing: Writing, model: str) -> Ask:
    """Stage 3: wrong options; the picture is not shown."""
    parts = {
        "annotation": told(annotation), "descriptive": writing.descriptive,
        "questions": "\n".join(f"{name}: {stem} Right: {answer}" for name, stem, answer in asked_about(annotation)),
    }  # fmt: skip
    wanted = len(annotation.mappings)

    def read(reply: str) -> dict[str, Any]:
        return read_options(reply, wanted)

    return Ask(None, model, Prompt(_filled("distract", parts), read=read, max_tokens=2048))


def asked_about(annotation: Annotation) -> list[tuple[str, str, str]]:
    """Id, question in short and right answer of all questions that need wrong options."""
    rows = [
        ("Q1", "What is the picture about?", annotation.target),
        ("Q2", "What is that likened to?", annotation.source),
        ("Q4", "What does the picture say?", annotation.meaning),
    ]
    for n, pair in enumerate(annotation.mappings, start=1):
        rows.append((f"Q5_{n}", f"What does {pair.source!r} stand for?", pair.target))
    return rows


def told(annotation: Annotation) -> str:
    """An annotation as the model is told it."""
    return json.dumps(annotation.model_dump(mode="json"), ensure_ascii=False)


def read_annotation(reply: str) -> dict[str, Any]:
    """Stage 1's reply: ``{"has_metaphor": false, ...}``, or a whole annotation; raises `Unreadable`."""
    for keys in (("has_metaphor",), ("has_metaphor", "why")):
        try:
            said = read_json(reply, keys)
        except Unreadable:
            continue
        if said["has_metaphor"] is not False:
            raise Unreadable("says that there is a metaphor, and not which")
        return {"has_metaphor": False, "why": str(said.get("why", ""))}
    said = read_json(reply, ("has_metaphor", *Annotation.model_fields))
    if said.pop("has_metaphor") is not True:
        raise Unreadable("has_metaphor is not true, but there is an annotation")
    return {"has_metaphor": True, **_checked(said, Annotation)}


def read_writing(reply: str) -> dict[str, Any]:
    """Stage 2's reply; raises `Unreadable`."""
    return _checked(read_json(reply, tuple(Writing.model_fields)), Writing)


def read_options(reply: str, mappings: int) -> dict[str, Any]:
    """Stage 3's reply, with a pair for each of ``mappings``; raises `Unreadable`."""
    found = _checked(read_json(reply, tuple(Options.model_fields)), Options)
    if len(found["Q5"]) != mappings:
        raise Unreadable(f"Q5: {len(found['Q5'])} pairs for {mappings} mappings")
    return found


def _checked(said: dict[str, Any], kind: type[R]) -> dict[str, Any]:
    try:
        return kind.model_validate(said).model_dump(mode="json")
    except ValidationError as error:
        raise Unreadable(why_not(error)) from None


def _filled(name: str, parts: dict[str, str]) -> str:
    """A prompt with its parts put in, once: what a part itself says in braces stays as it is."""
    return re.sub(r"\{(\w+)\}", lambda mark: parts.get(mark[1], mark[0]), _text(name))


@cache
def _text(name: str) -> str:
    return (_FOLDER / f"{name}.txt").read_text("utf-8").strip()
