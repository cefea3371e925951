"""Reasons why a Chinese comparison is no figure: it is denied, points, lists, shares a manner or measures."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.candidates import Candidate, counted_before, is_somebody
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


def denied(c: Candidate) -> str | None:
    """``不像星星``, ``没有哪一处像``, ``别画得像个英雄``, and ``其实根本不像`` after it."""
    if _UNBELIEVED.match(c.tenor) or _DENIES.search(c.tenor) or _NOTHING.search(c.tenor):
        return DENIED
    later = c.sentence_later
    return DENIED if _denied_after().search(later) or _NOT_AT_ALL.search(later) else None


_GENUINE = re.compile(
    r"(?:一?[个只条座辆朵棵头匹]|一[\u4e00-\u9fff])?真(?!理|空|丝|珠|相|菌|皮|金)|活的|实物|原物|原版|刚买|新买|新的"
)
_ITS_OWN = re.compile(r"[我你他她它]们?[^的，]{0,3}[咬剩丢扔吃写画穿踩捏揉撕摔打][^的，]{0,3}的(?!那样)")
_POINTS = re.compile(r"[那这]一?(?:个|件|位|张|幅|种|些|次|天|座|条|只|把|双|块|家)?$")
_SAID = re.compile(r"所?[说写述示言]$|那样$")
_PRONOUN = re.compile("[我你您他她]")
_PLACE = re.compile(r"[\u4e00-\u9fff]{1,3}[上里中]$")


def pointed(c: Candidate) -> str | None:
    """``像往常一样``, ``跟图纸上一样``, ``像你这样``, ``和真人一样``: nothing that a picture could show."""
    phrase, noun = c.phrase, c.noun
    if c.thing is None or _GENUINE.match(phrase):
        return POINTED
    if begins("deictic").match(phrase) and not (c.of and _ITS_OWN.match(phrase)):
        return POINTED
    if phrase.startswith(("那", "这")) and c.marker.kind != "always":
        return POINTED
    if c.closed and _PLACE.search(phrase) and not c.clause and "的" not in phrase and not c.degree:
        return POINTED
    if "自己" in noun or (_PRONOUN.search(noun) and c.phrase == noun):
        return POINTED
    idle = noun in words("zh", "abstract") and not c.counted and not c.degree
    if idle or noun == "人" or noun in words("zh", "deictic") or noun[-2:] in words("zh", "forms"):
        return POINTED
    if c.tail.startswith("的") and noun in words("zh", "no_suffix") and not (c.counted or c.degree):
        return POINTED
    return POINTED if _POINTS.search(phrase) or _SAID.search(phrase) else None


_NO_DEGREE = re.compile("太(?:阳|空船|湖|极|妃|子|后|监|师椅)|别(?:墅|针)|要塞|都[市城]|更夫|会[徽标]|未来|还魂|能量")


def unreal(c: Candidate) -> str | None:
    """``好像没听见``, ``像要说什么``, ``好像还是第一顶最合适``; but ``没搅开的可可`` is a thing."""
    phrase = c.phrase
    if not begins("negated").match(phrase) or _NO_DEGREE.match(phrase):
        return None
    if c.of and (phrase[0] in "不没未" or not counts().search(phrase)):
        return None
    drawn = phrase.startswith("要") and c.counted and c.told and not c.animate
    return None if drawn else NOT_SO


_SUCH = re.compile(r"(?<!^)[这那](?:种|类|些)[\u4e00-\u9fff]{1,4}$")
_AND_SO_ON = re.compile(r"(?:等|之类|一类)的?[\u4e00-\u9fff]{0,4}$")


@cache
def _such_after() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'lists_after')})(?:的|都|，|$)")


def listed(c: Candidate) -> str | None:
    """``像苹果、梨这样的水果``, ``野生菌很多，像牛肝菌、松茸``."""
    if c.marker.kind in ("equal", "more"):
        return None
    if c.marker.kind == "plain" and c.closing.startswith(("这样", "这般")):
        return None if c.counted and not c.tail.startswith("的") else LIST
    goes_on = c.sign == "、" and c.marker.bound >= c.end
    if goes_on and not c.tenor.endswith(("又", "得")):
        return LIST
    if "、" in c.phrase or _such_after().search(c.tail[:8]):
        return LIST
    return LIST if _SUCH.search(c.phrase) or _AND_SO_ON.search(c.phrase) else None


_HOW_TO = re.compile(r"(?:如何|怎样|怎么|教你|学会)$|^\s*为了|以便")
_ASKS = re.compile(r"\s*(?:请|要|可以|应该|必须)")


def shared(c: Candidate) -> str | None:
    """``学生像老师一样坐着``, ``像专业摄影师那样布光``, ``如何像专业人士一样拍摄``: a way to do something."""
    asks_how = _HOW_TO.search(c.tenor) is not None and not _wonders(c)
    if asks_how and not says("adjectives", c.tail):  # `怎么像冰块一样凉`
        return ROLE
    if not c.closed or c.thing is None:
        return None
    if c.noun in ("大人", "成年人"):
        return ROLE
    if c.counted:
        return None
    if c.marker.kind == "plain" and begins("properties").match(c.tail) and not c.degree:
        return ROLE
    model = c.closing.startswith(("那样", "这样"))
    alone = not c.tenor.strip() and not c.told.strip()
    if model and (alone or _ASKS.match(c.tenor)):
        return ROLE
    if c.degree:
        return None
    if c.noun in words("zh", "roles") and c.marker.word != "跟" and (model or c.closing.startswith("一样")):
        return ROLE
    return ROLE if c.closing.startswith("那样") and has("persons", c.noun[-2:]) else None


def _wonders(c: Candidate) -> bool:
    """`你怎么像只落汤鸡？`: a question why somebody is so, and not how to do something."""
    who, how, _ = c.tenor.strip().rpartition("怎么")
    if not how or who.endswith("我"):
        return False
    return not c.tail.strip(" 的呢啊呀") or (c.counted and is_somebody(who) and "那样" not in c.closing)


_SHARES = re.compile(r"都|也|有|是|在|要|会|能|喜欢|爱|受|没|不|，|戴|穿|住|来|去|还")
_CLIMATE = re.compile(r"[冬夏春秋]天$|天气$|气温$|气候$|这里|那里")
_NO_OTHER = ("似的", "无异", "一般无二", "毫无二致", "没什么两样", "没有什么两样", "没两样", "没有两样")


def same(c: Candidate) -> str | None:
    """``和妹妹一样穿着红裙子``, ``跟西瓜一样大``, ``味道跟家里的一样``: no figure unless it says how something is."""
    if c.marker.kind != "equal" or c.degree:
        return None
    noun, tail, closing = c.noun, c.tail.strip(), c.closing
    person = c.phrase == noun and (noun in words("zh", "persons") or has("kin", noun))
    if person or c.phrase.endswith(("的", "是")) or c.tenor.endswith(("长得", "生得")):
        return ROLE
    if _CLIMATE.search(c.tenor.strip()):
        return DEGREE
    if c.phrase.endswith(("上", "里", "中", "前", "后", "时")) and not c.clause:
        return POINTED
    if closing.startswith(_NO_OTHER):
        return None
    if closing.startswith(("这", "那")) or says("measures", tail):
        return DEGREE
    if c.marker.word != "跟" and (not tail or "、" in c.told[-2:]):
        return ROLE
    if c.marker.word != "跟" and c.tenor.strip():  # these also join two things
        if tail.startswith("的") or not says("adjectives", tail):
            return ROLE
    return ROLE if _SHARES.match(tail) else None


def measured(c: Candidate) -> str | None:
    """``一只像真狗一样大的玩具``, ``像砖头那么厚的书``: things that are really measured by each other."""
    if c.phrase.endswith(("大小", "高低", "长短", "粗细", "厚薄")) and not c.closed:
        return DEGREE
    if c.marker.kind != "plain" or not c.closed or c.degree or not says("measures", c.tail):
        return None
    by_thing = counted_before(c.text, c.start, c.marker.start) or has("artifacts", c.tenor[-3:])
    size = c.closing.startswith("那么") or by_thing or "的" in c.tail
    return DEGREE if size and not has("sensed", c.tail) else None
