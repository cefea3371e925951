"""Reasons that lie in an order: the vehicle is the shape, the look or the make of what is to be drawn."""

from __future__ import annotations

from collections.abc import Callable

from trope.strategies.guard.english.case import Case
from trope.strategies.guard.english.kinds import is_person, is_unmade
from trope.strategies.guard.english.phrases import noun_phrase
from trope.strategies.guard.english.words import is_participle
from trope.strategies.guard.lexicon import words

DESIGN = "a design request: both things are meant to be seen"


def made_so(case: Case) -> bool:
    """`carved like a llama`, `made to look like leaves`, `dressed like a police officer`: an order or a disguise."""
    if case.candidate.family not in ("like", "shaped", "resemble", "akin", "clause"):
        return False
    n = case.candidate.begin
    while n > case.segment and case.line[n - 1].word in words("en", "between_made"):
        n -= 1
    last = case.line[n - 1].word if n > case.segment else ""
    made_up = last == "made" and case.line[n].word == "up"
    if (
        made_up
        or last in words("en", "disguised")
        or (case.to_look and (case.requested or not is_unmade(case.noun(case.tenor))))
    ):
        return True
    if case.candidate.family == "shaped":
        if case.noun(case.worked) in words("en", "land"):
            return False
        return not case.told or case.requested or case.works_a_thing
    if last in words("en", "painted"):
        return case.noun(case.worked) not in words("en", "natural")
    if last in words("en", "made_like"):
        return not is_unmade(case.noun(case.worked))
    if (
        last == "built"
        and case.told
        and not any(case.noun(case.worked) in words("en", name) for name in ("buildings", "furniture", "machines"))
    ):
        return False  # `he is built like a wardrobe`
    if last == "cut" and case.told and not any(t.word in words("en", "copulas") for t in case.line[case.segment : n]):
        return False  # `Her words cut like knives`
    machine = case.noun(case.worked) in words("en", "machines")
    return last in words("en", "built_like") and (machine or case.works_a_thing)


def shape_ordered(case: Case) -> bool:
    """`latte foam in the shape of a swan`."""
    if case.candidate.family != "shape":
        return False
    return case.noun(case.near) not in words("en", "land")


def design(case: Case) -> bool:
    """A logo, a costume, a cake: whatever is likened is to be seen."""
    if any(token.word in words("en", "designs") for token in case.line):
        return True
    return not case.told and any(token.word in words("en", "designs_listed") for token in case.line)


def ordered(case: Case) -> bool:
    """`a lamp like a mushroom`, `a house that looks like a ship`, in words that ask for a picture."""
    if case.candidate.family not in ("like", "resemble", "akin", "pass", "measure"):
        return False
    if case.line[case.candidate.begin].word == "nothing":
        return False
    asks = not case.told or case.requested
    thing = case.antecedent or case.near or case.tenor
    single = thing is not None and thing.kind == "one"
    if case.candidate.family == "measure":
        real = case.line[case.candidate.begin + 1].word in words("en", "dimensions")
        return (asks or real) and not is_unmade(case.noun(thing))
    if case.relative:
        asks = asks or (single and case.before != "looked")
        first = noun_phrase(case.line, 0) if case.before == "looking" else None
        if any(is_person(case.noun(phrase)) for phrase in (thing, case.tenor, first)):
            return False
        return asks and case.noun(thing) not in words("en", "body") and case.noun(thing) not in words("en", "land")
    if case.before in words("en", "looks") and single and not is_unmade(case.noun(thing)):
        return not is_person(case.noun(thing))
    made = words("en", "made_like") | words("en", "built_like")
    ahead = case.line[case.segment : 0 if case.near is None else case.near.first]
    if case.near is None or any(is_participle(token.word) and token.word not in made for token in ahead):
        return False  # `regarding a banana like`: not said of the banana
    if (
        asks
        and case.made
        and case.verb is None
        and any(token.word in words("en", "made_like") for token in case.line[: case.candidate.begin])
    ):
        return case.vehicle.kind == "one"
    return asks and single and case.made and case.vehicle.kind == "one"


def featured(case: Case) -> bool:
    """`A creature with a head like an eagle and a body like a lion`: how it is to be built."""
    beast = any(token.word in words("en", "fantastic") for token in case.line[: case.candidate.begin])
    part = case.verb is None and case.noun(case.near) in words("en", "body")
    return beast and part and case.candidate.family == "like" and case.head in words("en", "animals")


def finished(case: Case) -> bool:
    """`texture like wood`, `colors like a sunset`, `Halloween makeup like a skull`: how it is to be made."""
    thing = case.near
    asked = thing is not None and thing.kind not in ("the", "pointed") and case.noun(thing) in words("en", "finishes")
    asked = (asked or (case.near is None and case.before in words("en", "finishes"))) and not case.told
    shaped = case.before in words("en", "built_like") and case.head == "heart" and not case.told
    return (asked or shaped) and case.candidate.family in ("like", "resemble")


def purposed(case: Case) -> bool:
    """`a loaf scored so the crust opens like an ear of wheat`: done so that it will be so."""
    begin = case.candidate.begin
    so = next((n for n in range(begin - 1, max(0, begin - 12), -1) if case.line[n].word == "so"), None)
    looks = case.before in words("en", "looks") or case.candidate.family == "resemble"
    if so is not None and case.line[so + 1].word in ("that", "it", "they") and looks:
        return True
    if so is None or case.line[so + 1].word not in ("that", "the", "it", "they", "its"):
        return False
    done = words("en", "made_like") | words("en", "built_like") | words("en", "designs_listed")
    return any(
        token.word in done or token.word in ("held", "lit", "placed") for token in case.line[max(0, so - 6) : so]
    )


def wished(case: Case) -> bool:
    """`wanted a form like an open book`."""
    return case.noun(case.near) in words("en", "forms") and any(
        token.word in words("en", "wishing") for token in case.line[: case.candidate.begin]
    )


ORDERS: tuple[tuple[Callable[[Case], bool], str], ...] = (
    (made_so, "a design request: the shape is to be recognized"),
    (shape_ordered, DESIGN),
    (design, DESIGN),
    (ordered, "a design request: what it looks like is wanted"),
    (featured, DESIGN),
    (finished, DESIGN),
    (purposed, DESIGN),
    (wished, DESIGN),
)
