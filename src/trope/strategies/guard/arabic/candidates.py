"""A comparison whose vehicle is known, and what stands before it; the reasons are asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from trope.strategies.guard.arabic.marker import Marker
from trope.strategies.guard.arabic.phrases import nominal
from trope.strategies.guard.arabic.shapes import is_quality, part_start, says_quality
from trope.strategies.guard.arabic.words import Word, definite, listed, owned


@dataclass(frozen=True)
class Candidate:
    """A comparison whose vehicle is known: its words, its marker, the vehicle's last word and its plain noun."""

    line: Sequence[Word]
    marker: Marker
    last: int
    noun: str
    design: bool  # whether the text begins by ordering a design

    @cached_property
    def at(self) -> int:
        """The marker's first word."""
        return self.marker.at

    @cached_property
    def start(self) -> int:
        """The first word of the part between signs that holds the marker."""
        return part_start(self.line, self.at)

    @cached_property
    def known(self) -> bool:
        """Whether the vehicle has the article."""
        return definite(self.line[self.marker.noun], self.marker.letter)

    @cached_property
    def form(self) -> str:
        """The plain form of the word behind the marker, without the article."""
        word = self.line[self.marker.noun]
        form = word.plain[self.marker.letter :]
        return form[2:] if self.known and form.startswith("ال") else form

    @cached_property
    def before(self) -> Word | None:
        """The word before the marker, in the same part between signs."""
        return self.line[self.at - 1] if self.at > 0 and self.line[self.at].joined else None

    @cached_property
    def described(self) -> bool:
        """Whether a quality that can be likened stands right before the marker: no size, no age, no material."""
        if self.before is None:
            return False
        if says_quality(self.before):
            return not _plain_quality(self.before.plain)
        of_it = self.at > 2 and definite(self.before) and self.before.joined  # `متشققة السطح`
        return of_it and says_quality(self.line[self.at - 2]) and nominal(self.line[self.at - 3])

    @cached_property
    def head(self) -> tuple[int, Word] | None:
        """The noun right before the marker, over its adjectives; None where a verb or a sign stands there."""
        n = self.at - 1
        if n < 0 or not self.line[self.at].joined:
            return None
        while n > 0 and self.line[n].joined and n > self.at - 4 and _qualifies(self.line, n):
            n -= 1
        return (n, self.line[n]) if nominal(self.line[n]) else None


def _plain_quality(form: str) -> bool:
    form = form.removesuffix("ا").removesuffix("ة")
    return form in ("صغير", "كبير", "جديد", "قديم") or form.endswith("ي")


def _qualifies(line: Sequence[Word], n: int) -> bool:
    word = line[n]
    if not nominal(word) or not nominal(line[n - 1]) or line[n - 1].plain in listed("orders"):
        return False
    return definite(word) == definite(line[n - 1]) and is_quality(word.plain.removeprefix("ال")) and not owned(word)
