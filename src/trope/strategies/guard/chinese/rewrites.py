"""What a Chinese rewrite takes out with the vehicle's noun, and what it puts there, so that the sentence stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.chinese.candidates import Candidate
from trope.strategies.guard.chinese.carried import carried_by, is_alive, is_listed, is_prose, said, said_of_it
from trope.strategies.guard.chinese.lists import ends
from trope.strategies.guard.chinese.nouns import verb
from trope.strategies.guard.lexicon import either, qualities, words
from trope.strategies.guard.plan import Span


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The span that goes, what comes in its place (None: it would not stand), and the qualities that are carried."""

    whole: Span
    replacement: str | None
    carried: tuple[str, ...]


def adjective_before(text: str, start: int, end: int) -> int:
    """Where the adjective that ends at ``end`` begins (`细|得像`); ``end`` if there is none."""
    listed = words("zh", "adjectives")
    if text[end : end + 1] != "得" and text.endswith(tuple(words("zh", "not_adjectives")), start, end):  # `月亮|如钩`
        return end
    nouns = tuple(words("zh", "not_adjectives"))  # `饼干|硬得像`
    at = next((end - n for n in (3, 2, 1) if end - n >= start and text[end - n : end] in listed), end)
    at += end - at > 1 and text.endswith(nouns, start, at + 1)
    return at - 1 if end - at == 1 and at > start and text[at - 1] in words("zh", "doubled") else at  # `轻|薄如`


def adjective_after(text: str, start: int, end: int) -> int:
    """How long the adjective is that stands at ``start`` with nothing or its noun after it (`像雪一样|白`)."""
    listed, lengths = words("zh", "adjectives"), (3, 2, 1)
    return next(
        (n for n in lengths if text[start : start + n] in listed and (start + n >= end or text[start + n] == "的")), 0
    )


_GRADED = tuple("更 越 最 太 很 忽 不 又 既 真 好 有点 有些 非常 十分 这么 那么".split())


def _very(c: Candidate, start: int, end: int, after: int) -> str:
    """`很` before an adjective that has no other degree: one of one character, or one that a sentence ends with."""
    text, word = c.text, c.text[start:end]
    if text.endswith(_GRADED, c.start, start):
        return ""
    if text.endswith("怎么", c.start, c.marker.start):  # `怎么|像冰块一样|凉`
        return "这么"
    ends_there = is_prose(text) and not text.startswith(("的", "地"), after)
    ends_there = ends_there and (bool(c.tenor.strip()) or _from(c, _STAYS) > c.marker.start)
    return "很" if len(word) == 1 or (len(word) == 2 and ends_there and word not in words("zh", "absolute")) else ""


# These stand right after an adjective too: `轻如羽毛`, `粗壮得堪比`.
_DEGREES = frozenset("胜似 堪比 赛过 胜过 有如 宛如 犹如 宛若 好似 如同 恍若 不亚于 不输".split())
# Before the marker: a verb that needs what follows.
_OPEN_VERB = re.compile(r"[得便被把成在是到]$")
# Adverbs before the marker that say something of what follows as well: `却像银铃一样清脆`.
_STAYS = re.compile(r"(?:[却也还又都竟]|看起来|看上去|听起来|摸起来)+")
_CAUSED = re.compile("[把被让使令将得]")
_STAYS_WITH_AN_ACT = re.compile("[却也还又都竟]+")


def _from(c: Candidate, stays: re.Pattern[str]) -> int:
    """Where the marker begins without the adverbs that stay."""
    found = stays.match(c.text, c.marker.start, c.marker.end - len(c.marker.word))
    return found.end() if found else c.marker.start


