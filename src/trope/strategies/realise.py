"""`realise`: a metaphor planned before it is painted. A chat model reads the conceptual prompt and nothing else.

It decides what the picture is about and what that is likened to, which elements stand for which, how the two are
brought together, what is seen and what is absent, and then describes the picture. The description, with the item's
style suffix, is what the subject is asked for. The annotation is never shown to it: tenor, vehicle, structure,
mappings and meaning are for the model to find, as a person who gets the same brief would have to.

A plan that cannot be read, is refused or fails is no plan, and nothing takes its place: the cell has no picture and
the status of the plan. Falling back to the conceptual prompt would count the conceptual prompt's score as the plan's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from string import Template
from typing import Any

from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Ask, Generate, Prompt, Unreadable
from trope.strategies.kinds import STRUCTURES, prompt_of, styled
from trope.strategies.options import Context, Strategy, Wordings, only
from trope.wire.grammar import read_json

KEYS = ("subject", "likeness", "mappings", "structure", "visible", "absent", "context", "prompt")
_ROLES = ("subject", "likeness")
_MAPPINGS = 12  # more are no plan of one picture
_WORDS = (10, 400)  # of the description; a Chinese or Japanese character counts as a word
_WORD = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]|[^\s\u3041-\u30ff\u3400-\u9fff]+")
_FORECAST = "forecast"  # the reason of an answer that a dry run makes up: the picture it would lead to counts
_TEXT: Mapping[str, Any] = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": list(KEYS),
    "properties": {
        "subject": _TEXT,
        "likeness": _TEXT,
        "mappings": {
            "type": "array", "minItems": 1, "maxItems": _MAPPINGS,
            "items": {
                "type": "object", "additionalProperties": False, "required": ["likeness", "subject"],
                "properties": {"likeness": _TEXT, "subject": _TEXT},
            },
        },
        "structure": {"type": "string", "enum": list(STRUCTURES)},
        "visible": {"type": "array", "minItems": 1, "items": _TEXT},
        "absent": {"type": ["string", "null"], "enum": [*_ROLES, None]},
        "context": {"type": "array", "items": _TEXT},
        "prompt": _TEXT,
    },
}  # fmt: skip


def realise(item: Item, *, wordings: Wordings, model: str) -> Any:
    """Plan with the model, then ask for what the plan describes; without a plan, there is no picture."""
    plan = yield Ask(None, model, planning(prompt_of(item, "conceptual")))
    if not plan.ok and plan.reason != _FORECAST:
        return plan
    described = plan.value["prompt"] if plan.ok else _FORECAST
    return (yield Generate(styled(item, "realise", described, wordings), variant="realise"))


@cache
def planning(conceptual: str) -> Prompt:
    """The brief, from the conceptual prompt alone."""
    text = Template(Path(__file__).with_name("realise.txt").read_text("utf-8").rstrip("\n"))
    return Prompt(text.substitute(prompt=conceptual), read_plan, max_tokens=1500, schema=SCHEMA)


def read_plan(reply: str) -> dict[str, Any]:
    """One JSON object with exactly `KEYS`, whole and without contradiction.

    Raises
    ------
    Unreadable : another form; a replacement without its absent one or without a context that implies it; something
        absent in a fusion or juxtaposition; a description that is no description.
    """
    plan = read_json(reply, KEYS)
    for name in ("subject", "likeness", "prompt"):
        _text(plan[name], name)
    _list(plan["visible"], "visible", least=1)
    _list(plan["context"], "context")
    pairs = plan["mappings"]
    if not isinstance(pairs, list) or not 1 <= len(pairs) <= _MAPPINGS:
        raise Unreadable(f"mappings: expected a list of 1 to {_MAPPINGS}")
    for pair in pairs:
        if not isinstance(pair, dict) or set(pair) != set(_ROLES):
            raise Unreadable("mappings: expected objects with likeness and subject")
        for name in _ROLES:
            _text(pair[name], f"mappings.{name}")
    if plan["structure"] not in STRUCTURES:
        raise Unreadable(f"structure: {plan['structure']!r} is none of {'/'.join(STRUCTURES)}")
    if plan["absent"] not in (None, *_ROLES):
        raise Unreadable(f"absent: {plan['absent']!r} is neither null nor one of {'/'.join(_ROLES)}")
    if plan["structure"] == "replacement" and (plan["absent"] is None or not plan["context"]):
        raise Unreadable("a replacement says which of the two is absent, and what around its place implies it")
    if plan["structure"] != "replacement" and plan["absent"] is not None:
        raise Unreadable(f"a {plan['structure']} shows both; absent is {plan['absent']!r}")
    words = len(_WORD.findall(plan["prompt"]))
    if not _WORDS[0] <= words <= _WORDS[1]:
        raise Unreadable(f"prompt: {words} words. Expected: {_WORDS[0]} to {_WORDS[1]}")
    return plan


def _text(value: Any, name: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise Unreadable(f"{name}: expected a text")


def _list(value: Any, name: str, least: int = 0) -> None:
    if not isinstance(value, list) or len(value) < least:
        raise Unreadable(f"{name}: expected a list of texts, at least {least}")
    for part in value:
        _text(part, name)


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``realise?model=NAME``: the model that plans is one of the run's."""
    only(spec, ("model",))
    model = context.model(spec)
    script = partial(realise, wordings=context.wordings, model=model)
    return [Strategy(f"realise?model={model}", script)]
