"""Chinese figures: `像一堵墙立在`, `跟砂纸一样`, `猫似的`, `快如闪电`; any comparison without a reason against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from trope.strategies.guard.chinese.candidates import Candidate, counted_before
from trope.strategies.guard.chinese.carried import carried_by
from trope.strategies.guard.chinese.degree import outdone
from trope.strategies.guard.chinese.lists import ends, has
from trope.strategies.guard.chinese.markers import Marker, markers, suffix
from trope.strategies.guard.chinese.nouns import after_bare_count
from trope.strategies.guard.chinese.orders import requests
from trope.strategies.guard.chinese.reasons import reason
from trope.strategies.guard.chinese.rewrites import adjective_after, adjective_before, rewritten
from trope.strategies.guard.chinese.script import read
from trope.strategies.guard.chinese.suffixes import suffixed
from trope.strategies.guard.chinese.tenors import tenor_of
from trope.strategies.guard.chinese.things import thing
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import PlannedFigure, stretches

_CLAUSE = re.compile(r"(?:[^，。；：！？、,;!?\n…—“”\"（）()「」|]|(?<=[的地])、)+")
_HINT = re.compile(r"[像象如似若般比跟同和与仿宛堪赛俨活势恍想无差亚啻输简疑]|一样|样的")
_LONGEST_CLAUSE = 300
_OPENING = 400


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of a Chinese text, in order, and the comparisons whose vehicle is to be seen."""
    plain = read(text)
    opening: bool | None = None
    taken = 0
    for start, end in stretches(_CLAUSE, plain, _LONGEST_CLAUSE):
        if _HINT.search(plain, start, end):
            opening = _opens_as_design(plain) if opening is None else opening
            found = _in_clause(plain, text, start, end, opening=opening)
            for figure in sorted(found, key=lambda figure: figure.marker):
                if figure.whole[0] < taken:  # the comma, or the clause before, is gone with another figure
                    figure = replace(
                        figure, whole=(max(taken, figure.marker[0]), max(taken, figure.whole[1])), replacement=None
                    )
                yield figure
                taken = max(taken, figure.whole[1])


def _opens_as_design(text: str) -> bool:
    """Whether the first clause, with the sign after it, or a word for a drawing asks for a design."""
    first = _CLAUSE.search(text)
    opening = "" if first is None else text[first.start() : first.end() + 1]
    return has("drawings", text[:_OPENING]) or has("designs", opening)


def _in_clause(plain: str, text: str, start: int, end: int, *, opening: bool) -> list[PlannedFigure]:
    """The figures with a marker before the vehicle, then those with one after it where nothing is taken yet."""
    found: list[PlannedFigure] = []
    done = start
    for marker in markers(plain, start, end):
        if marker.start < done or (marker.closing and marker.closing[0] < done):
            continue
        marker = _attributive(plain, done, marker)
        figure = _figure(Candidate(plain, done, end, marker, thing(plain, marker.end, marker.bound), opening), text)
        if figure is not None:
            found.append(figure)
            done = figure.phrase[1] if figure.seen else max(figure.whole[1], figure.phrase[1])
    for match in suffix().finditer(plain, start, end):
        if any(figure.whole[0] < match.end() and match.start() < figure.whole[1] for figure in found[-8:]):
            continue
        figure = suffixed(plain, text, start, end, match, opening=opening)
        if figure is not None and not any(_overlap(figure, other) for other in found[-8:]):
            found.append(figure)
            start = figure.whole[1]
    return found


def _overlap(one: PlannedFigure, other: PlannedFigure) -> bool:
    return one.whole[0] < other.whole[1] and other.whole[0] < one.whole[1]


_ACTIVE = re.compile(r"[刚正被打发开破落碎干烧熟断裂化冻睡醒飞跑流离出沉漏泄]|[了着过]")


def _attributive(text: str, start: int, marker: Marker) -> Marker:
    """The marker with its thing ending before 的 where the tenor stands after it: `一朵|像小狗|的云`, `如水|的月光`."""
    of = text.find("的", marker.end + 1, marker.bound)
    if marker.closing or of < 0 or of + 1 >= marker.bound:
        return marker
    length, nominal = of - marker.end, _ACTIVE.search(text, marker.end, of) is None
    adjective = length < 4 and nominal and adjective_before(text, start, marker.start) < marker.start
    terse = marker.kind == "terse" and (length == 1 or adjective)
    alone = marker.start == start and text[start - 1 : start] not in ("，", ",", " ")  # `宛如仙境|的山谷`
    terse = terse or (alone and text[marker.end : of] in words("zh", "no_suffix"))
    after_all = text.endswith(("着的", "过的", "那"), start, marker.start)  # `它那|宛如平镜|的碧蓝`
    after_all = after_all or _is_how_much(text, start, marker.start, of) or _is_of_somebody(text, start, marker, of)
    asked = after_all or requests().match(text, start, marker.start) is not None
    return replace(marker, bound=of) if terse or asked or counted_before(text, start, marker.start) else marker


_ONLY_COUNT = re.compile(r"\s*(?:[一两三几那这][\u4e00-\u9fff])?(?P<part>[\u4e00-\u9fff]{0,2}?)")
_TAKES_IT = re.compile("[把将用拿][^的，]{0,3}得$")
_WHEN_SO = re.compile("的(?:傍晚|清晨|早晨|黄昏|夜晚|夜里|晚上|午后|下午|日子|季节|[春夏秋冬][天日夜])")
_TIMES = "天季夜空年"  # `红得像秋天的枫叶`
_FIRST = re.compile(r"\s*[一两三几那这][\u4e00-\u9fff]")


