"""One comparison: what compares, and where what is compared stands. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trope.strategies.guard.plan import Span

Kind = Literal["kaf", "like", "as if", "as it does", "resembles", "taken for", "done as", "more", "shape", "serves"]


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
