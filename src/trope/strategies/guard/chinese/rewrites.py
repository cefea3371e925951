"""What a Chinese rewrite takes out with the vehicle's noun, and what it puts there, so that the sentence stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.chinese.case import Case, counted_before
from trope.strategies.guard.chinese.lists import ends
from trope.strategies.guard.chinese.nouns import verb
from trope.strategies.guard.chinese.script import like
from trope.strategies.guard.lexicon import either, qualities, words
from trope.strategies.guard.plan import Span


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The span that goes, what comes in its place (None: it would not stand), and the qualities that are carried."""

    whole: Span
    replacement: str | None
    carried: tuple[str, ...]


def qualities_of(original: str, noun: str) -> tuple[str, ...]:
    """The qualities of a vehicle, by its whole word or its last two characters, in the characters of the text."""
    known = qualities("zh").get(noun) or qualities("zh").get(noun[-2:], ())
    return tuple(like(word, original) for word in known)


def adjective_before(text: str, start: int, end: int) -> int:
    """Where the adjective that ends at ``end`` begins (`细|得像`); ``end`` if there is none."""
    listed = words("zh", "adjectives")
    if text[end : end + 1] != "得" and text.endswith(tuple(words("zh", "not_adjectives")), start, end):  # `月亮|如钩`
        return end
    return next((end - n for n in (3, 2, 1) if end - n >= start and text[end - n : end] in listed), end)


def adjective_after(text: str, start: int, end: int) -> int:
    """How long the adjective is that stands at ``start`` with nothing or its noun after it (`像雪一样|白`)."""
    listed, lengths = words("zh", "adjectives"), (3, 2, 1)
    return next(
        (n for n in lengths if text[start : start + n] in listed and (start + n >= end or text[start + n] == "的")), 0
    )


def _very(text: str, start: int, end: int) -> str:
    """`很` before an adjective of one character that has no other degree."""
    return "" if end - start > 1 or text[start - 1 : start] in tuple("更越最太很忽不") else "很"


# These stand right after an adjective too: `轻如羽毛`, `粗壮得堪比`.
_DEGREES = frozenset("胜似 堪比 赛过 胜过 有如 宛如 犹如 宛若 好似 如同 恍若 不亚于 不输".split())
# Before the marker: a verb that needs what follows.
_OPEN_VERB = re.compile(r"[得便被把成在是到]$")


def rewritten(case: Case, original: str) -> Rewrite:
    """What a rewrite does with one figure; ``original`` is the text as it was written."""
    text, start, end, marker = case.text, case.start, case.end, case.marker
    assert case.thing is not None
    begin, after = marker.start, marker.closing[1] if marker.closing else case.thing.stop
    carried = qualities_of(original, case.noun)
    if not marker.closing and text[after:end] in words("zh", "set_doings"):  # `如猛虎|下山`
        after = end
    if text[begin - 1 : begin] == "得":
        return _how_much(case, original, after, carried)
    adjective = _right_before(case, after)
    if adjective < begin:
        ground = original[adjective:begin]
        return Rewrite((adjective, after), _very(text, adjective, begin) + ground, (ground,))
    follows = adjective_after(text, after, end) if marker.closing else 0
    if follows:
        return Rewrite((begin, after), "很" if follows == 1 else "", (original[after : after + follows],))
    if text[after : after + 1] == "的" and after + 1 < end and (marker.closing or marker.kind != "equal"):
        if ends("sensed").search(case.tenor):  # `眼睛像星星|的女孩`
            return Rewrite((begin, after), carried[-1] if carried else None, carried)
        keep = bool(carried) and not counted_before(text, start, marker.start)
        return Rewrite((begin, after + 1), carried[0] + "的" if keep else "", carried)
    if _OPEN_VERB.search(text, start, begin):
        return Rewrite((begin, after), None, carried)
    if text[after:end].strip() and (marker.closing or not _FROM_AFAR.fullmatch(case.tenor)):
        if marker.closing and text[begin] in "就便" and start < begin < marker.end - 1:
            begin += 1  # `一抖开就|像浪花一样|层层叠叠`
        return Rewrite((begin, after), _adjunct(case), carried)
    return _predicate(case, original, begin, carried)


def _how_much(case: Case, original: str, after: int, carried: tuple[str, ...]) -> Rewrite:
    """``细得像琴弦`` -> ``很细``, ``跑得像风一样快`` -> ``跑得很快``; the verb of ``笑得像一朵花`` needs it."""
    text, begin = case.text, case.marker.start
    adjective = adjective_before(text, case.start, begin - 1)
    said = adjective_after(text, after, case.end)
    if adjective < begin - 1:
        ground = original[adjective : begin - 1]
        owner = case.phrase.partition("的")[0] if case.of else ""
        unsure = owner and (len(owner) == 1 or owner in qualities("zh"))  # `天空红得像火的傍晚`: is the evening so?
        very = None if unsure or "把" in case.tenor else _very(text, adjective, begin - 1) + ground
        return Rewrite((adjective, after + said), very, (ground,))
    if case.closed and said:
        return Rewrite((begin, after), "很" if said == 1 else "", (original[after : after + said],))
    return Rewrite((begin, after), "、".join(carried) or None, carried)


def _right_before(case: Case, after: int) -> int:
    """Where the adjective begins that stands right before the marker; the marker's start if there is none."""
    text, begin = case.text, case.marker.start
    if case.marker.kind != "terse" and case.marker.word not in _DEGREES:
        return begin
    adjective = adjective_before(text, case.start, begin)
    if begin - adjective == 1 and text[adjective] not in words("zh", "plain_adjectives"):
        return begin
    alone = adjective == case.start and not case.told and not text.startswith("的", after)
    return begin if alone else adjective


