"""Text that is wrapped by hand: a sentence that goes on in the next line is read as one, and found where it stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from trope.strategies.guard.plan import PlannedFigure, Span

# Before the break no sentence ends; after it no other begins. Where letters do not tell (no capitals), the line must be
# long, as wrapped lines are, or the next one begin with what compares.
_BREAKS = {
    "en": re.compile(r"(?<=[^\s.!?:;])[ \t]?(\r?\n[ \t]*)(?=[a-z])"),
    "ar": re.compile(
        r"(?<=[^\n]{24})(?<![\s.!?؟:؛])[ \t]?(\r?\n[ \t]*)(?=[\u0621-\u064a])"
        r"|(?<=[\u0621-\u064a])[ \t]?(\r?\n[ \t]*)(?=و?(?:كال|كأن|مثل |يشبه |تشبه ))"
    ),
    "zh": re.compile(
        r"(?<=[^\n]{14})(?<![\s。！？!?：；])(\r?\n)(?=[\u4e00-\u9fff])"
        r"|(?<=[\u4e00-\u9fff])(\r?\n)(?=像|好像|仿佛|如同|宛如|犹如|似的|一样|一般)"
    ),
    "ja": re.compile(
        r"(?<=[^\n]{14})(?<![\s。！？!?：；])(\r?\n)(?=[\u3041-\u30ff\u4e00-\u9fff])"
        r"|(?<=[\u3041-\u30ff\u4e00-\u9fff])(\r?\n)(?=の?よう[にな]|みたい|のごと)"
    ),
}


@dataclass(frozen=True, slots=True)
class Read:
    """A text as it is read, and where its characters stand in the text as it was written.

    ``removed`` holds, in order, the place in the read text at which something is left out and the length of all that
    has been left out up to there.
    """

    text: str
    places: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    def back(self, figure: PlannedFigure) -> PlannedFigure:
        """The figure with its spans in the text as it was written."""
        if not self.places:
            return figure
        return replace(
            figure,
            marker=self._span(figure.marker),
            vehicle=self._span(figure.vehicle),
            phrase=self._span(figure.phrase),
            whole=self._span(figure.whole),
            tenor=None if figure.tenor is None else self._span(figure.tenor),
        )

    def quote(self, noun: str) -> str:
        """A noun that may be broken over a line, as it is read."""
        return re.sub(r"\s*\n\s*", "" if self.places else " ", noun)

    def _span(self, span: Span) -> Span:
        if span[0] == span[1]:
            return (self._at(span[0]), self._at(span[0]))
        return (self._at(span[0]), self._at(span[1] - 1) + 1)

    def _at(self, place: int) -> int:
        n = bisect_right(self.places, place)
        return place + (self.removed[n - 1] if n else 0)


def unwrapped(text: str, lang: str) -> Read:
    """A text without the line breaks within its sentences; where words are spaced each becomes as many spaces."""
    breaks = _BREAKS.get(lang)
    if breaks is None or "\n" not in text:
        return Read(text)
    found = [match.span(match.lastindex or 0) for match in breaks.finditer(text)]
    if not found:
        return Read(text)
    spaced = lang in ("en", "ar")
    pieces: list[str] = []
    places: list[int] = []
    removed: list[int] = []
    done = gone = 0
    for start, end in found:
        pieces.append(text[done:start])
        done = end
        if spaced:
            pieces.append(" " * (end - start))
        else:
            gone += end - start
            places.append(end - gone)
            removed.append(gone)
    return Read("".join((*pieces, text[done:])), tuple(places), tuple(removed))
