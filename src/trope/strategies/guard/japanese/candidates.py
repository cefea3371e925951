"""What may be a figure: a marker with the noun that is compared to, whatever noun it is, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.japanese.markers import Marker, markers
from trope.strategies.guard.japanese.morphemes import Morpheme, Sentence
from trope.strategies.guard.japanese.phrases import (
    Clause,
    Noun,
    clause_before,
    next_noun,
    noun_after,
    noun_before,
    phrase_start,
)
from trope.strategies.guard.japanese.topics import has_subject, topic
from trope.strategies.guard.lexicon import rows, words

_EMPHATIC = re.compile(
    r"(?:まるで|あたかも|さながら|ちょうど|いわば|言わば|言うなれば|いうなれば|まさに|例えるなら|たとえるなら|たとえて言えば"
    r"|どことなく|どこか|なんだか|なんとなく|何となく|何だか)、?\s*$"
)
_SAID = re.compile(
    r"まるで|あたかも|さながら|いわば|言わば|言うなれば|いうなれば|例えるなら|たとえるなら|たとえて言えば|まさに"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One comparison of a sentence.

    Attributes
    ----------
    noun : what is compared to; of a clause the noun in it that a painter would draw.
    left : where all that compares begins, with まるで and its like.
    clause : the clause that is compared, if it is one.
    saying : whether the clause is a fixed saying.
    emphatic : whether まるで or its like says that it is a likeness.
    topic : what the sentence is about, before the comparison; None if it does not say.
    near, likened : the first noun after `ような`, and the head of its phrase: `目`, `男` of `鷹のような目の男`.
    told : whether the sentence tells, and is no list of things to draw.
    following : what follows the comparison up to the next comma.
    """

    sentence: Sentence
    marker: Marker
    noun: Noun
    left: int
    clause: Clause | None
    saying: bool
    emphatic: bool
    topic: Noun | None
    near: Noun | None
    likened: Noun | None
    told: bool
    following: tuple[Morpheme, ...]

    @property
    def described(self) -> bool:
        """Whether something is said of the noun: `古い写真`, `怒った人`."""
        before = self.sentence.at(self.noun.first - 1)
        return before is not None and before.attributive and before.kind != "連体詞"

    @property
    def rest(self) -> str:
        """The words after the comparison to the end of the sentence."""
        return self.sentence.quote(self.marker.after, self.sentence.end)


def candidates(sentence: Sentence) -> Iterator[Candidate]:
    """The comparisons of a sentence in order; of two that overlap the first."""
    told = tells(sentence)
    done = sentence.start
    for marker in markers(sentence):
        found = _of_noun(sentence, marker) if marker.of == "noun" else _of_clause(sentence, marker)
        if found is None:
            continue
        noun, left, clause, saying = found
        if left < done or noun.span[0] < done:
            left = noun.span[0]
            if left < done:
                continue
        outer = _emphasis(sentence, max(done, sentence.start), left)
        strong = _SAID.search(sentence.quote(outer, left)) is not None
        far = any(sentence.start + m.start() >= done for m in _SAID.finditer(sentence.quote(done, left)))
        near = likened = None
        if marker.place == "noun":
            near, likened = next_noun(sentence, marker.after), noun_after(sentence, marker.after)
        about = topic(sentence, sentence.starting(outer))
        yield Candidate(
            sentence,
            marker,
            noun,
            outer,
            clause,
            saying,
            strong or far,
            about,
            near,
            likened,
            told,
            tuple(_following(sentence, marker.after)),
        )
        done = marker.after


def _following(sentence: Sentence, place: int) -> Iterator[Morpheme]:
    for m in sentence.morphemes[sentence.starting(place) :]:
        if m.kind == "補助記号":
            return
        yield m


def tells(sentence: Sentence) -> bool:
    """Whether a stretch ends in a predicate."""
    said = False
    for m in reversed(sentence.morphemes):
        said = said or m.sort == "終助詞"
        if m.kind == "補助記号" or (m.kind == "助詞" and m.sort == "終助詞") or m.surface in ("ん", "の", "w", "笑"):
            continue
        if m.kind == "助詞" and m.surface in ("て", "で"):  # `雲を描いて`
            return said
        if m.form == "連用形-ニ":  # `場面を、特撮風に`
            return False
        return m.predicate or m.kind == "形状詞" or m.sort == "接続助詞"
    return False


def _of_noun(sentence: Sentence, marker: Marker) -> tuple[Noun, int, None, bool] | None:
    found = noun_before(sentence, marker.start)
    if found is None:
        return None
    noun, first = found
    if (
        noun.words in ("あと", "後", "跡", "とき", "時", "瞬間")
        and noun.first
        and sentence.morphemes[noun.first - 1].predicate
    ):
        clause = clause_before(sentence, noun.span[0], subject=True)  # `嵐が通りすぎたあとのような`
        subject = None if clause is None else clause.argument("が")
        if noun.words in ("とき", "時") and (subject is None or subject.words in words("ja", "beings")):
            return None
        within = None if clause is None else drawn(clause)
        if clause is not None and within is not None:
            return within, clause.start, None, False
    first = phrase_start(sentence, first, subject=_has_other_subject(sentence, first, marker))
    return noun, sentence.morphemes[first].start, None, False


