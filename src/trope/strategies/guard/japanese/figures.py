"""Japanese figures: every comparison that a sentence marks is one, unless a named reason says that it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from trope.strategies.guard.japanese.candidates import Candidate, candidates
from trope.strategies.guard.japanese.carried import carried, fitting
from trope.strategies.guard.japanese.kinds import being, is_one_of, is_quality
from trope.strategies.guard.japanese.literal import no_likeness
from trope.strategies.guard.japanese.markers import may_compare
from trope.strategies.guard.japanese.morphemes import Sentence
from trope.strategies.guard.japanese.phrases import Noun, noun_before, phrase_start
from trope.strategies.guard.japanese.predicates import predicate
from trope.strategies.guard.japanese.reasons import reason
from trope.strategies.guard.japanese.rewrites import Rewrite, rewritten
from trope.strategies.guard.japanese.tenors import tenor
from trope.strategies.guard.japanese.topics import topic
from trope.strategies.guard.lexicon import either, qualities, words
from trope.strategies.guard.plan import SIMILE, PlannedFigure, Span, stretches

_DESIGN = "a design request: both things are meant to be seen"
_SENTENCE = re.compile(r"[^。！？!?\n「」『』]+")
_OUTRIGHT = re.compile(r"(?:まるで|さながら|あたかも|いわば|言わば|言うなれば|いうなれば|例えるなら|たとえるなら)、?")
_SHAPED = re.compile(r"[のな](?:形|姿)(?:を(?:し(?:て|とる)|見せ)|だ|で(?:浮|横|立|そび|広|あ|す)|に見え)")
_LONGEST = 300
_MORE = re.compile(r"より(?:も|なお)?(?=[一-龯ぁ-んァ-ヺ])")
_LINK = re.compile(r"(?:だった|だ|である|であった|です|でした|で)(?:よ|ね|な)?$")


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of a Japanese text, in order; what is compared but meant to be seen is in it as seen."""
    for start, end in stretches(_SENTENCE, text, _LONGEST):
        outright = _OUTRIGHT.search(text, start, end) is not None
        if not outright and not may_compare(text, start, end) and _MORE.search(text, start, end) is None:
            continue
        design = [m.span() for m in _designs().finditer(text, start, end) if not _SHAPED.match(text, m.start())]
        sentence = Sentence(text, start, end)
        found = list(_marked(sentence, design=design))
        if not design:
            found += _unmarked(sentence, found)
        yield from sorted(found, key=lambda figure: figure.whole)


def _of_design(c: Candidate, start: int, end: int) -> bool:
    """Whether a word for a design says how both are to be seen: of a noun anywhere, else between the same commas."""
    if c.marker.place == "noun" and c.clause is None:
        return True
    return "、" not in c.sentence.quote(min(end, c.marker.end), max(start, c.left))


@cache
def _designs() -> re.Pattern[str]:
    return re.compile(either("ja", "designs"))


def _marked(sentence: Sentence, *, design: list[Span]) -> Iterator[PlannedFigure]:
    for c in candidates(sentence):
        against = no_likeness(c)
        if against is not None:
            continue
        against = reason(c)
        if against is None and any(_of_design(c, *word) for word in design):
            against = _DESIGN
        yield _figure(c, against)


def _figure(c: Candidate, against: str | None) -> PlannedFigure:
    about = tenor(c)
    looks = carried(c, c.near if c.marker.place == "noun" else about)
    said = Rewrite(None, c.left, c.marker.after) if against is not None else rewritten(c, about, looks)
    left, after = said.left, said.after
    if about is not None and about.span[0] < after and about.span[1] > left:
        about = None
    least = after if about is not None and about.span[0] >= after else 0
    if about is not None and least and c.marker.place == "adverb" and c.following[0].kind == "動詞":
        least = about.span[0]  # `赤ちゃんのように眠れる|マットレス`
    return PlannedFigure(
        marker=(c.marker.start, c.marker.end), vehicle=c.noun.span, phrase=(_phrase(c), c.marker.start),
        whole=(left, after), replacement=said.said, qualities=looks, seen=against is not None,
        why=against or SIMILE, tenor=_whole(c.sentence, about, least),
        confidence=(0.9 if c.clause is None else 0.8) if against is None else 0.7,
    )  # fmt: skip


def _whole(sentence: Sentence, noun: Noun | None, least: int) -> Span | None:
    """A noun with what describes it, from a place on."""
    if noun is None:
        return None
    start = sentence.morphemes[phrase_start(sentence, noun.first, subject=False)].start
    return max(start, least), noun.span[1]


def _phrase(c: Candidate) -> int:
    """Where what is compared begins, without まるで."""
    emphasis = _OUTRIGHT.match(c.sentence.text, c.left)
    return emphasis.end() if emphasis is not None and emphasis.end() <= c.noun.span[0] else c.left


