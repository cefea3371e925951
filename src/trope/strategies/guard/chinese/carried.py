"""What is carried over of a Chinese vehicle: its visible qualities that fit the tenor, and how to say them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from trope.strategies.guard.chinese.candidates import Candidate, is_somebody
from trope.strategies.guard.chinese.lists import ends
from trope.strategies.guard.chinese.nouns import after_count
from trope.strategies.guard.chinese.script import like
from trope.strategies.guard.lexicon import either, qualities, words

_AT_MOST = 2
_TENORS = (
    "unseen", "eyes", "hair", "face", "hand", "light", "water", "way", "span", "crowd", "sky", "cloud", "moon",
    "mountain", "lines", "body", "matter", "wave", "cloth", "somebody",
)  # fmt: skip
_SIZE_OR_AGE = ("小", "大", "老", "一般")
# A color that the text itself gives the vehicle: `像一条|灰色|的带子`, `五颜六色的糖果`.
_COLOR = (
    r"(?:[深浅淡暗亮]?[红黄蓝绿紫黑白灰金银青粉橙褐棕]|金黄|银白|乳白|粉红|橘红|橙红|翠绿|碧绿|墨绿|天蓝|湛蓝|蔚蓝|深紫)色"
    "|五颜六色|五光十色|五彩缤纷|碧绿|翠绿|嫩绿|雪白|洁白|银白|乳白|惨白|金黄|火红|鲜红|通红|绯红|粉红|湛蓝|蔚蓝|乌黑|漆黑"
)
# ... or a form that only says how something looks: `弯弯曲曲的`, `湿漉漉的`, `又细又长的`.
_TWICE = (
    r"(?P<a>[\u4e00-\u9fff])(?P=a)(?:(?P<b>[\u4e00-\u9fff])(?P=b))?"
    r"|[\u4e00-\u9fff](?P<c>[\u4e00-\u9fff])(?P=c)|又[\u4e00-\u9fff]又[\u4e00-\u9fff]"
)
_OWN = re.compile(rf"(?:(?P<color>{_COLOR})的?|(?P<form>{_TWICE})的)(?:小小的|[小大巨细长圆老]{{1,2}})?$")
_OF_WHAT_SIZE = re.compile("小小|大大|高高|远远|真真|个个|声声")
_A_PART_OF = re.compile(r"[一两几半][瓣截段]|半")
_SHADES = {
    "黑": "乌黑", "白": "雪白", "红": "鲜红", "蓝": "湛蓝", "绿": "碧绿", "金": "金黄", "银": "银白", "紫": "深紫",
}  # fmt: skip

_HUES = tuple("红黄蓝绿紫黑白灰金银青粉橙褐碧翠赤墨")


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """The words of each kind of quality; `color` also has the shades."""
    names = words("zh", "fits_thing") | words("zh", "fits_somebody") | words("zh", "fits_eyes")
    kinds = {kind: words("zh", f"quality_{kind}") for kind in names}
    return kinds | {"color": kinds["color"] | frozenset(_SHADES.values())}


def _is_color(quality: str) -> bool:
    return quality.endswith("色") or quality in _kinds()["color"] or re.fullmatch(_COLOR, quality) is not None


def _of(noun: str) -> tuple[str, ...]:
    """What the lexicon says of a noun: by the whole word, without its size or color, or by its last two characters."""
    table = qualities("zh")
    if noun in table:
        return table[noun]
    for word in _SIZE_OR_AGE:
        if noun.startswith(word) and noun[len(word) :] in table:
            return table[noun[len(word) :]]
    if noun[:1] in _SHADES and noun[1:] in table:
        others = tuple(quality for quality in table[noun[1:]] if not _is_color(quality))
        return (_SHADES[noun[0]], *others)
    return () if noun[:1] in _HUES else table.get(noun[-2:], ())


@cache
def _sorts() -> dict[str, str]:
    return {word: sort for sort in _TENORS for word in words("zh", f"tenor_{sort}")}


@lru_cache(maxsize=256)
def _sort(tenor: str) -> str:
    """What sort of thing is likened: the sort with the longest word that it ends with."""
    tenor = tenor.strip()
    if is_somebody(tenor[-12:]):
        return "somebody"
    sort = next((found for n in (3, 2, 1) if (found := _sorts().get(tenor[-n:])) is not None), None)
    return sort or ("beast" if ends("animals").search(tenor[-4:]) else "thing")


def is_listed(tenor: str) -> bool:
    """Whether the sort of thing that is likened is known by its name."""
    return _sort(tenor) != "thing"


def is_alive(tenor: str) -> bool:
    """Whether it is a person or an animal, of whom what goes on may be told."""
    return _sort(tenor) in ("somebody", "beast")


def fitting(known: tuple[str, ...], tenor: str) -> tuple[str, ...]:
    """Those of the qualities that can be said of the tenor, two at most; none of what has no look."""
    sort = _sort(tenor)
    if sort == "unseen" or not known:
        return ()
    fits = words("zh", f"fits_{sort}")
    allowed = frozenset[str]().union(*(_kinds()[kind] for kind in fits))
    return tuple(word for word in known if word in allowed or ("color" in fits and _is_color(word)))[:_AT_MOST]


def qualities_of(original: str, noun: str, tenor: str) -> tuple[str, ...]:
    """The qualities of a vehicle that fit the tenor, in the characters of the text."""
    return _like(fitting(_of(noun), tenor), original)


def said_of_it(c: Candidate, original: str, tenor: str) -> tuple[str, ...]:
    """The look that the text itself gives the vehicle, if it can be said of the tenor: `灰色`, `弯弯曲曲`."""
    own = None if c.clause else _OWN.search(_before_the_noun(c))
    if own is None:
        return ()
    if own["color"]:
        return _like(fitting((own["color"],), tenor), original)
    shown = _sort(tenor) not in ("unseen", "somebody") and not _OF_WHAT_SIZE.search(own["form"])
    return _like((own["form"],), original) if shown else ()


def carried_by(c: Candidate, original: str, tenor: str) -> tuple[str, ...]:
    """The qualities of a vehicle: what the text says of it, then the lexicon's if it is as usual."""
    assert c.thing is not None
    if c.clause:
        return ()
    before, own = _before_the_noun(c), said_of_it(c, original, tenor)
    known = _of(c.noun)
    if is_alive(c.noun) and not is_alive(tenor):  # `那辆旧公交像一头老牛`: it is not its build that is meant
        known = tuple(word for word in known if word not in _kinds()["mass"])
    if _A_PART_OF.match(c.text, c.marker.end, c.thing.noun[0]):
        known = ()
    if own:
        known = tuple(word for word in known if not _is_color(word)) if _is_color(own[0]) else ()
        return (*own, *_like(fitting(known, tenor), original))[:_AT_MOST]
    usual = _is_usual(before) or _OWN.search(before) is not None
    return _like(fitting(known if usual else (), tenor), original)


