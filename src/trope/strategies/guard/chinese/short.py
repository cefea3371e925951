"""Chinese comparisons without a marker before the vehicle, and `快如闪电`."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.parts import (
    WHY,
    made,
    ordered_as,
    qualities_of,
    tenor_before,
)
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
from trope.strategies.guard.plan import PlannedFigure

_MADE = re.compile(r"[\u4e00-\u9fff]{0,3}(?:[沙雪冰石木]雕|雕塑|蛋糕|饼干|造型|气球|笔触|风格|画风|质感|色调|构图)")
_FUNCTION = re.compile(r"[的了着过是在有也都就很看]")


# 例如, 假如, 类似 ... are words of their own
_OTHER_WORDS = tuple("例比假不诸譬相类近疑貌神倘何莫突自一正有酷形状好看")
_COUNTS = re.compile(r"[此图下上前何今果]")
_WING = re.compile(r"[翼翅羽毛影声]")
_SENSED = re.compile(
    r"(?:声|音|嗓子|目光|眼神|眼睛|面容|皮肤|肌肤|头发|长发|身姿|身形|月光|月色|夜色|动作|步伐|眉|唇|脸)$"
)
_ENDS = re.compile(r"[，。！？；、的\n]|$")
_GENUINE = re.compile(r"真的?[^，]{0,2}$|[像如似若]|实物$")
_MARKED = re.compile(r"[如似若像]")
_WITH = re.compile(r"[和跟与同]")


@cache
def _counting() -> re.Pattern[str]:
    return re.compile(rf"一(?:{either('zh', 'classifiers')}){{1,2}}")


def quick(text: str, start: int, end: int, marker: re.Match[str]) -> PlannedFigure | None:
    """``快如闪电``: an adjective before, a listed thing after."""
    adjective = next(
        (
            n
            for n in (2, 1)
            if text[marker.start() - n : marker.start()] in words("zh", "adjectives") and marker.start() - n >= start
        ),
        None,
    )
    stop = known_at(text, marker.end(), end)
    if (
        stop == marker.end()
        and text[stop : stop + 1] in tuple("发鼠豆命麻林注泥絮丝烟潮葱")
        and _ENDS.match(text, stop + 1)
    ):
        stop += 1
    if adjective is None or stop == marker.end():
        return None
    bound = does_from(text, marker.end(), min(end, marker.end() + 4))
    compound = bound == end and bound - stop < 3
    if compound or known_before(text, marker.end(), bound) < bound or _WING.match(text, stop):  # `薄如蝉翼`
        stop = max(stop, bound)
    vehicle = (marker.end(), stop)
    begin = marker.start() - adjective
    ground = text[begin : marker.start()]
    whole, replacement = ((begin, stop), "很" + ground) if adjective == 1 else ((marker.start(), stop), "")
    return PlannedFigure(
        marker.span(), vehicle, vehicle, whole, replacement, (ground,), False, WHY,
        tenor_before(text, start, begin), 0.85,
    )  # fmt: skip


def terse(text: str, start: int, end: int, marker: re.Match[str], *, design: bool) -> PlannedFigure | None:
    """``霞光如火``, ``光阴似箭``: something named before, a listed thing or a kind of one to the end after."""
    begin = marker.end()
    idiom = next((said for said in words("zh", "idioms") if text.startswith(said, marker.start())), None)
    if idiom is not None:
        thing = (begin + 1, begin + 3) if idiom[1] in "坐履沐" else (begin, begin + 1)
        after = marker.start() + len(idiom)
        return made(
            text, start, end, marker.span(), (begin, after), thing, after,
            closed=False, counted=False, seen=ordered_as(text, start, marker, begin, design=design),
        )  # fmt: skip
    if (
        (marker.start() == start and not _likens_first(text, start, end, marker))
        or text[begin] in "的地"
        or text[marker.start() - 1] in _OTHER_WORDS
        or _COUNTS.match(text, begin)
    ):
        return None
    bound = does_from(text, begin, min(end, begin + LONGEST))
    listed_end = known_at(text, begin, end)
    if listed_end > begin and text.startswith("的", listed_end) and listed_end + 1 < end:
        bound = listed_end  # `如水的月光`
    vehicle = noun_in(text, begin, bound)
    if vehicle is None or vehicle[1] != bound or vehicle[1] - vehicle[0] > 4:
        return None
    noun = text[slice(*vehicle)]
    listed = known_before(text, *vehicle) < vehicle[1] or (
        bound == end and len(noun) == 2 and _SENSED.search(text, start, marker.start()) is not None
    )
    if not listed or noun in words("zh", "no_vehicle") or _MARKED.search(noun):
        return None
    if text.endswith(("叫", "名为", "叫做"), start, marker.start()):
        return None
    seen = ordered_as(text, start, marker, bound, design=design)
    return made(text, start, end, marker.span(), (begin, bound), vehicle, bound, closed=False, counted=False, seen=seen)


_EXAMPLES = re.compile(r"水果|动物|植物|蔬菜|食物|食品|工具|东西|物品|饮料|家具|[类种]|许多|各|等|有些|某")


def _likens_first(text: str, start: int, end: int, marker: re.Match[str]) -> bool:
    """``稻浪翻滚，似金色的海洋``: of what was told before, and no example (`水果，如苹果`)."""
    if text[start - 1 : start] not in ("，", ","):
        return False
    before = max(text.rfind(sign, max(0, start - 40), start - 1) for sign in "，。！？；\n")
    told = text[max(0, before + 1) : start - 1]
    return len(told) > 3 and _EXAMPLES.search(told) is None and text[end : end + 1] != "、" and told[-1] not in "假比例"


_OUTDONE = re.compile(
    r"(?P<more>比(?P<than>[\u4e00-\u9fff]{1,5}?)还(?:要)?(?P<how>[\u4e00-\u9fff]{1,2})(?=[的，。！]|$))"
    r"|(?P<same>[跟和与同](?P<as>(?:一(?:[个只条座块把张台]))?[\u4e00-\u9fff]{1,6}?)(?:没(?:有)?(?:什么)?(?:两样|区别|分别)|无异|差不多(?![大小高长宽厚重多远深])))"
)
# Of these a thing may be a measure: `比房子还高` is no figure.
_MEASURED = frozenset("大小高长宽厚重多低矮短深远贵")


def outdone(text: str, start: int, end: int) -> PlannedFigure | None:
    """``比蜜还甜``, ``跟钳子没两样``: more of it than the thing that stands for it, or no different."""
    found = _OUTDONE.search(text, start, end)
    if found is None or found.start() == start:
        return None
    group = "than" if found["more"] else "as"
    begin, stop = found.span(group)
    begin = after_classifier(text, begin, stop)[0]
    if not known(text[begin:stop]) or (found["more"] and found["how"] in _MEASURED):
        return None
    if found["more"] and found["how"] not in words("zh", "adjectives"):
        return None
    carried = (found["how"],) if found["more"] else qualities_of(text, (begin, stop))
    whole = (found.start(), found.end())
    replacement = "很" + found["how"] if found["more"] else None
    return PlannedFigure(
        found.span(), (begin, stop), (begin, stop), whole, replacement, carried, False, WHY,
        tenor_before(text, start, found.start()), 0.75,
    )  # fmt: skip


def suffixed(text: str, start: int, end: int, suffix: re.Match[str]) -> PlannedFigure | None:
    """``白马似的扑向``, ``银铃般的笑声``: no marker before the vehicle."""
    counted = None
    for match in _counting().finditer(text, start, suffix.start()):
        counted = match.end()
    begin = known_before(text, start, suffix.start())
    if counted is not None and counted < suffix.start() <= counted + 6:
        vehicle = noun_in(text, counted, suffix.start())
    elif begin < suffix.start():
        vehicle = (begin, suffix.start())
    elif (suffix.group()[0] == "似" and 1 < suffix.start() - start < 5) or (
        suffix.group()[0] == "般" and suffix.start() - start == 2
    ):
        vehicle = noun_in(text, start, suffix.start())
    elif (
        suffix.group()[0] == "似"
        and suffix.start() - start > 2
        and not _FUNCTION.search(text, suffix.start() - 2, suffix.start())
    ):
        vehicle = (suffix.start() - 2, suffix.start())  # most nouns have two characters
    else:
        return None
    if vehicle is None or text[slice(*vehicle)] in words("zh", "no_vehicle") or text[vehicle[0]] in "跟和与同":
        return None
    if suffix.group().endswith("的") and _MADE.match(text, suffix.end()):
        return None
    if "一样" in suffix.group() and text[slice(*vehicle)] in words("zh", "roles"):
        return None
    if _GENUINE.search(text, max(start, vehicle[0] - 4), vehicle[0]) or text[vehicle[0]] in "像如似若真":
        return None
    after = text[suffix.end() : suffix.end() + 1]
    if suffix.group().startswith("一般") and (
        start < begin >= suffix.start() - 1 or text[begin - 1 : begin] in tuple("和跟与同")
    ):
        return None
    if (
        "一样" in suffix.group()
        and not suffix.group().endswith(("的", "地"))
        and after not in words("zh", "adjectives")
    ):
        return None
    if "一样" in suffix.group() and (begin == suffix.start() or _WITH.search(text, start, vehicle[0])):
        return None
    left = vehicle[0] if counted is None else min(vehicle[0], text.rfind("一", start, counted))
    replacement = "" if suffix.end() < end else None
    return PlannedFigure(
        suffix.span(), vehicle, (left, vehicle[1]), (left, suffix.end()), replacement, qualities_of(text, vehicle),
        False, WHY, tenor_before(text, start, left), 0.8,
    )  # fmt: skip
