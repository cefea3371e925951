"""Reasons that lie in an order: the vehicle is the shape, the look or the make of what is to be drawn."""

from __future__ import annotations

from collections.abc import Callable

from trope.strategies.guard.english.candidates import Candidate
from trope.strategies.guard.english.kinds import is_person, is_unmade
from trope.strategies.guard.english.phrases import noun_phrase
from trope.strategies.guard.english.words import is_participle
from trope.strategies.guard.lexicon import words

DESIGN = "a design request: both things are meant to be seen"


def made_so(c: Candidate) -> bool:
    """`carved like a llama`, `made to look like leaves`, `dressed like a police officer`: an order or a disguise."""
    if c.marker.family not in ("like", "shaped", "resemble", "akin", "clause"):
        return False
    n = c.marker.begin
    while n > c.segment and c.line[n - 1].word in words("en", "between_made"):
        n -= 1
    last = c.line[n - 1].word if n > c.segment else ""
    made_up = last == "made" and c.line[n].word == "up"
    if made_up or last in words("en", "disguised") or (c.to_look and (c.requested or not is_unmade(c.noun(c.tenor)))):
        return True
    if c.marker.family == "shaped":
        if c.noun(c.worked) in words("en", "land"):
            return False
        return not c.told or c.requested or c.works_a_thing
    if last in words("en", "painted"):
        return c.noun(c.worked) not in words("en", "natural")
    if last in words("en", "made_like"):
        return not is_unmade(c.noun(c.worked))
    if (
        last == "built"
        and c.told
        and not any(c.noun(c.worked) in words("en", name) for name in ("buildings", "furniture", "machines"))
    ):
        return False  # `he is built like a wardrobe`
    if last == "cut" and c.told and not any(t.word in words("en", "copulas") for t in c.line[c.segment : n]):
        return False  # `Her words cut like knives`
    machine = c.noun(c.worked) in words("en", "machines")
    return last in words("en", "built_like") and (machine or c.works_a_thing)


def shape_ordered(c: Candidate) -> bool:
    """`latte foam in the shape of a swan`."""
    if c.marker.family != "shape":
        return False
    return c.noun(c.near) not in words("en", "land")


def design(c: Candidate) -> bool:
    """A logo, a costume, a cake: whatever is likened is to be seen."""
    if any(token.word in words("en", "designs") for token in c.line):
        return True
    return not c.told and any(token.word in words("en", "designs_listed") for token in c.line)


def ordered(c: Candidate) -> bool:
    """`a lamp like a mushroom`, `a house that looks like a ship`, in words that ask for a picture."""
    if c.marker.family not in ("like", "resemble", "akin", "pass", "measure"):
        return False
    if c.line[c.marker.begin].word == "nothing":
        return False
    asks = not c.told or c.requested
    thing = c.antecedent or c.near or c.tenor
    single = thing is not None and thing.kind == "one"
    if c.marker.family == "measure":
        real = c.line[c.marker.begin + 1].word in words("en", "dimensions")
        return (asks or real) and not is_unmade(c.noun(thing))
    if c.relative:
        asks = asks or (single and c.before != "looked")
        first = noun_phrase(c.line, 0) if c.before == "looking" else None
        if any(is_person(c.noun(phrase)) for phrase in (thing, c.tenor, first)):
            return False
        return asks and c.noun(thing) not in words("en", "body") and c.noun(thing) not in words("en", "land")
    if c.before in words("en", "looks") and single and not is_unmade(c.noun(thing)):
        return not is_person(c.noun(thing))
    made = words("en", "made_like") | words("en", "built_like")
    ahead = c.line[c.segment : 0 if c.near is None else c.near.first]
    if c.near is None or any(is_participle(token.word) and token.word not in made for token in ahead):
        return False  # `regarding a banana like`: not said of the banana
    if (
        asks
        and c.made
        and c.verb is None
        and any(token.word in words("en", "made_like") for token in c.line[: c.marker.begin])
    ):
        return c.vehicle.kind == "one"
    return asks and single and c.made and c.vehicle.kind == "one"


def featured(c: Candidate) -> bool:
    """`A creature with a head like an eagle and a body like a lion`: how it is to be built."""
    beast = any(token.word in words("en", "fantastic") for token in c.line[: c.marker.begin])
    part = c.verb is None and c.noun(c.near) in words("en", "body")
    return beast and part and c.marker.family == "like" and c.head in words("en", "animals")


def finished(c: Candidate) -> bool:
    """`texture like wood`, `colors like a sunset`, `Halloween makeup like a skull`: how it is to be made."""
    thing = c.near
    asked = thing is not None and thing.kind not in ("the", "pointed") and c.noun(thing) in words("en", "finishes")
    asked = (asked or (c.near is None and c.before in words("en", "finishes"))) and not c.told
    shaped = c.before in words("en", "built_like") and c.head == "heart" and not c.told
    return (asked or shaped) and c.marker.family in ("like", "resemble")


def purposed(c: Candidate) -> bool:
    """`a loaf scored so the crust opens like an ear of wheat`: done so that it will be so."""
    begin = c.marker.begin
    so = next((n for n in range(begin - 1, max(0, begin - 12), -1) if c.line[n].word == "so"), None)
    looks = c.before in words("en", "looks") or c.marker.family == "resemble"
    if so is not None and c.line[so + 1].word in ("that", "it", "they") and looks:
        return True
    if so is None or c.line[so + 1].word not in ("that", "the", "it", "they", "its"):
        return False
    done = words("en", "made_like") | words("en", "built_like") | words("en", "designs_listed")
    return any(token.word in done or token.word in ("held", "lit", "placed") for token in c.line[max(0, so - 6) : so])


def wished(c: Candidate) -> bool:
    """`wanted a form like an open book`."""
    return c.noun(c.near) in words("en", "forms") and any(
        token.word in words("en", "wishing") for token in c.line[: c.marker.begin]
    )


ORDERS: tuple[tuple[Callable[[Candidate], bool], str], ...] = (
    (made_so, "a design request: the shape is to be recognized"),
    (shape_ordered, DESIGN),
    (design, DESIGN),
    (ordered, "a design request: what it looks like is wanted"),
    (featured, DESIGN),
    (finished, DESIGN),
    (purposed, DESIGN),
    (wished, DESIGN),
)
