"""Japanese figures: every comparison that a sentence marks is one, unless a named reason says that it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from trope.strategies.guard.japanese.candidates import Candidate, candidates
from trope.strategies.guard.japanese.clauses import no_likeness
from trope.strategies.guard.japanese.kinds import being, ends_in, is_one_of, is_quality
from trope.strategies.guard.japanese.markers import may_compare
from trope.strategies.guard.japanese.morphemes import Sentence
from trope.strategies.guard.japanese.phrases import Noun, noun_before, phrase_start, topic
from trope.strategies.guard.japanese.predicates import adverbial, predicate
from trope.strategies.guard.japanese.reasons import reason
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
    carried = () if _described(c) else _qualities(c.noun)
    left, after = c.left, c.marker.after
    replacement = None
    if against is None:
        replacement, after = _rewritten(c, carried)
    about = c.likened if c.marker.place == "noun" else c.topic
    if about is not None and about.span[0] < after and about.span[1] > left:
        about = None
    return PlannedFigure(
        marker=(c.marker.start, c.marker.end), vehicle=c.noun.span, phrase=(_phrase(c), c.marker.start),
        whole=(left, after), replacement=replacement, qualities=carried, seen=against is not None,
        why=against or SIMILE, tenor=_whole(c.sentence, about, after if c.marker.place == "noun" else 0),
        confidence=(0.9 if c.clause is None else 0.8) if against is None else 0.7,
    )  # fmt: skip


def _whole(sentence: Sentence, noun: Noun | None, least: int) -> Span | None:
    """A noun with what describes it, from a place on."""
    if noun is None:
        return None
    start = sentence.morphemes[phrase_start(sentence, noun.first, subject=False)].start
    return max(start, least), noun.span[1]


def _qualities(noun: Noun) -> tuple[str, ...]:
    """What is known of a thing, as the text or a dictionary spells it; of `弁当箱の蓋` what is known of `蓋`."""
    known = qualities("ja")
    last = noun.words.rpartition("の")[2]
    return known.get(noun.words) or known.get(noun.name) or known.get(last, ())


def _described(c: Candidate) -> bool:
    """Whether a clause makes another thing of it: `借りてきた猫`, `獲物を狙う鷹`."""
    before = c.sentence.at(c.noun.first - 1)
    return c.clause is None and before is not None and before.kind in ("動詞", "助動詞") and before.attributive


def _phrase(c: Candidate) -> int:
    """Where what is compared begins, without まるで."""
    emphasis = _OUTRIGHT.match(c.sentence.text, c.left)
    return emphasis.end() if emphasis is not None and emphasis.end() <= c.noun.span[0] else c.left


def _rewritten(c: Candidate, carried: tuple[str, ...]) -> tuple[str | None, int]:
    """What stands for the comparison, and up to where it stands for the text; None: the sentence needs it."""
    marker, text = c.marker, c.sentence.text
    quality = carried[0] if carried else None
    if marker.place == "predicate":
        if not c.told and text[c.left - 1 : c.left] == "、" == text[marker.after : marker.after + 1]:
            return "", marker.after + 1  # a fragment of its own: `クモの巣、真珠をつらねたよう、`
        linked = _LINKED.match(text, marker.after)
        if linked is not None and marker.sort in ("alike", "evokes") and _goes_on(c, linked.end()):
            return "", linked.end()  # `夕立に似て、激しい`
        literary = "ご" in text[marker.start : marker.end] or "如" in text[marker.start : marker.end]
        if quality is None or marker.sort != "like" or literary:
            return None, marker.after
        said = predicate(quality, text, marker.after, c.sentence.end)
        return (None, marker.after) if said is None else said
    following = c.following
    if not following or _cut_off(c):
        return None, marker.after
    if c.left and text[c.left - 1] in " 、。" and text[marker.after : marker.after + 1] == " ":
        marker = replace(marker, after=marker.after + 1)
    if marker.place == "adverb":
        if _only_a_verb(c):
            return None, marker.after
        if following[0].normal not in words("ja", "complements"):
            return "", marker.after
        return (adverbial(quality) if quality else None), marker.after
    if c.near is None or _says_itself(c):  # `雪のような白い肌`
        return "", marker.after
    carrying = c.near.words.endswith(tuple(words("ja", "carrying")))
    if c.topic is not None and c.topic.words == c.near.words:  # `今季の赤は、柘榴のような赤`
        return None, marker.after
    felt = (
        c.near.words.endswith(("音", "声", "響き", "痛み"))
        or (carrying and not c.near.words.endswith(("ほっぺ", "頬", "景色")))
        or is_one_of(c.near, "unseen", "sensations")
    )
    repeated = quality is not None and any(sign in c.rest[:14] for sign in _SIGN.findall(quality))
    if quality is not None and not felt and not repeated:
        return quality, marker.after
    if _bare(c):
        return None, marker.after
    fragment = not c.told and (c.left == c.sentence.start or text[c.left - 1] in "、 　")
    fragment = fragment and following[-1].end <= c.near.span[1]
    empty = is_one_of(c.near, "carriers") or (carrying and not (c.near.words.endswith("色") and len(c.near.words) > 1))
    ends = following[-1].end <= c.near.span[1] and text[c.left - 1 : c.left] in ("は", "が")
    if ends and not c.told:  # `タレの照りは漆のような艶、`
        return None, marker.after
    alone = c.likened is None or c.likened.span == c.near.span
    return (None if empty and alone and not fragment else ""), marker.after


def _only_a_verb(c: Candidate) -> bool:
    """`猫が鳴くように歌う`: nobody is left who does it."""
    alone = c.left == c.sentence.start and c.following[-1].end == c.sentence.end
    acted = c.clause is not None and c.clause.argument("が") is not None
    return alone and acted and not any(m.nominal or m.kind == "代名詞" for m in c.following)


def _bare(c: Candidate) -> bool:
    """Whether a noun would stand with nothing said of it: `頬の少女`, `目をした男`, and `景色` with not a word more."""
    assert c.near is not None
    text = c.sentence.text
    if not text[: c.left].strip() and not text[c.near.span[1] :].strip(" 　。\n"):
        return True
    if text.startswith("の", c.near.span[1]) and not (being(c.likened) or ends_in(c.likened, "animals", "creatures")):
        return False  # `肌の艶`
    part = is_one_of(c.near, "body_parts", "faces", "carriers") or ends_in(c.near, "body_parts", "faces")
    return part and _HAD.match(text, c.near.span[1]) is not None


_HAD = re.compile(r"の|を(?:し(?:た|て)|持[つちっ])")
_SIGN = re.compile(r"[一-龯]|色とりどり|ふわふわ|もこもこ|つやつや|きらきら|ごわごわ")


_LINKED = re.compile(r"て、?")


def _goes_on(c: Candidate, place: int) -> bool:
    """Whether the sentence goes on with another predicate of the same subject."""
    n = c.sentence.starting(place)
    rest = []
    while (m := c.sentence.at(n)) is not None and m.kind != "補助記号":
        rest.append(m)
        n += 1
    nothing_new = not any(m.particle("は", "が", "も") for m in rest)
    return bool(rest) and nothing_new and (is_quality(rest[0]) or any(m.kind == "動詞" for m in rest))


def _cut_off(c: Candidate) -> bool:
    """Whether something before it would be left without its other half: `犬と|猿のように`, `速さは|矢のごとく、`."""
    n = c.sentence.starting(c.left)
    before, earlier = c.sentence.at(n - 1), c.sentence.at(n - 2)
    if before is None:
        return False
    if before.particle("と", "や") and earlier is not None and earlier.nominal:
        return True
    joined = (
        (before.nominal or before.kind == "感動詞")
        and before.end == c.left
        and not before.sort.endswith(("副詞可能", "助数詞可能"))
    )
    parallel = c.marker.after > c.marker.end and c.topic is not None and before.particle("は")
    return joined or (parallel and any(m.particle("は") for m in c.following) and not c.clause)


def _says_itself(c: Candidate) -> bool:
    """Whether the text says what it looks like between the comparison and the noun: `雪のような|白い肌`."""
    assert c.near is not None
    between = [m for m in c.following if m.end <= c.near.span[0]]
    return any(is_quality(m) or (m.predicate and m.attributive) for m in between)


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
    carried = _qualities(noun[0])
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
    ending = predicate(carried[0], text, end, sentence.end) if carried else None
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
    carried = _qualities(noun)
    start = min(max(left, marker[1]), noun.span[0]) if marker[0] <= left + 1 else left
    return PlannedFigure(
        marker=marker, vehicle=noun.span, phrase=(start, noun.span[1]), whole=(left, after), replacement=said,
        qualities=carried, tenor=_whole(sentence, about, 0), confidence=0.7,
    )  # fmt: skip
