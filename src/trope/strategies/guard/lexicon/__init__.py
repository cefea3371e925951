"""Small hand-made word lists, one TOML file a language: words between spaces, rows of a table between semicolons."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def lists(lang: str) -> dict[str, str]:
    """The raw lists of a language."""
    return tomllib.loads((_HERE / f"{lang}.toml").read_text("utf-8"))


@cache
def words(lang: str, name: str) -> frozenset[str]:
    """One list of a language as a set."""
    return frozenset(lists(lang)[name].split())


@cache
def rows(lang: str, name: str) -> tuple[str, ...]:
    """The rows of one table of a language, in order."""
    return tuple(row.strip() for row in lists(lang)[name].split(";") if row.strip())


@cache
def either(lang: str, name: str) -> str:
    """One list as the inside of a regular expression, the longest word first."""
    return "|".join(sorted(words(lang, name), key=lambda word: (-len(word), word)))


@cache
def qualities(lang: str) -> dict[str, tuple[str, ...]]:
    """Visible qualities of a thing, as words that can stand where the comparison stood."""
    table = tomllib.loads((_HERE / "qualities.toml").read_text("utf-8"))
    return {name: tuple(adjectives) for name, adjectives in table[lang].items()}