def rewritten(c: Candidate, original: str, tenor: str) -> Rewrite:
    """What a rewrite does with one figure; ``original`` is the text as it was written."""
    text, start, end, marker = c.text, c.start, c.end, c.marker
    assert c.thing is not None
    begin, after = marker.start, marker.closing[1] if marker.closing else c.thing.stop
    carried = carried_by(c, original, tenor)
    if not marker.closing and text[after:end] in words("zh", "set_doings"):  # `如猛虎|下山`
        after = end
    if text[begin - 1 : begin] == "得":
        return _how_much(c, original, after, carried)
    adjective = _right_before(c, after)
    if adjective < begin:
        ground = original[adjective:begin]
        return Rewrite((adjective, after), _very(c, adjective, begin, after) + ground, (ground,))
    follows = adjective_after(text, after, end) if marker.closing else 0
    if follows:
        very = _very(c, after, after + follows, after + follows)
        return Rewrite((_from(c, _STAYS), after), very, (original[after : after + follows],))
    if text[after : after + 1] == "的" and after + 1 < end and (marker.closing or marker.kind != "equal"):
        if ends("sensed").search(c.tenor):  # `眼睛像星星|的女孩`
            return Rewrite((begin, after), carried[0] if carried else None, carried)
        return Rewrite((begin, after + 1), carried[0] + "的" if carried and tenor else "", carried)
    if _OPEN_VERB.search(text, start, begin):
        return Rewrite((begin, after), None, carried)
    if text[after:end].strip() and (marker.closing or not _FROM_AFAR.fullmatch(c.tenor)):
        begin = _from(c, _STAYS_WITH_AN_ACT)
        if marker.closing and text[begin] in "就便" and start < begin < marker.end - 1:
            begin += 1  # `一抖开就|像浪花一样|层层叠叠`
        own = said_of_it(c, original, tenor) if _is_name(tenor) and not _CAUSED.search(c.tenor) else ()
        if own and len(text[after:end]) > 2 and not _is_said(own[0], c):  # `像一条绿色的长龙|驶过`
            return Rewrite((begin, after), said(own, original) + "，", carried)
        if not marker.closing and c.phrase.startswith("被"):  # `像被一只手|拨开`
            return Rewrite((begin, after), "被", carried)
        return Rewrite((begin, after), _adjunct(c), carried)
    return _predicate(c, original, tenor, carried)


# After these the look of the tenor is said: `站得像木桩`, `晒得像炭`.
_SHOWS = "晒擦洗照映磨抹涂染冻烧炸胀展铺叠摆站熏烤刷养长坐立绷压吹撑堆缩卷弯"


def _how_much(c: Candidate, original: str, after: int, carried: tuple[str, ...]) -> Rewrite:
    """``细得像琴弦`` -> ``很细``, ``跑得像风一样快`` -> ``跑得很快``; the verb of ``笑得像一朵花`` needs it."""
    text, begin = c.text, c.marker.start
    adjective = adjective_before(text, c.start, begin - 1)
    follows = adjective_after(text, after, c.end)
    tail = text[after : c.end].strip()
    if not c.closed and tail and tail[0] != "的":  # `美得如同仙女|下凡`
        if len(tail) > 4:
            return Rewrite((begin, after), None, carried)
        after = c.end
    if adjective < begin - 1:
        ground = original[adjective : begin - 1]
        again = re.search(f"{text[begin - 2]}着?$", c.told.rstrip(_COMMAS))  # `很安静，|静得像...`
        if adjective == c.start and again:
            comma = len(c.told) - len(c.told.rstrip(_COMMAS))
            return Rewrite((c.start - comma, after), "", (ground,))
        owner = c.phrase.partition("的")[0] if c.of else ""
        unsure = owner and (len(owner) == 1 or owner in qualities("zh"))  # `红得像火的天空`: what is so?
        stays = None if unsure or "把" in c.tenor else _very(c, adjective, begin - 1, after + follows) + ground
        return Rewrite((adjective, after + follows), stays, (ground,))
    if c.closed and follows:
        return Rewrite((begin, after), "很" if follows == 1 else "", (original[after : after + follows],))
    shown = carried and text[begin - 2 : begin - 1] in _SHOWS and not text[after : c.end].strip()
    return Rewrite((begin, after), "而".join(carried) if shown else None, carried)


