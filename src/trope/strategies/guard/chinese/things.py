"""What something is likened to in Chinese: a noun phrase, or in a clause the noun that a painter would draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.chinese.nouns import (
    ASPECT,
    PLACE,
    Head,
    after_count,
    counts,
    head,
    trimmed,
    verb,
)
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span


@dataclass(frozen=True, slots=True)
class Thing:
    """The noun of a phrase, where its noun phrase ends, whether it is counted, and whether a clause is compared."""

    noun: Span
    stop: int
    counted: bool
    clause: bool = False


_LEAD = re.compile(r"\s*(?:刚刚?|正在|正|突然|忽然|一下子|一个劲|是|那|这)?\s*")
_MANY = "[一二两三几十百千万无数]{1,3}(?:个|群|位|名)?|个"
_SOMEBODY = re.compile(rf"(?:[^的，有]{{0,3}}[里外上下后前顶旁])?(?:有?谁家?|有(?:{_MANY})?人(?!形|偶)|什么人|某个?人)")
_THERE_IS = re.compile(r"(?:[^的，有]{0,6}[里上下中前后内外边头顶])?有了?")


def thing(text: str, begin: int, bound: int) -> Thing | None:
    """The thing of a phrase ``[begin, bound)`` between its marker and its closing word, or the end of its clause."""
    lead = _LEAD.match(text, begin, bound)
    start = lead.end() if lead else begin
    if start >= bound or text[start] == "的":
        return None
    opening = after_count(text, start, bound)
    if opening > start:
        found = head(text, opening, bound)
        if found is not None and text[start] == "把" and found.stop < bound:  # `好像把钥匙忘在车上了`
            return Thing(found.noun, bound, counted=False, clause=True)
        return _counted(found, clause=False)
    somebody = _SOMEBODY.match(text, start, bound)
    if somebody is not None and text.startswith("的", somebody.end()):  # `谁的|掌纹`
        start, somebody = somebody.end() + 1, None
    if somebody is not None:
        return _in_clause(text, somebody.end(), bound, somebody=True)
    there_is = _THERE_IS.match(text, start, bound)
    if there_is is not None:
        group = next(_groups(text, there_is.end() - 1, bound), None)
        if group is not None and group[0] <= there_is.end():
            return _counted(head(text, group[1], bound), clause=True)
    clause = _in_clause(text, start, bound, somebody=False)
    if clause is not None:
        return clause
    found = head(text, start, bound)
    return None if found is None else Thing(found.noun, found.stop, counted=False)


def _counted(found: Head | None, *, clause: bool) -> Thing | None:
    return None if found is None else Thing(found.noun, found.stop, counted=True, clause=clause)


@cache
def _bare_after() -> re.Pattern[str]:
    """A classifier alone after `了`, `着`, `有` ...: `揣了|只|兔子`."""
    some, any_ = either("zh", "after_verbs"), either("zh", "bare_classifiers")
    after = rf"(?<=[了着过到有成起出住上下个])(?:{some})|(?<=有)(?:{any_})"
    return re.compile(rf"(?!{either('zh', 'not_counts')})(?:{after})(?=[\u4e00-\u9fff])")


def _groups(text: str, start: int, end: int) -> Iterator[Span]:
    """Where number and classifier, or a classifier alone, stand before a noun; not `一颗颗`, which says how."""
    at = start
    while at < end:
        found = [m for m in (counts().search(text, at, end), _bare_after().search(text, at, end)) if m is not None]
        if not found:
            return
        first, at = min(match.span() for match in found)
        each = at - first > 2 and text[at - 1] == text[at - 2]
        if at < end and not each:
            yield first, at


_OBJECT = re.compile(r"(?<![火拖车扫门手])把(?![手戏柄])")
_TOOL = re.compile(r"[拿用](?P<noun>[\u4e00-\u9fff]{2}(?=[扫熨刮切割刷涂擦量画比缝敲打砸捅戳刻描]))")
_DOES_TO = re.compile(
    r"(?:在[^在的，]{1,4}[上里下中]|[在地上里下中]|不停地?)[\u4e00-\u9fff](?P<noun>[\u4e00-\u9fff]{2,4})$"
)
# `敲|饼干盒`, `坐|轿子`: something done, in verbs that begin hardly any noun; `敲鼓` is a word by itself.
_DONE_WITH = re.compile(
    r"[摇敲坐骑嚼啃撕踩捧拖摔捅扔捉咬砸掀拆剥拧](?![了着过在得满碎断破进出上下起到坏烂])(?P<noun>[\u4e00-\u9fff]{2,4})$"
)


def _in_clause(text: str, start: int, bound: int, *, somebody: bool) -> Thing | None:
    """The thing in a clause: what is held (`把`), counted, said with 的, used as a tool, or done something to."""
    stop = bound - 1 if text[bound - 1] == "的" and not somebody else bound
    groups = [group for group in _groups(text, start, stop) if group[0] > start or somebody]
    of = text.rfind("的", start, stop)
    held = _OBJECT.search(text, start, stop)
    if held is not None and held.end() < stop:
        found = head(text, after_count(text, held.end(), stop), stop)
        if found is not None:
            return Thing(found.noun, bound, counted=bool(groups), clause=True)
    for first, last in reversed(groups):
        found = head(text, last, stop) if of >= last or first > of else None
        if found is not None:
            end = bound if found.stop == stop else found.stop
            return Thing(found.noun, end, counted=True, clause=_is_act(text[start:first]))
    if start < of < stop - 1:
        found = head(text, start, stop)
        return None if found is None else Thing(found.noun, found.stop, counted=False, clause=somebody)
    noun = _done_to(text, start, stop, somebody=somebody)
    return None if noun is None else Thing(noun, bound, counted=False, clause=True)


def _is_act(words: str) -> bool:
    """Whether what stands before a counted thing is something done, and not whose or where it is."""
    return "的" not in words and _acts().search(words) is not None


@cache
def _acts() -> re.Pattern[str]:
    return re.compile(rf"{ASPECT}|{verb()}")


def _done_to(text: str, start: int, stop: int, *, somebody: bool) -> Span | None:
    """The noun of a clause without number and 的."""
    tool = _TOOL.search(text, start, stop)
    if tool is not None:
        return tool.span("noun")
    with_it = None if somebody or _is_word(text, start, stop) else _DONE_WITH.match(text, start, stop)
    if with_it is not None:
        return with_it.span("noun")
    done = _DOES_TO.search(text, start, stop) if somebody else None
    noun = None if done is None else trimmed(text, *done.span("noun"))
    if noun is not None:
        return noun
    for pattern in _clauses():
        match = pattern.search(text, start, stop) if somebody else pattern.match(text, start, stop)
        noun = None if match is None else trimmed(text, *match.span("noun"))
        if noun is not None:
            return noun
    return None


def _is_word(text: str, start: int, stop: int) -> bool:
    """Whether a word begins there in which the verb does nothing: `拖拉机`, `坐垫`."""
    return text.startswith(tuple(words("zh", "compounds")), start, stop)


_COVERS = "[披穿戴裹镀盖撒铺染涂抹结蒙罩缀洒挂塞灌插]"


@cache
def _clauses() -> tuple[re.Pattern[str], ...]:
    act, char = rf"(?:{verb()}|{either('zh', 'events')})", r"[\u4e00-\u9fff]"
    noun, inner = r"(?P<noun>[^的，了着过]{1,7}?)", r"[^的，了着过]"
    by_one = rf"{inner}{{1,3}}(?={inner}(?:[了着过住得]|$))|{inner}{{2}}(?={inner}{{2}}[了着过住得])"
    somewhere = rf"[^的，]{{1,6}}{PLACE}"
    forms = {
        "整座城市都披上了|金甲": rf"[^的，]{{2,6}}?(?:[都也全就]{_COVERS}[上了满着]{{1,2}}|{_COVERS}上?了){noun}$",
        "整个村庄被封进了|罐头": rf"[^的，]{{1,6}}被{char}{{1,2}}[进在到入]了?{noun}(?:{PLACE}面?)?$",
        "被抽掉了|骨头": rf"被{verb()}{char}?[了过上掉]+{noun}$",
        "被钉在了|墙|上": rf"被{char}在了?{noun}{PLACE}$",
        "被|蝎子|蜇了": rf"被(?P<noun>{by_one})",
        "被|刀|割": rf"被(?P<noun>[^的，]{{1,4}}?)给?{verb()}",
        "让|贼|翻过": rf"[让叫](?P<noun>[^的，]{{1,3}}?){verb()}[了过]",
        "从|井|里传上来": rf"[用拿从往朝](?P<noun>[^的，]{{1,5}}?)(?:{PLACE}|[比画量染缝描熨烫]|{verb()})",
        "在黑屋子里找|开关": rf"在{somewhere}{act}(?:{ASPECT}(?=..))?{noun}$",
        "脚下踩着|棉花": rf"(?:在?{somewhere})?{act}{char}?{ASPECT}+[了着]?{noun}(?:{PLACE}面?)?$",
        "结了|冰": rf"(?:{char}{{1,2}}[了着过满]{{1,2}}|{char}[在进入到]){noun}(?:{PLACE}面?)?$",
        "在|云|里飘": rf"在(?P<noun>[^的，]{{1,4}}){PLACE}{act}",
    }
    return tuple(re.compile(form) for form in forms.values())
