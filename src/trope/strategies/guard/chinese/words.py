"""Where a Chinese vehicle begins and ends: classifiers, relative clauses, and what the tenor does after it."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span

LONGEST = 22
_PASSIVE = re.compile(r"被([\u4e00-\u9fff]{1,3}?)[\u4e00-\u9fff][了过着住]?(?:一下|一把|一口|一刀)?")


def _one(name: str) -> str:
    return f"(?:{either('zh', name)})"


@cache
def _act() -> re.Pattern[str]:
    verb = f"[{''.join(words('zh', 'verbs'))}]"
    done = rf"[\u4e00-\u9fff]{{1,2}}?[了着过满上]了?|{verb}[\u4e00-\u9fff]?(?:翻了|[在进到入]了?)"
    return re.compile(rf"(?:{done})(?:一?[个只块盆碗团把根条勺口桶层件]|一[\u4e00-\u9fff])?")


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    few = f"(?:一|两|几|无数|数|三|四|五|十|千万|成千上万)(?:{_one('classifiers')}){{1,2}}"
    verb = f"[{''.join(words('zh', 'verbs'))}]"
    return {
        "few": re.compile(f"{few}|无数(?!个)"),
        "bare": re.compile(_one("bare_classifiers")),
        "does": re.compile(rf"{verb}{_one('complements')}|{_one('adverbs')}|[^的，]{{1,4}}地(?![板毯图方面球])"),
        "modifier": re.compile(rf"{_one('modifiers')}的?"),
        "nominal": re.compile(r"^(?:刚|正|被|在|没|不|会|能|已|还|从|向|把|将|又|快|要|一)"),
    }


def known(noun: str) -> bool:
    """Whether a string is a listed thing, or one with the word that counts it after it (`云朵`, `马匹`)."""
    nouns = words("zh", "nouns")
    return noun in nouns or (len(noun) == 2 and noun[1] in "朵匹辆束张" and noun[0] in nouns)


@cache
def _longest() -> int:
    return max(map(len, words("zh", "nouns")))


def known_at(text: str, start: int, end: int) -> int:
    """The end of the longest listed thing that begins at ``start``; ``start`` if there is none."""
    for length in range(min(_longest(), end - start), 0, -1):
        if known(text[start : start + length]):
            return start + length
    return start


def known_before(text: str, start: int, end: int) -> int:
    """Where the longest listed thing that ends at ``end`` begins; ``end`` if there is none."""
    for length in range(min(_longest(), end - start), 0, -1):
        if known(text[end - length : end]):
            return end - length
    return end


def after_classifier(text: str, start: int, end: int) -> tuple[int, bool]:
    """Behind `一只`, `一匹匹`, `个`; and whether there was one."""
    few = _patterns()["few"].match(text, start, end)
    if few is not None and few.end() < end:
        return few.end(), True
    bare = _patterns()["bare"].match(text, start, end)
    if bare is not None and bare.end() < end and known_at(text, start, end) <= bare.end():
        return bare.end(), True
    return start, False


def does_from(text: str, start: int, end: int) -> int:
    """Where what the tenor does begins, after a vehicle that starts at ``start``; ``end`` if nothing does."""
    for match in _patterns()["does"].finditer(text, start + 1, end):
        noun = text[start : match.start()]
        if len(noun) == 1 and noun in words("zh", "verbs") and not known(noun):
            continue
        if noun.endswith(("的", "地")) or _patterns()["nominal"].match(noun):
            continue
        rest = text[match.end() : end]
        relative = "的" in rest and not rest.endswith("的") and len(rest.rpartition("的")[2]) <= 5
        listed = known_before(text, start, match.start()) < match.start()
        if relative and (not listed or rest.startswith("的")):
            continue
        straddles = any(
            known(text[match.start() - k : match.start() - k + length])
            for k in (1, 2) for length in (2, 3, 4) if match.start() - k >= start and length > k and not listed
        )  # fmt: skip
        if not straddles:
            return match.start()
    return end


_GOES_ON = re.compile(r"[\u4e00-\u9fff]{1,2}(?:着|了|在|满|出)|[把被从向]")


def does_at(text: str, start: int) -> bool:
    """Whether what somebody does, and nobody's name, stands at ``start``."""
    return _patterns()["does"].match(text, start) is not None or _GOES_ON.match(text, start) is not None


def _inside_clause(text: str, start: int, end: int) -> Span:
    """``长了翅膀`` -> 翅膀, ``被刀割了`` -> 刀: the thing in a clause that is likened."""
    passive = _PASSIVE.fullmatch(text, start, end)
    if passive is not None:
        return passive.span(1)
    act = _act().match(text, start, end)
    if act is not None and act.end() < end:
        for stop in (end, end - 1):
            if known(text[act.end() : stop]) and (stop == end or text[stop] in "上里中下"):
                return act.end(), stop
    struck = next((word for word in words("zh", "strikes") if text.endswith(word, start, end)), None)
    if struck is not None and not known(text[start:end]) and known(text[start : end - len(struck)]):
        return start, end - len(struck)
    return start, end


def noun_in(text: str, start: int, end: int) -> Span | None:
    """The vehicle's noun with its compound in a phrase without its classifier, or None."""
    of = text.rfind("的", start, end)
    if of >= 0 and of + 1 < end:
        start = of + 1
    start = after_classifier(text, start, end)[0]
    start, end = _inside_clause(text, start, end)
    while True:
        phrase = text[start:end]
        found = _patterns()["modifier"].match(phrase)
        kept = phrase in words("zh", "keep") or known(phrase)
        if found is None or kept or end - start - found.end() < 2:
            break
        start += found.end()
    if not 0 < end - start <= 8 or not all("\u4e00" <= char <= "\u9fff" for char in text[start:end]):
        return None
    return start, end
