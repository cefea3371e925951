"""What compares in Chinese: words before the thing, words after it, and pairs of the two around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from trope.strategies.guard.chinese.lists import ends
from trope.strategies.guard.chinese.nouns import bare_counts, counts
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span

Kind = Literal["always", "guess", "plain", "terse", "equal", "recalls", "more"]

LONGEST = 34  # of a phrase after its marker


@dataclass(frozen=True, slots=True)
class Marker:
    """One place of comparison in a clause.

    Attributes
    ----------
    kind : `宛如` always compares, `好像` also guesses, `像` is plain, `如` terse, `跟` needs a pair, `比...还` is more.
    start, end : the word before the thing, with its adverbs.
    word : the word itself, without adverbs.
    closing : the word after the thing, where there is a pair.
    bound : where the thing ends at the latest.
    """

    kind: Kind
    start: int
    end: int
    word: str
    closing: Span | None
    bound: int

    @property
    def after(self) -> int:
        """Where the clause goes on after the comparison."""
        return self.closing[1] if self.closing else self.bound


_ADVERBS = r"(?:简直|仿佛|活脱脱|看起来|看上去|听起来|摸起来|有点儿?|有些|[就正真直倒很挺又却便竟都也更最还]){0,2}"
_RECALLS = "[让叫令使][人我你他她]?(?:不禁|不由得|忍不住)?(?:联想|想)[起到]了?"


_WITH = (
    "跟(?![着随班踪前上进]|斗似)|和(?![平谐蔼服尚气睦善煦解风])|与(?![其众会])"
    "|同(?![时样学事意类伴志行一步情期为是属年龄名桌胞等乡])"
)
# 象 for 像, as it was written until 1986 and is by many: where a number follows, or a pair closes.
_LIKE_OF_OLD = "(?<![大对现形印气抽景迹万征小白群只头意想幻星天物巨亚非战公母])象(?![征棋牙形限鼻群腿皮样])"


@cache
def _before() -> re.Pattern[str]:
    kinds = {
        "always": either("zh", "always"),
        "guess": either("zh", "guesses"),
        "plain": f"像|{_LIKE_OF_OLD}",
        "equal": _WITH,
        "recalls": _RECALLS,
        "more": "(?<![相对评])比(?![如例较喻方赛分起作])",
        "terse": "[如似若赛]",
    }
    return re.compile(_ADVERBS + "(?:" + "|".join(f"(?P<{kind}>{form})" for kind, form in kinds.items()) + ")")


# `一模一样`, `不一样` close nothing.
_NO_PAIR = "(?<!一模)(?<!两模)(?<![不类相近疑])"


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"{_NO_PAIR}(?:{either('zh', 'closings')})地?")


@cache
def _equal() -> re.Pattern[str]:
    return re.compile(rf"{_NO_PAIR}(?:{either('zh', 'no_different')}|{either('zh', 'closings')})地?")


_SURE = re.compile("[就倒真正]|简直")  # `就好像`, `简直像是` do not guess
_WHEN = re.compile(r"的(?:时候|时刻|瞬间|那一刻|当口)")
_MORE = re.compile(r"(?:还要?|都要?)(?=[\u4e00-\u9fff])")


def markers(text: str, start: int, end: int) -> Iterator[Marker]:
    """The places of comparison with a word before the thing, in a clause, in order."""
    for match in _before().finditer(text, start, end):
        kind = cast(Kind, match.lastgroup)
        at, begin = match.start(kind), match.end()
        if kind == "guess" and _SURE.match(text, match.start(), at):
            kind = "plain"
        if begin >= end or text[begin] == text[begin - 1] or _is_other(text, start, end, kind, match, at):
            continue
        stop = min(end, begin + LONGEST)
        when = _WHEN.search(text, begin + 1, stop)
        stop = stop if when is None else when.start()
        closings = _MORE if kind == "more" else _equal() if kind == "equal" else _closing()
        closing = closings.search(text, begin + 1, min(stop, begin + 14) if kind == "more" else stop)
        if closing is None and kind in ("more", "equal"):
            continue
        if closing is not None and kind == "equal" and text[at] != "跟" and closing.group() in ("般", "一般", "那般"):
            continue  # `眼睛和瀑布般的长发`: these also join two things
        span, bound = (None, stop) if closing is None else (closing.span(), closing.start())
        yield Marker(kind, match.start(), begin, text[at:begin], span, bound)


_NAMED = ("叫", "名为", "叫做", "名字是", "名叫")
_POINTS_ON = tuple("其 此 斯 虚设 何 下图 下几 下列 下特 下述 下两 下三 下规 下面 下所 下： 前所 上所".split())


def _is_other(text: str, start: int, end: int, kind: Kind, match: re.Match[str], at: int) -> bool:
    """Whether the characters belong to a name or a word that compares nothing: `肖像`, `如果`, `有如下`, `比如`."""
    if text.endswith(_NAMED, start, at):
        return True
    if kind == "plain":
        return _is_image(text, start, end, at)
    if kind == "terse":
        if text.startswith(tuple(words("zh", "terse_words")), at):
            return True
        if text[at - 1 : at + 1] == "正如":  # just as, and like nothing
            return True
        alone = at == match.start() or text[at] == "赛"
        if text[at - 2 : at] in ("眼神", "精神", "女神"):
            return False
        return alone and ends("terse_before").search(text, max(start, at - 3), at) is not None
    if kind == "always" and text[at - 1 : at] in tuple("比例诸譬") and text[at] == "如":
        return True
    if match[0].endswith("如同") and text[match.end()] in "意时期步样":  # `如|同意`
        return True
    return kind == "always" and text.startswith(_POINTS_ON, match.end())


_PORTRAIT = re.compile("(?:雕塑|雕像|油画|素描|速写|照片|海报|剪纸|头部)(?![一似般那])")
# After these 像 is a picture unless a number follows.
_PICTURED = "想肖塑雕偶蜡铜佛神玉泥录摄图画遗圣绣"


def _is_image(text: str, start: int, end: int, at: int) -> bool:
    """Whether 像 belongs to `雕像` or `像素`; not in `石头|像`, or where a counted thing or a pair follows."""
    begin, before = at + 1, max(start, at - 3)
    if text[at] == "象" and not counts().match(text, begin, end):
        return _closing().search(text, begin + 1, min(end, begin + 12)) is None
    if text.startswith(tuple(words("zh", "image_after")), begin):
        return True
    if text[at - 1] == "人" and _PORTRAIT.match(text, begin, end):
        return True
    if not ends("image_before").search(text, before, at) or ends("image_tenors").search(text, before, at):
        return False
    if counts().match(text, begin, end):
        return False
    if text[at - 1] not in _PICTURED and bare_counts().match(text, begin, end):
        return False
    closing = _closing().search(text, begin + 1, min(end, begin + 12))
    return closing is None or text[at - 1] in _PICTURED


@cache
def suffix() -> re.Pattern[str]:
    """`猫似的`, `钢铁般的`, `野火一样`: words after the thing without one before it."""
    goes_on, han = r"(?=[\u4e00-\u9fff])", r"(?<=[\u4e00-\u9fff])"
    kinds = {
        "likes": r"(?<![相类近疑貌形酷神好恰])(?:似的|似地)|也似的?(?![乎曾是懂笑])",
        "general": rf"{han}一般的?地?{goes_on}",
        "shape": rf"(?<![这那同各像象一模么怎两多花式字图榜异原老走变别时尿血水采抽取])样的{goes_on}",
        "way": r"(?<![一这那如百万千诸多全今两二三四五六七八九十此哪])般(?![若配岳演])的?地?",
        "same": rf"{han}(?<!不)一样(?:[的地]{goes_on}|{goes_on}|(?=$|[，。！]))",
    }
    return re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in kinds.items()))
