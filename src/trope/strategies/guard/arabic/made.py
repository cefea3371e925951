"""From a marker and a vehicle to a planned figure: what to take out, and whether the thing is meant to be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.words import (
    Word,
    bare,
    end_of,
    has_stem,
    is_adjective,
    is_noun,
    is_verb,
    vehicle_at,
)
from trope.strategies.guard.lexicon import qualities, words
from trope.strategies.guard.plan import PlannedFigure, Span

_LONG = re.compile("[اويةىأآ]")
WHY = "an explicit simile: the vehicle only says what something is like"


NEARBY = 24  # as many words before a marker, at most, are looked at
DESIGN = "a design request: both things are meant to be seen"


def how_it_stands(line: Sequence[Word], at: int) -> str:
    """`adjunct` where the sentence stands without the comparison, else `predicate`."""
    if at > 0 and is_adjective(line[at - 1]):
        return "adjunct"
    linking = any(word.bare in words("ar", "linking") for word in line[:at])
    verb = any(is_verb(word.bare) and word.bare not in words("ar", "linking") for word in line[:at])
    return "adjunct" if verb and not linking else "predicate"


def made(
    text: str, line: Sequence[Word], at: int, marker: Span, follows: int, prefix: int, how: str,
    *, design: bool, confidence: float, seen: str | None = None, clause: bool = False,
) -> PlannedFigure | None:  # fmt: skip
    """The figure of a marker at word ``at`` whose vehicle is word ``follows`` behind ``prefix`` letters, or None."""
    found = vehicle_at(text, line, follows, prefix)
    if found is None:
        return None
    vehicle, last = found
    if bare(text[slice(*vehicle)]) in words("ar", "no_vehicle"):
        return None
    noun = bare(text[slice(*vehicle)])
    itself = bare(line[follows].text)[prefix:]
    if any(word.bare == itself or _same(word.bare, noun) for word in line[max(0, at - NEARBY) : at]):
        return None
    end, sure = end_of(line, follows, last, prefix, clause=clause)
    stop = line[end].end
    joins = marker[0] == line[at].start + 1 and line[at].bare[0] in "وف"  # `and as if`: the `and` goes with it
    begin = line[at - 1].end if at > 0 and (marker[0] == line[at].start or joins) else marker[0]
    if at > 0 and text[begin : begin + 1] == "،":
        begin += 1
    worn = any(
        has_stem(word.bare, "made") and word.bare not in words("ar", "orders") for word in line[max(0, at - 6) : at]
    )
    seen = DESIGN if design or worn else seen
    stands = sure and how == "adjunct" and not (joins and at == 0)
    replacement = "" if stands and seen is None else None
    phrase = (line[follows].start + (prefix if follows == at or prefix else 0), stop)
    carried = qualities("ar").get(noun, ())
    return PlannedFigure(
        marker, vehicle, phrase, (begin, stop), replacement, carried, seen is not None, seen or WHY,
        _tenor(line, at), confidence,
    )  # fmt: skip


def akin(line: Sequence[Word], at: int, follows: int) -> bool:
    """``كلب مثل الذئب``: one animal beside another, two of a kind."""
    animals = words("ar", "animals")
    said = {word.bare.removeprefix("ال") for word in line[max(0, at - 2) : at]}
    return bool(said & animals) and line[follows].bare.removeprefix("ك").removeprefix("ال") in animals


@lru_cache(maxsize=4096)
def _same(word: str, noun: str) -> bool:
    """Whether a word before names the same thing: then two of a kind are compared."""
    word = word.removeprefix("و").removeprefix("ال") if len(word) > 4 else word
    bones, others = _LONG.sub("", word), _LONG.sub("", noun)
    if len(others) > 1 and bones == others and len(word) != len(noun) and "و" in word + noun:  # بيت, بيوت
        return True
    if len(noun) > 4 and noun.removesuffix("ات") == word.removesuffix("ة"):
        return True
    return len(noun) > 2 and (
        word == noun or word in (noun + "ه", noun + "ها", noun.removesuffix("ة") + "ته", noun.removesuffix("ة") + "تها")
    )


def _tenor(line: Sequence[Word], at: int) -> Span | None:
    """The first known thing before the marker: the subject, in both orders of words."""
    for n, word in enumerate(line[: min(at, NEARBY)]):
        if word.bare.startswith("ال") and len(word.bare) > 3:
            construct = n > 0 and word.joined and is_noun(line[n - 1].bare) and not is_verb(line[n - 1].bare)
            return (line[n - 1].start if construct else word.start, word.end)
    return None
