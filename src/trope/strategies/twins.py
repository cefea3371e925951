"""Twins: the same scene without the figure, and with the vehicle really there. Controls, not ways to paint."""

from __future__ import annotations

from functools import partial
from typing import Any

from trope.errors import ItemError
from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Generate
from trope.strategies.options import Context, Strategy, Wordings, only
from trope.strategies.prompts import worded

DELETED, LITERAL = "deleted", "literal"


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``deleted`` or ``literal``."""
    only(spec, ())
    return [Strategy(spec.backend, partial(_twin, wordings=context.wordings, which=spec.backend))]


def _twin(item: Item, *, wordings: Wordings, which: str) -> Any:
    text = getattr(item.twins, which)
    if text is None:
        raise ItemError(f"item {item.id!r} has no twins.{which}. Expected: the text that strategy {which!r} paints")
    return (yield Generate(worded(wordings, "base", item.lang, text), variant=which))