def _has_other_subject(sentence: Sentence, before: int, marker: Marker) -> bool:
    """Whether a が before the noun is not what the sentence is about: something else is."""
    if marker.place == "noun":
        return True
    link = next((n for n in range(before - 1, 0, -1) if sentence.morphemes[n].particle("が")), 0)
    within = next(
        (
            n
            for n in range(link - 1, 0, -1)
            if sentence.morphemes[n].surface == "、" and sentence.morphemes[n - 1].sort == "接続助詞"
        ),
        0,
    )
    if has_subject(sentence, within, link):
        return True
    fragment = (n for n in range(link - 1, 0, -1) if sentence.morphemes[n].surface == "、")
    if marker.place == "predicate" and any(sentence.morphemes[n - 1].nominal for n in fragment):
        return True  # `父のいびき、トラクターが走ってるみたい`
    for m in sentence.morphemes[sentence.starting(marker.after) :]:  # `糸の切れた凧のように、息子は`
        if m.kind in ("動詞", "形容詞"):
            return False
        noun = sentence.morphemes[sentence.starting(m.start) - 1]
        if (noun.nominal or noun.kind == "代名詞") and (
            m.particle("は", "も") or (m.particle("が") and m.sort == "格助詞")
        ):
            return True
    return False


def _of_clause(sentence: Sentence, marker: Marker) -> tuple[Noun, int, Clause | None, bool] | None:
    place = marker.start
    last = sentence.ending(place)
    clause = clause_before(sentence, place, subject=last is not None and _has_other_subject(sentence, last, marker))
    if clause is None:
        return None
    topicless = not any(m.particle("は") for m in sentence.morphemes[: clause.first])
    if marker.place == "predicate" and topicless:  # `窓の灯りが|宝石箱をひっくり返したかのよう`
        narrow = clause_before(sentence, place, subject=False)
        moves = words("ja", "moves") | words("ja", "living_deeds")
        if narrow is not None and narrow.argument("を") is not None and narrow.verb.normal not in moves:
            clause = narrow
    said = _saying(sentence, place)
    if said is not None:
        span, start = said
        head = sentence.morphemes[sentence.starting(span[0])]
        n = sentence.starting(span[0])
        return Noun(n, n, span, sentence.quote(*span), head), start, clause, True
    noun = drawn(clause) or clause.argument("でも")
    return None if noun is None else (noun, clause.start, clause, False)


def drawn(clause: Clause) -> Noun | None:
    """The noun of a clause that a painter would draw: the object, else the subject, the means, the place."""
    nouns = [(case, noun) for case, noun in clause.arguments if not _nothing(noun)]
    subject = next((noun for case, noun in nouns if case in ("が", "の")), None)
    acts = subject is not None and clause.lasting and any(case == "を" for case, _ in clause.arguments)
    if subject is not None and (acts or subject.words.endswith(tuple(words("ja", "animals")))):
        if not words("ja", "beings") & {subject.words, subject.name}:
            return subject
    tool = next((noun for case, noun in nouns if case == "で"), None)
    for cases in (("を", "でも"), ("が", "の"), ("で",), ("に", "から", "へ", "と")):
        noun = next((noun for case, noun in reversed(nouns) if case in cases), None)
        if noun is not None:
            told_by = tool is not None and noun.head.surface in words("ja", "traces") | words("ja", "body_parts")
            return tool if tool is not None and told_by else noun
    return None


def _nothing(noun: Noun) -> bool:
    if noun.head.kind == "代名詞" or noun.head.sort.startswith("数詞"):
        return True
    return bool({noun.words, noun.name} & (words("ja", "abstract") | words("ja", "no_vehicle")))


def _emphasis(sentence: Sentence, start: int, left: int) -> int:
    before = _EMPHATIC.search(sentence.quote(start, left))
    return left if before is None else start + before.start()


@cache
def _sayings() -> tuple[tuple[str, str], ...]:
    pairs = (row.split("|") for row in rows("ja", "sayings"))
    return tuple(sorted(((saying, vehicle) for vehicle, saying in pairs), key=lambda pair: -len(pair[0])))


def _saying(sentence: Sentence, end: int) -> tuple[tuple[int, int], int] | None:
    """A fixed saying right before a marker: its vehicle, and where it begins."""
    piece = sentence.quote(sentence.start, end)
    for said, vehicle in _sayings():
        if piece.endswith(said):
            start = end - len(said)
            at = sentence.text.index(vehicle, start)
            return (at, at + len(vehicle)), start
    return None
