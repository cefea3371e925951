"""From a sentence to an item that conforms to its template, or the rule that it breaks.

The rules are those of the `simile` set (`trope.items.rules`); nothing is checked here that is not checked there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from trope.build.simile.phrases import Pair
from trope.items.rules import Rule, rules_for
from trope.items.rules.templates import ANY_MARKER, class_words
from trope.nouns import Figure, Item, Spans

# in the order in which a broken one is named
_RULES = (
    "word-limit", "one-marker", "vehicle-after-marker", "template", "pronoun", "concrete",
    "readable", "script", "punctuation", "white-space", "html-entity", "span-bounds", "span-words",
    "span-marker", "one-vehicle",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Nonconforming:
    """Why a sentence is no item: the rule, and what is wrong."""

    rule: str
    why: str


def conform(sentence: str, pair: Pair) -> Item | Nonconforming:
    """Make an item of a sentence about a pair, with the spans of marker and vehicle.

    The id is made of class, template and the sentence, so that it does not depend on what else was built.
    """
    marker = ANY_MARKER.search(sentence)
    if marker is None:
        return Nonconforming("simile", "holds no marker of a simile")
    found = list(class_words(pair.vehicle).finditer(sentence))
    vehicle = next((match for match in found if match.start() >= marker.end()), None)
    if vehicle is None:
        if found:
            return Nonconforming("vehicle-after-marker", f"{found[0].group()!r} stands before the marker only")
        return Nonconforming("vehicle-named", f"names no {pair.vehicle}")
    name = hashlib.sha256(f"{pair}\n{sentence}".encode()).hexdigest()[:8]
    item = Item(
        id=f"simile-{pair.vehicle.replace(' ', '_')}-{pair.template}-{name}", lang="en", text=sentence,
        figures=(Figure(
            vehicle=vehicle.group(), vehicle_class=pair.vehicle, form="simile",
            spans=Spans(vehicle=vehicle.span(), marker=marker.span()),
        ),),
        cluster={"vehicle": pair.vehicle, "template": pair.template},
    )  # fmt: skip
    for rule in _rules():
        for problem in rule.problems([item]):
            return Nonconforming(rule.name, f"{problem.value!r} {problem.why}")
    return item


@cache
def _rules() -> Sequence[Rule]:
    known = {rule.name: rule for rule in rules_for("simile")}
    return [known[name] for name in _RULES]