def _before_the_noun(c: Candidate) -> str:
    """What stands between marker and noun, without number and classifier."""
    assert c.thing is not None
    first, last = c.marker.end, c.thing.noun[0]
    return c.text[after_count(c.text, first, last) : last]


def _like(found: tuple[str, ...], original: str) -> tuple[str, ...]:
    return tuple(like(word, original) for word in found)


@cache
def _benign() -> re.Pattern[str]:
    somewhere = "[散飘挂浮撒铺落停嵌镶立洒映]落?[在满于][^的]{1,6}"
    return re.compile(rf"(?:{either('zh', 'benign')}|{somewhere})$")


def _is_usual(before: str) -> bool:
    """Whether nothing is said of a thing by which it would look otherwise than such things do: `蒙了灰的玻璃`."""
    says, of, _ = before.rpartition("的")
    return not of or _benign().search(says) is not None


def is_prose(text: str) -> bool:
    """Whether a text has sentences, which are told; else it is a prompt, which may name things by themselves."""
    return any(stop in text for stop in "。！？")


def said(carried: tuple[str, ...], original: str) -> str:
    """The qualities as a predicate: `显得细长而弯曲`, in a prompt `细长弯曲`; a color `呈灰色`."""
    first = carried[0]
    if first.endswith("色") and len(first) < 4:
        return "呈" + first
    if _OWN.fullmatch(first + "的") and not re.fullmatch(_COLOR, first):
        return first + ("的" if is_prose(original) and first[0] != "又" else "")
    if len(first) > 3:
        return first
    if not is_prose(original):
        return "".join(carried)
    return like("显得", original) + "而".join(carried)
