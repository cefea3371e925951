"""What is carried over of a vehicle: a look that fits what is likened to it, or nothing."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.kinds import being, ends_in, is_one_of, is_quality
from trope.strategies.guard.japanese.phrases import Noun
from trope.strategies.guard.japanese.predicates import adverbial
from trope.strategies.guard.lexicon import qualities, rows, words

_FELT = ("sounds", "motions", "touches", "comforts", "sensations")
_UNSEEN = (*_FELT, "eyes", "expressions", "wrinkles", "unseen")

_SIZES = ("大きな", "大きい", "小さな", "小さい", "巨大な", "長い", "短い")


def known(noun: Noun) -> tuple[str, ...]:
    """What is known of a thing, as the text or a dictionary spells it; of `弁当箱の蓋` what is known of `蓋`."""
    table = qualities("ja")
    last = noun.words.rpartition("の")[2]
    return table.get(noun.words) or table.get(noun.name) or table.get(last, ())


def carried(c: Candidate, tenor: Noun | None) -> tuple[str, ...]:
    """What the text says of the vehicle's look, else what it stands for where the tenor is of such a kind."""
    said = _said(c)
    if said and c.marker.place == "predicate" and said[0] in _SIZES:  # `祖母の背は|小さな砦を思わせる`
        said = None
    if said is not None:
        return said if not said or _can_be_said(said[0], tenor) else ()
    return fitting(c.noun, tenor)


def fitting(noun: Noun, tenor: Noun | None) -> tuple[str, ...]:
    """What is known of a thing and can be said of a tenor of this kind."""
    for kind, quality in _senses(noun):
        if _of_kind(tenor, kind):
            return (quality,)
    found = known(noun)
    return found if found and _can_look(found[0], tenor) else ()


def _can_look(quality: str, tenor: Noun | None) -> bool:
    """Whether a look can be said of a tenor: none of a sound or a glance; rest and motion only of somebody."""
    if tenor is None:
        return True
    if quality in words("ja", "of_rest"):
        return being(tenor) or ends_in(tenor, "animals", "machines")
    if quality in words("ja", "of_bodies"):  # `幽霊のような|船`: no pale one
        return being(tenor) or ends_in(tenor, "body_parts", "faces", "skins", "looks_of_faces")
    spoken = tenor.words.endswith(("音", "声", "響き", "痛み"))
    empty = tenor.words.endswith(tuple(words("ja", "carrying"))) and not tenor.words.endswith(("ほっぺ", "頬", "景色"))
    return not (spoken or empty or is_one_of(tenor, *_UNSEEN))


def _can_be_said(look: str, tenor: Noun | None) -> bool:
    """Whether a look of the vehicle is the tenor's own: `丸い月のような顔`; no color of a person, none of a sound."""
    if tenor is None:
        return True
    if being(tenor) and {look, look[:-1]} & (words("ja", "colors") | words("ja", "hues")):
        return False
    return not (is_one_of(tenor, *_FELT) or tenor.words.endswith(("音", "声", "響き", "痛み", "さ", "気持ち")))


def _of_kind(tenor: Noun | None, kind: str) -> bool:
    if kind == "folk" and being(tenor):
        return True
    return ends_in(tenor, kind) if kind in ("foods", "rains") else is_one_of(tenor, kind)


def _said(c: Candidate) -> tuple[str, ...] | None:
    """The look that the text itself gives the vehicle, () where it makes another thing of it, None: nothing is said."""
    sentence, first = c.sentence, c.noun.first
    before, earlier = sentence.at(first - 1), sentence.at(first - 2)
    if before is None or before.end != c.noun.span[0]:
        return None
    visible = words("ja", "visible")
    if before.surface == "な" and earlier is not None and earlier.surface in visible:
        return (earlier.surface + "な",)
    if before.kind in ("形容詞", "連体詞") and {before.surface, before.normal} & visible:
        return (before.surface,)
    if before.particle("の") and earlier is not None and earlier.nominal:
        if earlier.surface in words("ja", "hues") | visible:
            return (earlier.surface + "の",)
        if earlier.sort.startswith(("数詞", "名詞的-助数詞")) or earlier.surface in words("ja", "shown_times"):
            return None
        return () if c.noun.words in words("ja", "masses") else None
    return () if before.attributive and before.kind != "連体詞" and not is_quality(before) else None


class _Manner(NamedTuple):
    tenors: tuple[str, ...]
    manner: str
    verbs: frozenset[str]


def manner(c: Candidate, tenor: Noun | None) -> str | None:
    """How the vehicle does what the verb says: `星のように|瞬く` -> `きらきらと`; None: the text says it."""
    said = _said(c)
    if said == () or c.clause is not None:
        return None
    verb = None
    for m in c.following:
        if m.kind == "動詞":
            verb = m
            break
        if m.kind in ("副詞", "形容詞", "形状詞", "接続詞") or m.particle("と", "が", "は", "も"):
            return None
    if verb is None:
        return None
    if said and said[0] in words("ja", "colors"):  # `白い壁のように|塞ぐ`
        color = adverbial(said[0])
        own = is_one_of(tenor, "body_parts", "eyes") or said[0][0] in c.rest
        return color if _fits(tenor, "thing") and not own else None
    last = c.noun.words.rpartition("の")[2]
    for entry in _manners().get(c.noun.words) or _manners().get(c.noun.name) or _manners().get(last, ()):
        if {verb.normal, verb.base} & entry.verbs and any(_fits(tenor, kind) for kind in entry.tenors):
            return None if entry.manner[:2] in c.rest else entry.manner
    return None


def _fits(tenor: Noun | None, kind: str) -> bool:
    if kind == "any":
        return True
    if tenor is None:
        return False
    somebody = being(tenor) or ends_in(tenor, "animals")
    if kind in ("thing", "somebody"):
        return somebody == (kind == "somebody")
    return tenor.words.endswith(kind)


def _entries(name: str) -> list[list[str]]:
    """The rows of a table, in cells between bars."""
    return [[cell.strip() for cell in row.split("|")] for row in rows("ja", name)]


@cache
def _sense_table() -> dict[str, tuple[tuple[str, str], ...]]:
    table: dict[str, tuple[tuple[str, str], ...]] = {}
    for vehicles, kind, quality in _entries("senses"):
        for vehicle in vehicles.split():
            table[vehicle] = (*table.get(vehicle, ()), (kind, quality))
    return table


def _senses(noun: Noun) -> tuple[tuple[str, str], ...]:
    table = _sense_table()
    return table.get(noun.words) or table.get(noun.name) or table.get(noun.words.rpartition("の")[2], ())


@cache
def _manners() -> dict[str, tuple[_Manner, ...]]:
    table: dict[str, tuple[_Manner, ...]] = {}
    for vehicles, tenors, said, verbs in _entries("manners"):
        entry = _Manner(tuple(tenors.split()), said, frozenset(verbs.split()))
        for vehicle in vehicles.split():
            table[vehicle] = (*table.get(vehicle, ()), entry)
    return table
