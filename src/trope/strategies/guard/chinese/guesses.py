"""Reasons why what a Chinese comparison names may really be there: a guess, something heard, something found out."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.case import Case, is_somebody
from trope.strategies.guard.chinese.lists import begins, has
from trope.strategies.guard.lexicon import either

GUESS = "a guess or something perceived: it may really be there"
REAL = "it turns out to be there"

_IN_PLACE = re.compile(r"(?:[里上下中内外]|[里外]头|[旁外]边|[前后外里]面|门口)$")
_DATED = re.compile(r"年代|世纪|时期|时代|朝的|年产|代的")
_HEARD = re.compile(r"[听据][^，]{1,6}[说称讲]|(?<!没)有人[说讲]")
_WHILE = re.compile(r"^[^，]{1,5}(?:时候?|之后|以后|后)$")
_SEEKS = re.compile(r"正?在[找等]")
_BY_SOMEBODY = re.compile(r"[被有]人")
_THERE_IS = re.compile(r"(?:里面|里头)?有")
# What is told of nature is nobody's doing, so that somebody is only likened.
_NATURE = re.compile(r"[雪雨云雾月星光山海湖河浪霞烟]")
_NATURAL = re.compile(r"[声音光雾云雪雨风水浪山路树花]$")
_NATURAL_SOUND = re.compile(r"[声光雾雪雨风云浪烟]")
_VERBAL = re.compile(r"[了着过是在有来去说到想要会没不]")
_NOT_LIKE = re.compile("没什么|[给有是被把对跟和为]")
_HAPPENS = re.compile(r"[要会了]|正在")
_LITERARY = ("仿佛", "彷佛")


@cache
def _felt() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'containers')})(?:就|便|都|也)?$")


@cache
def _dimly() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[，,])(?:看，?)?(?:{either('zh', 'seen_dimly')})(?:好|看着|看起来)?$")


def guessed(case: Case) -> str | None:
    """``好像要下雨了``, ``仿佛听见有人敲门``, ``屋里好像有只猫``: it may be so."""
    if not case.counted and not case.closed and has("diagnosed", case.told + case.tenor):
        return GUESS
    if case.thing is None or case.degree or case.marker.kind not in ("guess", "plain"):
        return None
    if _BY_SOMEBODY.match(case.phrase) and "的" in case.phrase[2:-1]:
        return None
    guesses, perceived = case.marker.kind == "guess", has("perceived", case.phrase)
    if case.phrase.startswith("谁"):
        alone = guesses and not case.tenor.strip() and not case.told.strip()
        return GUESS if alone or (perceived and "的" not in case.phrase) else None
    tenor = _WHILE.sub("", case.tenor.strip())
    felt = _felt().search(tenor) is not None
    done = case.text[case.marker.end : case.thing.noun[0]]
    if case.clause and ((case.animate and _SEEKS.match(case.phrase)) or (not felt and has("perceived", done))):
        return GUESS
    if not guesses:
        there = _THERE_IS.match(case.phrase) and not _BY_SOMEBODY.match(case.phrase)
        return GUESS if there and tenor and not felt and not case.closed else None
    return _may_be(case, tenor, felt=felt)


def _may_be(case: Case, tenor: str, *, felt: bool) -> str | None:
    """Whether a word that also guesses does so."""
    heard = has("hearsay", case.told + tenor) or _HEARD.search(case.told + tenor)
    if _DATED.search(case.phrase) or (not felt and (heard or (case.clause and _IN_PLACE.search(tenor)))):
        return GUESS
    somebody = begins("somebody").match(case.phrase) and not case.counted and "的" not in case.phrase
    if somebody and not _NATURE.search(case.told + tenor):
        return GUESS
    if case.closed or felt:
        return None
    if _THERE_IS.match(case.phrase) and (tenor or not case.told):
        return GUESS
    if _dimly().search(tenor) or has("seen_dimly", tenor[-2:]):
        return GUESS
    if case.clause:
        return _done(case, tenor)
    return _one(case, tenor) if case.counted else _bare(case, tenor)


def _done(case: Case, tenor: str) -> str | None:
    """``仿佛脚下踩着棉花``, ``好像摸到了一只水壶``: what somebody seems to do may be so, not what a thing does."""
    literary = case.marker.word in _LITERARY
    if tenor:
        return GUESS if is_somebody(tenor) or not (literary or _NATURAL.search(tenor)) else None
    if not case.told.strip():
        return None if literary else GUESS
    last = re.split("[，,]", case.told.rstrip("，, "))[-1]
    if _NATURAL_SOUND.search(last) or last.endswith("的"):
        return None
    he = case.told.lstrip(" ，,").startswith(("他", "她"))
    return GUESS if not literary and case.animate and (he or not case.counted) else None


def _one(case: Case, tenor: str) -> str | None:
    """``仿佛一座教堂``; but ``好像是一只猫趴在墙上`` and ``那人像是个学生``."""
    assert case.thing is not None
    goes_on = case.text[case.thing.stop : case.end].strip()
    if not tenor and not case.told.strip() and (case.marker.word.endswith("是") or goes_on):
        return GUESS
    somebody = has("persons", case.noun) and is_somebody(tenor)
    return GUESS if somebody and case.marker.word != "仿佛" else None


def _bare(case: Case, tenor: str) -> str | None:
    """``仿佛蚁群``, ``好像豆子撒在铁盘里``, ``好像散落的星星``: a noun without a number must stand like one."""
    assert case.thing is not None
    literary = case.marker.word in _LITERARY
    word, told = case.marker.word, case.told and not tenor and not case.animate
    goes_on, nominal = case.thing.stop < case.end, _VERBAL.search(case.noun) is None
    if word == "好像" and told and goes_on and len(case.noun) > 1:
        tail = case.text[case.thing.stop : case.end]
        return GUESS if _HAPPENS.search(tail) or has("perceived", tail) else None
    if word == "好像是" or (not literary and (_NOT_LIKE.match(case.phrase) or len(case.noun) > 4)):
        return GUESS
    if case.of and not is_somebody(tenor) and (tenor or case.told):
        return None
    clear = "的" in tenor[1:] and _UNSURE.search(tenor) is None and not is_somebody(tenor)
    alone = case.phrase == case.noun and len(case.noun) > 1 and not case.told.strip()
    if word == "好像" and clear and nominal and alone:
        return None  # `弯弯的月亮好像小船`
    if literary and nominal:
        if told and (len(case.noun) <= 4 or goes_on):
            return None
        if tenor and not is_somebody(tenor) and len(case.phrase) <= 6 and not _VERBAL.search(case.phrase):
            return None
    return GUESS


_UNSURE = re.compile("[声音味道]$|动静|东西|影子?$|样子|气味|感觉|那边|[里上下中内外头面边]$")
_IS = re.compile("是[^，。]*$")
_SHADOWY = re.compile(
    r"(?:有|那|这|一)(?:个|道|团|条)?(?:黑影|黑点|亮点|身影|人影|影子)|有一?点?(?:亮光|光点)|什么东西"
)


def real(case: Case) -> str | None:
    """``像船灯似的，走近了才看清，真是一艘``: it was really there."""
    named = case.later.find(case.noun) if case.noun else -1
    if named > 0 and _IS.search(case.later, max(0, named - 5), named):
        return REAL
    if _SHADOWY.search(case.told) and not case.closed and not case.degree:
        return GUESS
    near = case.sentence_later if len(case.sentence_later) > 8 else case.later
    dim = case.marker.kind != "equal" and has("seen_dimly", case.tenor)
    return REAL if has("turned_out", near) or (dim and has("turned_out_dimly", near)) else None
