"""Chinese figures: `像一堵墙立在`, `像船长一样`, `浪头白马似的`, `快如闪电`, and nothing that guesses or orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from trope.strategies.guard.chinese.parts import (
    DESIGN,
    WHY,
    akin,
    counted_before,
    is_sure,
    made,
    ordered_as,
    qualities_of,
    tenor_before,
    things,
)
from trope.strategies.guard.chinese.short import outdone, quick, suffixed, terse
from trope.strategies.guard.chinese.words import (
    LONGEST,
    after_classifier,
    does_from,
    known,
    known_at,
    known_before,
    noun_in,
)
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import PlannedFigure, Span, stretches

_CLAUSE = re.compile(r"(?:[^，。；：！？、,;!?\n…—“”\"（）()「」]|(?<=[的地])、)+")


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<literary>{either('zh', 'literary')})|(?P<guessing>{either('zh', 'guessing')})"
        r"|(?P<plain>(?:很|真|倒|挺)?像)"
        rf"|(?P<equal>(?:跟|如|似|若|和|同)(?=[^的]{{1,9}}(?:一样|一般|似的|般)))"
        rf"|(?P<literary2>(?:如|似|若)(?=一(?:{either('zh', 'classifiers')})))"
        r"|(?P<quick>(?:如|似|若|胜)(?=[\u4e00-\u9fff]))"
    )


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'closings')})地?")


_SUFFIX = re.compile(
    r"(?<![相类近疑貌形酷])似的|(?<![相类近疑貌形酷])似地|(?<=[\u4e00-\u9fff])一般的?地?(?=[\u4e00-\u9fff])"
    r"|(?<![一这那如百万千诸多全今])般(?!若|配)的?地?|(?<=[\u4e00-\u9fff])一样[的地]?(?=[\u4e00-\u9fff])"
)
_HINT = re.compile(
    r"[像如似若]|似的|般|一样|仿佛|好比|形同|一般|酷似|比|没两样|无异|俨然|活脱脱|亚于|不啻|简直|势同|差不多"
)
_HOLDS = re.compile(
    r"[\u4e00-\u9fff]{1,2}(?:着|了|进|满|过|上)(?=[一两几个块团把根只])|有了?(?=[一两几个块团把根只千无])"
)
# Near the ear and in sight there may be one; only countless are none.
_SENSED = re.compile(r"耳边|眼里|嘴里")
_COUNTLESS = re.compile(r"千万|无数|成千上万|一[群窝万]")
_NOTHING = re.compile(r"没有?[一哪什]|不(?:大|太|怎么)$|哪一?[个种处]")
_LONGEST_CLAUSE = 300
_SOMEBODY = re.compile(r"(?:有?谁|有人)[^的，]{1,7}?(?=一)")
_THAT = re.compile(r"(?:看，)?[那这](?:边|里|个)?(?:黑影|影子|身影|东西)?(?:好|看着|看起来)?$")
_SOMEWHERE = re.compile(r"(?:[处面边里上下前后中外头]|远方|[那这])$|^$")
_BADGE = re.compile(r"章(?!鱼)|框")
_PORTRAIT = re.compile(
    r"[\u4e00-\u9fff]{0,4}(?:雕塑|雕像|塑像|素描|油画|照片|摄影|海报|剪纸|速写|写真)(?![\u4e00-\u9fff])"
)
_LONG_LOOKS = re.compile(r"(?:长得|看起来|看上去|样子|外形|形状)(?:很|有点)?$")
_GENUINE = re.compile(r"(?:一[\u4e00-\u9fff])?真(?!理|空|丝|珠|相)的?|实物|原物")
_JOINED = re.compile(r"[^的]{1,6}[般样]的")  # `钢铁般的意志和火焰般的热情`
_SIZE = re.compile(r"[大小高长宽厚重多]")
_RID = re.compile(r"被[^，的]{1,3}了")
_LEFT = re.compile(r"(?:有?谁|有人)[^，]{1,8}的(?=[\u4e00-\u9fff]{1,4}(?:[，。！]|$))")
_SHADOWS = ("倒影", "身影", "背影", "树影", "人影", "光影", "月影")
# `工人像`, `石头像`: the word before ends there; after these 人像 is a portrait
_SOMEONE = re.compile(
    r"[个那这些]人|[人羊马牛鸟狼蜂鱼]群|[声嗓余]音|[眼精心]神|[浑满]身|[街心山浪里外念眉丫]头|[工老众游行路军商女男诗主客别病旅]人|[石木骨额拳枕馒舌指砖锄锤]头"
)
_SUPPOSES = ("像", "就像", "仿佛", "彷佛", "犹如", "如同", "好似", "宛如")


@cache
def _acted() -> re.Pattern[str]:
    return re.compile(rf"(?P<verb>[\u4e00-\u9fff]{{1,2}})[了着过进上满]一(?:{either('zh', 'classifiers')})")


@cache
def _completed() -> re.Pattern[str]:
    """``像在口袋里摸到|一枚硬币``: done, and not `像在找一把钥匙`, which is what somebody seems to do."""
    place, done = "(?:在[^，的]{1,8}[里上中下])?", "(?:下|到|出|起|开|翻|掉|断|住)了?"
    return re.compile(rf"{place}[^，的在刚要着]{{1,3}}?{done}(?=一(?:{either('zh', 'classifiers')}))")


@cache
def _design() -> re.Pattern[str]:
    return re.compile(either("zh", "designs"), re.IGNORECASE)


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of a Chinese text, in order."""
    first: bool | None = None
    for start, end in stretches(_CLAUSE, text, _LONGEST_CLAUSE):
        if not _HINT.search(text, start, end):
            continue
        if first is None:
            opening = _CLAUSE.search(text)
            first = opening is not None and _design().search(text, *opening.span()) is not None
        design = first or _design().search(text, start, end) is not None
        yield from sorted(_in_clause(text, start, end, design=design), key=lambda figure: figure.whole)


