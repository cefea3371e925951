"""What is likened: the subject of the clause that compares, or the new noun right before what compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.strategies.guard.arabic.agreement import governed_letter, has_owner, is_being, joined_letter, known_noun
from trope.strategies.guard.arabic.marker import VERBS, WORDS, Marker
from trope.strategies.guard.arabic.nouns import (
    adjective_behind,
    is_feminine,
    known,
    may_be_named,
    may_be_noun,
    nouns,
    phrase_end,
)
from trope.strategies.guard.arabic.phrases import feminine, follows, is_preposition, is_prepositional, nominal
from trope.strategies.guard.arabic.shapes import is_quality, is_verb, part_start, says_quality
from trope.strategies.guard.arabic.words import NEARBY, Word, accusative, definite, listed, of
from trope.strategies.guard.plan import Span


@dataclass(frozen=True, slots=True)
class Tenor:
    """What is likened: its first word, the noun in it that counts (behind ``letter`` letters), and its last word.

    ``beside``: it is a new noun right before the marker, so that an adjective can take the place of the comparison.
    """

    head: int
    last: int
    letter: int = 0
    beside: bool = False

    def span(self, line: Sequence[Word]) -> Span:
        """Where it stands in the text, without the letters joined to it."""
        return (line[self.head].place(self.letter), line[self.last].end)


def tenor(line: Sequence[Word], marker: Marker, free: int, stops: frozenset[int]) -> Tenor | None:
    """What is likened, or None where it is not named.

    Words before ``free`` belong to the figure before; ``stops`` are the first words of all markers.
    """
    at = marker.at
    within = _within(line, marker)
    if within is not None:
        return within
    start, stop = part_start(line, at), at
    for _ in range(3):  # this part of the sentence, or the ones before it
        begin = max(_clause(line, start, stop), free if start < free <= stop else start)
        found = _beside(line, begin, at) if stop == at and line[at].joined and marker.kind in WORDS else None
        if found is not None and marker.kind != "resembles" and _at_a_place(line, begin, found.head):
            found = None
        found = (
            found
            or _subject(line, begin, stop)
            or (_subject(line, start, _first(stops, start, stop)) if begin > start else None)
        )
        goes_on = stop < at and line[start].plain[0] in "وف" and is_verb(line[start].plain)  # `نهض الرجل، ومسح الغبار،`
        if found is not None and not goes_on:
            return _of_the_pronoun(line, marker, found, start)
        if start == 0 or at - start > NEARBY:
            break
        start, stop = part_start(line, start - 1), start
        stop = _first(stops, start, stop)
    return None


def _first(stops: frozenset[int], start: int, stop: int) -> int:
    """The first marker in ``line[start:stop]``, or ``stop``."""
    return next((n for n in range(start + 1, stop) if n in stops), stop)


def _of_the_pronoun(line: Sequence[Word], marker: Marker, found: Tenor, start: int) -> Tenor:
    """``أدار المفتش قبعته كأنها مقود``: the pronoun tells which."""
    said = [word.plain for word in line[marker.at : marker.at + 3] if word.start < marker.span[1]]
    feminine_one = any(form.endswith("ها") or form == "كانت" for form in said)
    told = feminine_one or any(form.endswith("انه") or form == "كان" for form in said)
    if marker.kind != "as if" or not told:
        return found
    if is_feminine(line, found.head, found.letter) == feminine_one:
        return found
    others = (
        n
        for n in nouns(line, start, marker.at)
        if n > found.last and (known(line[n]) or known_noun(line[n]) is not None or not is_quality(line[n].plain))
    )
    other = next((n for n in others if is_feminine(line, n, joined_letter(line[n])) == feminine_one), None)
    return found if other is None else _phrase(line, other, marker.at)


def _within(line: Sequence[Word], marker: Marker) -> Tenor | None:
    """Between the marker and the vehicle: ``تشبه ضفائرها حبالا``, ``كأن الطريق أفعى``."""
    begin = marker.at + 1
    first = line[marker.at]
    clause = marker.kind == "as if" and first.plain.endswith("كان")
    if not (clause or marker.kind in VERBS) or begin >= marker.noun:
        return None
    if (definite(line[begin]) or has_owner(line[begin])) and nominal(line[begin]):
        return _phrase(line, begin, marker.noun)
    construct = begin + 1 < marker.noun and nominal(line[begin]) and definite(line[begin + 1])
    return _phrase(line, begin, marker.noun) if construct else None


def _clause(line: Sequence[Word], start: int, stop: int) -> int:
    """Behind the last word that begins a clause."""
    return next((n + 1 for n in range(stop - 1, start - 1, -1) if line[n].plain in listed("clause_openers")), start)


def _beside(line: Sequence[Word], start: int, at: int) -> Tenor | None:
    """The new noun right before the marker, over adjectives that agree with it: ``بفستان أحمر كالكرز``."""
    n = at - 1
    while n > start and _adjective_of(line, n, n - 1):
        n -= 1
    word = line[n]
    letter = governed_letter(word) or joined_letter(word)
    if n < start or not may_be_noun(word) or known(word, letter):
        return None
    noun = known_noun(word, letter)
    if n < at - 1 and feminine(line[at - 1].plain) != (feminine(word.plain) if noun is None else noun.feminine):
        n, letter = n - 1, 0
        if n < start or not may_be_noun(line[n]) or known(line[n]) or not feminine(line[n].plain):
            return None
        return Tenor(n, n + 1, beside=True)
    said = word.plain.removesuffix("ا") if accusative(word) else word.plain
    if noun is None and (n == at - 1 or n > start) and (is_quality(said[letter:]) or says_quality(word)):
        return None
    if noun is None and (accusative(word) or (governed_letter(word) and n == at - 1)):
        return None  # `مختالا`, `بسرعة`
    if n > start and noun is None and is_verb(line[n - 1].plain) and word.plain.endswith("ا"):
        return None  # how it is done
    construct = n > start and not letter and line[n].joined and not accusative(word) and may_be_noun(line[n - 1])
    if construct and not known(line[n - 1]) and not accusative(line[n - 1]) and may_be_named(line[n - 1]):
        return Tenor(n - 1, n, governed_letter(line[n - 1]) or joined_letter(line[n - 1]), beside=True)
    return Tenor(n, n, letter, beside=True)


def _at_a_place(line: Sequence[Word], start: int, noun: int) -> bool:
    """``نط من غصن إلى غصن مثل كرة``: the noun is where it is done."""
    governed = noun > start and is_preposition(line[noun - 1])
    return governed and any(does(line, n, start, noun) for n in range(start, noun))


def _adjective_of(line: Sequence[Word], n: int, noun: int) -> bool:
    word = line[n]
    said = word.plain.removesuffix("ا") if accusative(word) else word.plain
    return (
        word.joined
        and (nominal(word) or said in listed("colors"))
        and not known(word)
        and is_quality(said)
        and known_noun(word, governed_letter(word)) is None
        and (nominal(line[noun]) or line[noun].plain in listed("colors"))
        and not known(line[noun], governed_letter(line[noun]))
    )


def _subject(line: Sequence[Word], start: int, stop: int) -> Tenor | None:
    """The subject of the clause in ``line[start:stop]``: before or behind its last verb, or its first noun."""
    verbs = [n for n in range(start, stop) if does(line, n, start, stop)]
    if not verbs:
        return _nominal_subject(line, start, stop)
    last = verbs[-1]
    leads = line[last].plain[0] in "وف" and line[last].plain not in listed("past")
    past = leads and not _present(line[last].plain[1:])
    if past or (leads and line[last].plain[0] == "ف") or last == start:
        behind = _behind_verb(line, last, stop)
        if behind is not None:
            return behind
    before = [n for n in nouns(line, start, last, frozenset(verbs)) if _agrees(line, n, last)]
    within = last + 1 < stop and is_prepositional(line[last + 1].plain)
    behind = _behind_verb(line, last, stop) if within else None
    if behind is not None:
        return behind  # `مكتبة تتمايل فيها | أكوام الكتب`
    if before:
        near = before[-1]
        rest = range(phrase_end(line, near, last) + 1, last)
        beside = all(adjective_behind(line, n) or has_owner(line[n]) for n in rest)
        return _phrase(line, near if beside and line[last].plain[0] not in "وف" else before[0], last)
    return _behind_verb(line, last, stop) or next(
        (found for n in reversed(verbs[:-1]) if (found := _behind_verb(line, n, last)) is not None), None
    )


def _present(form: str) -> bool:
    return form[:1] in ("ي", "ت", "ن", "أ")


def does(line: Sequence[Word], n: int, start: int, stop: int) -> bool:
    """Whether word ``n`` is a verb, one that joins subject and predicate with them."""
    word = line[n]
    if definite(word) or accusative(word) or (word.plain in listed("colors") and n > start):
        return False
    if of(word.plain, "linking") or is_verb(word.plain):
        return known_noun(word) is None or word.plain in listed("past")
    begins = n == start or line[n].plain[0] in "وف"
    subject = n + 1 < stop and line[n + 1].joined and (definite(line[n + 1]) or not is_quality(line[n + 1].plain))
    sound_plural = (
        subject and line[n + 1].plain.endswith(("ون", "ان")) and word.plain in listed("past")
    )  # `صمت المحامون`
    return begins and (sound_plural or (subject and word.plain.lstrip("وف") in listed("before_subject")))


def _behind_verb(line: Sequence[Word], verb: int, stop: int) -> Tenor | None:
    """The first noun behind a verb that agrees with it and is not behind a preposition."""
    for n in nouns(line, verb + 1, stop):
        said = line[n].plain.removesuffix("ا")
        beside = n == verb + 1 and not of(line[verb].plain, "linking") and not accusative(line[n])
        if not known(line[n]) and known_noun(line[n]) is None and is_quality(said) and not beside:
            continue
        return _phrase(line, n, stop) if _agrees(line, n, verb) else None
    return None


def _nominal_subject(line: Sequence[Word], start: int, stop: int) -> Tenor | None:
    """``شعرها | أسود كالفحم``, ``نمر | عيناه كالجمر``: the first noun, or a part of it that is spoken of."""
    found = list(nouns(line, start, stop))
    if not found:
        return None
    first = found[0]
    for n in reversed(found[1:]):
        if not has_owner(line[n]):
            continue
        masculine = line[n].plain.endswith("ه")
        construct = n == first + 1 and (
            not _may_have_parts(line[first])
            or line[n].plain.removesuffix("ه").removesuffix("ها").endswith("ي")
            or (masculine == feminine(line[first].plain) and line[first].plain not in listed("common_gender"))
        )
        if not construct:
            return _phrase(line, n, stop)
    return _phrase(line, first, stop)


def _may_have_parts(word: Word) -> bool:
    """Whether a part of it may be spoken of next: ``رجل عيناه``, ``خيمة سقفها``, no ``شعر رأسه``, no ``طرف ذيله``."""
    noun = known_noun(word)
    seen = noun is not None and noun.kind == "thing" and word.plain not in listed("parts_of_parts")
    return seen or is_being(word)


def _phrase(line: Sequence[Word], n: int, stop: int) -> Tenor:
    letter = joined_letter(line[n])
    last = phrase_end(line, n, stop)
    if last == n and n + 1 < stop and follows(line, n + 1) and has_owner(line[n + 1]) and nominal(line[n + 1]):
        own_subject = known_noun(line[n + 1]) is not None and not definite(line[n]) and not has_owner(line[n])
        last = n + 1 if own_subject and not line[n + 1].plain.startswith("و") else n
    return Tenor(n, last, letter)


def _agrees(line: Sequence[Word], noun: int, verb: int) -> bool:
    """Whether a verb can have this subject, in gender; plurals and first persons are not told apart."""
    form = line[verb].plain
    form = form[1:] if form[0] in "وف" and len(form) > 3 and form not in listed("past") else form
    if form.endswith(("ون", "وا", "ن", "نا", "ان")) or form[0] in "ان" or form in ("رايت", "لمحت"):
        return True
    known = known_noun(line[noun])
    if line[noun].plain.removeprefix("ال") in listed("common_gender"):
        return True
    if known is not None and known.kind == "unseen":
        return True
    said = line[noun].plain.removeprefix("ال")
    if known is None and feminine(said) and not said.endswith(("ة", "ى", "اء")):
        return True  # `عبر الفرسان`, `عبرت الفرسان`
    feminine_one = is_feminine(line, noun)
    if form in listed("past") and not form.endswith("ت"):
        return not feminine_one
    if form[0] == "ت" and len(form) == 4 and form[-1] != "ي" and noun == verb + 1:
        return True  # `تقدم الظل`, `تلمع النار`
    if form[0] == "ت" or form.endswith("ت"):
        return feminine_one or known is None
    return not feminine_one
