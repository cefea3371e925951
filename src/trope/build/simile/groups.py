"""Points to groups: how many yes answers a sentence got, out of four from each judge."""

from __future__ import annotations

# the least points of a group, out of twelve (simile, section 3.1): G1 3-6, G2 7-8, G3 9-10, G4 11, G5 12
BOUNDS = {"G1": 3, "G2": 7, "G3": 9, "G4": 11, "G5": 12}
BEST = "G5"
_OUT_OF = 12


def group_of(points: int, most: int) -> str | None:
    """The group of a sentence with ``points`` out of ``most``; None below the lowest (0 to 2 of 12).

    With other than three judges the bounds keep their share of the whole, so that `G5` is always every point.

    Raises
    ------
    ValueError : points outside ``0..most``.
    """
    if not 0 <= points <= most or most == 0:
        raise ValueError(f"{points} points of {most}. Expected: 0 to {most}, of at least 1")
    met = [name for name, low in BOUNDS.items() if points * _OUT_OF >= low * most]
    return met[-1] if met else None
