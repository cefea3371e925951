"""Reasons why what a Chinese comparison names may really be there: a guess, something heard, something found out."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.candidates import Candidate, is_somebody
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


def guessed(c: Candidate) -> str | None:
    """``好像要下雨了``, ``仿佛听见有人敲门``, ``屋里好像有只猫``: it may be so."""
    if not c.counted and not c.closed and has("diagnosed", c.told + c.tenor):
        return GUESS
    if c.thing is None or c.degree or c.marker.kind not in ("guess", "plain"):
        return None
    if _BY_SOMEBODY.match(c.phrase) and "的" in c.phrase[2:-1]:
        return None
    guesses, perceived = c.marker.kind == "guess", has("perceived", c.phrase)
    if c.phrase.startswith("谁"):
        alone = guesses and not c.tenor.strip() and not c.told.strip()
        return GUESS if alone or (perceived and "的" not in c.phrase) else None
    tenor = _WHILE.sub("", c.tenor.strip())
    felt = _felt().search(tenor) is not None
    done = c.text[c.marker.end : c.thing.noun[0]]
    if c.clause and ((c.animate and _SEEKS.match(c.phrase)) or (not felt and has("perceived", done))):
        return GUESS
    if not guesses:
        there = _THERE_IS.match(c.phrase) and not _BY_SOMEBODY.match(c.phrase)
        return GUESS if there and tenor and not felt and not c.closed else None
    return _may_be(c, tenor, felt=felt)


def _may_be(c: Candidate, tenor: str, *, felt: bool) -> str | None:
    """Whether a word that also guesses does so."""
    heard = has("hearsay", c.told + tenor) or _HEARD.search(c.told + tenor)
    if _DATED.search(c.phrase) or (not felt and (heard or (c.clause and _IN_PLACE.search(tenor)))):
        return GUESS
    somebody = begins("somebody").match(c.phrase) and not c.counted and "的" not in c.phrase
    if somebody and not _NATURE.search(c.told + tenor):
        return GUESS
    if c.closed or felt:
        return None
    if _THERE_IS.match(c.phrase) and (tenor or not c.told):
        return GUESS
    if _dimly().search(tenor) or has("seen_dimly", tenor[-2:]):
        return GUESS
    if c.clause:
        return _done(c, tenor)
    return _one(c, tenor) if c.counted else _bare(c, tenor)


def _done(c: Candidate, tenor: str) -> str | None:
    """``仿佛脚下踩着棉花``, ``好像摸到了一只水壶``: what somebody seems to do may be so, not what a thing does."""
    literary = c.marker.word in _LITERARY
    if tenor:
        return GUESS if is_somebody(tenor) or not (literary or _NATURAL.search(tenor)) else None
    if not c.told.strip():
        return None if literary else GUESS
    last = re.split("[，,]", c.told.rstrip("，, "))[-1]
    if _NATURAL_SOUND.search(last) or last.endswith("的"):
        return None
    he = c.told.lstrip(" ，,").startswith(("他", "她"))
    return GUESS if not literary and c.animate and (he or not c.counted) else None


def _one(c: Candidate, tenor: str) -> str | None:
    """``仿佛一座教堂``; but ``好像是一只猫趴在墙上`` and ``那人像是个学生``."""
    assert c.thing is not None
    goes_on = c.text[c.thing.stop : c.end].strip()
    if not tenor and not c.told.strip() and (c.marker.word.endswith("是") or goes_on):
        return GUESS
    somebody = has("persons", c.noun) and is_somebody(tenor)
    return GUESS if somebody and c.marker.word != "仿佛" else None


def _bare(c: Candidate, tenor: str) -> str | None:
    """``仿佛蚁群``, ``好像豆子撒在铁盘里``, ``好像散落的星星``: a noun without a number must stand like one."""
    assert c.thing is not None
    literary = c.marker.word in _LITERARY
    word, told = c.marker.word, c.told and not tenor and not c.animate
    goes_on, nominal = c.thing.stop < c.end, _VERBAL.search(c.noun) is None
    if word == "好像" and told and goes_on and len(c.noun) > 1:
        tail = c.text[c.thing.stop : c.end]
        return GUESS if _HAPPENS.search(tail) or has("perceived", tail) else None
    if word == "好像是" or (not literary and (_NOT_LIKE.match(c.phrase) or len(c.noun) > 4)):
        return GUESS
    if c.of and not is_somebody(tenor) and (tenor or c.told):
        return None
    clear = "的" in tenor[1:] and _UNSURE.search(tenor) is None and not is_somebody(tenor)
    alone = c.phrase == c.noun and len(c.noun) > 1 and not c.told.strip()
    if word == "好像" and clear and nominal and alone:
        return None  # `弯弯的月亮好像小船`
    if literary and nominal:
        if told and (len(c.noun) <= 4 or goes_on):
            return None
        if tenor and not is_somebody(tenor) and len(c.phrase) <= 6 and not _VERBAL.search(c.phrase):
            return None
    return GUESS


_UNSURE = re.compile("[声音味道]$|动静|东西|影子?$|样子|气味|感觉|那边|[里上下中内外头面边]$")
_IS = re.compile("是[^，。]*$")
_SHADOWY = re.compile(
    r"(?:有|那|这|一)(?:个|道|团|条)?(?:黑影|黑点|亮点|身影|人影|影子)|有一?点?(?:亮光|光点)|什么东西"
)


def real(c: Candidate) -> str | None:
    """``像船灯似的，走近了才看清，真是一艘``: it was really there."""
    named = c.later.find(c.noun) if c.noun else -1
    if named > 0 and _IS.search(c.later, max(0, named - 5), named):
        return REAL
    if _SHADOWY.search(c.told) and not c.closed and not c.degree:
        return GUESS
    near = c.sentence_later if len(c.sentence_later) > 8 else c.later
    dim = c.marker.kind != "equal" and has("seen_dimly", c.tenor)
    return REAL if has("turned_out", near) or (dim and has("turned_out_dimly", near)) else None
