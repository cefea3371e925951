"""What a Chinese clause likens to something: its words before the marker."""

from __future__ import annotations

import re

from trope.strategies.guard.plan import Span

_ADVERB = re.compile(
    r"(?:[就也都便正又却还更得是]|已经|忽然|渐渐|慢慢|简直|仿佛|看起来|看上去|远远望去|远看|显得|变得|\s)+$"
)
_PLACE = re.compile(r"[^的]{2,10}[里上下中前后时外]")


def tenor_before(text: str, start: int, end: int) -> Span | None:
    """What stands before the marker in its clause, without adverbs and the place; None if nothing does."""
    while start < end and text[start].isspace():
        start += 1
    adverb = _ADVERB.search(text[start:end])
    if adverb is not None:
        end = start + adverb.start()
    place = _PLACE.match(text, start, end)
    if place is not None and place.end() < end and text[place.end()] not in "的面边":
        start = place.end()
    return (start, end) if 0 < end - start <= 14 else None
