"""English clauses that compare: `as if ...`, `the way a ... does`, `as a ... would`; the noun a painter would draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, NounPhrase, new_part, noun_phrase
from trope.strategies.guard.english.words import Token, is_adjective, is_participle, is_plural, is_verb_form, verb_forms
from trope.strategies.guard.lexicon import rows, words

AUXILIARIES = frozenset("had was were would could might has have is are did does do will can should may must".split())
_PRO_VERBS = frozenset("might would does did do could can must may".split())
_BEING = frozenset("was were is are be been being 's 're".split())
_NEVER = frozenset("not never no nothing nobody hardly n't".split())
_OWNERS = frozenset("my your his her its our their".split())
_AIMS = frozenset("for after before about at to since against".split())
_SOMEONE = frozenset("someone somebody something".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause brings in: its noun, and the last token of the clause."""

    vehicle: NounPhrase
    last: int


def supposed(line: Sequence[Token], at: int) -> Clause | None:
    """The clause after `as if`, `as though`, `like` or `you would think` that begins at ``at``.

    The noun is its subject if that is a new thing (`as if frost had learned geometry`), else what the subject is said
    to be (`as if it were a bomb`), to do something to (`as if someone had emptied inkwells`) or to be made of, in or
    on (`as if carved from ice`). None: no such noun, or a denial.
    """
    end = sign(line, at)
    if at >= end or line[at].word == "to":
        return None
    word = line[at].word
    agent = word.partition("'")[0] if "'" in word else word
    if word == "each":
        vehicle = _predicate(line, at + 1 + (line[at + 1].word == "one"), end, someone=False) if at + 1 < end else None
    elif agent in _NEVER:
        vehicle = None
    elif agent in words("en", "agents"):
        vehicle = _predicate(line, at + 1, end, someone=agent in _SOMEONE)
    elif word in words("en", "plausible"):
        vehicle = None
    elif _verbal(word) and _ends(line, at + 1):
        vehicle = _after_verb(line, at, end, someone=False)
    elif word in words("en", "prepositions"):
        vehicle = None if word in _AIMS else _new(line, noun_phrase(line, at + 1))
    else:
        vehicle = _subject(line, at, end)
    if vehicle is None or vehicle.last >= end:
        return None
    return Clause(vehicle, end - 1)


def _subject(line: Sequence[Token], at: int, end: int) -> NounPhrase | None:
    subject = noun_phrase(line, at)
    if subject is None:
        return None
    verb = next((n for n in range(subject.last + 1, min(end, subject.last + 8)) if is_verb_form(line[n].word)), None)
    if verb is None:
        return None
    if _new(line, subject) is not None:
        return subject
    said = _predicate(line, verb, end, someone=False)
    noun = line[subject.last].word
    strings = said is None and line[subject.first].word in _OWNERS and line[verb].word in ("had", "were")
    return subject if strings and noun not in words("en", "body") | words("en", "persons") else said


def made_of(line: Sequence[Token], at: int) -> Clause | None:
    """``poured out of a can``: what something is made of or from, by the participle at ``at``."""
    vehicle = _after_verb(line, at, sign(line, at), someone=False)
    return None if vehicle is None else Clause(vehicle, vehicle.last)


def doing(line: Sequence[Token], at: int) -> Clause | None:
    """``watching a drawer slide open``, ``walking on frying pans`` after `like`: the noun of what is done."""
    word = line[at].word
    following = line[at + 1].word if at + 1 < len(line) else ""
    known = words("en", "prepositions") | DEFINITE | INDEFINITE
    if not (word.endswith("ing") and is_participle(word)) or (following not in known and word != "being"):
        return None
    end = sign(line, at)
    vehicle = _before_verb(line, _after_verb(line, at, end, someone=True))
    return None if vehicle is None or vehicle.last >= end else Clause(vehicle, end - 1)


