"""Marks that stand for nothing, and cells that hold several things: how each is recognized."""

from __future__ import annotations

import re

# compared without case and outer spaces; "-" and its like only when they are all there is
_MARKS = frozenset(
    {
        "none",
        "non",
        "null",
        "nil",
        "nan",
        "n/a",
        "#n/a",
        "na",
        "<na>",
        "-1",
        "-1.0",
        "_",
        "__",
        "-",
        "--",
        "–",
        "—",
        "?",
    }
    | {"无", "沒有", "没有", "なし", "無し", "لا يوجد", "لا شيء"}
)
_SEPARATOR = re.compile(r"\s*[;；、/／|]\s*")


def is_missing_mark(value: str) -> bool:
    """Whether ``value`` is one of the marks people write for "nothing here" (empty is not one)."""
    return value.strip().casefold() in _MARKS


def several(cell: str, text: str = "") -> tuple[str, ...]:
    """The parts of a cell that lists several things with ``;`` ``；`` ``、`` ``/`` or ``|``; empty if it is one.

    A cell that stands in ``text`` as it is names one thing (`the AC/DC adapter`).
    """
    parts = tuple(part for part in _SEPARATOR.split(cell.strip()) if part)
    if len(parts) < 2 or (text and cell.strip().casefold() in text.casefold()):
        return ()
    return parts
