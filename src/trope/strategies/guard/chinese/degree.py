"""Chinese comparisons of degree: `比蜜还甜` says how sweet, `比哥哥还高` measures."""

from __future__ import annotations

import re

from trope.strategies.guard.chinese.candidates import Candidate
from trope.strategies.guard.chinese.lists import has
from trope.strategies.guard.chinese.literal import DEGREE
from trope.strategies.guard.chinese.nouns import after_bare_count
from trope.strategies.guard.chinese.resemblances import KIND
from trope.strategies.guard.chinese.tenors import tenor_before
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import PlannedFigure

_IDLE = re.compile(
    r"[我你您他她它咱谁那这]|自己|别人|大家|平时|以前|去年|昨天|预[期想料]|想象|往[年常]|任何|什么|其他|以往|[春夏秋冬]天"
)
_NONE = re.compile("没有?什么|没有?[谁人]|没有|还有$|不$")
# Of these nothing can be measured, so that `比天还高` is only said.
_BEYOND_MEASURE = re.compile(r"(?:心|胆子?|脸皮|嗓门|命|声音?|脾气|情|话|恩|山|海|天|愁|恨|债)$")


def outdone(c: Candidate, original: str) -> PlannedFigure | None:
    """More of it than the thing that stands for it; seen where the two are really measured."""
    text, marker, noun, found = c.text, c.marker, c.noun, c.thing
    assert found is not None
    how = _how(c)
    if (
        not how
        or not c.tenor.strip()
        or _NONE.search(c.tenor)
        or c.phrase[0] in "不没"
        or _IDLE.search(c.phrase)
        or c.phrase.endswith("的")
    ):
        return None
    if has("kin", noun) or noun in words("zh", "persons") or noun in c.tenor:
        return None
    said = (original[marker.after : marker.after + how],)
    measures = text[marker.after : marker.after + how] in words("zh", "measures") and not c.degree
    real = measures and not _BEYOND_MEASURE.search(c.tenor)
    animals = {noun[-1:], c.tenor.strip()[-1:]} <= words("zh", "animals")
    tenor = tenor_before(text, c.start, marker.start)
    if real or animals:
        return PlannedFigure(
            marker=(marker.start, marker.end), vehicle=found.noun, phrase=found.noun,
            whole=(marker.start, marker.after + how), replacement=None, qualities=said, seen=True,
            why=DEGREE if real else KIND, tenor=tenor, confidence=0.7,
        )  # fmt: skip
    of = text.startswith("的", marker.after + how)
    first = min(after_bare_count(text, marker.end, found.noun[1]), found.noun[0])
    return PlannedFigure(
        marker=(marker.start, marker.end), vehicle=found.noun, phrase=(first, found.noun[1]),
        whole=(marker.start, marker.after), replacement="" if how == 2 and of else "很", qualities=said, tenor=tenor,
        confidence=0.75,
    )  # fmt: skip


def _how(c: Candidate) -> int:
    """How long the word is that says in what respect; 0 if it is none."""
    text, after = c.text, c.marker.after
    known = next((n for n in (2, 1) if text[after : after + n] in words("zh", "adjectives")), 0)
    if not known:  # `比电钻还刺耳`: whatever ends the clause there can be more or less so
        return c.end - after if 0 < c.end - after <= 2 else 0
    return known if after + known >= c.end or text[after + known] in "的了" else 0
