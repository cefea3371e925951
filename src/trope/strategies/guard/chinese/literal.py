"""Reasons why a Chinese comparison is no figure: it is denied, points, lists, shares a manner or measures."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.case import Case, counted_before
from trope.strategies.guard.chinese.lists import begins, has, says
from trope.strategies.guard.chinese.nouns import counts
from trope.strategies.guard.lexicon import either, words

DENIED = "the likeness is denied"
POINTED = "what it is compared to is pointed to, not pictured"
LIST = "examples of a kind, not a likeness"
ROLE = "a manner or a role that people share"
DEGREE = "a real comparison of size or degree"
NOT_SO = "what may be, must be or is not: nothing is likened"

_DENIES = re.compile(
    r"(?:不|没|没有|不再|不太|不大|不怎么|并不|毫不|从不|绝不|哪里?|才不|不是什么|不是|未必|不一定|与其说)$"
)
_UNBELIEVED = re.compile(
    r"[^，]{0,3}(?:没|没有|不是|谁)说|(?:我|他|她|可|千万|也|都|并)*(?:别|不要|不觉得|不认为|不信|没觉得|不想)"
)
_NOTHING = re.compile(r"没有?[一哪什]|哪一?[个种处]")
_NOT_AT_ALL = re.compile(r"并不像|一点[也都]不像")


@cache
def _denied_after() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'denied_after')})[^，]{{0,6}}[不没假]")


def denied(case: Case) -> str | None:
    """``不像星星``, ``没有哪一处像``, ``别画得像个英雄``, and ``其实根本不像`` after it."""
    if _UNBELIEVED.match(case.tenor) or _DENIES.search(case.tenor) or _NOTHING.search(case.tenor):
        return DENIED
    later = case.sentence_later
    return DENIED if _denied_after().search(later) or _NOT_AT_ALL.search(later) else None


_GENUINE = re.compile(
    r"(?:一?[个只条座辆朵棵头匹]|一[\u4e00-\u9fff])?真(?!理|空|丝|珠|相|菌|皮|金)|活的|实物|原物|原版|刚买|新买|新的"
)
_ITS_OWN = re.compile(r"[我你他她它]们?[^的，]{0,3}[咬剩丢扔吃写画穿踩捏揉撕摔打][^的，]{0,3}的(?!那样)")
_POINTS = re.compile(r"[那这]一?(?:个|件|位|张|幅|种|些|次|天|座|条|只|把|双|块|家)?$")
_SAID = re.compile(r"所?[说写述示言]$|那样$")
_PRONOUN = re.compile("[我你您他她]")
_PLACE = re.compile(r"[\u4e00-\u9fff]{1,3}[上里中]$")


def pointed(case: Case) -> str | None:
    """``像往常一样``, ``跟图纸上一样``, ``像你这样``, ``和真人一样``: nothing that a picture could show."""
    phrase, noun = case.phrase, case.noun
    if case.thing is None or _GENUINE.match(phrase):
        return POINTED
    if begins("deictic").match(phrase) and not (case.of and _ITS_OWN.match(phrase)):
        return POINTED
    if phrase.startswith(("那", "这")) and case.marker.kind != "always":
        return POINTED
    if case.closed and _PLACE.search(phrase) and not case.clause and "的" not in phrase and not case.degree:
        return POINTED
    if "自己" in noun or (_PRONOUN.search(noun) and case.phrase == noun):
        return POINTED
    idle = noun in words("zh", "abstract") and not case.counted and not case.degree
    if idle or noun == "人" or noun in words("zh", "deictic") or noun[-2:] in words("zh", "forms"):
        return POINTED
    if case.tail.startswith("的") and noun in words("zh", "no_suffix") and not (case.counted or case.degree):
        return POINTED
    return POINTED if _POINTS.search(phrase) or _SAID.search(phrase) else None


_NO_DEGREE = re.compile("太(?:阳|空船|湖|极|妃|子|后|监|师椅)|别(?:墅|针)|要塞|都[市城]|更夫|会[徽标]|未来|还魂|能量")


def unreal(case: Case) -> str | None:
    """``好像没听见``, ``像要说什么``, ``好像还是第一顶最合适``; but ``没搅开的可可`` is a thing."""
    phrase = case.phrase
    if not begins("negated").match(phrase) or _NO_DEGREE.match(phrase):
        return None
    if case.of and (phrase[0] in "不没未" or not counts().search(phrase)):
        return None
    drawn = phrase.startswith("要") and case.counted and case.told and not case.animate
    return None if drawn else NOT_SO


_SUCH = re.compile(r"(?<!^)[这那](?:种|类|些)[\u4e00-\u9fff]{1,4}$")
_AND_SO_ON = re.compile(r"(?:等|之类|一类)的?[\u4e00-\u9fff]{0,4}$")


@cache
def _such_after() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'lists_after')})(?:的|都|，|$)")


def listed(case: Case) -> str | None:
    """``像苹果、梨这样的水果``, ``野生菌很多，像牛肝菌、松茸``."""
    if case.marker.kind in ("equal", "more"):
        return None
    if case.marker.kind == "plain" and case.closing.startswith(("这样", "这般")):
        return None if case.counted and not case.tail.startswith("的") else LIST
    goes_on = case.sign == "、" and case.marker.bound >= case.end
    if goes_on and not case.tenor.endswith(("又", "得")):
        return LIST
    if "、" in case.phrase or _such_after().search(case.tail[:8]):
        return LIST
    return LIST if _SUCH.search(case.phrase) or _AND_SO_ON.search(case.phrase) else None


_HOW_TO = re.compile(r"(?:如何|怎样|怎么|教你|学会)$|^\s*为了|以便")
_ASKS = re.compile(r"\s*(?:请|要|可以|应该|必须)")


def shared(case: Case) -> str | None:
    """``学生像老师一样坐着``, ``像专业摄影师那样布光``, ``如何像专业人士一样拍摄``: a way to do something."""
    if _HOW_TO.search(case.tenor) and not says("adjectives", case.tail):  # `怎么像冰块一样凉`
        return ROLE
    if not case.closed or case.thing is None:
        return None
    if case.noun in ("大人", "成年人"):
        return ROLE
    if case.counted:
        return None
    if case.marker.kind == "plain" and begins("properties").match(case.tail) and not case.degree:
        return ROLE
    model = case.closing.startswith(("那样", "这样"))
    alone = not case.tenor.strip() and not case.told.strip()
    if model and (alone or _ASKS.match(case.tenor)):
        return ROLE
    if case.degree:
        return None
    if case.noun in words("zh", "roles") and case.marker.word != "跟" and (model or case.closing.startswith("一样")):
        return ROLE
    return ROLE if case.closing.startswith("那样") and has("persons", case.noun[-2:]) else None


_SHARES = re.compile(r"都|也|有|是|在|要|会|能|喜欢|爱|受|没|不|，|戴|穿|住|来|去|还")
_CLIMATE = re.compile(r"[冬夏春秋]天$|天气$|气温$|气候$|这里|那里")
_NO_OTHER = ("似的", "无异", "一般无二", "毫无二致", "没什么两样", "没有什么两样", "没两样", "没有两样")


def same(case: Case) -> str | None:
    """``和妹妹一样穿着红裙子``, ``跟西瓜一样大``, ``味道跟家里的一样``: no figure unless it says how something is."""
    if case.marker.kind != "equal" or case.degree:
        return None
    noun, tail, closing = case.noun, case.tail.strip(), case.closing
    person = case.phrase == noun and (noun in words("zh", "persons") or has("kin", noun))
    if person or case.phrase.endswith(("的", "是")) or case.tenor.endswith(("长得", "生得")):
        return ROLE
    if _CLIMATE.search(case.tenor.strip()):
        return DEGREE
    if case.phrase.endswith(("上", "里", "中", "前", "后", "时")) and not case.clause:
        return POINTED
    if closing.startswith(_NO_OTHER):
        return None
    if closing.startswith(("这", "那")) or says("measures", tail):
        return DEGREE
    if case.marker.word != "跟" and (not tail or "、" in case.told[-2:]):
        return ROLE
    if case.marker.word != "跟" and case.tenor.strip():  # these also join two things
        if tail.startswith("的") or not says("adjectives", tail):
            return ROLE
    return ROLE if _SHARES.match(tail) else None


def measured(case: Case) -> str | None:
    """``一只像真狗一样大的玩具``, ``像砖头那么厚的书``: things that are really measured by each other."""
    if case.phrase.endswith(("大小", "高低", "长短", "粗细", "厚薄")) and not case.closed:
        return DEGREE
    if case.marker.kind != "plain" or not case.closed or case.degree or not says("measures", case.tail):
        return None
    by_thing = counted_before(case.text, case.start, case.marker.start) or has("artifacts", case.tenor[-3:])
    size = case.closing.startswith("那么") or by_thing or "的" in case.tail
    return DEGREE if size and not has("sensed", case.tail) else None
