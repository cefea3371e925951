"""Nouns and clauses of a Japanese sentence: where they begin, what describes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from trope.strategies.guard.japanese.morphemes import Morpheme, Sentence
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import Span

_LONGEST_CLAUSE = 24  # morphemes


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with its compound: the numbers of its first and last morpheme, and where it stands."""

    first: int
    last: int
    span: Span
    words: str
    head: Morpheme

    @property
    def name(self) -> str:
        """The noun as dictionaries spell its head: `心臓` of `しんぞう`."""
        return self.head.normal if self.first == self.last else self.words


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that is compared: where it begins, its verb, and its nouns with their particles; lasting: not past."""

    first: int
    start: int
    verb: Morpheme
    arguments: tuple[tuple[str, Noun], ...]
    lasting: bool

    def argument(self, *cases: str) -> Noun | None:
        """The last noun with one of these particles."""
        return next((noun for case, noun in reversed(self.arguments) if case in cases), None)


def simple_noun(sentence: Sentence, last: int) -> Noun | None:
    """The noun that ends with a morpheme, with its compound and without any の."""
    head = sentence.at(last)
    if head is None or not _can_end(sentence, last):
        return None
    first = last
    while first and _joins(sentence, first - 1, first):
        first -= 1
    named = sentence.quote(sentence.morphemes[first].start, head.end) in words("ja", "numbered")
    while (
        not named and first + 1 < last and sentence.morphemes[first + 1].sort.startswith("名詞的-助数詞")
    ):  # `二匹` of `二匹蝶`
        first += 2
    span = (sentence.morphemes[first].start, head.end)
    return Noun(first, last, span, sentence.quote(*span), head)


def _can_end(sentence: Sentence, n: int) -> bool:
    m = sentence.morphemes[n]
    if m.nominal or (m.kind == "形状詞" and m.sort != "助動詞語幹") or m.sort.startswith("形状詞的"):
        return True
    if m.kind == "動詞" and m.form.startswith("連用形"):  # a noun made of a verb: `囁き`
        return True
    return m.kind == "代名詞" or (m.kind in ("副詞", "感動詞", "記号", "接続詞") and len(m.surface) > 1)


def _joins(sentence: Sentence, n: int, following: int) -> bool:
    """Whether a morpheme is the first part of the compound that goes on right behind it."""
    m, after = sentence.morphemes[n], sentence.morphemes[following]
    if m.end != after.start:
        return False
    if m.kind == "接頭辞":
        return True
    if m.kind == "動詞":
        return (
            m.form.startswith("連用形")
            and m.form.endswith("一般")
            and after.nominal
            and (n == 0 or _opens(sentence, n))
        )
    if m.kind == "形容詞":
        return m.form.startswith("語幹")
    adverbial = m.sort.endswith("副詞可能") and not after.sort.startswith("名詞的")
    return (m.nominal or m.kind == "形状詞" or m.surface in "・=") and not adverbial


def _opens(sentence: Sentence, n: int) -> bool:
    """Whether a verb's stem begins a word: `お化け屋敷`, and not `水を飲み鳥`."""
    before = sentence.morphemes[n - 1]
    return not before.particle("を", "に", "で", "と", "へ", "から") and before.kind not in ("副詞", "形容詞")


def noun_before(sentence: Sentence, place: int) -> tuple[Noun, int] | None:
    """The noun that is compared and ends at a place, and the number of the morpheme where all of it begins.

    Of a group the thing (`蟻の行列`), of a part the whole word (`蜘蛛の糸`), of a place within something that thing.
    """
    last = sentence.ending(place)
    if last is None:
        return None
    noun = simple_noun(sentence, last)
    if noun is None:
        return None
    noun = _spaced(sentence, noun)
    first = noun.first
    of = owner(sentence, noun)
    if of is not None and noun.words == "それ":  # `赤ん坊のそれのように`
        return of, of.first
    if of is not None:
        if {noun.words, noun.name} & (words("ja", "collectives") | words("ja", "insides")):
            noun = of
        elif (
            (
                of.words in words("ja", "stuffs")
                or (noun.words in words("ja", "parts") and of.words not in words("ja", "hues"))
            )
            and not adverbial(of)
            and of.words not in words("ja", "abstract")
        ):
            span = (of.span[0], noun.span[1])
            noun = Noun(of.first, noun.last, span, sentence.quote(*span), noun.head)
        first = of.first
    return noun, first


