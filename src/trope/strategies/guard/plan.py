"""A plan: what the guard found in a prompt, and what it means to do about it. Data only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlannedFigure:
    """One figure of a prompt. Spans are ``[start, end)`` in code points of the prompt.

    Attributes
    ----------
    whole : what a rewrite replaces: marker to the end of the comparison.
    vehicle : the noun that must not be drawn.
    qualities : visible qualities to carry over, in the prompt's language; empty means: leave it alone.
    seen : whether the vehicle is meant to be seen; then nothing is changed.
    why : the reason for ``seen``, or for leaving the figure alone.
    """

    marker: tuple[int, int]
    vehicle: tuple[int, int]
    whole: tuple[int, int]
    qualities: tuple[str, ...]
    seen: bool
    why: str

    @property
    def acted_on(self) -> bool:
        """Whether a renderer changes anything for this figure."""
        return not self.seen and bool(self.qualities)


@dataclass(frozen=True, slots=True)
class Plan:
    """All figures of one prompt, and who found them."""

    text: str
    lang: str
    maker: str
    figures: tuple[PlannedFigure, ...]

    @property
    def abstains(self) -> bool:
        """Whether the prompt stays as it is, byte for byte."""
        return not any(figure.acted_on for figure in self.figures)
