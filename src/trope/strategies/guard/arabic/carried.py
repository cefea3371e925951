"""What is carried over of an Arabic vehicle: adjectives of its look, in agreement with the tenor, and where they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.strategies.guard.arabic.agreement import Noun, adjectives, felt, fitting, has_owner, inflected, known_noun
from trope.strategies.guard.arabic.marker import PREDICATES, Marker
from trope.strategies.guard.arabic.phrases import follows, is_preposition, nominal
from trope.strategies.guard.arabic.shapes import part_start, says_quality
from trope.strategies.guard.arabic.tenors import Tenor, does
from trope.strategies.guard.arabic.words import Word, definite, listed, of, plain
from trope.strategies.guard.lexicon import qualities

_COLORS = {
    plain(form): noun
    for forms, noun in (
        ("أبيض بيضاء", "البياض"), ("أسود سوداء", "السواد"), ("أحمر حمراء", "الحمرة"), ("أصفر صفراء", "الصفرة"),
        ("أخضر خضراء", "الخضرة"), ("أزرق زرقاء", "الزرقة"), ("رمادي رمادية", "اللون الرمادي"),
    )
    for form in forms.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """What is likened, the qualities that can be seen of it, and the first word that no figure before it holds."""

    tenor: Tenor | None
    qualities: tuple[str, ...]
    free: int


def carried(line: Sequence[Word], marker: Marker, last: int, vehicle: str, tenor: Tenor | None) -> tuple[str, ...]:
    """The qualities of the vehicle that fit the tenor: its named color, else its own, else those of its material."""
    table = qualities("ar")
    noun = None if tenor is None else known_noun(line[tenor.head], tenor.letter)
    behind = line[last + 1] if follows(line, last + 1) else None
    color = None if behind is None else _COLORS.get(behind.plain.removeprefix("ال").removesuffix("ا"))
    found = next((table[form] for form in _forms(vehicle) if form in table), ())
    if color is not None and behind is not None and definite(behind) == definite(line[last], _letters(marker, last)):
        found = (color, *(quality for quality in found if _hueless(quality)))[:2]
    elif not found and behind is not None and behind.plain == "من" and follows(line, last + 2):
        found = next((table[form] for form in _forms(line[last + 2].bare.removeprefix("ال")) if form in table), ())
    if tenor is not None and felt(vehicle, line[tenor.head]):
        return ()
    return fitting(found, noun)


def _hueless(quality: str) -> bool:
    return plain(quality) not in map(plain, (*_COLORS.values(), "الاحمرار", "البياض الناصع", "البياض اللامع"))


def _letters(marker: Marker, last: int) -> int:
    return marker.letter if last == marker.noun else 0


def _forms(noun: str) -> tuple[str, ...]:
    """A noun and its neighbor in number: ``زمرد``, ``زمردة``."""
    return (noun, noun[:-1] if noun.endswith("ة") else noun + "ة")


def in_its_place(text: str, line: Sequence[Word], marker: Marker, said: Said) -> str | None:
    """Adjectives for the place of the comparison, a space before them; None: none fits, or it is no place for one."""
    if said.tenor is None or not said.qualities or not line[marker.at].joined:
        return None
    if marker.kind not in PREDICATES:
        return None
    noun = known_noun(line[said.tenor.head], said.tenor.letter)
    if noun is None:
        return None
    oblique = _case(line, marker, said, noun)
    if oblique is None:
        return None
    tanwin = any(sign in text for sign in "\u064b\u064e\u064f\u0650")  # a text with vowel signs
    new = [left for said_so in adjectives(said.qualities, noun) if (left := _unsaid(said_so, line[: marker.at]))]
    chosen = [inflected(adjective, noun, oblique=oblique, tanwin=tanwin) for adjective in new]
    return " " + " ".join(chosen) if chosen else None


def _unsaid(adjective: str, before: Sequence[Word]) -> str:
    """What of an adjective is not said before: ``لحيته البيضاء | ناصعة``, nothing of ``ينبسط | منبسطا``."""
    forms = {word.plain.removeprefix("ال").removesuffix("ة").removesuffix("ا") for word in before}
    first, _, rest = adjective.partition(" ")
    colors = {_COLORS[word.plain.removeprefix("ال")] for word in before if word.plain.removeprefix("ال") in _COLORS}
    done_so = first[0] == "م" and any(len(first) > 4 and form[1:] == first[1:] for form in forms)
    if plain(first) in forms or done_so or _COLORS.get(plain(first)) in colors:
        return rest
    return adjective


def _case(line: Sequence[Word], marker: Marker, said: Said, noun: Noun) -> bool | None:
    """Whether an adjective there is no nominative; None: neither an attribute nor a predicate can stand there."""
    tenor = said.tenor
    if tenor is None:
        return None
    if postured(line, marker, said):
        return True
    if tenor.beside:
        return noun.oblique if tenor.last == marker.at - 1 and tenor.head == tenor.last else None
    if not (definite(line[tenor.head], tenor.letter) or has_owner(line[tenor.head]) or tenor.last > tenor.head):
        return None
    linked = of(line[marker.at - 1].plain, "linking")
    if not all(_beside_subject(line, n, tenor) for n in range(tenor.last + 1, marker.at - linked)):
        return None
    before = line[tenor.head - 1] if tenor.head > said.free and line[tenor.head].joined else None
    if before is None:
        start = max(0, said.free - 8)
        joined = tenor.head >= said.free > 0 and line[tenor.head].plain[0] == "و"
        return linked or (joined and any(of(word.plain, "linking") for word in line[start : said.free]))
    if of(before.plain, "linking"):
        return True
    opens = before.plain in listed("clause_openers") or before.plain in listed("particles")
    whose = nominal(before) and has_owner(line[tenor.head])  # `رجل عيناه`
    return linked if opens or (whose and not is_preposition(before)) else None


def _beside_subject(line: Sequence[Word], n: int, tenor: Tenor) -> bool:
    """Whether a word between a subject and its predicate is an adjective of it, or says where or when."""
    word, before = line[n], line[n - 1]
    if definite(word) and (definite(before, tenor.letter) or has_owner(before)):
        return True
    return is_preposition(word) or is_preposition(before) or (n > 1 and is_preposition(line[n - 2]))


def bare_without(marker: Marker, said: Said) -> bool:
    """Whether the tenor stands right before: without the comparison nothing may be said of it, ``نمر عيناه``."""
    return said.tenor is not None and said.tenor.last == marker.at - 1


def postured(line: Sequence[Word], marker: Marker, said: Said) -> bool:
    """Whether the tenor stands, lies, hangs or stretches there, so that how it looks can be said: ``وقف ساكنا``."""
    if said.tenor is None or said.tenor.beside or said.tenor.head >= marker.at:
        return False
    if says_quality(line[marker.at - 1]):
        return False
    start = part_start(line, marker.at)
    verbs = [n for n in range(max(start, said.free), marker.at) if does(line, n, start, marker.at)]
    return bool(verbs) and said.tenor.head >= start and _is_posture(line[verbs[-1]].plain)


def _is_posture(form: str) -> bool:
    known = listed("postures")
    forms = (form, form[1:]) if form[0] in "وف" and len(form) > 3 else (form,)
    return any(
        said in known or said.removesuffix("ت") in known or (said[0] == "ت" and "ي" + said[1:] in known)
        for said in forms
    )
