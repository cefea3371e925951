"""Prompt strategies: one request with the sentence in a wording from `prompts.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from trope.nouns import Item
from trope.records import Generate

STRATEGIES = ("base", "human", "anti_hallucination")


@cache
def _table() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(Path(__file__).with_name("prompts.toml").read_text("utf-8"))


def wording(protocol: str, strategy: str, lang: str, text: str) -> str:
    """A text in the wording of a strategy, in the text's language."""
    return _table()[protocol][strategy][lang].replace("{text}", text)


def prompted(item: Item, *, protocol: str, strategy: str) -> Any:
    """Ask once, in the strategy's words."""
    return (yield Generate(wording(protocol, strategy, item.lang, item.text), variant=strategy))
