"""Why a comparison is literal, or its thing wanted in the picture: the named reasons, in order."""

from __future__ import annotations

from collections.abc import Callable

from trope.strategies.guard.arabic.candidates import Candidate
from trope.strategies.guard.arabic.literal import alone, denied, done_by_people, instructed, points, told
from trope.strategies.guard.arabic.orders import a_part_played, ordered, pictured, played, product, shaped
from trope.strategies.guard.arabic.resemblances import (
    among,
    hybrid,
    natural,
    owned_or_kin,
    serves,
    tasted,
    two_of_a_kind,
)

REASONS: tuple[tuple[Callable[[Candidate], bool], str], ...] = (
    (shaped, "a design request: both things are meant to be seen"),
    (ordered, "asked for as a thing of this look"),
    (product, "a thing that is made: its likeness is its design"),
    (played, "imitation, costume or camouflage: to be recognized"),
    (pictured, "style or medium: it says how to draw"),
    (a_part_played, "a part played or a use made of it"),
    (points, "a habit, a measure or a word that points: nothing to draw"),
    (owned_or_kin, "somebody's own people or things: a real likeness"),
    (tasted, "a taste, a smell or a measure really like another"),
    (hybrid, "parts of a creature, to be drawn"),
    (serves, "what serves as another"),
    (two_of_a_kind, "two of a kind"),
    (natural, "what is seen in a cloud or a rock is to be drawn"),
    (among, "examples of a kind"),
    (denied, "the likeness is denied"),
    (told, "hearsay, or the text says what it really was"),
    (instructed, "do as somebody does"),
    (done_by_people, "people who do the same"),
    (alone, "no sentence that compares"),
)


def reason(candidate: Candidate) -> str | None:
    """Why the comparison changes nothing, or None: it is a figure."""
    return next((why for holds, why in REASONS if holds(candidate)), None)
