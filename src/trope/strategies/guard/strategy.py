"""The guard as a strategy: plan, render, ask once."""

from __future__ import annotations

from typing import Any

from trope.nouns import Item
from trope.requests import Generate
from trope.strategies.guard.renderers import RENDERERS
from trope.strategies.guard.rules import plan_by_rules
from trope.strategies.prompts import Wordings, worded


def guarded(item: Item, *, wordings: Wordings, renderer: str) -> Any:
    """Guard the bare sentence (never the annotation), then word it as `base` does."""
    text = RENDERERS[renderer](plan_by_rules(item.text, item.lang))
    return (yield Generate(worded(wordings, "base", item.lang, text), variant=f"guard:{renderer}"))
