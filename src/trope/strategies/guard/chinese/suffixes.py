"""Chinese comparisons with a word after the thing and none before it: `猫似的`, `钢铁般的`, `野火一样`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trope.strategies.guard.chinese.carried import qualities_of
from trope.strategies.guard.chinese.lists import begins, ends, has
from trope.strategies.guard.chinese.literal import POINTED
from trope.strategies.guard.chinese.nouns import counts
from trope.strategies.guard.chinese.orders import DESIGN, STYLE, made_heads, style_heads
from trope.strategies.guard.chinese.rewrites import adjective_after, goes_on
from trope.strategies.guard.chinese.script import is_han
from trope.strategies.guard.chinese.subjects import Subject, subject_before
from trope.strategies.guard.chinese.tenors import tenor_after, tenor_before
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import SIMILE, PlannedFigure

# To the left of the thing: what it cannot hold.
_LEFT = re.compile(
    r"[的了着过地得是在把被从向往和与跟同以用如似若有满出到成\s]|(?<![雕肖塑偶蜡铜石佛画图神])像|[我你他她它咱]们?|们"
    r"|整天|终日|成天|到处|一个个|一下|一直|全都?|[便就又也都却]"
)
_COMMON = re.compile(r"[两俩双三四几都们]|同样|彼此|各自")
_JOINED = re.compile(r"[跟和与同像如似]")
_SHARED = re.compile(r"[是有都也爱会能要大小高长宽厚重多不没]|喜欢")

_VERB_BEFORE = re.compile("[玩看做吃用买读写选]|应付|足够|不是|只是|就是|属于|适合|高于|低于|超过")


@dataclass(frozen=True, slots=True)
class _Before:
    """Where the phrase before a suffix begins, where its noun does, whether it is counted, and what is right before."""

    left: int
    noun: int
    counted: bool = False
    subject: Subject | None = None


def suffixed(
    text: str, original: str, start: int, end: int, suffix: re.Match[str], *, opening: bool
) -> PlannedFigure | None:
    """The figure that ends with a word after the thing; ``original`` is the text as it was written."""
    at, after = suffix.start(), suffix.end()
    before = _before(text, start, at)
    noun, of = text[before.noun : at], suffix.group().endswith("的")
    each = before.noun - before.left > 2 and text[before.noun - 1] == text[before.noun - 2]  # `一匹匹白马似的`
    left = before.noun if of and not each else before.left  # `一双|小鹿般的眼睛`: the number is that of the eyes
    if not _is_thing(noun) or _is_property(text, start, end, suffix, before):
        return None
    seen = _seen(text[start:at], text[after:end], of=of, opening=opening)
    said_before = not of or (before.subject is not None and goes_on().match(text, after, end) is not None)
    tenor = tenor_before(text, start, left) if said_before else tenor_after(text, after, end)
    whole, carried = (left, after), qualities_of(original, noun, "" if tenor is None else text[slice(*tenor)])
    replacement: str | None = carried[0] + "的" if not said_before and carried and tenor else ""
    follows = adjective_after(text, after, end)
    tight = before.counted or noun in words("zh", "long_nouns") or _LEFT.search(text, left - 2, left) is not None
    if not text[after:end].strip():
        replacement = None
        if left == start and text[start - 1 : start] in ("，", ",") and end < len(text):
            whole, replacement = (start - 1, end), ""
    elif follows:
        carried = (original[after : after + follows],)
        replacement = "很" if follows == 1 and not of else ""
    elif before.subject is not None:
        replacement = replacement if before.subject.sure else None
    elif not tight and (left - start > 3 or text[left - 1 : left] == "得"):
        replacement = None  # where the thing begins is not sure enough
    return PlannedFigure(
        marker=suffix.span(), vehicle=(before.noun, at), phrase=(left, at), whole=whole,
        replacement=None if seen else replacement, qualities=carried, seen=seen is not None, why=seen or SIMILE,
        tenor=tenor, confidence=0.8,
    )  # fmt: skip


def _before(text: str, start: int, at: int) -> _Before:
    before = _phrase(text, start, at)
    first = before.noun if before.counted else _edge(text, start, at)
    subject = subject_before(text, first, at)
    return before if subject is None else _Before(subject.end, subject.end, subject=subject)


def _edge(text: str, start: int, at: int) -> int:
    """Behind the last thing to the left of a suffix that its noun cannot hold."""
    return max([start, *(left.end() for left in _LEFT.finditer(text, max(start, at - 10), at))])


def _phrase(text: str, start: int, at: int) -> _Before:
    for number in reversed(list(counts().finditer(text, max(start, at - 14), at))):
        if number.end() < at and (at - number.end() < 4 or "的" in text[number.end() : at]):
            edge = max([number.end(), *(left.end() for left in _LEFT.finditer(text, number.end(), at))])
            return _Before(number.start(), edge, counted=True)
    edge = _edge(text, start, at)
    if at - edge > 3:
        edge = at - (3 if text[at - 3 : at] in words("zh", "long_nouns") else 2)  # most nouns have two characters
    return _Before(edge, edge)


def _is_thing(noun: str) -> bool:
    """Whether the characters before a suffix are a noun that something may be likened to."""
    if not is_han(noun) or noun[0] in "真这那某" or noun.endswith(("一模", "所有", "任何")):
        return False
    if counts().fullmatch(noun):  # `一套|一般的书`
        return False
    return not any(noun in words("zh", name) for name in ("no_suffix", "abstract", "deictic"))


def _is_property(text: str, start: int, end: int, suffix: re.Match[str], before: _Before) -> bool:
    """Whether 一样 or 一般 says what things have in common (`两棵树一样高`), not what one is like."""
    if suffix.lastgroup not in ("same", "general"):
        return False
    at, after = suffix.start(), suffix.end()
    noun, tail, adverbial = text[before.noun : at], text[after:end], suffix.group().endswith("地")
    again = text.startswith("一样", after) or text.endswith("一样", start, before.left)  # `一样一样`
    if again or text[start - 1 : start] == "、":
        return True
    person = ends("kin").search(noun) or ends("persons").search(noun)
    if person or _JOINED.search(text, start, before.noun) or _COMMON.search(text, start, at):
        return True
    if before.counted:
        return False
    edge = before.noun == start or _LEFT.match(text, before.noun - 1) is not None
    mostly = noun.endswith(("比", "比起", "于")) or not edge or _VERB_BEFORE.fullmatch(noun) is not None
    if suffix.group() == "一般的" and mostly:
        return True
    if suffix.group() == "一般" and not goes_on().match(tail):  # `男性一般...`: mostly, and like nothing
        return True
    if not tail or suffix.group().endswith("的") or adverbial:
        return False
    said = adjective_after(text, after, end)  # `表情一样严肃`, `司考一样受用`
    if _SHARED.match(tail) or (said and before.noun == start and "的" not in tail):
        return True
    return not said and goes_on().match(tail) is None


def _seen(before: str, tail: str, *, of: bool, opening: bool) -> str | None:
    """The reason why the thing is wanted in the picture, from the words before and after it."""
    if opening or has("designs", before):
        return DESIGN
    if not of:
        return None
    if begins("vague").match(tail):
        return POINTED
    if style_heads().match("的" + tail):
        return STYLE
    asked = begins("requests").match(before.lstrip()) or counts().match(before.lstrip())
    return DESIGN if asked and made_heads().match(tail) else None