def _predicate(line: Sequence[Token], at: int, end: int, *, someone: bool) -> NounPhrase | None:
    """The noun of what is said after a subject that is itself no noun to draw."""
    n, being = at, "'s" in line[at - 1].word or "'re" in line[at - 1].word
    while n < end and (
        line[n].word in AUXILIARIES or line[n].word in _BEING or line[n].word in words("en", "asides") | _NEVER
    ):
        being = line[n].word in _BEING
        n += 1
    if n >= end or any(token.word in _NEVER or token.word.endswith("n't") for token in line[at : n + 1]):
        return None
    if line[n].word == "about":
        return None
    direct = noun_phrase(line, n)
    having = line[n - 1].word in ("had", "has", "have") and (
        line[n].word in DEFINITE | INDEFINITE or is_plural(line[n].word)
    )
    if (being or having) and direct is not None and not _verbal(line[n].word):
        own = (
            being
            and direct.kind == "pointed"
            and line[direct.first].word in _OWNERS
            and line[direct.last].word != "own"
        )
        own = own or (being and direct.kind == "the")
        return direct if own else _new(line, direct)
    return _after_verb(line, n, end, someone=someone and line[n].word not in words("en", "prepositions"))


def _ends(line: Sequence[Token], at: int) -> bool:
    """Whether a word at ``at`` begins something else than a noun: `carved from`, `lit by`, no `dining tables`."""
    if at >= len(line) or not line[at].is_word:
        return True
    word = line[at].word
    closed = words("en", "prepositions") | words("en", "stops") | words("en", "adverbs") | DEFINITE | INDEFINITE
    return word in closed or word.endswith("ly")


def _verbal(word: str) -> bool:
    return is_participle(word) or verb_forms().get(word) in ("past", "participle", "ing")


def _after_verb(line: Sequence[Token], verb: int, end: int, *, someone: bool) -> NounPhrase | None:
    """``carved from ice``, ``emptied inkwells from the roof``, ``oiled the hinges``: the new thing of the verb."""
    n = verb + 1
    while n < end:
        phrase = noun_phrase(line, n)
        if phrase is not None and not (phrase.first == phrase.last and _verbal(line[n].word)):
            known = phrase.kind == "the" and someone
            if known or _new(line, phrase) is not None:
                return phrase
            n = phrase.last + 1
            continue
        n += 1
    return None


def _new(line: Sequence[Token], phrase: NounPhrase | None) -> NounPhrase | None:
    """The phrase if it brings in something that is not known from the scene."""
    if phrase is None or phrase.kind == "pointed":
        return None
    if phrase.first == phrase.last and _is_state(line[phrase.last].word):
        return None
    if phrase.head == phrase.last and line[phrase.last].word in words("en", "no_things") | words("en", "units"):
        return None
    if phrase.kind == "the":
        known = line[phrase.last].word not in words("en", "unique") and not new_part(line, phrase)
        return None if known else phrase
    return phrase


def _before_verb(line: Sequence[Token], phrase: NounPhrase | None) -> NounPhrase | None:
    """``smoke moves round a lamp``: the phrase without a verb that was taken for its noun."""
    if phrase is None or phrase.last == phrase.first or phrase.last + 1 >= len(line):
        return phrase
    kind = verb_forms().get(line[phrase.last].word)
    verb = kind == "third" or (kind == "base" and phrase.kind == "one" and phrase.last > phrase.first + 1)
    if not verb or not _ends(line, phrase.last + 1):
        return phrase
    return NounPhrase(
        phrase.first, min(phrase.head, phrase.last - 1), phrase.last - 1, phrase.last - 1, phrase.kind, False
    )


def _is_state(word: str) -> bool:
    """Whether a word alone says how something is, and names no thing: `asleep`, `human`, `red`."""
    return is_adjective(word) or word in words("en", "after") or word in words("en", "descriptive")


def ends_surely(line: Sequence[Token], begin: int, last: int) -> tuple[int, bool]:
    """``(last token, whether that is sure)`` of a clause at ``begin`` in which an `and` may join the main verb again.

    `as though mounted on castors and removed the glass` ends before the `and`, `as if a hanger had stood up and held
    out its hand` does not, `as if the floor were hot and laughed` may.
    """
    joins = [n for n in range(begin, last) if line[n].word == "and" and _tells(line[n + 1].word)]
    if not joins:
        return last, True
    clause = [token.word for token in line[begin : joins[0]]]
    if not any(word in AUXILIARIES or (is_verb_form(word) and not is_participle(word)) for word in clause):
        return joins[0] - 1, True
    own = clause[0].partition("'")[0] not in words("en", "agents")
    return last, own and any(word in ("had", "would", "might", "could") for word in clause)


def _tells(word: str) -> bool:
    return is_verb_form(word) and word not in words("en", "nouns_too")


