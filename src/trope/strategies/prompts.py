"""Prompt strategies: one request with the sentence in a wording of the protocol."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trope.nouns import Item
from trope.requests import Generate

Wordings = Mapping[str, Mapping[str, str]]  # strategy -> language -> a text that holds {text}


def read_wordings(path: Path) -> Wordings:
    """The wordings of a protocol's ``prompts.toml``: a table a strategy, a key a language."""
    table: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
    return table


def worded(wordings: Wordings, strategy: str, lang: str, text: str) -> str:
    """A text in the wording of a strategy, in the text's language."""
    return wordings[strategy][lang].replace("{text}", text)


def prompted(item: Item, *, wordings: Wordings, strategy: str) -> Any:
    """Ask once, in the strategy's words."""
    return (yield Generate(worded(wordings, strategy, item.lang, item.text), variant=strategy))