def _unmarked(sentence: Sentence, found: list[PlannedFigure]) -> Iterator[PlannedFigure]:
    """``人波は、まるで川だった``, ``雪より白い``: said to be the thing, or to have more of what it stands for."""
    text = sentence.text
    for word in _OUTRIGHT.finditer(text, sentence.start, sentence.end):
        if not any(f.whole[0] <= word.start() < f.whole[1] for f in found):
            figure = _outright(sentence, word.start(), word.end())
            if figure is not None and all(
                figure.whole[1] <= f.whole[0] or f.whole[1] <= figure.whole[0] for f in found
            ):
                yield figure
    for more in _MORE.finditer(text, sentence.start, sentence.end):
        figure = _outdone(sentence, more)
        if figure is not None and not any(f.whole[1] > figure.vehicle[0] >= f.whole[0] for f in found):
            yield figure


def _outdone(sentence: Sentence, more: re.Match[str]) -> PlannedFigure | None:
    """``雪より白い``: of a thing that stands for a quality; not of size, and of nothing of its kind."""
    noun = noun_before(sentence, more.start())
    how = sentence.at(sentence.starting(more.end()))
    if noun is None or how is None or how.start != more.end() or not is_quality(how):
        return None
    known = (
        is_one_of(noun[0], "standards") or noun[0].words in qualities("ja") or noun[0].head.surface in qualities("ja")
    )
    first = phrase_start(sentence, noun[1], subject=False)
    about = topic(sentence, first)
    if not known or how.normal in words("ja", "sizes") or about is None or about.words.endswith(noun[0].head.surface):
        return None
    if about.span[1] > sentence.morphemes[first].start:
        return None
    return _plain(sentence, noun[0], sentence.morphemes[first].start, more.span(), about, "", more.end())


def _outright(sentence: Sentence, start: int, begin: int) -> PlannedFigure | None:
    """The noun that ends what まるで begins, where the sentence ends or a comma stands."""
    text = sentence.text
    stop = text.find("、", begin, sentence.end)
    stop = sentence.end if stop < 0 else stop
    while stop > begin and text[stop - 1] in " 　":
        stop -= 1
    link = _LINK.search(text[begin:stop])
    end = begin + link.start() if link is not None else stop
    last = sentence.ending(end)
    noun = noun_before(sentence, end)
    if last is None or noun is None or noun[0].span[0] < begin:
        return None
    head = noun[0].head
    said = text[begin : end + 4]
    if (
        not head.nominal
        or head.sort.endswith("形状詞可能")
        or is_one_of(noun[0], "no_vehicle", "opposites")
        or _NEGATED.search(said)
    ):
        return None
    if (
        any(m.particle("は", "が", "を") for m in sentence.morphemes[sentence.starting(begin) : noun[1]])
        and "を" not in said
    ):
        return None
    if not text.startswith("まるで", start) and being(noun[0]):
        return None  # `いわば責任者だ`
    about = topic(sentence, sentence.starting(start))
    alone = start == sentence.start or text[start - 1] in "、 　"
    before = sentence.at(sentence.starting(start) - 1)
    if about is None and not alone and (before is None or before.sort != "接続助詞"):
        return None
    looks = fitting(noun[0], about)
    if (
        link is None
        and alone
        and (about is None or text[start - 1 : start] == "、")
        and not _predicative(sentence, start)
    ):
        whole = (start - (text[start - 1 : start] == "、" and start > sentence.start), stop)
        return _plain(
            sentence, noun[0], whole[0], (start, begin), about, "" if start > sentence.start else None, whole[1]
        )
    of_object = text[sentence.start : start].endswith(("を", "を、"))  # `矢を、たとえるなら`
    ending = predicate(looks[0], text, end, sentence.end) if looks and not of_object else None
    return _plain(sentence, noun[0], start, (start, begin), about, *(ending or (None, end)))


_NEGATED = re.compile(r"別の|別な|ない|なかった|知らぬ|同じ|違う|違った|よう|みたい|という|らしい|ごと[くき]")


def _predicative(sentence: Sentence, start: int) -> bool:
    """`肌ざわりは、まるで羽毛`: the comma stands behind the topic."""
    n = sentence.starting(start)
    before = sentence.at(n - 2)
    return before is not None and before.particle("は", "が", "も", "って")


def _plain(
    sentence: Sentence, noun: Noun, left: int, marker: Span, about: Noun | None, said: str | None, after: int
) -> PlannedFigure:
    looks = fitting(noun, about)
    start = min(max(left, marker[1]), noun.span[0]) if marker[0] <= left + 1 else left
    return PlannedFigure(
        marker=marker, vehicle=noun.span, phrase=(start, noun.span[1]), whole=(left, after), replacement=said,
        qualities=looks, tenor=_whole(sentence, about, 0), confidence=0.7,
    )  # fmt: skip
