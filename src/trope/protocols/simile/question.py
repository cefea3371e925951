"""The one question a judge is asked, and how its reply is read."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

from trope.nouns import Item
from trope.requests import Prompt
from trope.wire import read_letters

_PRESENT = {"A": True, "B": False, "C": None}


def prompt(item: Item) -> Prompt:
    """Is the vehicle there as an object? The judge sees neither the sentence nor the annotation beyond the noun."""
    assert item.figure is not None
    return _about(item.figure.vehicle_class or item.figure.vehicle)


@lru_cache(maxsize=4096)
def _about(vehicle: str) -> Prompt:
    text = Template(Path(__file__).with_name("question.txt").read_text("utf-8"))
    return Prompt(text.substitute(vehicle=vehicle), read, max_tokens=32)


def read(reply: str) -> dict[str, Any]:
    """``Q1: A`` -> ``{"present": True}``; raises `Unreadable` for anything else."""
    return {"present": _PRESENT[read_letters(reply, {"Q1": "ABC"})["Q1"]]}
