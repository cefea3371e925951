"""Reasons of a real resemblance: two of a kind, a pose, an animal that hides, a taste, a measure."""

from __future__ import annotations

from itertools import pairwise

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.candidates import SIZES, Candidate
from trope.strategies.guard.english.kinds import is_animate, is_person, is_unmade, sibling
from trope.strategies.guard.english.words import positive
from trope.strategies.guard.lexicon import words

_AMOUNTS = frozenset("twice half times third quarter same".split())


def two_of_a_kind(c: Candidate) -> bool:
    """`a breed like a poodle`, `a chair like a throne`."""
    if c.marker.family == "clause":
        return c.noun(c.tenor).removesuffix("s") == c.head.removesuffix("s")
    near = None if c.near is not None and c.near.kind in ("the", "pointed") and c.verb is not None else c.near
    if near is not None and near.first > 0 and c.line[near.first - 1].word in left.PLACING:
        near = None  # `onto the sofa like a deck chair`
    if c.noun(c.near) in words("en", "plant_parts") and c.head in words("en", "plants") | words("en", "foods"):
        return True
    others = [c.noun(phrase) for phrase in (near, c.tenor) if phrase is not None]
    if c.vehicle.kind == "several" or (c.marker.family in ("as", "than") and c.ground not in SIZES):
        return any(noun.removesuffix("s") == c.head.removesuffix("s") for noun in others)
    return any(sibling(noun, c.head) for noun in others)


def alike(c: Candidate) -> bool:
    """Persons like persons, animals like animals: a pose, a role or a likeness that is drawn rightly."""
    compared = c.marker.family in ("as", "than") and c.ground not in SIZES
    if c.marker.family == "clause" or compared or c.vehicle.head != c.vehicle.last_head:
        return False
    tenor = c.tenor or c.near
    who = c.noun(tenor)
    if who in words("en", "clothes") and is_person(c.head):
        return True  # `a man wearing a hat like a pirate`
    if c.head in words("en", "kinship") and (is_person(who) or c.pronoun):
        return c.vehicle.kind != "one"
    animals = words("en", "animals")
    if who in animals and c.head in animals:
        return any(token.word in words("en", "copulas") for token in c.line[c.segment : c.marker.begin])
    looks = c.before in words("en", "looks") | left.BE | {"feel", "feels", "felt"}
    if (is_person(who) or c.pronoun) and is_person(c.head) and (looks or c.marker.family in ("resemble", "pass")):
        return True
    if c.verb is not None and c.line[c.verb].word not in words("en", "poses") | words("en", "skills"):
        return False
    if who in animals | words("en", "machines") and c.head in words("en", "anybody"):
        return True
    if who in animals and not c.requested:
        return False
    if is_person(who) or c.pronoun:
        skill = c.verb is not None and c.line[c.verb].word in words("en", "skills")
        if skill and is_person(c.head):
            return True
    pose = (not c.told or c.requested) and is_animate(who) and tenor is not None and tenor.kind in ("one", "several")
    return pose and (is_person(c.head) or c.head in words("en", "machines"))


def camouflaged(c: Candidate) -> bool:
    """`The stick insect looks like a twig`: and is meant to."""
    noun = c.noun(c.tenor)
    looks = c.marker.family == "resemble" or c.before in words("en", "looks")
    said = () if c.tenor is None else c.line[c.tenor.first : c.tenor.last + 1]
    owned = any(token.word.removesuffix("'s") in words("en", "animals") for token in said)
    if looks and any(token.word in words("en", "fakes") for token in said):
        return True
    return looks and (owned or noun in words("en", "animals")) and c.head in words("en", "camouflage")


def tasted(c: Candidate) -> bool:
    """`It smells like beef`, `tastes like chicken`: one thing of the kitchen by another."""
    senses = c.before in ("smell smells smelled smelt smelling taste tastes tasted tasting".split())
    scents = any(c.noun(phrase) in words("en", "scents") for phrase in (c.near, c.tenor))
    if c.before.startswith("smel") and c.tenor is None and c.vehicle.first == c.vehicle.last:
        return c.vehicle.kind == "bare"  # `It smelled like gas`
    known = c.head in words("en", "foods") | words("en", "herbs")
    if c.noun(c.tenor) in words("en", "body"):
        return False
    return (senses or scents) and c.vehicle.kind == "bare" and known


def measured(c: Candidate) -> bool:
    """`twice as big as a horse`, `bigger than a house`, `as high as a house beside it`: real sizes."""
    if c.marker.family not in ("as", "than"):
        return False
    if c.before in _AMOUNTS or c.before in ("not", "n't", "so"):
        return True
    worn = c.noun(c.near or c.tenor) in words("en", "clothes") | words("en", "natural") | words("en", "body")
    if c.marker.family == "than" and positive(c.ground) in words("en", "real_grounds"):
        return True
    if c.marker.family == "than" and c.ground in SIZES:
        return not worn and (not c.told or c.before in left.BE)
    if c.ground in SIZES and c.marker.family == "as" and not is_unmade(c.noun(c.near or c.tenor)):
        if c.head in words("en", "building_parts"):
            return True
    after = c.line[c.vehicle.last + 1 :]
    if c.ground in SIZES and after and after[-1].word == "scale":
        return True
    after = after[:6]
    beside = any(
        a.word in words("en", "prepositions") and b.word in ("it", "her", "him", "them", "scale")
        for a, b in pairwise(after)
    )
    return c.ground in SIZES and beside


def real_likeness(c: Candidate) -> bool:
    """`Tarsiers, like owls, hunt at night`, `resembles a twig so closely that`: a fact."""
    plain = c.vehicle.kind == "bare" and c.vehicle.plural
    general = c.tenor is not None and c.tenor.kind in ("bare", "several") and c.tenor.plural
    if c.marker.family == "like" and plain and general and c.before in (",", "") and c.after == ",":
        return True
    following = [token.word for token in c.line[c.vehicle.last + 1 : c.vehicle.last + 3]]
    certain = ("closely", "strongly", "really", "does", "strikingly", "uncannily")
    return "closely" in following or any(word in certain for word in (c.before, c.before_at(2)))
