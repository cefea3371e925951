"""From a Chinese marker and its vehicle to a planned figure: is it sure, is it ordered, what may replace it."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.words import (
    does_at,
    known,
    known_before,
)
from trope.strategies.guard.lexicon import either, qualities, words
from trope.strategies.guard.plan import PlannedFigure, Span

WHY = "an explicit simile: the vehicle only says what something is like"


_PRONOUN = re.compile(r"[我你他她它咱谁这那]|自己|别人|大家")
_MIMIC = re.compile(
    r"(?:让|叫|请|教(?![室师授练堂育科]))[^，]{0,4}(?:学生|孩子|同学|小朋友|大家|队员|演员|模特|[他她])们?$|(?:模仿|假装|装作|学着)"
)
# What a picture, a take or a cut-out is to look like.
_PICTURE = re.compile(
    r"(?:画面|滤镜|镜头|色调|背景|整体|照片|成片|剪纸)要?$|[拍调修冲印]得$|(?:比|做|摆|围|扎|拼|剪)出$|(?:名叫|名为|叫做|叫)$"
)
_DISGUISED = re.compile(r"头套|面具|化装|装扮成|扮成|戏服")
_PLAYED = re.compile(r"表演|扮演|演出")
_WORN = re.compile(
    r"[\u4e00-\u9fff]{0,3}(?:面具|发箍|头饰|帽子|手影|手势|发型|丸子头|服装|衣服|戏服|道具|雨衣|外套|裙子|毛衣|鞋子?|泳衣|睡衣|披风|围巾)"
)
_MODEL = re.compile(r"[上下][一次周]|同一|第一|约定|平常|往")
_LOOKS = ("长得", "看起来", "看上去", "有点", "有些", "很", "真", "有点儿")
# Of these no shape or color can be said.
_UNSEEN = re.compile(r"[话声音爱心情意思语气念]$|沉默|记忆|时间|日子|光阴|岁月|生活|人生|感情|友谊|消息|[歌嗓]")
_BARE = re.compile(r"[^了着过得，。]{2,12}")
_STYLE = re.compile(r"[\u4e00-\u9fff]{0,2}(?:笔触|风格|画风|质感|色调|构图|造型|效果|字体|配色|画法|镜头)")
_COMPLEMENT = re.compile(r"得(?:就|真|活|好|很|直)?像(?:是|个|一[\u4e00-\u9fff])?")
_NUMBERS = frozenset("一两几这那")
_PLACE = re.compile(r"[^的]{2,10}[里上下中前后时外]")
DESIGN = "a design request: both things are meant to be seen"


def counted_before(text: str, start: int, end: int) -> bool:
    """Whether a number and a classifier stand before: `一朵|像小狗的云`."""
    return text[end - 1 : end] in words("zh", "classifiers") and text[max(start, end - 2) : end - 1] in _NUMBERS


def is_sure(text: str, vehicle: Span, kind: str, *, counted: bool, closed: bool, plain: bool, whole: bool) -> bool:
    """Whether marker and vehicle together compare: a marker that also guesses needs more than one that does not."""
    noun = text[slice(*vehicle)]
    if noun[0] in "真实那这" or noun.endswith("的") or noun in words("zh", "no_vehicle") or _MODEL.match(noun):
        return False
    if not counted and noun in words("zh", "roles") and text.startswith(("一样", "那样"), vehicle[1]):
        return False
    after_de = _COMPLEMENT.search(text, max(0, vehicle[0] - 8), vehicle[0]) is not None
    if noun[-2:] in words("zh", "shapes") and not (
        counted and (closed or after_de or text[vehicle[0] - 1] == "的") and noun in ("孩子", "小孩子")
    ):
        return False
    if (not counted and noun.endswith("照片")) or (closed and noun[-1] in "上里中前后"):
        return False
    listed = known(noun) or known_before(text, *vehicle) < vehicle[1] - 1
    if kind == "equal" and text.startswith("似的", vehicle[1]):  # that closes nothing else
        return not _PRONOUN.search(noun)
    if kind == "equal" and noun[-1] in words("zh", "animals"):
        return not _PRONOUN.search(noun)
    if kind == "equal":
        return listed or (vehicle[1] - vehicle[0] > 1 and text[vehicle[0] - 1] in "如似若的个只条座")
    if kind == "guessing":
        if noun in words("zh", "relations") or (counted and (noun[0] == "人" or any(c in noun for c in "了着过去"))):
            return False
        described = text[vehicle[0] - 1] == "的" and known(noun)  # `好像燃烧的火焰`
        return counted or (closed and listed) or ((plain or described) and whole and known(noun))
    if kind == "literary":
        return counted or closed or listed or whole
    if text.startswith(("那样", "那般"), vehicle[1]) and not (counted or listed):  # a model to follow
        return False
    length = vehicle[1] - vehicle[0]
    if any(char in noun for char in "是有在什吗呢的了着过看走去来很就也像又"):
        return False
    if not plain:
        return counted or closed or listed or (text[vehicle[0] - 1] == "的" and length > 1)
    named = noun[0] in words("zh", "surnames") and length < 4
    return counted or closed or listed or (1 < length < (7 if after_de else 5) and not named)


def ordered_as(text: str, start: int, marker: re.Match[str], after: int, *, design: bool) -> str | None:
    """The reason if the likeness is ordered, made or worn, so that it is to be recognized."""
    if design:
        return DESIGN
    head = text[start : marker.start()]
    if any(word in head for word in words("zh", "made")) or head.endswith("成") or _MIMIC.search(head):
        return DESIGN
    if head.endswith("影子") and text[after - 1] not in "般样的地":  # made with hands
        return DESIGN
    if _DISGUISED.search(text, max(0, start - 12), start) or _PICTURE.search(head) or _PLAYED.match(text, after):
        return DESIGN
    if text.startswith("的", after) and (
        _STYLE.match(text, after + 1)
        or _WORN.match(text, after + 1)
        or (counted_before(text, start, marker.start()) and things().match(text, after + 1))
    ):
        return DESIGN
    if text[after : after + 1] == "的" and head.startswith(tuple(words("zh", "requests"))):
        return DESIGN
    return (
        DESIGN
        if head.endswith(("形状", "外形", "造型"))
        or (head.endswith(("长得", "看起来", "看上去")) and head.startswith(tuple(words("zh", "requests"))))
        else None
    )


def akin(text: str, start: int, end: int, vehicle: Span) -> bool:
    """``这只狗像狼``: an animal that looks like another."""
    animals = words("zh", "animals")
    while text.endswith(_LOOKS, start, end):
        end -= next(len(word) for word in _LOOKS if text.endswith(word, start, end))
    return end > start and text[end - 1] in animals and text[vehicle[1] - 1] in animals


@cache
def things() -> re.Pattern[str]:
    """After `一只像狐狸的`: another of the kind, or a thing that is made; it looks like that."""
    made, kin = either("zh", "artifacts"), "".join(words("zh", "animals"))
    return re.compile(rf"[\u4e00-\u9fff]{{0,3}}(?:{made}|[{kin}])(?![\u4e00-\u9fff]*[毛尾头脸])")


def made(
    text: str,
    start: int,
    end: int,
    marker: Span,
    phrase: Span,
    vehicle: Span,
    after: int,
    *,
    closed: bool,
    counted: bool,
    seen: str | None,
) -> PlannedFigure:
    """The figure of one marker and its vehicle, with what stands there after a rewrite."""
    carried = qualities_of(text, vehicle)
    begin, ground = marker[0], None
    replacement: str | None
    if text[begin - 1 : begin] == "得" and begin - 1 > start:
        size = next((n for n in (2, 1) if text[begin - 1 - n : begin - 1] in words("zh", "adjectives")), None)
        if size is not None:
            ground = text[begin - 1 - size : begin - 1]
            begin -= 1 + size
    follows = next((n for n in (2, 1) if closed and _said_after(text, after, after + n, end)), None)
    if ground is not None:
        carried, replacement = (ground,), "很" + ground
    elif follows is not None:
        carried, replacement = (text[after : after + follows],), "" if follows == 2 else "很"
    elif text[after : after + 1] == "的" and after + 1 < end:
        after, replacement = after + 1, "".join(carried[:1]) + "的" if carried else ""
    elif text[begin - 1 : begin] in ("得", "就", "便") or text[phrase[0] - 1 : phrase[0]] == "被":
        replacement = None
    elif after < end:  # what a comparison that begins the clause goes on to say may be said of the vehicle
        replacement = "" if closed or (counted and begin > start) else None
    elif text[end : end + 1] in ("，", ",") and (closed or begin == start):
        after, replacement = end + 1, ""
    elif begin == start or _UNSEEN.search(text, start, begin):
        replacement = None
    elif text[begin] in "就便" and "一" in text[start:begin]:  # `一进门就像`
        replacement = None
    elif text.startswith(("，", ","), end) and _BARE.fullmatch(text, start, begin) and does_at(text, end + 1):
        after, replacement = end + 1, ""
    else:
        replacement = "显得" + "、".join(carried) if carried else None
    return PlannedFigure(
        marker, vehicle, phrase, (begin, after), None if seen else replacement, carried, seen is not None, seen or WHY,
        tenor_before(text, start, begin), 0.9 if closed else 0.85,
    )  # fmt: skip


def _said_after(text: str, after: int, stop: int, end: int) -> bool:
    """``像雪一样白``: an adjective and then nothing, or what it describes."""
    return text[after:stop] in words("zh", "adjectives") and stop <= end and (stop == end or text[stop] == "的")


def qualities_of(text: str, vehicle: Span) -> tuple[str, ...]:
    """The qualities of a vehicle, by its whole word or its last two characters."""
    noun = text[slice(*vehicle)]
    return qualities("zh").get(noun) or qualities("zh").get(noun[-2:], ())


_ADVERB = re.compile(r"(?:就|也|都|便|正|又|却|还|更|已经|忽然|渐渐|慢慢|简直|仿佛|看起来|看上去|得|是|显得|变得)+$")


def tenor_before(text: str, start: int, end: int) -> Span | None:
    """What stands before the marker in its clause, without adverbs; None if nothing does."""
    adverb = _ADVERB.search(text[start:end])
    if adverb is not None:
        end = start + adverb.start()
    place = _PLACE.match(text, start, end)
    if place is not None and place.end() < end and text[place.end()] not in "的面边":
        start = place.end()
    return (start, end) if 0 < end - start <= 14 else None