def _is_how_much(text: str, start: int, end: int, of: int) -> bool:
    """`胖得像猪|的男人`, `一个脸红得像苹果|的女孩`: how much so somebody or something is that comes after it."""
    if text[end - 1] != "得" or of - end > 5 or _ACTIVE.search(text, end, of):
        return False
    adjective = adjective_before(text, start, end - 1)
    if _TAKES_IT.search(text, start, end) or _WHEN_SO.match(text, of):
        return True  # `把冻得像胡萝卜|的手指`, `天空红得像火|的傍晚`
    if adjective < end - 1 and (counted_before(text, start, adjective) or text[adjective - 1] in "着了"):
        return True  # `穿着一件|红得像火|的斗篷`, `下着|大得像鹅毛|的雪`
    if adjective == end - 1 or text[of - 1] in _TIMES:
        return False
    said = _ONLY_COUNT.fullmatch(text, start, adjective)
    if said is None:
        return False
    if said["part"]:
        return _somebody_after().match(text, of + 1) is not None
    return text[start - 1 : start] not in ("，", ",") or _FIRST.match(text, start) is not None


def _is_of_somebody(text: str, start: int, marker: Marker, of: int) -> bool:
    """`眼睛像星星|的女孩`: whose eyes they are comes after it."""
    if marker.kind != "plain" or of - marker.end > 4 or "的" in text[start : marker.start]:
        return False
    part = ends("sensed").search(text, start, marker.start) is not None
    return part and _ACTIVE.search(text, marker.end, of) is None and _somebody_after().match(text, of + 1) is not None


@cache
def _somebody_after() -> re.Pattern[str]:
    return re.compile(
        rf"[小老美年轻的]{{0,3}}(?:{either('zh', 'persons')}|王子|少女|少年|姑娘|女子|男子|精灵|猫|狗|马)"
    )


def _figure(c: Candidate, original: str) -> PlannedFigure | None:
    """The figure of a candidate; seen with its reason, or None where there is no thing at all."""
    marker, found = c.marker, c.thing
    if found is None or not _stands(c):
        return None
    if marker.kind == "more":
        return outdone(c, original)
    after = marker.closing[1] if marker.closing else found.stop
    after += adjective_after(c.text, after, c.end) if marker.closing else 0
    tenor = tenor_of(c.text, c.start, marker.start, after, c.end)
    name = "" if tenor is None else c.text[slice(*tenor)]
    bare = found.counted and not found.clause
    first = after_bare_count(c.text, marker.end, found.noun[1]) if bare else marker.end
    phrase = (min(first, found.noun[0]), max(found.noun[1], min(found.stop, marker.bound)))
    said = reason(c)
    if said is not None:
        whole = (marker.start, max(marker.after, phrase[1]))
        return PlannedFigure(
            marker=(marker.start, marker.end), vehicle=found.noun, phrase=phrase, whole=whole, replacement=None,
            qualities=carried_by(c, original, name), seen=True, why=said, tenor=tenor, confidence=0.8,
        )  # fmt: skip
    change = rewritten(c, original, name)
    if tenor is not None and tenor[0] < change.whole[0] < tenor[1]:  # `剑身|薄如蝉翼`
        tenor = (tenor[0], change.whole[0])
    return PlannedFigure(
        marker=(marker.start, marker.end), vehicle=found.noun, phrase=phrase, whole=change.whole,
        replacement=change.replacement, qualities=change.carried, tenor=tenor, confidence=0.9 if c.closed else 0.85,
    )  # fmt: skip


_EXAMPLES = re.compile(r"水果|动物|植物|蔬菜|食物|食品|工具|东西|物品|饮料|家具|[类种]|许多|各|等|有些|某")
_NOT_NOMINAL = re.compile(r"[是有在了着就也都会要能不没吗呢怎]")


def _stands(c: Candidate) -> bool:
    """Whether a marker of one character (`如`), or one that recalls, stands where such a one compares."""
    marker, found = c.marker, c.thing
    assert found is not None
    if marker.kind == "recalls":
        return not c.clause and not has("times", c.phrase) and (c.counted or c.of)
    if marker.kind == "always" and marker.word in words("zh", "loosely"):
        return c.counted
    if marker.kind != "terse" or c.closed:
        return True
    told, bare = c.told.strip("，, "), not c.counted and not c.of
    if marker.word == "赛":  # `嗓门赛喇叭`; and no contest
        return ends("sensed").search(c.tenor) is not None and c.phrase == c.noun
    if not c.tenor.strip():
        if bare and (_NOT_NOMINAL.search(c.phrase) or c.sign not in ("", *"，,。；;！")):
            return False
        if bare and c.sign in ("“", '"', "「", "《"):
            return False
        if bare and len(c.noun) > (2 if marker.word == "若" else 3):
            return False
        if not told or _EXAMPLES.search(told) or c.sign == "、":
            return c.counted and not told
        if len(c.phrase) < 2:
            return False
    if c.phrase in words("zh", "terse_idle"):
        return False
    if c.counted or c.of:
        return len(c.phrase) <= 24 and (c.counted or len(c.noun) <= 5)
    nominal = len(c.noun) <= 5 and not _NOT_NOMINAL.search(c.noun)
    return nominal and (found.stop < c.end or c.phrase == c.noun or len(c.phrase) <= 6)