def _spaced(sentence: Sentence, noun: Noun) -> Noun:
    """A word in kana between spaces, which a dictionary may cut anywhere: `が そふとくりーむみたいに`."""
    start = max(sentence.text.rfind(space, sentence.start, noun.span[0]) for space in " 　") + 1
    piece = sentence.quote(start, noun.span[1])
    if start == 0 or start == noun.span[0] or _KANA.fullmatch(piece) is None:
        return noun
    first = sentence.starting(start)
    if any(m.kind not in ("副詞", "感動詞", "名詞") for m in sentence.morphemes[first : noun.first]):
        return noun
    return noun if piece.startswith("まるで") else Noun(first, noun.last, (start, noun.span[1]), piece, noun.head)


_KANA = re.compile(r"[ぁ-ゖァ-ヺー]{4,}")


def owner(sentence: Sentence, noun: Noun) -> Noun | None:
    """The noun before a noun's の."""
    link = sentence.at(noun.first - 1)
    if link is None or not link.particle("の") or noun.first < 2:
        return None
    before = sentence.morphemes[noun.first - 2]
    return (
        simple_noun(sentence, noun.first - 2)
        if before.nominal and not before.sort.startswith("名詞的-助数詞")
        else None
    )


def adverbial(noun: Noun) -> bool:
    """Whether a noun says when or where: `昨日`, `前`, `ところ`."""
    return noun.head.sort.endswith("副詞可能") or noun.head.sort.startswith("数詞")


def phrase_start(sentence: Sentence, first: int, *, subject: bool) -> int:
    """The number of the morpheme where all that describes a noun begins; subject: whether a が may belong to it."""
    while first:
        before = sentence.morphemes[first - 1]
        earlier = sentence.at(first - 2)
        if before.kind in ("連体詞", "接頭辞"):
            first -= 1
        elif before.particle("の") and first > 1 and _describes(sentence, first - 2):
            noun = simple_noun(sentence, first - 2)
            stem = sentence.morphemes[first - 2].predicate
            first = _clause_start(sentence, first - 2, subject=subject) if stem or noun is None else noun.first
        elif (
            before.particle("の")
            and earlier is not None
            and earlier.particle("ばかり", "だけ", "まで", "から", "へ", "と")
        ):
            first = _clause_start(sentence, first - 2, subject=subject)  # `越してきたばかりの|隣人`
        elif before.attributive:
            start = _clause_start(sentence, first - 1, subject=subject)
            if start >= first:
                return first
            first = start
        else:
            return first
    return first


def _describes(sentence: Sentence, n: int) -> bool:
    m = sentence.morphemes[n]
    stem = m.kind in ("動詞", "接尾辞") and m.form.startswith("連用形")  # `齧りかけの|ビスケット`
    return m.nominal or stem or m.kind in ("代名詞", "副詞", "形状詞") or m.sort.startswith("形状詞的")


def _clause_start(sentence: Sentence, last: int, *, subject: bool) -> int:
    """Where the clause begins that ends with a verb: back to a comma, a topic, another clause, a second object."""
    n, objects, subjects = last, 0, 0
    while n >= 0 and last - n < _LONGEST_CLAUSE:
        m = sentence.morphemes[n]
        sound = m.kind == "感動詞" and sentence.morphemes[n + 1].particle("と")  # `くるんと`
        if (m.kind in ("補助記号", "接続詞", "感動詞") and not sound) or m.particle(
            "は", "って", "けれど", "けど", "のに", "ので"
        ):
            break
        manner = m.surface == "と" and n > 0 and not sentence.morphemes[n - 1].predicate
        if m.kind == "助詞" and m.sort == "接続助詞" and m.surface not in ("て", "で") and not manner:
            break
        if m.particle("も") and not (n and sentence.morphemes[n - 1].surface in ("で", "に", "か", "どこ", "誰", "何")):
            break
        if m.particle("が") and m.sort == "格助詞":
            subjects += 1
            if not subject or subjects > 1:
                break
        if m.particle("を"):
            objects += 1
            if objects > 1:
                break
        if n < last and m.surface in ("まるで", "あたかも", "さながら", "ちょうど", "いわば", "まさに"):
            break
        n -= 1
    return n + 1


