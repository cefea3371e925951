"""Where a Chinese noun begins and ends: numbers and classifiers, modifiers with 的, and the predicate that goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.chinese.script import is_han
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span

LONGEST_NOUN = 8
# Of one thing: what stands after a verb that is done, and the place word after a noun.
ASPECT = "[了着过到满进入住起出开上下在成]"
PLACE = "[里上下中内外前后边旁间]"

_NUMBER = "(?:一|两|俩|几|无数|数|三|四|五|六|七|八|九|十|百|千|万|半|成千上万|千百|某)"


@cache
def counts() -> re.Pattern[str]:
    """`一只`, `无数颗`, `一匹匹`, `千万只`."""
    one = rf"(?P<of>{either('zh', 'classifiers')})(?:一?(?P=of)|儿)?"
    return re.compile(rf"{_NUMBER}{{1,2}}(?:大|小|整|长)?{one}(?!的)|无数(?!的)")


@cache
def bare_counts() -> re.Pattern[str]:
    """`像|只|猫`: a classifier without its number, where a noun goes on."""
    other = either("zh", "not_counts")
    return re.compile(rf"(?!{other})(?:{either('zh', 'bare_classifiers')})(?=[\u4e00-\u9fff])")


def after_count(text: str, start: int, end: int) -> int:
    """Behind the number and classifier at ``start``, if there are any and a noun after them; else ``start``."""
    group = counts().match(text, start, end) or bare_counts().match(text, start, end)
    return group.end() if group is not None and group.end() < end else start


def after_bare_count(text: str, start: int, end: int) -> int:
    """Behind a classifier without its number at ``start`` (`像|只|猫`); ``start`` if there is none or it is the end."""
    group = bare_counts().match(text, start, end)
    one = group is not None and group.end() < end and text[group.end()] not in "一二两三几"  # `头|一回看见雪的骆驼`
    return group.end() if group is not None and one else start


def verb() -> str:
    """A verb of one character, as part of a regular expression."""
    return f"[{''.join(sorted(words('zh', 'verbs')))}]"


@cache
def _onset() -> re.Pattern[str]:
    done = rf"{verb()}(?:{either('zh', 'complements')})"
    event = rf"(?<=[\u4e00-\u9fff][\u4e00-\u9fff])(?:{either('zh', 'events')})"
    doing = rf"(?:{either('zh', 'doings')})"
    manner = r"[^的，]{1,3}地(?![板毯图方面球道窖铁])(?=[\u4e00-\u9fff])"
    each = r"一(?P<each>[\u4e00-\u9fff])(?:一?(?P=each)|一[\u4e00-\u9fff])"
    prep = rf"(?P<prep>{either('zh', 'prepositions')}|(?<![正现存内实自所好])在)"
    return re.compile(
        rf"{doing}|{prep}|{done}|{event}|(?:{either('zh', 'adverbs')})|{manner}|{each}"
        r"|[\u4e00-\u9fff]{2}作响|[四乱纷](?:散|飞|射|溅|扬)|而(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]{2})要(?=[\u4e00-\u9fff])(?![塞饭道])"
    )


@cache
def _compounds() -> re.Pattern[str]:
    """`门把手`, `棉被`, `降落伞`: words in which such a character begins no predicate."""
    return re.compile(either("zh", "compounds"))


@dataclass(frozen=True, slots=True)
class Onset:
    """Where a predicate begins and what it begins with; ``prep``: with a preposition."""

    start: int
    end: int
    prep: bool


def onset(text: str, start: int, end: int) -> Onset | None:
    """The first predicate after a noun that begins at ``start`` and has a character at least."""
    inside = [compound.span() for compound in _compounds().finditer(text, start, end)]
    at = start + 1
    while at < end:
        found = _onset().search(text, at, end)
        if found is None:
            return None
        compound = next((stop for begin, stop in inside if begin <= found.start() < stop), None)
        if compound is None:
            return Onset(found.start(), found.end(), found["prep"] is not None)
        at = max(compound, found.start() + 1)
    return None


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a noun phrase and where the phrase ends."""

    noun: Span
    stop: int