def _right_before(c: Candidate, after: int) -> int:
    """Where the adjective begins that stands right before the marker; the marker's start if there is none."""
    text, begin = c.text, c.marker.start
    if c.marker.kind != "terse" and c.marker.word not in _DEGREES:
        return begin
    adjective = adjective_before(text, c.start, begin)
    if begin - adjective == 1 and text[adjective] not in words("zh", "plain_adjectives"):
        return begin
    if text.endswith("的", c.start, adjective):  # `他的|沉默|犹如`: a noun
        return begin
    alone = adjective == c.start and not c.told and not text.startswith("的", after)
    return begin if alone else adjective


# What goes on need not be said of these.
_LOOSE = re.compile(r"[话声音爱心情意思语气念嗓鸣响吼啸]$|沉默|记忆|时间|(?:起来|上去|下去|过去|着|看)$")


def _adjunct(c: Candidate) -> str | None:
    """What goes on after the comparison is said of the tenor, if there is one or the comparison is closed."""
    if c.closed:
        return ""
    stands = c.marker.start > c.start and not c.clause
    if c.noun[1:] and c.noun[-1] in words("zh", "verbs") and c.tail[:1] in words("zh", "verbs"):
        return None  # `蛇缠|绕着`: the noun may hold half of a verb
    return "" if stands and (c.counted or not _LOOSE.search(c.tenor.strip())) else None


# A clause that only names what is spoken of, or says that it is said: `他跑起来的样子`, `爱这件事`, `怎么说呢`.
_TOPIC = re.compile(r"的[^的，]{1,4}$|[这那][^，]{1,3}$|[呢吗时]$|时候$|^[^，]{0,6}的?话$")
_LOOK = r"[看望瞧](?:去|过去|上去|下去|起来)?"
_SEEN_FROM = re.compile(r"(?:^|[，,])[^，,]{0,6}[看望瞧听摸踩尝捏](?:去|过去|上去|下去|起来|着)?$")
_FROM_AFAR = re.compile(
    rf"\s*(?:(?:从[^，]{{1,5}}|远远地?|远|乍一?){_LOOK}|[触观望视闻抚]之|[就也又却便真才]|看上去|看起来)?"
)
_ACTS = re.compile("[了着过]")
_FACE = re.compile("笑[靥颜容]|[容红朱]颜|[面花]容$")  # `笑靥如花` is one saying
_PART = re.compile("[我你他她它其]?[面心目肤眉齿唇身声貌色口胆命骨]")  # `他面|如土色`: no more than half a saying
_COMMAS = "，, \u3000"


def _predicate(c: Candidate, original: str, name: str, carried: tuple[str, ...]) -> Rewrite:
    """A comparison to the end of its clause: its qualities stay, or it goes where the sentence stands without it."""
    text, start, end, begin = c.text, c.start, c.end, _from(c, _STAYS_WITH_AN_ACT)
    tenor, told = c.tenor.strip(), c.told.rstrip(_COMMAS)
    if c.marker.kind == "terse" and _FACE.search(tenor):
        return _none(c, carried)
    comma = text[end : end + 1] in ("，", ",")
    if _FROM_AFAR.fullmatch(c.tenor) or (tenor in ("它", "他", "她", "它们") and told.strip(_COMMAS)):
        if _SEEN_FROM.search(told):  # `从飞机上看，像...`: that goes as well
            start -= len(c.told) - 1 - max(told.rfind("，"), told.rfind(","))
            told = text[c.start - len(c.told) : start].rstrip(_COMMAS)
        if _is_told(told) or (told.strip(_COMMAS) and _is_keywords(text)):
            while start > 0 and text[start - 1] in _COMMAS:
                start -= 1
            return Rewrite((start, end), "", carried)
        if comma and not told:
            return Rewrite((start if tenor else begin, end + 1), "", carried)
        return _none(c, carried)
    if _OPEN_VERB.search(text, start, begin) or text.endswith(("就", "怎么"), start, begin):
        return _none(c, carried)
    saying = c.marker.kind == "terse" and _PART.fullmatch(tenor)
    goes = comma and not c.clause and not saying and not _apart(c) and _BARE.fullmatch(c.tenor)
    if goes and is_alive(c.likened) and goes_on().match(text, end + 1):  # what somebody does is no look
        return Rewrite((begin, end + 1), "", carried)
    fresh = tuple(word for word in carried if not _is_said(word, c)) if _is_name(name) else ()
    if fresh:
        return Rewrite((begin, end), said(fresh, original), carried)
    if goes and goes_on().match(text, end + 1):
        return Rewrite((begin, end + 1), "", carried)
    stands = (name or tenor.endswith("的")) and len(tenor) > 1 and not tenor.endswith(("都", "也", "就"))
    if stands and _is_keywords(text):
        return Rewrite((begin, end), "", carried)
    return _none(c, carried)