# Of these no shape or color can be said, and what goes on need not be said of them.
_UNSEEN = r"[话声音爱心情意思语气念嗓鸣响吼啸]$|沉默|记忆|时间|日子|光阴|岁月|生活|人生|感情|友谊|消息|歌"
_NOT_SHOWN = re.compile(_UNSEEN)
_LOOSE = re.compile(rf"{_UNSEEN}|(?:起来|上去|下去|过去|着|看)$")


def _adjunct(case: Case) -> str | None:
    """What goes on after the comparison is said of the tenor, if there is one or the comparison is closed."""
    if case.closed:
        return ""
    stands = case.marker.start > case.start and not case.clause
    if case.noun[1:] and case.noun[-1] in words("zh", "verbs") and case.tail[:1] in words("zh", "verbs"):
        return None  # `蛇缠|绕着`: the noun may hold half of a verb
    return "" if stands and (case.counted or not _LOOSE.search(case.tenor.strip())) else None


# A clause that only names what is spoken of, or says that it is said: `他跑起来的样子`, `爱这件事`, `怎么说呢`.
_TOPIC = re.compile(r"的[^的，]{1,4}$|[这那][^，]{1,3}$|[呢吗时]$|时候$|^[^，]{0,6}的?话$")
_LOOK = r"[看望瞧](?:去|过去|上去|下去|起来)?"
_SEEN_FROM = re.compile(r"(?:^|[，,])[^，,]{0,6}[看望瞧听摸踩尝捏](?:去|过去|上去|下去|起来|着)?$")
_FROM_AFAR = re.compile(rf"\s*(?:从[^，]{{1,5}}|远远地?|远|乍一?){_LOOK}|\s*[就也又却便真才]|\s*看上去|\s*看起来|\s*")
_ACTS = re.compile("[了着过]")
_FACE = re.compile("笑[靥颜容]|[容红朱]颜|[面花]容$")  # `笑靥如花` is one saying
_COMMAS = "，, \u3000"


def _predicate(case: Case, original: str, begin: int, carried: tuple[str, ...]) -> Rewrite:
    """A comparison to the end of its clause: it goes with its comma where the sentence stands without it."""
    text, start, end = case.text, case.start, case.end
    tenor, told = case.tenor.strip(), case.told.rstrip(_COMMAS)
    if case.marker.kind == "terse" and _FACE.search(tenor):
        return _none(case, carried)
    comma = text[end : end + 1] in ("，", ",")
    if _FROM_AFAR.fullmatch(case.tenor) or (tenor in ("它", "他", "她", "它们") and told.strip(_COMMAS)):
        if _SEEN_FROM.search(told):  # `从飞机上看，像...`: that goes as well
            start -= len(case.told) - 1 - max(told.rfind("，"), told.rfind(","))
            told = text[case.start - len(case.told) : start].rstrip(_COMMAS)
        if _is_told(told) or (told.strip(_COMMAS) and _is_keywords(text)):
            while start > 0 and text[start - 1] in _COMMAS:
                start -= 1
            return Rewrite((start, end), "", carried)
        if comma and not told:
            return Rewrite((start if tenor else begin, end + 1), "", carried)
        return _none(case, carried)
    if _OPEN_VERB.search(text, start, begin) or text.endswith("就", start, begin):
        return _none(case, carried)
    if (
        comma
        and not case.clause
        and not _apart(case)
        and _BARE.fullmatch(case.tenor)
        and goes_on().match(text, end + 1)
    ):
        return Rewrite((begin, end + 1), "", carried)
    if _is_keywords(text) and len(tenor) > 1 and not tenor.endswith(("都", "也", "就")):
        return Rewrite((begin, end), "", carried)
    if carried and not _NOT_SHOWN.search(case.tenor) and not case.clause:
        return Rewrite((begin, end), like("显得", original) + "、".join(carried), carried)
    return _none(case, carried)


def _is_told(told: str) -> bool:
    """Whether a sentence up to a comparison says something by itself, so that it stands without it."""
    last = re.split("[，,]", told)[-1]
    return bool(told.strip(_COMMAS)) and not _TOPIC.search(last) and (len(told) > 3 or _ACTS.search(told) is not None)


def _none(case: Case, carried: tuple[str, ...]) -> Rewrite:
    return Rewrite((case.marker.start, case.end), None, carried)


_BARE = re.compile(r"[^了着过得，。]{2,14}")
_WHEN = re.compile(r"[时里上下中后前边天夜晚晨午日候旁外间年月刻初末季节来]$")


def _apart(case: Case) -> bool:
    """Whether what is likened is only a part or a sound of something, so that what follows need not be said of it."""
    told = re.split("[，,]", case.told.rstrip(_COMMAS))[-1].strip()
    return (len(told) > 3 and _WHEN.search(told) is None) or _NOT_SHOWN.search(case.tenor.strip()) is not None


@cache
def goes_on() -> re.Pattern[str]:
    """What the tenor does in the next clause, and nobody else."""
    done = rf"{verb()}{{1,2}}(?:{either('zh', 'complements')})|[\u4e00-\u9fff]{{1,2}}[着了在满出]"
    manner = rf"(?:{either('zh', 'adverbs')})|[^，]{{2,4}}地(?=[\u4e00-\u9fff])"
    return re.compile(rf"{done}|{manner}|[把被从向]")


def _is_keywords(text: str) -> bool:
    """Whether the text is a prompt of keywords, in which a noun may stand by itself."""
    return len(text) < 300 and not any(stop in text for stop in "。！？") and text.count("，") + text.count(",") >= 2
