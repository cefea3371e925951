"""What a Chinese clause likens to something: its words before the marker, or the noun after the comparison."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.candidates import counted_before, is_somebody
from trope.strategies.guard.chinese.nouns import counts, onset, verb
from trope.strategies.guard.chinese.script import is_han
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span

LONGEST_TENOR = 14
_LONGEST_NAME = 3
_ADVERB = re.compile(
    r"(?:[就也都便正又却还更得是只]|只是|已经|忽然|渐渐|慢慢|简直|仿佛|有点儿?|看起来|看上去|看着|听起来|摸起来|捏起来"
    r"|远远望去|远看|显得|变得|怎么|最后|后来|顿时|在手里|\s)+$"
)
_PLACE = re.compile(r"[^的]{2,10}[里上下中前后时外]")
_NOT_AFTER_PLACE = tuple("的面边排头方来午天年空衣海国央台锅巴者升落")
_CAUSED = re.compile(r"[^的]{0,8}(?:[让使令]|(?<![觉显值懂晓])得)(?=[\u4e00-\u9fff])")
_HOLDS = re.compile(r"^把|^[^的]{1,6}把")
_AT = re.compile("(?<![现存正所好内潜])在(?![^在]*的)")
# No name of a thing: a number with its classifier, how one looks at it, when it is.
_NO_NAME = re.compile(
    r"从.*|.*的|.*[看望瞧听摸]|[去来]|.{0,4}[时候]|远处|最后|倒不如说|[^的]{0,3}(?:起来|下去|上去|过去|得来)"
)


def tenor_before(text: str, start: int, end: int) -> Span | None:
    """What stands before the marker in its clause, without adverbs and the place; None if nothing does."""
    while start < end and text[start].isspace():
        start += 1
    if text[end - 1 : end] == "得" and end > start:
        end = _before_how(text, start, end - 1)
    adverb = _ADVERB.search(text[start:end])
    if adverb is not None:
        end = start + adverb.start()
    acts = _when_it_acts().search(text, max(start, end - 6), end)
    end = acts.start() if acts is not None and acts.start() > start else end
    place = _PLACE.match(text, start, end)
    if place is not None and place.end() < end and text[place.end()] not in _NOT_AFTER_PLACE:
        start = place.end()
    for lead in (_CAUSED, _HOLDS):
        found = lead.match(text, start, end)
        if found is not None and found.end() < end:
            start = found.end()
    at = _AT.search(text, start + 1, end)
    end = at.start() if at else end
    name = text[start:end]
    number = counts().fullmatch(name)
    if not 0 < end - start <= LONGEST_TENOR or number is not None or _NO_NAME.fullmatch(name):
        return None
    return start, end


@cache
def _when_it_acts() -> re.Pattern[str]:
    """`这孩子|跑起来`, `她|唱起歌来`: when it is so, at the end of what stands before the marker."""
    act = rf"(?:{verb()}|{either('zh', 'doings')}|[跑说唱笑哭吃睡穿做干忙叫闹吵玩动])"
    return re.compile(rf"{act}(?:起来|起[\u4e00-\u9fff]来)$")


def tenor_of(text: str, start: int, begin: int, after: int, end: int) -> Span | None:
    """What the comparison from ``begin`` to ``after`` is said of: the noun after its 的, else what stands before."""
    before = tenor_before(text, start, begin)
    if not text.startswith("的", after) or after + 1 >= end:
        return before
    how = _before_how(text, start, begin - 1) if text[begin - 1 : begin] == "得" and begin > start else begin
    inside = before is None or counted_before(text, start, how) or text[slice(*before)] in words("zh", "adjectives")
    return tenor_after(text, after + 1, end) if inside else before


def _before_how(text: str, start: int, end: int) -> int:
    """Where the adjective or the verb begins of which `得` says how: `皮肤|白得`, `她|哭得`."""
    listed = words("zh", "adjectives")
    adjective = next((n for n in (3, 2, 1) if end - n >= start and text[end - n : end] in listed), 0)
    if adjective:
        return end - adjective
    near = max(start, end - 8)
    if is_somebody(text[near : end - 1]) and not is_somebody(text[near:end]):  # `我哥|犟得`
        return end - 1
    return end - 1 if end - 1 > start and re.fullmatch(f"{verb()}|[长生晒跑说做]", text[end - 1]) else end


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(rf"[是有在把被从向往与和跟及、]|(?:{either('zh', 'doings')}|{either('zh', 'events')})")


_LISTED = ("sensed", "persons", "artifacts", "tenor_hair", "tenor_face", "tenor_hand", "tenor_light", "tenor_somebody")
_DONE = re.compile("[了着过]")


def tenor_after(text: str, start: int, end: int) -> Span | None:
    """The noun after `像铁塔一样的`: a word that is listed, or all up to what it does if that is short; else None."""
    end = min(end, start + LONGEST_TENOR)
    known = (n for n in (4, 3, 2) if any(text[start : start + n] in words("zh", name) for name in _LISTED))
    length = next(known, 0)
    if length and start + length <= end:
        return start, start + length
    over = onset(text, start, end)
    other = _goes_on().search(text, start + 1, over.start if over else end)
    stop = other.start() if other else over.start if over else end
    if stop - start > 2 and text[stop - 1] in "里上中下":
        stop -= 1
    name = text[start:stop]
    clear = is_han(name) and 1 < len(name) <= _LONGEST_NAME and not _DONE.search(name) and "的" not in name
    return (start, stop) if clear else None
