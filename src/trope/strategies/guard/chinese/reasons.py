"""Why a Chinese comparison is no figure, or why its vehicle is wanted in the picture: the named reasons, in order."""

from __future__ import annotations

from collections.abc import Callable

from trope.strategies.guard.chinese.candidates import Candidate
from trope.strategies.guard.chinese.guesses import guessed, real
from trope.strategies.guard.chinese.literal import denied, listed, measured, pointed, same, shared, unreal
from trope.strategies.guard.chinese.orders import attributive, disguised, held, ordered, styled
from trope.strategies.guard.chinese.resemblances import kind, related

REASONS: tuple[Callable[[Candidate], str | None], ...] = (
    denied, styled, pointed, unreal, listed, ordered, held, attributive, disguised, kind, related, shared, same,
    measured, guessed, real,
)  # fmt: skip


def reason(c: Candidate) -> str | None:
    """The first reason that holds, or None: then it is a figure."""
    return next((said for said in (check(c) for check in REASONS) if said is not None), None)
