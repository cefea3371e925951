"""Why the vehicle of an English comparison is meant to be seen: the named reasons, in order.

Each is one small function. Where one holds the vehicle is ordered, imitated, real or known, and the plan has it as
seen, with the reason; words that compare nothing (`uses`) never come here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.candidates import Candidate
from trope.strategies.guard.english.kinds import is_animate
from trope.strategies.guard.english.orders import ORDERS
from trope.strategies.guard.english.resemblances import (
    alike,
    camouflaged,
    measured,
    real_likeness,
    tasted,
    two_of_a_kind,
)
from trope.strategies.guard.english.vehicles import known, name, real, someones_own, style
from trope.strategies.guard.lexicon import words

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


def imitated(c: Candidate) -> bool:
    """`pretending to be`, `hops like a frog in the game`: played on purpose."""
    end = next((n for n in range(c.vehicle.last, len(c.line)) if not c.line[n].is_word), len(c.line))
    return any(token.word in words("en", "imitating") for token in c.line[c.segment : end])


def denied(c: Candidate) -> bool:
    """`nothing like a palace`, `did not move like a soldier`."""
    begin = c.marker.begin
    start = c.segment
    if c.marker.family == "than":
        return c.before == "nothing"
    if c.line[begin].word == "not" or c.line[c.marker.end].word == "as":
        return False
    near = c.near
    if near is not None and "no" in (c.line[near.first].word, c.line[max(0, near.first - 1)].word):
        return True
    stretch = [token.word for token in c.line[start : begin + 1]]
    for n, word in enumerate(stretch):
        so_much = stretch[n + 1 : n + 2] and stretch[n + 1] in ("so", "only", "just", "merely")
        if (word in _NEGATED or word.endswith("n't") or word == "unlike") and not so_much:
            return True
    return False


def guessed(c: Candidate) -> bool:
    """`What looked like a log was a crocodile`, `It looks like a storm is coming`: it may be one."""
    start = c.segment
    stretch = [token.word for token in c.line[start : c.marker.begin]]
    if "whatever" in stretch or c.before_at(2) == "what":
        return True
    end = c.line[c.vehicle.last].end
    it = c.before in words("en", "looks") and c.before_at(2) in ("it", "this", "that")
    plain = c.vehicle.kind == "one" and c.vehicle.head == c.vehicle.first + 1 == c.vehicle.last
    if it and plain and is_animate(c.head) and c.marker.family == "like":
        return True  # `It looked like a wolf`
    if f"{c.head} it was" in c.text[end : end + _RESOLVED_WITHIN]:
        return True
    if c.head in _IS_A.findall(c.text, end, end + _RESOLVED_WITHIN):
        return True
    senses = c.before in words("en", "copulas") and c.before not in left.BE
    noise = any(c.noun(p) in words("en", "perceived") for p in (c.near, c.tenor)) or senses
    if _WAS_ONE.search(c.text, end, end + _RESOLVED_WITHIN):
        return True
    owners = [t.word.removesuffix("'s") for t in c.line[c.vehicle.first : c.vehicle.last] if "'" in t.word]
    after = c.text[end : end + _RESOLVED_WITHIN].lower()
    if senses and any(f"the {owner}" in after for owner in owners):
        return True
    if noise and _RESOLVED.search(c.text, end, end + _RESOLVED_WITHIN):
        return True
    if c.marker.family == "clause" and c.before.startswith("smel") and c.before_at(2) in ("it", ""):
        return c.vehicle.first > c.marker.end + 1
    if c.marker.family == "clause" and senses and c.before_at(2) in ("it", "") and c.vehicle.kind == "the":
        return True  # `It looks as if someone had left the light on`
    if c.marker.family == "clause" and senses:
        clause = [token.word for token in c.line[c.marker.end + 1 : c.vehicle.last + 2]]
        now = any(
            word in ("is", "are", "has", "have", "will") or word.endswith(("'s", "'re", "'ve")) for word in clause
        )
        return now and c.before_at(2) in ("it", "", ",", "and", "but")
    if c.marker.family == "pass" and c.line[c.marker.end].word == "been":
        return c.line[c.marker.begin + 1].word not in ("as", "just") and (c.pronoun or c.tenor is None)
    return False


REASONS: tuple[tuple[Callable[[Candidate], bool], str], ...] = (
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


def reason(c: Candidate) -> str | None:
    """Why the vehicle is meant to be seen, or None: then it is a figure."""
    return next((why for holds, why in REASONS if holds(c)), None)