def _in_clause(text: str, start: int, end: int, *, design: bool) -> list[PlannedFigure]:
    """The figures with a marker before the vehicle, then those with one after it where nothing is taken yet."""
    found: list[PlannedFigure] = []
    done = start
    for marker in _marker().finditer(text, start, end):
        if marker.start() >= done:
            figure = _marked(text, done, end, marker, design=design)
            if figure is not None:
                found.append(figure)
                done = max(figure.whole[1], figure.phrase[1])
    if not found and not design:
        beyond = outdone(text, start, end)
        if beyond is not None:
            found.append(beyond)
    for suffix in _SUFFIX.finditer(text, start, end):
        if not any(figure.whole[0] < suffix.end() and suffix.start() < figure.whole[1] for figure in found[-8:]):
            figure = suffixed(text, start, end, suffix)
            if figure is not None and not any(
                taken.whole[0] < figure.whole[1] and figure.whole[0] < taken.whole[1] for taken in found[-8:]
            ):
                found.append(figure)
                start = figure.whole[1]
    return found


def _marked(text: str, start: int, end: int, marker: re.Match[str], *, design: bool) -> PlannedFigure | None:
    begin, stop = marker.end(), min(end, marker.end() + LONGEST)
    kind = (marker.lastgroup or "").removesuffix("2")
    if kind == "quick":
        return quick(text, start, end, marker) or terse(text, start, end, marker, design=design)
    somebody = _SOMEBODY.match(text, begin, end) if marker.group() in _SUPPOSES else None
    if somebody is None and kind == "plain":
        somebody = _completed().match(text, begin, end)
    left = _LEFT.match(text, begin, end) if marker.group() in _SUPPOSES else None
    if left is not None:
        return _clause(text, start, end, marker, (begin, left.end()), design=design)
    if somebody is not None and after_classifier(text, somebody.end(), end)[1]:
        return _clause(text, start, end, marker, (begin, somebody.end()), design=design)
    if text[marker.start() - 1 : marker.start()] in tuple("不没未最非略") or _NOTHING.search(
        text, start, marker.start()
    ):
        return None
    if kind == "literary" and text.startswith("那", begin) and text.find("的", begin, stop) > 0:
        begin += 1  # `好似那三月的桃花`
    is_one = text.startswith("是一", begin) and not _SOMEWHERE.search(text, start, marker.start())
    if (
        kind == "literary"
        and text[marker.start() : marker.end()] in "如似若"
        and text[marker.start() - 1] in "假例比犹"
    ):
        return None
    if kind == "plain" and marker.start() == start and _BADGE.match(text, begin):
        return None
    if kind in ("guessing", "plain") and text.startswith("有", begin):
        return _held(text, start, marker, stop)
    if begin >= end or (not is_one and text.startswith(tuple(words("zh", "image_after")), begin)):
        return None
    if kind == "equal" and text[marker.start() - 1 : marker.start()] in ("不", "例", "比", "相", "类", "假", "譬"):
        return None
    if _GENUINE.match(text, begin) or (text[marker.start()] == "和" and _JOINED.match(text, begin, end)):
        return None
    if text[begin] in "是被" and after_classifier(text, begin + 1, stop)[1]:
        begin += 1
    if kind == "guessing" and marker.end() - start < 12 and _THAT.match(text, start, marker.start()):
        return None
    if (
        text[begin] == "被" and kind == "guessing" and _closing().search(text, begin + 2, stop) is None
    ):  # `仿佛被水泡过的旧地图`
        return None
    if text[begin] == "被" and _RID.match(text, begin, end) and known_before(text, begin + 1, end) < end - 1:
        thing = (known_before(text, begin + 1, end), end)  # `像被抽掉了骨头`
        seen = ordered_as(text, start, marker, end, design=design)
        return made(
            text, start, end, marker.span(), (begin + 1, end), thing, end, closed=False, counted=True, seen=seen
        )
    inside, counted = after_classifier(text, begin, stop)
    if kind == "plain" and text[marker.start() - 1 : marker.start()] in words("zh", "image_before"):
        closed = _closing().search(text, inside + 1, stop)
        if text[marker.start() - 1] == "人" and _PORTRAIT.match(text, begin):
            return None
        other = text[marker.start() - 2 : marker.start()] in _SHADOWS or _SOMEONE.match(text, marker.start() - 2)
        if not counted and closed is None and not other:  # 肖像, 雕像; but 声音像一口钟, 石头像雪一样
            return None
    if _named(text, start, marker.start()):
        return None
    of = text.find("的", inside, stop)
    looks = _LONG_LOOKS.search(text, start, marker.start())
    if of > inside and of + 1 < end and counted_before(text, start, looks.start() if looks else marker.start()):
        return _attributive(text, start, marker, (inside, of))
    held = _held(text, start, marker, stop) if kind in ("guessing", "plain") and not counted else None
    if held is not None:
        return held
    acted = _acted().match(text, inside, stop)
    if (acted is not None and kind != "guessing") or (acted is not None and text[marker.start()] in "仿彷"):
        if not any(word in acted["verb"] for word in words("zh", "perceived")):
            inside, counted = acted.end(), True
    closing = _closing().search(text, inside + 1, stop)
    bound = closing.start() if closing else does_from(text, inside, stop)
    inner = does_from(text, inside, bound) if closing else bound
    actor = _actor(text, inside, bound) if closing else None
    if actor is not None:
        bound = actor
    elif inner < bound and known_before(text, inside, inner) < inner:
        bound = inner  # `像耗子见了猫一样`
    elif closing is not None and known_before(text, inside, bound) == bound:
        actor = known_at(text, inside, bound)
        if actor - inside > 1 and bound - actor < 4:
            bound = actor  # `像老人咳嗽似的`
    vehicle = noun_in(text, inside, bound)
    plain = vehicle is not None and vehicle == (inside, bound)
    if vehicle is not None and vehicle[0] > inside and kind == "guessing" and text[marker.start()] in "仿彷":
        done = text[inside : vehicle[0]]
        counted |= known(text[slice(*vehicle)]) and not any(word in done for word in words("zh", "perceived"))
    if vehicle is None or not is_sure(
        text, vehicle, kind, counted=counted, closed=closing is not None, plain=plain, whole=bound == end
    ):
        known_end = known_at(text, begin, stop)
        if kind not in ("plain", "literary") or closing is not None or known_end - begin < 2 or known_end == end:
            return None
        vehicle, bound = (begin, known_end), known_end  # `像石头扔进水里`
    if text[end : end + 1] == "、" and bound == end:  # a list of examples
        return None
    if vehicle[1] - vehicle[0] > 1 and text[slice(*vehicle)] in text[start : marker.start()]:  # two of a kind
        return None
    after = closing.end() if closing else bound
    if (
        closing is not None
        and _SIZE.match(text, after)
        and (marker.group() in ("跟", "和", "同") or counted_before(text, start, marker.start()))
    ):
        return None
    seen = ordered_as(text, start, marker, after, design=design)
    if seen is None and closing is None and not counted and akin(text, start, marker.start(), vehicle):
        seen = DESIGN
    return made(
        text,
        start,
        end,
        marker.span(),
        (begin, bound),
        vehicle,
        after,
        closed=closing is not None,
        counted=counted,
        seen=seen,
    )


