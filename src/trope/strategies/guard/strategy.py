"""The guard as a strategy: plan, render, ask once."""

from __future__ import annotations

from functools import partial
from typing import Any

from trope.errors import UnknownName
from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Generate
from trope.strategies.guard.renderers import RENDERERS
from trope.strategies.guard.rules import plan_by_rules
from trope.strategies.options import Context, Strategy, Wordings, only
from trope.strategies.prompts import worded


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``guard:RENDERER``."""
    only(spec, ())
    if spec.model not in RENDERERS:
        raise UnknownName("guard", str(spec.model), [f"guard:{name}" for name in RENDERERS])
    script = partial(guarded, wordings=context.wordings, renderer=spec.model)
    return [Strategy(f"guard:{spec.model}", script)]


def guarded(item: Item, *, wordings: Wordings, renderer: str) -> Any:
    """Guard the bare sentence (never the annotation), then word it as `base` does.

    The item's context, e.g. a story bible that says the dragon is real, is the guard's to know.
    """
    text = RENDERERS[renderer](plan_by_rules(item.text, item.lang, item.context))
    return (yield Generate(worded(wordings, "base", item.lang, text), variant=f"guard:{renderer}"))
