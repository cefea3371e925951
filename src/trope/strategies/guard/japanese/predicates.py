"""What a likeness leaves behind at the end of a sentence: `雲は綿のようだ` -> `雲は白くふわふわしている`."""

from __future__ import annotations

import re

# The end of a sentence, and what it becomes after an adjective in い, after a な or の word, after a verb in た.
_ENDS: tuple[tuple[str, str, str, str], ...] = (
    ("だった", "かった", "だった", "いた"),
    ("でした", "かったです", "でした", "いました"),
    ("です", "いです", "です", "います"),
    ("だ", "い", "だ", "いる"),
    ("で、", "く、", "で、", "いて、"),
)
_TAIL = re.compile("|".join(end for end, *_ in _ENDS))


def predicate(quality: str, text: str, place: int, end: int) -> tuple[str, int] | None:
    """What to say for a likeness that ends a sentence at ``place``, and up to where it stands for the text; or None."""
    found = _TAIL.match(text, place, end)
    tail = found.group() if found else ""
    if not tail and place < end and text[place] not in "、。！!？?":
        return None
    adjective, nominal, verb = next(rest for said, *rest in _ENDS if said == (tail or "だ"))
    if quality in ("大きな", "小さな"):
        quality = quality[:-1] + "い"
    stem, stop = quality[:-1], place + len(tail)
    if quality.endswith("い"):
        return stem + adjective, stop
    if quality.endswith(("な", "の")):
        return stem + (nominal if tail else ""), stop
    if quality.endswith("た"):
        return stem + "て" + verb, stop
    return (stem + "で" + verb, stop) if quality.endswith("んだ") else None


def adverbial(quality: str) -> str | None:
    """The quality before `見える`, `なる`: `細く`, `なめらかに`; None where it has no such form."""
    if quality.endswith("い"):
        return None if quality.endswith("ない") else quality[:-1] + "く"
    if quality in ("大きな", "小さな"):
        return quality[:-1] + "く"
    return quality[:-1] + "に" if quality.endswith(("な", "の")) else None
