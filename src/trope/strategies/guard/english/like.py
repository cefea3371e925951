"""English `like`: where it compares, and where it is a wish, a design, a list of examples or a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, NounPhrase, named, new_part, noun_phrase
from trope.strategies.guard.english.words import Token, is_adjective, is_plural, verb_forms
from trope.strategies.guard.lexicon import words

DETERMINERS = DEFINITE | INDEFINITE
_FIRM = frozenset("just exactly precisely almost nearly practically quite rather much somewhat".split())
_REQUESTS = frozenset("draw paint make create generate design imagine show render sketch want".split())
_FINITE = frozenset("is are was were has have had can could will would may might must should does do did".split())
# Right before `like` these make it a verb, a conjunction or an example.
_BARS = frozenset(
    "and or but nor that which who whom i you he she we they is are was were be been being am has have had do does did"
    " can could will would may might must shall should not never such more also to so as than really always often i'd"
    " you'd".split()
)
_GENERIC = frozenset(
    "flower flowers tree trees leaf mountain mountains island islands river rivers lake light lights".split()
)
_LOOKS = frozenset("look looks looked seem seems seemed appear appears appeared".split())
_SENSES = frozenset("sound sounds sounded smell smells smelled smelt taste tastes tasted feel feels felt".split())


@dataclass(frozen=True, slots=True)
class Like:
    """A comparison with `like`.

    ``how`` is `front`, `comma`, `predicate`, `adjective`, `adjunct` or `noun`; ``begin`` the first token of the
    marker without a verb, ``marker`` with it.
    """

    how: str
    begin: int
    marker: int
    vehicle: NounPhrase
    tenor: NounPhrase | None
    confidence: float
    seen: str | None = None


def like(line: Sequence[Token], at: int) -> Like | None:
    """Judge the `like` at token ``at``; None where this is no comparison, or not surely one."""
    many = [token.word for token in line[at + 1 : at + 3]] == ["so", "many"]
    vehicle = noun_phrase(line, at + 3 if many else at + 1)
    if vehicle is None or not _vehicle_fits(line, vehicle):
        return None
    begin = at
    while begin > 0 and (line[begin - 1].word in _FIRM or (line[begin - 1].word == "very" and begin < at)):
        begin -= 1
    if begin > 2 and line[begin - 1].word in ("lot", "bit", "little") and line[begin - 2].word == "a":
        begin -= 2
    firm = begin < at and line[begin].word in ("just", "exactly", "precisely")
    if begin == 0:
        return _fronted(line, begin, vehicle)
    before = line[begin - 1]
    word = before.word
    if word in words("en", "made_like"):
        return Like("adjunct", begin, begin - 1, vehicle, None, 0.9, "a design request: the shape is to be recognized")
    if _clause_follows(line, vehicle):
        return None
    if (
        word in _LOOKS
        or word in _SENSES
        or word in left.BE
        or word in left.CONTRACTED
        or word in ("looking", "feeling", "became", "become", "becomes")
    ):
        return _predicate(line, begin, vehicle)
    if before.text in (",", "—", "–"):
        return _after_comma(line, begin, vehicle)
    if not before.is_word:
        return None
    segment = left.segment_start(line, begin)
    if (
        is_adjective(word)
        and word not in words("en", "adverbs")
        and begin - segment > 1
        and line[begin - 2].word not in DETERMINERS
    ):
        return _after_adjective(line, segment, begin, vehicle)
    verb = left.verb_before(line, segment, begin)
    if verb is not None:
        return _adjunct(line, segment, verb, begin, vehicle, firm=firm)
    return _after_noun(line, segment, begin, vehicle)


def _vehicle_fits(line: Sequence[Token], vehicle: NounPhrase) -> bool:
    """Only new things: `a cat`, `cats`, `snow`, or one of a kind; no names, nothing pointed at, no style."""
    head = line[vehicle.last]
    if vehicle.kind == "pointed" or (
        vehicle.kind == "the" and head.word not in words("en", "unique") and not new_part(line, vehicle)
    ):
        return False
    if named(line, vehicle):
        return False
    return head.word not in words("en", "styles") and head.word.isascii() and not head.word[0].isdigit()


def _clause_follows(line: Sequence[Token], vehicle: NounPhrase) -> bool:
    """`looks like a storm is coming`: a guess, no comparison."""
    return vehicle.last + 1 < len(line) and line[vehicle.last + 1].word in _FINITE


def _fronted(line: Sequence[Token], begin: int, vehicle: NounPhrase) -> Like | None:
    comma = next((n for n in range(vehicle.last, len(line)) if line[n].text == ","), None)
    if comma is None or comma - vehicle.last > 8:
        return None
    end = next((n for n in range(comma + 1, len(line)) if not line[n].is_word), len(line))
    verb = left.verb_before(line, comma + 1, end)
    tenor = left.subject_of(line, comma + 1, verb if verb is not None else end)
    if verb is None or tenor is None or tenor.kind not in ("the", "pointed", "one", "several", "bare"):
        return None
    return None if left.same_noun(line, tenor, vehicle) else Like("front", begin, begin, vehicle, tenor, 0.85)


def _predicate(line: Sequence[Token], begin: int, vehicle: NounPhrase) -> Like | None:
    verb = begin - 1
    segment = left.segment_start(line, verb)
    marker = verb if line[verb].word in _LOOKS else begin
    relative = verb > 0 and line[verb - 1].word in left.RELATIVES
    if relative or line[verb].word == "looking":
        if (
            line[verb].word in left.BE
            or line[verb].word in _SENSES
            or line[vehicle.last].word in words("en", "weather")
        ):
            return None
        return Like("predicate", begin, marker, vehicle, None, 0.8, "a design request: what it looks like is wanted")
    if verb > segment and line[verb - 1].word in left.MODALS | {"not", "n't", "there", "what"}:
        return None
    subject = left.subject_of(line, segment, verb)
    pronoun = verb > 0 and (line[verb - 1].word in ("it", "he", "she", "they") or line[verb].word in left.CONTRACTED)
    if subject is None and not pronoun and line[verb].word != "feeling":
        return None
    if (
        subject is not None
        and subject.kind in ("one", "several")
        and line[subject.last].word not in words("en", "natural")
    ):
        return None
    if left.same_noun(line, subject, vehicle) or line[vehicle.last].word in words("en", "weather"):
        return None
    if (pronoun or left.person(line, subject)) and left.person(line, vehicle):
        return None
    return Like("predicate", begin, marker, vehicle, subject, 0.9 if subject is not None else 0.7)


def resembles(line: Sequence[Token], at: int) -> Like | None:
    """``The desk resembled a battlefield``; `a house resembling a ship` is a design request."""
    vehicle = noun_phrase(line, at + 1)
    if vehicle is None or vehicle.kind == "the" or not _vehicle_fits(line, vehicle):
        return None
    if line[at].word == "resembling" or (at > 0 and line[at - 1].word in left.RELATIVES):
        return Like("resemble", at, at, vehicle, None, 0.8, "a design request: what it looks like is wanted")
    subject = left.subject_of(line, left.segment_start(line, at), at)
    if subject is None or subject.kind in ("one", "several") or left.same_noun(line, subject, vehicle):
        return None
    if left.alive(line, subject) and left.alive(line, vehicle):
        return None
    return Like("resemble", at, at, vehicle, subject, 0.85)


def _after_comma(line: Sequence[Token], begin: int, vehicle: NounPhrase) -> Like | None:
    following = line[vehicle.last + 1].text if vehicle.last + 1 < len(line) else ""
    plural_before = begin >= 2 and is_plural(line[begin - 2].word)
    if plural_before and (following in (",", "and", "or") or vehicle.plural):
        return None
    verb = left.verb_before(line, 0, begin - 1)
    start = left.segment_start(line, begin - 1)
    subject = left.subject_of(line, 0, verb) if verb is not None else left.subject_of(line, 0, begin - 1)
    nearest = left.phrase_before(line, start, begin - 1)
    if line[0].word in _REQUESTS or left.same_noun(line, subject, vehicle) or left.same_noun(line, nearest, vehicle):
        return None
    if left.person(line, vehicle) and (left.alive(line, subject) or verb is None):
        return None
    if verb is None and not (
        left.alive(line, subject) or (subject and line[subject.last].word in words("en", "natural"))
    ):
        return None
    return Like("comma", begin, begin, vehicle, subject, 0.8 if verb is not None else 0.7)


def _after_adjective(line: Sequence[Token], segment: int, begin: int, vehicle: NounPhrase) -> Like | None:
    if line[begin - 2].word in ("a", "an", "the", "in", "very") and line[begin - 2].word != "very":
        return None
    verb = left.verb_before(line, segment, begin)
    tenor = left.subject_of(line, segment, verb if verb is not None else begin - 1)
    if line[0].word in _REQUESTS or left.same_noun(line, tenor, vehicle):
        return None
    return Like("adjective", begin, begin, vehicle, tenor, 0.9)


def _adjunct(
    line: Sequence[Token], segment: int, verb: int, begin: int, vehicle: NounPhrase, *, firm: bool
) -> Like | None:
    before = line[begin - 1].word
    if before in _BARS:
        return None
    if left.examples(line, verb, begin, vehicle, firm=firm) or line[0].word in _REQUESTS:
        return None
    if any(token.word in ("so", "to") for token in line[segment:verb]) and not firm:
        return None
    tenor = left.subject_of(line, segment, verb)
    if tenor is None and segment > 0:
        tenor = left.subject_of(line, 0, verb)
    if left.same_noun(line, tenor, vehicle):
        return None
    indefinite = tenor is None or tenor.kind in ("one", "several")
    if (
        indefinite
        and left.alive(line, tenor)
        and (left.person(line, vehicle) or line[vehicle.last].word in words("en", "machines"))
    ):
        return None
    animals = words("en", "animals")
    if tenor is not None and line[tenor.last].word in animals and line[vehicle.head].word in animals:
        return None
    finite = verb_forms()[line[verb].word] in ("third", "base", "past")
    return Like("adjunct", begin, begin, vehicle, tenor, 0.9 if finite else 0.8)


def _after_noun(line: Sequence[Token], segment: int, begin: int, vehicle: NounPhrase) -> Like | None:
    """`Silence like a thick quilt over the farmyard`: only of landscape, weather, light and the like."""
    tenor = left.phrase_before(line, segment, begin)
    if tenor is None or line[tenor.last].word not in words("en", "natural") or left.same_noun(line, tenor, vehicle):
        return None
    before = line[tenor.first - 1].word if tenor.first > 0 else ""
    if line[tenor.last].word in _GENERIC:  # `a flower like a rose` says which flower
        return None
    if before in ("has", "have", "had"):
        return Like("noun", begin, begin, vehicle, tenor, 0.75)
    if before in ("with", "of", "without") or line[0].word in _REQUESTS or (tenor.plural and vehicle.plural):
        return None
    if tenor.first > segment and before not in words("en", "prepositions"):
        return None
    return Like("noun", begin, begin, vehicle, tenor, 0.75)