def clause_before(sentence: Sentence, place: int, *, subject: bool) -> Clause | None:
    """The clause that ends at a place, with its nouns; subject: whether its が belongs to it for sure."""
    last = sentence.ending(place)
    if last is None:
        return None
    first = _clause_start(sentence, last, subject=subject)
    found = tuple(_arguments(sentence, first, last))
    if not found and not subject:
        first = _clause_start(sentence, last, subject=True)
        found = tuple(_arguments(sentence, first, last))
    verb = next(
        (
            m
            for n in range(last, first - 1, -1)
            if (m := sentence.morphemes[n]).kind in ("動詞", "形容詞") and not _helps(sentence, n)
        ),
        sentence.morphemes[last],
    )
    lasting = sentence.morphemes[last].base not in ("た", "だ")
    return Clause(first, sentence.morphemes[first].start, verb, found, lasting) if first <= last else None


def _helps(sentence: Sentence, n: int) -> bool:
    """`飛んで|くる`, `並べて|ある`: a verb that only goes with another."""
    return n > 0 and sentence.morphemes[n].sort == "非自立可能" and sentence.morphemes[n - 1].sort == "接続助詞"


_CASES = ("を", "が", "に", "で", "から", "と", "へ", "の")


def _arguments(sentence: Sentence, first: int, last: int) -> Iterator[tuple[str, Noun]]:
    n = first
    while n < last:
        m = sentence.morphemes[n]
        after = sentence.morphemes[n + 1]
        if (m.nominal or (m.kind in ("副詞", "感動詞") and after.particle("を"))) and not after.nominal:
            case = after.surface if after.kind in ("助詞", "助動詞") else ""
            if case == "で" and n + 2 <= last and sentence.morphemes[n + 2].particle("も"):
                case = "でも"
            if case == "の" and not (n + 2 <= last and _verb_follows(sentence, n + 2, last)):
                n += 1
                continue
            if case in (*_CASES, "でも", "さえ"):
                found = noun_before(sentence, m.end)
                if found is not None and found[1] >= first:
                    yield case, found[0]
        n += 1


def _verb_follows(sentence: Sentence, n: int, last: int) -> bool:
    """`潮の|満ちる`: a subject before の."""
    return n <= last and sentence.morphemes[n].kind in ("動詞", "副詞")


def noun_after(sentence: Sentence, place: int) -> Noun | None:
    """The head of the noun phrase that begins at a place: the last noun before a particle, over any の."""
    n = sentence.starting(place)
    head: int | None = None
    while (m := sentence.at(n)) is not None:
        following = sentence.at(n + 1)
        if following is not None and following.surface == "な" and following.kind == "助動詞":  # `繊細な|白`
            n += 2
            continue
        if m.nominal or (m.kind == "代名詞"):
            head = n
        elif head is not None and not m.particle("の"):
            break
        elif m.kind in ("補助記号",) or m.particle("は", "を"):
            break
        n += 1
    if head is None:
        return None
    return simple_noun(sentence, head)


def next_noun(sentence: Sentence, place: int) -> Noun | None:
    """The first noun at a place or after it, before any の: `目` of `鷹のような目の男`."""
    n = sentence.starting(place)
    while (m := sentence.at(n)) is not None:
        following = sentence.at(n + 1)
        joined = following is not None and (following.nominal or following.kind == "形状詞")  # `色|とりどり`
        if m.nominal and not joined:
            return simple_noun(sentence, n)
        if m.kind == "補助記号" and m.surface != "、":
            return None
        if m.particle("は", "が", "を"):
            return None
        n += 1
    return None