def _actor(text: str, inside: int, bound: int) -> int | None:
    """Where the actor ends in ``像老鹰抓小鸡似的``: a thing, something short that it does, and what it does it to."""
    if text.find("的", inside, bound) >= 0:
        return None
    actor = known_at(text, inside, bound)
    if actor == inside or not (known_before(text, actor, bound) < bound or text[bound - 1] in "食水行"):
        return None
    middle = known_before(text, actor, bound) - actor
    return actor if 0 < middle < 4 and text[actor] not in "和与跟、" else None


def _named(text: str, start: int, at: int) -> bool:
    """Whether the marker is somebody's name: `一个叫宛如的女孩`."""
    return text.endswith(("叫", "名为", "叫做", "名字是"), start, at)


def _attributive(text: str, start: int, marker: re.Match[str], phrase: Span) -> PlannedFigure | None:
    """``画一朵像小狗的云``: ordered, so that it is to be recognized; told, it is a comparison before its tenor."""
    closing = _closing().search(text, phrase[0] + 1, phrase[1])
    if closing is not None and _SIZE.match(text, closing.end()):
        return None
    ordered = text[start:].startswith(tuple(words("zh", "requests"))) or (
        (closing is None or closing.end() == phrase[1]) and things().match(text, phrase[1] + 1) is not None
    )
    vehicle = noun_in(text, phrase[0], closing.start() if closing else phrase[1])
    if vehicle is None or not (ordered or closing or known(text[slice(*vehicle)])):
        return None
    whole = (marker.start(), phrase[1] + 1)
    return PlannedFigure(
        marker.span(), vehicle, (phrase[0], vehicle[1]), whole, None if ordered else "", qualities_of(text, vehicle),
        ordered, DESIGN if ordered else WHY, None, 0.8,
    )  # fmt: skip


