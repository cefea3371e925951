"""Why an English comparison is not to be acted on: each reason is one small function, and the first that holds is said.

A candidate IS a figure unless it is another use of its words (`uses`) or one of ``MEANT`` holds: then the vehicle is
ordered, imitated, real or known, and the plan has it as seen, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.case import SIZES, Case
from trope.strategies.guard.english.designs import ORDERS
from trope.strategies.guard.english.kinds import is_animate, is_person, is_unmade, sibling
from trope.strategies.guard.english.uses import OTHER_USES
from trope.strategies.guard.english.vehicles import known, name, real, someones_own, style
from trope.strategies.guard.english.words import positive
from trope.strategies.guard.lexicon import words

_AMOUNTS = frozenset("twice half times third quarter same".split())
_NEGATED = frozenset("less not never nothing nor without hardly n't cannot".split())
# The text goes on to say that it was so, or that it was not.
_IT_WAS = "|".join(
    (
        r"but (?:up close|they (?:are|were)|it (?:is|was))", r"turn(?:s|ed) out", r"in (?:fact|reality|truth)\b",
        r"(?:it|they|he|she) (?:really )?(?:was|were) (?:only\b|just\b|really\b|an?\b)", r"actually\b", r"sure enough",
        r"indeed\b", r"confirmed\b", r"prov(?:es|ed) to be", r"really (?:is|are|was|were)\b", r"the real (?:one|thing)",
        r"itself (?:came|appeared|stood)", r"(?:was|were|is|are) exactly that",
    )
)  # fmt: skip
_RESOLVED = re.compile(rf"\b(?:{_IT_WAS})", re.IGNORECASE)
_WAS_ONE = re.compile(
    r"\b(?:was|were|is|are|isn't|wasn't|aren't|weren't) one\b(?! of)|\b(?:a|the) real one\b"
    r"|\bthere (?:it|he|she|they) (?:was|were)\b|\b(?:he|she|they|I) (?:was|were) (?:right|wrong)\b"
    r"|\band (?:it|he|she) was\b(?! \w)|\? (?:It|They|He|She) (?:doesn't|isn't|wasn't|didn't|don't|aren't)\b",
    re.IGNORECASE,
)
_IS_A = re.compile(r"\b(?:is|are|was|were) (?:an? )?([a-z-]+)", re.IGNORECASE)
_RESOLVED_WITHIN = 130


def camouflaged(case: Case) -> bool:
    """`The stick insect looks like a twig`: and is meant to."""
    noun = case.noun(case.tenor)
    looks = case.candidate.family == "resemble" or case.before in words("en", "looks")
    said = () if case.tenor is None else case.line[case.tenor.first : case.tenor.last + 1]
    owned = any(token.word.removesuffix("'s") in words("en", "animals") for token in said)
    if looks and any(token.word in words("en", "fakes") for token in said):
        return True
    return looks and (owned or noun in words("en", "animals")) and case.head in words("en", "camouflage")


def two_of_a_kind(case: Case) -> bool:
    """`a breed like a poodle`, `a chair like a throne`."""
    if case.candidate.family == "clause":
        return case.noun(case.tenor).removesuffix("s") == case.head.removesuffix("s")
    near = (
        None if case.near is not None and case.near.kind in ("the", "pointed") and case.verb is not None else case.near
    )
    if near is not None and near.first > 0 and case.line[near.first - 1].word in left.PLACING:
        near = None  # `onto the sofa like a deck chair`
    if case.noun(case.near) in words("en", "plant_parts") and case.head in words("en", "plants") | words("en", "foods"):
        return True
    others = [case.noun(phrase) for phrase in (near, case.tenor) if phrase is not None]
    if case.vehicle.kind == "several" or (case.candidate.family in ("as", "than") and case.ground not in SIZES):
        return any(noun.removesuffix("s") == case.head.removesuffix("s") for noun in others)
    return any(sibling(noun, case.head) for noun in others)


def alike(case: Case) -> bool:
    """Persons like persons, animals like animals: a pose, a role or a likeness that is drawn rightly."""
    compared = case.candidate.family in ("as", "than") and case.ground not in SIZES
    if case.candidate.family == "clause" or compared or case.vehicle.head != case.vehicle.last_head:
        return False
    tenor = case.tenor or case.near
    who = case.noun(tenor)
    if who in words("en", "clothes") and is_person(case.head):
        return True  # `a man wearing a hat like a pirate`
    if case.head in words("en", "kinship") and (is_person(who) or case.pronoun):
        return case.vehicle.kind != "one"
    animals = words("en", "animals")
    if who in animals and case.head in animals:
        return any(token.word in words("en", "copulas") for token in case.line[case.segment : case.candidate.begin])
    looks = case.before in words("en", "looks") | left.BE | {"feel", "feels", "felt"}
    if (
        (is_person(who) or case.pronoun)
        and is_person(case.head)
        and (looks or case.candidate.family in ("resemble", "pass"))
    ):
        return True
    if case.verb is not None and case.line[case.verb].word not in words("en", "poses") | words("en", "skills"):
        return False
    if who in animals | words("en", "machines") and case.head in words("en", "anybody"):
        return True
    if who in animals and not case.requested:
        return False
    if is_person(who) or case.pronoun:
        skill = case.verb is not None and case.line[case.verb].word in words("en", "skills")
        if skill and is_person(case.head):
            return True
    pose = (
        (not case.told or case.requested) and is_animate(who) and tenor is not None and tenor.kind in ("one", "several")
    )
    return pose and (is_person(case.head) or case.head in words("en", "machines"))


def imitated(case: Case) -> bool:
    """`pretending to be`, `hops like a frog in the game`: played on purpose."""
    end = next((n for n in range(case.vehicle.last, len(case.line)) if not case.line[n].is_word), len(case.line))
    return any(token.word in words("en", "imitating") for token in case.line[case.segment : end])


def denied(case: Case) -> bool:
    """`nothing like a palace`, `did not move like a soldier`."""
    begin = case.candidate.begin
    start = case.segment
    if case.candidate.family == "than":
        return case.before == "nothing"
    if case.line[begin].word == "not" or case.line[case.candidate.end].word == "as":
        return False
    near = case.near
    if near is not None and "no" in (case.line[near.first].word, case.line[max(0, near.first - 1)].word):
        return True
    stretch = [token.word for token in case.line[start : begin + 1]]
    for n, word in enumerate(stretch):
        so_much = stretch[n + 1 : n + 2] and stretch[n + 1] in ("so", "only", "just", "merely")
        if (word in _NEGATED or word.endswith("n't") or word == "unlike") and not so_much:
            return True
    return False


def guessed(case: Case) -> bool:
    """`What looked like a log was a crocodile`, `It looks like a storm is coming`: it may be one."""
    start = case.segment
    stretch = [token.word for token in case.line[start : case.candidate.begin]]
    if "whatever" in stretch or case.before_at(2) == "what":
        return True
    end = case.line[case.vehicle.last].end
    it = case.before in words("en", "looks") and case.before_at(2) in ("it", "this", "that")
    plain = case.vehicle.kind == "one" and case.vehicle.head == case.vehicle.first + 1 == case.vehicle.last
    if it and plain and is_animate(case.head) and case.candidate.family == "like":
        return True  # `It looked like a wolf`
    if f"{case.head} it was" in case.text[end : end + _RESOLVED_WITHIN]:
        return True
    if case.head in _IS_A.findall(case.text, end, end + _RESOLVED_WITHIN):
        return True
    senses = case.before in words("en", "copulas") and case.before not in left.BE
    noise = any(case.noun(p) in words("en", "perceived") for p in (case.near, case.tenor)) or senses
    if _WAS_ONE.search(case.text, end, end + _RESOLVED_WITHIN):
        return True
    owners = [t.word.removesuffix("'s") for t in case.line[case.vehicle.first : case.vehicle.last] if "'" in t.word]
    after = case.text[end : end + _RESOLVED_WITHIN].lower()
    if senses and any(f"the {owner}" in after for owner in owners):
        return True
    if noise and _RESOLVED.search(case.text, end, end + _RESOLVED_WITHIN):
        return True
    if case.candidate.family == "clause" and case.before.startswith("smel") and case.before_at(2) in ("it", ""):
        return case.vehicle.first > case.candidate.end + 1
    if case.candidate.family == "clause" and senses and case.before_at(2) in ("it", "") and case.vehicle.kind == "the":
        return True  # `It looks as if someone had left the light on`
    if case.candidate.family == "clause" and senses:
        clause = [token.word for token in case.line[case.candidate.end + 1 : case.vehicle.last + 2]]
        now = any(
            word in ("is", "are", "has", "have", "will") or word.endswith(("'s", "'re", "'ve")) for word in clause
        )
        return now and case.before_at(2) in ("it", "", ",", "and", "but")
    if case.candidate.family == "pass" and case.line[case.candidate.end].word == "been":
        return case.line[case.candidate.begin + 1].word not in ("as", "just") and (case.pronoun or case.tenor is None)
    return False


def tasted(case: Case) -> bool:
    """`It smells like beef`, `tastes like chicken`: one thing of the kitchen by another."""
    senses = case.before in ("smell smells smelled smelt smelling taste tastes tasted tasting".split())
    scents = any(case.noun(phrase) in words("en", "scents") for phrase in (case.near, case.tenor))
    if case.before.startswith("smel") and case.tenor is None and case.vehicle.first == case.vehicle.last:
        return case.vehicle.kind == "bare"  # `It smelled like gas`
    known = case.head in words("en", "foods") | words("en", "herbs")
    if case.noun(case.tenor) in words("en", "body"):
        return False
    return (senses or scents) and case.vehicle.kind == "bare" and known


def measured(case: Case) -> bool:
    """`twice as big as a horse`, `bigger than a house`, `as high as a house beside it`: real sizes."""
    if case.candidate.family not in ("as", "than"):
        return False
    if case.before in _AMOUNTS or case.before in ("not", "n't", "so"):
        return True
    worn = case.noun(case.near or case.tenor) in words("en", "clothes") | words("en", "natural") | words("en", "body")
    if case.candidate.family == "than" and positive(case.ground) in words("en", "real_grounds"):
        return True
    if case.candidate.family == "than" and case.ground in SIZES:
        return not worn and (not case.told or case.before in left.BE)
    if case.ground in SIZES and case.candidate.family == "as" and not is_unmade(case.noun(case.near or case.tenor)):
        if case.head in words("en", "building_parts"):
            return True
    after = case.line[case.vehicle.last + 1 :]
    if case.ground in SIZES and after and after[-1].word == "scale":
        return True
    after = after[:6]
    beside = any(
        a.word in words("en", "prepositions") and b.word in ("it", "her", "him", "them", "scale")
        for a, b in pairwise(after)
    )
    return case.ground in SIZES and beside


def real_likeness(case: Case) -> bool:
    """`Tarsiers, like owls, hunt at night`, `resembles a twig so closely that`: a fact."""
    plain = case.vehicle.kind == "bare" and case.vehicle.plural
    general = case.tenor is not None and case.tenor.kind in ("bare", "several") and case.tenor.plural
    if case.candidate.family == "like" and plain and general and case.before in (",", "") and case.after == ",":
        return True
    following = [token.word for token in case.line[case.vehicle.last + 1 : case.vehicle.last + 3]]
    certain = ("closely", "strongly", "really", "does", "strikingly", "uncannily")
    return "closely" in following or any(word in certain for word in (case.before, case.before_at(2)))


MEANT: tuple[tuple[Callable[[Case], bool], str], ...] = (
    *ORDERS,
    (someones_own, "a certain one that belongs to somebody in the scene"),
    (known, "a certain one that is in the scene"),
    (name, "a name: that one and no other"),
    (style, "a style or a medium"),
    (two_of_a_kind, "two of a kind"),
    (alike, "a pose, a role or a likeness of their kind"),
    (camouflaged, "an animal that hides by looking so"),
    (real, "as such things are"),
    (imitated, "somebody imitates it"),
    (denied, "the likeness is denied"),
    (guessed, "it may be one: a guess or what the senses say"),
    (tasted, "a real taste or smell"),
    (measured, "a real measure"),
    (real_likeness, "a real likeness"),
)


def literal(case: Case) -> tuple[bool, str | None]:
    """``(whether anything is compared, why the vehicle is meant to be seen or None)``."""
    if any(reason(case) for reason in OTHER_USES):
        return False, None
    return True, next((why for reason, why in MEANT if reason(case)), None)