def _is_said(quality: str, c: Candidate) -> bool:
    """Whether a text says a quality by itself: `弯曲` in `弯弯绕绕`."""
    around = c.told + c.tenor + c.sentence_later
    return quality in around or quality[0] * 2 in around


_DOING = re.compile(r"[出起进上下过回][来去]$|^[^的]*[了着]")


def _is_name(tenor: str) -> bool:
    """Whether what is likened is a noun, of which something can be said; not `胸甲绽裂|如烂熟的石榴`."""
    last = tenor[-2:]
    acts = last in words("zh", "events") | words("zh", "doings") or set(last) <= words("zh", "verbs")
    return bool(tenor) and not _DOING.search(tenor) and (not acts or is_listed(tenor))


_BUT = re.compile("(?:不像|不是|哪像|哪里像|与其)[^，]*$")  # `不像手，|倒像两根柳枝`


def _is_told(told: str) -> bool:
    """Whether a sentence up to a comparison says something by itself, so that it stands without it."""
    last = re.split("[，,]", told)[-1]
    if _BUT.search(last):
        return False
    return bool(told.strip(_COMMAS)) and not _TOPIC.search(last) and (len(told) > 3 or _ACTS.search(told) is not None)


def _none(c: Candidate, carried: tuple[str, ...]) -> Rewrite:
    return Rewrite((c.marker.start, c.end), None, carried)


_BARE = re.compile(r"[^了着过得，。]{1,14}")
_WHEN = re.compile(r"[时里上下中后前边天夜晚晨午日候旁外间年月刻初末季节来处端侧]$|尽头$|了$")


def _apart(c: Candidate) -> bool:
    """Whether what is likened is only a part of something, so that what follows need not be said of it."""
    told = re.split("[，,]", c.told.rstrip(_COMMAS))[-1].strip()
    return len(told) > 3 and _WHEN.search(told) is None


@cache
def goes_on() -> re.Pattern[str]:
    """What the tenor does in the next clause, and nobody else."""
    done = rf"{verb()}{{1,2}}(?:{either('zh', 'complements')})|{verb()}[\u4e00-\u9fff]?[着了在满出]"
    manner = rf"(?:{either('zh', 'adverbs')})|[^，]{{2,4}}地(?=[\u4e00-\u9fff])"
    there_is = "[^，]{0,4}(?:有|是|[站坐躺停摆放挂长][着了])"
    somewhere = rf"在[^，有是]{{1,9}}[里上下中前后旁边间头处外](?!{there_is})[^，。]{{2}}"
    others = r"(?![我你您他她它咱谁这那]|没有?[人谁一什]|不知)"
    return re.compile(rf"{others}(?:{done}|{manner}|{somewhere}|独自|[一三几两][^，]{{0,2}}下就?|[把被从向])")


def _is_keywords(text: str) -> bool:
    """Whether the text is a prompt of keywords, in which a noun may stand by itself."""
    return len(text) < 300 and not any(stop in text for stop in "。！？") and text.count("，") + text.count(",") >= 2
