"""Prompt strategies (base, human, anti_hallucination, ...): one request, the sentence in a wording of the protocol."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

from trope.errors import UsageError
from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Generate
from trope.strategies.options import Context, Strategy, Wordings, only


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


def make(spec: Spec, context: Context) -> list[Strategy]:
    """The wording of the strategy's name; raises `UsageError` where the protocol has none."""
    only(spec, ())
    name = spec.backend
    if name not in context.wordings:
        known = ", ".join(context.wordings)
        raise UsageError(f"this protocol has no wording {name!r}. Its wordings: {known}")
    return [Strategy(name, partial(prompted, wordings=context.wordings, strategy=name))]
