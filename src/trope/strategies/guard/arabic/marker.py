"""One comparison: what compares, and where what is compared stands. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trope.strategies.guard.plan import Span

Kind = Literal["kaf", "like", "as if", "as it does", "resembles", "taken for", "done as", "more", "shape", "serves"]
PARTICLES: tuple[Kind, ...] = ("kaf", "like")  # right before the noun
WORDS: tuple[Kind, ...] = (*PARTICLES, "resembles")
PREDICATES: tuple[Kind, ...] = (*WORDS, "as if")  # may be all that is said of a subject
VERBS: tuple[Kind, ...] = ("resembles", "taken for")


@dataclass(frozen=True, slots=True)
class Marker:
    """What compares.

    ``at`` is its first word, ``noun`` the word that holds the vehicle, behind ``letter`` letters; ``clause``: the noun
    stands in a clause that goes on to the next sign.
    """

    kind: Kind
    span: Span
    at: int
    noun: int
    letter: int = 0
    clause: bool = False
