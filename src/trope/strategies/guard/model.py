"""Plans by a chat model: any figure, not only explicit similes; believed only as far as the text bears it out.

The text goes to the model as JSON, as material and not as words of ours, and the reply is held to a schema. Whatever
it claims must be found in the text letter for letter; what it adds is short, of one line, and free of the syntax of
prompt tools. So a sentence that gives orders can at worst keep the guard from acting on it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

from trope.errors import PlanError
from trope.requests import Ask, Prompt, Unreadable
from trope.strategies.guard.plan import Plan, PlannedFigure, Span
from trope.strategies.guard.scene import World, infer_language, protected
from trope.wire import read_json

LONGEST = 20_000  # characters of text and context that are sent; more is no prompt
LEAST_SURE = 0.5
MOST = 40  # figures of one text
_KEYS = ("whole", "phrase", "vehicle", "tenor", "replacement", "qualities", "seen", "why", "confidence")
_WORDS = 200  # characters of a replacement or of a quality
# what prompt tools read as commands; a model has no business writing it
_SYNTAX = re.compile(r"[\x00-\x1f\x7f<>{}\[\]|\\`]|\(\s*[^()]*:\s*-?[\d.]+\s*\)|--\w|https?:|\bBREAK\b|\bAND\b")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "figures": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **{name: {"type": "string"} for name in ("whole", "phrase", "vehicle", "why")},
                    **{name: {"type": ["string", "null"]} for name in ("tenor", "replacement")},
                    "qualities": {"type": "array", "items": {"type": "string"}},
                    "seen": {"type": "boolean"},
                    "confidence": {"type": "number"},
                },
                "required": list(_KEYS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["figures"],
    "additionalProperties": False,
}


def plan_by_model(
    text: str, lang: str | None = None, context: str | None = None, *, model: str
) -> Generator[Ask, Any, Plan]:
    """Ask a chat model for the plan of a text; a script, which yields one request and returns the plan.

    Parameters
    ----------
    lang, context : as for `plan_by_rules`.
    model : the name of the chat model.

    Raises
    ------
    PlanError : no reply, one that keeps no format, or a text too long to be sent.
    """
    if not text.strip():
        return Plan(text, lang or infer_language(text), f"llm:{model}", ())
    if len(text) + len(context or "") > LONGEST:
        raise PlanError(f"{len(text) + len(context or ''):,} characters; a model is sent at most {LONGEST:,}")
    told = json.dumps({"text": text, "context": context or ""}, ensure_ascii=True)
    record = yield Ask(None, model, Prompt(told, read, system=_instructions(), max_tokens=4096, schema=SCHEMA))
    if not record.ok or record.value is None:
        raise PlanError(f"{model} gave no plan: {record.status}" + (f", {record.reason}" if record.reason else ""))
    return _plan(text, lang or infer_language(text), context, f"llm:{model}", record.value["figures"])


def read(reply: str) -> dict[str, Any]:
    """A reply to figures with exactly the fields that were asked for; raises `Unreadable`.

    One object alone or in one code fence; nothing around it, no field twice, missing or unknown.
    """
    figures = read_json(reply, ("figures",))["figures"]
    if not isinstance(figures, list) or len(figures) > MOST:
        raise Unreadable(f"figures: expected a list of at most {MOST}")
    for n, figure in enumerate(figures):
        if not isinstance(figure, dict) or figure.keys() != set(_KEYS):
            raise Unreadable(f"figures[{n}]: expected exactly {', '.join(_KEYS)}")
        strings = [figure[name] for name in ("whole", "phrase", "vehicle", "why")]
        strings += [figure[name] for name in ("tenor", "replacement") if figure[name] is not None]
        qualities = figure["qualities"]
        if not isinstance(qualities, list) or not all(isinstance(s, str) for s in [*strings, *qualities]):
            raise Unreadable(f"figures[{n}]: a field that is no text")
        sure = figure["confidence"]
        if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1 or math.isnan(sure):
            raise Unreadable(f"figures[{n}].confidence: {sure!r} is no number from 0 to 1")
        if not isinstance(figure["seen"], bool):
            raise Unreadable(f"figures[{n}].seen: expected true or false")
    return {"figures": figures}


@cache
def _instructions() -> str:
    return Path(__file__).with_name("model.txt").read_text("utf-8").strip()


def _plan(text: str, lang: str, context: str | None, maker: str, said: list[dict[str, Any]]) -> Plan:
    hands_off, world = protected(text), World(text, context or "", lang)
    found = [figure for one in said if (figure := _figure(text, world, one)) is not None]
    figures: list[PlannedFigure] = []
    for figure in sorted(found, key=lambda f: f.whole):
        start, end = figure.whole
        if not (figures and start < figures[-1].whole[1]) and not hands_off.touches(start, end):
            figures.append(figure)
    return Plan(text, lang, maker, tuple(figures))


def _figure(text: str, world: World, said: dict[str, Any]) -> PlannedFigure | None:
    """A figure whose words are in the text as the model says, or None."""
    whole = _place(text, said["whole"], (0, len(text)), once=True)
    phrase = whole and _place(text, said["phrase"], whole)
    vehicle = phrase and _place(text, said["vehicle"], phrase)
    if whole is None or not phrase or not vehicle or said["confidence"] < LEAST_SURE:
        return None
    noun = text[slice(*vehicle)]
    qualities = tuple(q.strip() for q in said["qualities"] if q.strip() and _clean(q, noun))
    replacement = said["replacement"] if not said["seen"] else None
    if replacement is not None and not _clean(replacement, noun):
        replacement = None
    seen, why = said["seen"], said["why"].strip()[:200]
    if not seen and world.real(noun):
        seen, replacement, why = True, None, f"the context says that {noun!r} is real"
    tenor = _place(text, said["tenor"], (0, len(text))) if said["tenor"] else None
    return PlannedFigure(
        marker=(whole[0], phrase[0]), vehicle=vehicle, phrase=phrase, whole=whole, replacement=replacement,
        qualities=qualities[:5], seen=seen, why=why, tenor=tenor, confidence=float(said["confidence"]),
        also_there=world.elsewhere(noun, phrase),
    )  # fmt: skip


def _place(text: str, words: str, within: Span, *, once: bool = False) -> Span | None:
    """Where the words stand; None if they do not, or stand in more than one place where that matters."""
    if not words.strip():
        return None
    start = text.find(words, *within)
    if start < 0 or (once and text.find(words, start + 1) >= 0):
        return None
    return start, start + len(words)


def _clean(words: str, noun: str) -> bool:
    """Whether words of a model may stand in a prompt: short, of one line, no syntax, and not the vehicle again."""
    return len(words) <= _WORDS and not _SYNTAX.search(words) and noun.casefold() not in words.casefold()