def acting(line: Sequence[Token], at: int) -> Clause | None:
    """``a heron goes through shallows`` after `the way`: something new and what it does."""
    agent = line[at].word if at < len(line) else ""
    if agent.partition("'")[0] in words("en", "anyone") | {"one"}:
        done = _after_verb(line, at + 1, sign(line, at), someone=False)
        return None if done is None or done.last >= sign(line, at) else Clause(done, sign(line, at) - 1)
    vehicle = _new(line, _before_verb(line, noun_phrase(line, at)))
    if vehicle is None or vehicle.last + 1 >= len(line):
        return None
    following = line[vehicle.last + 1].word
    does = following in _PRO_VERBS or is_verb_form(following) or (vehicle.kind == "one" and following.endswith("s"))
    base = vehicle.plural and line[vehicle.last + 1].is_word
    return Clause(vehicle, sign(line, vehicle.last) - 1) if does or base else None


def done_alike(line: Sequence[Token], at: int) -> Clause | None:
    """``as a python would``, ``went as ink goes through paper``, ``As a candle borrows ..., so``."""
    if at + 2 >= len(line):
        return None
    if line[at + 1].word in words("en", "anyone") and line[at + 2].word not in _PRO_VERBS and line[at + 3 : at + 4]:
        verb = at + 3 if line[at + 1].word == "other" else at + 2
        done = _after_verb(line, verb, sign(line, at), someone=False)
        again = said_before(line, at, line[verb].word)
        return Clause(done, sign(line, at) - 1) if done is not None and again else None
    if line[at + 1].word == "one" and (line[at + 2].word in _PRO_VERBS or is_verb_form(line[at + 2].word)):
        verb = at + 3 if line[at + 2].word in _PRO_VERBS else at + 2
        done = _after_verb(line, verb, sign(line, at), someone=False)
        return None if done is None else Clause(done, sign(line, at) - 1)
    again = line[at + 1].word in words("en", "prepositions") and line[at + 1].word in [
        t.word for t in line[max(0, at - 4) : at]
    ]
    if again:
        vehicle = _new(line, noun_phrase(line, at + 2))
        return None if vehicle is None else Clause(vehicle, vehicle.last)
    if line[at + 1].word in words("en", "agents") and line[at + 2].word == "would" and at + 3 < len(line):
        place = noun_phrase(line, at + 4 if line[at + 3].word in words("en", "prepositions") else at + 3)
        return None if place is None or place.kind != "one" else Clause(place, place.last)
    turned = line[at + 1].word in _PRO_VERBS
    vehicle = _new(line, _before_verb(line, noun_phrase(line, at + 2 if turned else at + 1)))
    if vehicle is None:
        return None
    if turned:
        return Clause(vehicle, vehicle.last)
    verb = vehicle.last + 1
    if verb >= len(line) or not line[verb].is_word or line[verb].word in words("en", "agents"):
        return None
    end = sign(line, verb)
    have = verb + 1 < len(line) and line[verb + 1].word in ("have", "be", "do")
    if line[verb].word in _PRO_VERBS and _ends(line, verb + 1) and not have:
        return Clause(vehicle, verb)
    if at == 0 and any(a.text == "," and b.word == "so" for a, b in zip(line[verb:], line[verb + 1 :], strict=False)):
        return Clause(vehicle, end - 1)
    begin = left.segment_start(line, at)
    before = left.verb_before(line, begin, at)
    past = before is not None and verb_forms().get(line[before].word) == "past"
    if past and vehicle.kind == "one" and verb_forms().get(line[verb].word) == "third":
        return Clause(vehicle, end - 1)
    being = line[verb].word in _BEING and verb + 1 < len(line) and said_before(line, at, line[verb + 1].word)
    again = being or said_before(line, at, line[verb].word) or (at > 0 and line[at - 1].word == "much")
    return Clause(vehicle, end - 1) if again else None


def sign(line: Sequence[Token], at: int) -> int:
    """The first token from ``at`` on that is a sign, or the end."""
    return next((n for n in range(at, len(line)) if not line[n].is_word), len(line))


def said_before(line: Sequence[Token], at: int, verb: str) -> bool:
    """Whether a form of the verb stands before ``at``: `guards ... like a dragon guards`."""
    return len(verb) > 2 and any(lemma(token.word) == lemma(verb) for token in line[:at])


@cache
def lemma(word: str) -> str:
    """What two forms of one verb have in common, near enough: `went` and `goes`, `held` and `holds`."""
    for row in rows("en", "irregular"):
        if word in row.split():
            word = row.split()[0]
            break
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return lemma(word[: -len(ending)])
    word = word.rstrip("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
