"""Reasons of a real resemblance in Chinese: two of a kind, kin."""

from __future__ import annotations

import re

from trope.strategies.guard.chinese.candidates import Candidate, is_somebody
from trope.strategies.guard.chinese.lists import begins, ends, has
from trope.strategies.guard.lexicon import words

KIND = "two of a kind: a real resemblance"
KIN = "a real resemblance of persons"

_LOOKS_LIKE = re.compile(r"长得(?:很|真|特别|非常|有点|有些)?$")
_SORT = re.compile(r"\s*[这那一]种(?![感声心味生日爱情气光])")
_BUT_MORE = re.compile(r"[，,](?:但是?|不过|只是|可是)(?:更|没那么|比)")
_OUTSIDE = re.compile(r"(?:的样子|的外形)$")


def alike(c: Candidate) -> bool:
    """Whether two animals are likened, or the thing is named before as well."""
    noun, tenor = c.noun, _OUTSIDE.sub("", c.likened)
    if not noun or not tenor:
        return False
    animals = ends("animals")
    return bool(animals.search(tenor) and animals.search(noun)) or (len(noun) > 1 and noun in tenor)


def kind(c: Candidate) -> str | None:
    """``这只狗像狼``, ``石头长得很像一只青蛙``, ``捏的刺猬包，活像一只刺猬``: it is one, or as good as one."""
    noun, animals = c.noun, ends("animals")
    sort = _SORT.match(c.tenor) is not None and not c.counted and not c.closed
    if sort or _BUT_MORE.match(c.later):
        return KIND
    does = c.closed and c.tail.strip()  # `像菊花般绽放，岸边的游客...`
    if has("named_so", c.sentence_later) and not c.degree and not does:
        return KIND
    if _LOOKS_LIKE.search(c.tenor) and not (c.animate or c.closed or c.degree):
        return KIND
    if c.tenor.endswith("长得") and animals.search(noun) and re.search("[种类只]", c.tenor):
        return KIND
    named = noun in c.told if len(noun) > 1 else noun in words("zh", "animals") and noun in c.told + c.tenor
    if noun and named and not c.degree:
        return KIND
    moving = c.closed and animals.search(noun) and c.tail.strip()
    if alike(c) and not c.degree and not moving:
        return KIND
    head = re.match("的([\u4e00-\u9fff]{1,5})", c.tail)
    return KIND if head and animals.search(head[1]) and animals.search(noun) else None


def related(c: Candidate) -> str | None:
    """``儿子的眼睛像妈妈``, ``长得神似周润发``, ``他们好像一对夫妻``."""
    noun, face = c.noun, c.marker.word in ("神似", "酷似")
    brothers = c.closed and noun.endswith(("兄弟", "姐妹")) and c.tail.strip()
    if ends("kin").search(noun) and not brothers and not c.counted and not c.degree and not c.of:
        return KIN
    if c.closed or c.degree or c.marker.kind not in ("plain", "guess", "always"):
        return None
    tenor, grown = c.likened, c.tenor.endswith("长得")
    if grown and has("persons", noun):
        return KIN
    if not c.counted and not c.clause and not c.of:
        named = begins("surnames").match(noun) is not None and 1 < len(noun) < 5
        if named and (is_somebody(tenor) or grown or face):
            return KIN
        if c.looks and is_somebody(noun):
            return KIN
    young = c.counted and noun.endswith(("孩子", "小孩", "婴儿"))
    same = noun in words("zh", "persons") and (is_somebody(tenor) or c.looks)
    return KIN if same and not young else None