def head(text: str, start: int, bound: int) -> Head | None:
    """The noun after the last 的 that belongs to it, before what the tenor does."""
    first = True
    while True:
        of = text.find("的", start, bound)
        stop = bound if of < 0 else of
        over = onset(text, start, stop)
        if of < 0 or (over is not None and _is_over(text, start, over, of, bound, first=first)):
            break
        first, start, over = False, of + 1, None
        if start >= bound:
            return None
    end = stop if over is None else over.start
    number = counts().match(text, start, end)
    noun = trimmed(text, number.end() if number is not None and number.end() < end else start, end)
    return None if noun is None else Head(noun, bound if over is None else end)


_TO_A_PLACE = re.compile(r"的[^的，]{0,4}(?:[面边里上下中后前旁间]|[心额肩枝街山墙]头)$")


def _is_over(text: str, start: int, over: Onset, of: int, bound: int, *, first: bool) -> bool:
    """Whether the noun ends before the 的 at ``of``, which belongs to what the tenor does.

    `墙立在孩子们|的|前面`, `石头扔进了平静|的|池塘`; but in `老鼠咬过|的|纸` the noun follows.
    """
    to_a_place = _TO_A_PLACE.match(text, of, bound) is not None
    if over.prep:
        return not first or to_a_place or onset(text, of + 2, bound) is not None
    if over.end >= of or text[start] == "在" or text[start] in words("zh", "verbs"):
        return False
    last = "在" if text[over.end] == "在" else text[over.end - 1]  # `散落|在`
    return last in "向到进入往" or (last == "在" and to_a_place)


@cache
def _modifiers() -> re.Pattern[str]:
    return re.compile(f"(?:{either('zh', 'modifiers')})")


@cache
def _acts() -> re.Pattern[str]:
    """`蜻蜓|点水`, `老鹰|抓小鸡`: a noun and what it does."""
    act = rf"{verb()}[\u4e00-\u9fff]{{1,2}}|(?:{either('zh', 'events')})"
    return re.compile(rf"(?P<noun>[\u4e00-\u9fff]{{2}})(?:{act})$")


_CRAWLS = re.compile(r"(?P<noun>[\u4e00-\u9fff]{2})[爬跑飞游跳叫]")  # `乌龟|爬`
_A_WHOLE = re.compile(r"整[个只条张块座面匹棵卷盒箱袋瓶杯碗盆罐桶锅把串盘](?=[\u4e00-\u9fff]{2})")  # `整卷|胶片`
_NO_NOUNS = frozenset("在给把被向从往对和跟着过得地的是有不没也都就又还")
_PARTICLES = "哈嘿呀啊呢吧哦嘛啦哟喽咯哪"
_LOCATIVE = re.compile(r"(?<=[\u4e00-\u9fff])(?:[上里]面?|之[上中下间]|中间|[下底]面|旁边)$")


def trimmed(text: str, start: int, end: int) -> Span | None:
    """A noun without the adjectives before it and the place word or the act after it; None if it is none."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > 1 and text[end - 1] in _PARTICLES:
        end -= 1
    place = _LOCATIVE.search(text[start:end])
    if place is not None and place.start() > 0:
        end = start + place.start()
    acts = _acts().match(text, start, end) if end - start in (4, 5) else None
    if acts is not None and end - start == 5 and text[start : start + 2] in words("zh", "times"):
        start += 3  # `过年放|鞭炮`
    elif acts is not None and _compounds().search(text, start, end) is None:
        end = acts.end("noun")
    whole = _A_WHOLE.match(text, start, end)
    start = whole.end() if whole is not None else start
    crawls = _CRAWLS.fullmatch(text, start, end)
    end = crawls.end("noun") if crawls is not None else end
    while text[start:end] not in words("zh", "keep"):
        modifier = _modifiers().match(text, start, end)
        if modifier is None or end - modifier.end() < 2:
            break
        start = modifier.end()
    if (
        text[end - 1 : end] == "了"
        or text[start:end] in _NO_NOUNS
        or not 0 < end - start <= LONGEST_NOUN
        or not is_han(text[start:end])
    ):
        return None
    return start, end
