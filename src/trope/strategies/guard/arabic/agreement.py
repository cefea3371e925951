"""Gender, number and case of what is likened, and the adjective that says a quality of it: `عيناها واسعتان`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from trope.strategies.guard.arabic.words import OWNERS, Word, accusative, definite, listed, owned, words_of
from trope.strategies.guard.lexicon import words

Kind = Literal["thing", "being", "beast", "unseen"]  # a beast may have a color, a person none

_LISTS: tuple[tuple[str, Kind, bool], ...] = (
    ("unseen", "unseen", False),
    ("seen_f", "thing", True),
    ("seen_m", "thing", False),
    ("beings_f", "being", True),
    ("beings_m", "being", False),
)
_COLORS = frozenset("أبيض أسود أحمر أصفر أخضر أزرق أملس".split())
_DEFECTIVE = frozenset(("صافي", "عالي", "خالي"))  # `صاف`, `صافيا`
_WITH_HANDS = frozenset("ثلج جليد نار جمر جمرة لهب".split())  # cold or hot, where a hand is likened to it
_KIN_CASES = ("ابو", "ابا", "ابي", "اخو", "اخا", "اخي")


@dataclass(frozen=True, slots=True)
class Noun:
    """What kind of thing a noun names, and what agrees with it."""

    kind: Kind
    feminine: bool
    dual: bool
    oblique: bool  # not the nominative, by its ending


def known_noun(word: Word, letter: int = 0) -> Noun | None:
    """A noun of the lists, behind ``letter`` letters of a word; None: its gender is not known."""
    return _noun(word.text, letter)


@lru_cache(maxsize=16384)
def _noun(text: str, letter: int) -> Noun | None:
    word = words_of(text, 0, len(text))[0]
    found = _as_it_is(word, letter)
    return _as_it_is(word, 1) if found is None and letter == 0 and joined_letter(word) else found


def is_being(word: Word, letter: int = 0) -> bool:
    """Whether a noun names a person or an animal."""
    noun = known_noun(word, letter)
    alike = word.plain[letter:].removeprefix("ال").removesuffix("ا") in listed("common_gender")
    return alike or (noun is not None and noun.kind in ("being", "beast"))


def joined_letter(word: Word) -> int:
    """How many letters of `and` or `so` stand before a noun: none in ``وجهه``."""
    form = word.plain
    if form[0] not in "وف" or len(form) < 4 or _as_it_is(word, 0) is not None:
        return 0
    if form[1:3] in ("ال", "لل"):
        return 1
    own = form.startswith(tuple(listed("waw"))) and _as_it_is(word, 1) is None
    return int(form[0] == "و" and not own)


def governed_letter(word: Word) -> int:
    """How many letters of a preposition stand before a noun: one in ``بعينين``, none in ``بشرتها``."""
    form = word.plain
    if form.startswith(("بال", "لل")) and len(form) > 4:
        return 1
    if form[0] not in "بل" or len(form) < 4 or _as_it_is(word, 0) is not None:
        return 0
    itself = listed("ba" if form[0] == "ب" else "la")
    owner = next((end for end in OWNERS if form.endswith(end)), "") if owned(word) else ""
    if form.removesuffix(owner) in itself:
        return 0
    return int(not {form, form.removesuffix("ا"), form.removesuffix("ة"), form.removesuffix("ات") + "ة"} & itself)


def has_owner(word: Word, letter: int = 0) -> bool:
    """``عيناها``, and with fewer letters or another ending where the noun is listed: ``فمه``, ``قلبي``, ``أذنك``."""
    if owned(word, letter):
        return True
    form = word.plain[letter:]
    ending = next((end for end in OWNERS if form.endswith(end) and len(form) > len(end) + 1), "")
    stem = form.removesuffix(ending)
    if not ending or definite(word, letter) or _listed(form) is not None:
        return False
    stems = {stem, stem[:-1] + "ة" if stem.endswith("ت") else stem, stem[:-1] if stem[-1] in "اي" else stem}
    return any(_listed(said) is not None for said in stems) or stem in _KIN_CASES


def _listed(base: str) -> tuple[Kind, bool] | None:
    found = next(((kind, feminine) for name, kind, feminine in _LISTS if base in listed(name)), None)
    beast = found is not None and found[0] == "being" and base in listed("animals")
    return ("beast", found[1]) if found is not None and beast else found


def _as_it_is(word: Word, letter: int) -> Noun | None:
    for base, dual, oblique in _bases(word, letter):
        found = _listed(base)
        if found is not None:
            return Noun(*found, dual, oblique)
    return None


def _bases(word: Word, letter: int) -> Iterator[tuple[str, bool, bool]]:
    """The forms that a list may hold, each with whether it is dual and whether the ending is oblique."""
    form = word.plain[letter:]
    form = form.removeprefix("لل") if form.startswith("لل") else form.removeprefix("ال")
    yield form, False, accusative(word)
    if form.endswith("ات"):
        yield form[:-2] + "ة", False, False
    owner = next((end for end in OWNERS if form.endswith(end) and len(form) > len(end) + 1), "")
    owner = owner if has_owner(word, letter) else ""
    if owner:
        form = form.removesuffix(owner)
        yield form, False, False
        if form.endswith("ت"):
            yield form[:-1] + "ة", False, False
        if form in _KIN_CASES:
            yield form[:-1], False, False
        ends: tuple[str, ...] = ("ا", "ي")
    else:
        ends = () if form in listed("no_quality") else ("ان", "ين")  # no dual: `الفرسان`
    for end in ends:
        stem = form.removesuffix(end)
        if stem != form:
            yield stem, True, end[0] == "ي"
            if stem.endswith("ت"):
                yield stem[:-1] + "ة", True, end[0] == "ي"
    if form.endswith("ا") and not owner:
        yield form[:-1], False, True


@cache
def _looks(kind: Kind) -> dict[str, str]:
    """What can be said of a kind: qualities and their adjectives."""
    things, beings = (dict(_pairs(name)) for name in ("looks_of_things", "looks_of_beings"))
    colors = {quality: adjective for quality, adjective in things.items() if adjective.split(" ")[0] in _COLORS}
    return {"thing": things, "being": beings, "beast": beings | colors, "unseen": {}}[kind]


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    for pair in words("ar", name):
        quality, _, adjective = pair.replace("_", " ").partition("=")
        yield quality, adjective


def fitting(qualities: Sequence[str], noun: Noun | None) -> tuple[str, ...]:
    """The qualities that can be seen of what is likened: none of a voice, no color of a person; unknown: all."""
    if noun is None:
        return tuple(qualities)
    return tuple(quality for quality in qualities if quality in _looks(noun.kind))


def adjectives(qualities: Sequence[str], noun: Noun) -> tuple[str, ...]:
    """Adjectives of qualities, each once, masculine and in the singular."""
    looks = _looks(noun.kind)
    return tuple(dict.fromkeys(looks[quality] for quality in qualities if quality in looks))


def inflected(adjective: str, noun: Noun, *, oblique: bool, tanwin: bool) -> str:
    """An adjective without article that agrees with a noun; ``tanwin``: whether the text writes that sign."""
    alif = "ًا" if tanwin else "ا"
    said: list[str] = []
    for word in adjective.split(" "):
        if word.startswith("بال"):
            said.append(word)
        elif word == "تماما":
            said.append("تمام" + alif)
        elif word in _DEFECTIVE and not (noun.dual or noun.feminine or oblique):
            said.append(word[:-1])
        elif noun.dual:
            said.append(_dual(word, noun, oblique=oblique))
        elif noun.feminine:
            said.append(word[1:] + "اء" if word in _COLORS else _joining(word) + "ة")
        else:
            said.append(_joining(word) + alif if oblique and word not in _COLORS else word)
    return " ".join(said)


def _dual(word: str, noun: Noun, *, oblique: bool) -> str:
    ending = "ين" if oblique else "ان"
    if not noun.feminine:
        return _joining(word) + ending
    return word[1:] + "او" + ending if word in _COLORS else _joining(word) + "ت" + ending


def _joining(word: str) -> str:
    """How a word is written before an ending: ``مضيء``, ``مضيئة``."""
    return word[:-1] + "ئ" if word.endswith("يء") else word


def felt(vehicle: str, word: Word) -> bool:
    """``يداها كالثلج``: said of a hand it is cold, and not white."""
    form = word.plain.removeprefix("ال")
    return vehicle in _WITH_HANDS and form.startswith(("يد", "ايدي", "اصابع", "قدم", "اطراف", "كف", "انامل"))
