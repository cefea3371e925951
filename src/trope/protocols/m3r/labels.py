"""The four fields of m3r: which values they have, how a spelling is normalized, what an item's truth is.

The one place where this is decided: scoring, consensus of annotators and training rewards import it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trope.errors import ItemError
from trope.nouns import Item

YES, NO = "Yes", "No"
METAPHOR: Final = (YES, NO)
SENTIMENT: Final = ("Positive", "Neutral", "Negative")
CATEGORICAL: Final[Mapping[str, tuple[str, ...]]] = {"metaphor": METAPHOR, "sentiment": SENTIMENT}
OPEN: Final = ("target", "source")
FIELDS: Final = ("metaphor", "target", "source", "sentiment")

# The canonical None. What is written in an open field is case-folded, so that no such text can equal it.
NONE: Final = "None"
# Spellings of None, besides JSON's null, after `fold`. An empty string is none of them: it is a missing value.
NONE_SPELLINGS: Final = frozenset({"none", "null", "nil", "n/a", "na", "无", "無", "没有", "沒有"})


def fold(text: str) -> str:
    """A spelling without outer white space and without case."""
    return text.strip().casefold()


_CANONICAL = {name: {fold(label): label for label in labels} for name, labels in CATEGORICAL.items()}


def categorical(name: str, value: object) -> str | None:
    """The label of ``metaphor`` or ``sentiment`` that ``value`` spells; None if it spells none.

    ``" yes "`` is ``Yes``; ``true``, ``1``, ``Y``, ``mostly positive`` and lists are no label.
    """
    return _CANONICAL[name].get(fold(value)) if isinstance(value, str) else None


def open_text(value: object) -> str | None:
    """A target or source as it is compared: folded text, `NONE`, or None where there is no valid value.

    JSON's null and `NONE_SPELLINGS` are `NONE`. Missing, empty, a number, a list or an object is no value.
    """
    if value is None:
        return NONE
    if not isinstance(value, str):
        return None
    folded = fold(value)
    return NONE if folded in NONE_SPELLINGS else folded or None


@dataclass(frozen=True, slots=True)
class Labels:
    """One complete tuple: the truth of an item, or an annotator's. ``target`` and ``source`` may be `NONE`."""

    metaphor: str
    target: str
    source: str
    sentiment: str

    @property
    def is_metaphor(self) -> bool:
        """Whether there is a mapping to find."""
        return self.metaphor == YES


def gold(item: Item) -> Labels:
    """The truth of an item.

    ``labels.metaphor`` and ``labels.sentiment`` hold the categories; the one figure's tenor is the target, its
    vehicle the source. An item without a figure is no metaphor.

    Raises
    ------
    ItemError : a label that is missing or no label, a metaphor without exactly one mapping, or the reverse.
    """
    found = {name: categorical(name, item.labels.get(name)) for name in CATEGORICAL}
    for name, label in found.items():
        if label is None:
            expected = ", ".join(CATEGORICAL[name])
            raise ItemError(f"item {item.id!r}: labels.{name} is {item.labels.get(name)!r}. Expected: {expected}")
    metaphor, sentiment = found["metaphor"] or NO, found["sentiment"] or ""
    if (metaphor == YES) != (len(item.figures) == 1):
        raise ItemError(
            f"item {item.id!r}: labels.metaphor is {metaphor}, and it has {len(item.figures)} figures."
            " Expected: Yes with exactly one, whose tenor is the target and whose vehicle is the source; No with none"
        )
    if not item.figures:
        return Labels(metaphor, NONE, NONE, sentiment)
    target, source = open_text(item.figures[0].tenor or ""), open_text(item.figures[0].vehicle)
    for name, value in (("tenor", target), ("vehicle", source)):
        if value in (None, NONE):
            raise ItemError(f"item {item.id!r}: figures[0].{name} is empty or spells None, but the item is a metaphor")
    return Labels(metaphor, str(target), str(source), sentiment)