def _clause(
    text: str, start: int, end: int, marker: re.Match[str], inside: Span, *, design: bool
) -> PlannedFigure | None:
    """``像谁打开了一只珠宝匣``, ``仿佛有人撒了一把碎金``: nobody did it, and what it was done to is the likeness."""
    begin, _ = after_classifier(text, inside[1], end)
    vehicle = noun_in(text, begin, does_from(text, begin, end))
    if vehicle is None or any(word in text[slice(*inside)] for word in words("zh", "perceived")):
        return None
    seen = ordered_as(text, start, marker, end, design=design)
    return made(
        text, start, end, marker.span(), (inside[0], vehicle[1]), vehicle, end, closed=False, counted=True, seen=seen
    )


def _held(text: str, start: int, marker: re.Match[str], stop: int) -> PlannedFigure | None:
    """``心里仿佛揣着一只烤红薯``: felt inside, so that the thing held is none."""
    if not any(word in text[start : marker.start()] for word in words("zh", "containers")):
        return None
    holds = _HOLDS.match(text, marker.end(), stop)
    if holds is not None and holds.group().startswith("有") and _SENSED.search(text, start, marker.start()):
        holds = holds if _COUNTLESS.match(text, holds.end()) else None
    if holds is None or any(word in holds.group() for word in words("zh", "perceived")):
        return None
    inside, _ = after_classifier(text, holds.end(), stop)
    vehicle = noun_in(text, inside, does_from(text, inside, stop))
    if vehicle is None:
        return None
    whole = (marker.start(), vehicle[1])
    return PlannedFigure(
        marker.span(), vehicle, (holds.end(), vehicle[1]), whole, None, qualities_of(text, vehicle), False, WHY,
        tenor_before(text, start, marker.start()), 0.7,
    )  # fmt: skip
