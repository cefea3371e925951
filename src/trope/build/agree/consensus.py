"""Consensus: accepted only if one and the same subset of annotators agrees on every field. m3r, section B.

Majorities of different subsets, field by field, are never put together: the tuple nobody gave would be nobody's.
Likeness of texts is not transitive, so that *every* pair in the subset must reach the threshold (ours).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from trope.errors import UsageError
from trope.protocols.m3r.labels import NONE, Labels
from trope.protocols.m3r.marks import THRESHOLD

LEAST = 3  # annotators of one mind, of the paper's five
MOST = 12  # annotators: every subset is looked at

Alike = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Consensus:
    """What a subset agrees on: the tuple nearest to all others in it, and who they are (places of the input)."""

    labels: Labels
    members: tuple[int, ...]


def consensus(
    proposals: Sequence[Labels | None], alike: Alike, *, threshold: float = THRESHOLD, least: int = LEAST
) -> Consensus | None:
    """The largest subset of annotators of whom every two agree on every field, if it has at least ``least``.

    Of several as large the one with the highest mean likeness, then the one whose tuples come first in order of
    their text: who said it and in which order does not matter.

    Parameters
    ----------
    proposals : one tuple an annotator; None where an annotator gave no complete one, which agrees with nothing.
    alike : likeness of two different texts, the same both ways; equal texts agree anyway.
    threshold : from which two texts count as one.

    Returns
    -------
    None if no subset is large enough.

    Raises
    ------
    UsageError : more than 12 annotators.
    """
    if len(proposals) > MOST:
        raise UsageError(f"{len(proposals)} annotators; expected at most {MOST}")
    known = [n for n, labels in enumerate(proposals) if labels is not None]
    near = {(a, b): _likeness(proposals[a], proposals[b], alike, threshold) for a, b in combinations(known, 2)}
    for size in range(len(known), max(least, 1) - 1, -1):
        agreeing = [s for s in combinations(known, size) if all(near[pair] is not None for pair in combinations(s, 2))]
        if agreeing:
            return _best(agreeing, proposals, near)
    return None


def _best(
    subsets: Sequence[tuple[int, ...]], proposals: Sequence[Labels | None],
    near: dict[tuple[int, int], float | None],
) -> Consensus:  # fmt: skip
    def total(subset: tuple[int, ...], member: int | None = None) -> float:
        pairs = [pair for pair in combinations(subset, 2) if member is None or member in pair]
        return round(sum(near[pair] or 0.0 for pair in pairs), 9)

    def text(member: int) -> tuple[str, ...]:
        labels = proposals[member]
        assert labels is not None
        return labels.metaphor, labels.target, labels.source, labels.sentiment

    subset = min(subsets, key=lambda s: (-total(s), sorted(map(text, s))))
    center = min(subset, key=lambda member: (-total(subset, member), text(member)))
    labels = proposals[center]
    assert labels is not None
    return Consensus(labels, subset)


def _likeness(a: Labels | None, b: Labels | None, alike: Alike, threshold: float) -> float | None:
    """Mean likeness of target and source of two tuples that agree on every field; None if they do not."""
    assert a is not None and b is not None
    if (a.metaphor, a.sentiment) != (b.metaphor, b.sentiment):
        return None
    found = []
    for one, other in ((a.target, b.target), (a.source, b.source)):
        if NONE in (one, other):
            score = float(one == other)
        else:
            score = 1.0 if one == other else alike(one, other)
        if not score >= threshold:  # not "<": a likeness that is not known agrees with nothing
            return None
        found.append(score)
    return sum(found) / len(found)
