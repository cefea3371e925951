"""What a writer is handed for one pair of class and template: the phrase that the sentence must hold."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from trope.data.coco import CLASSES, inflections, words
from trope.items.rules.templates import TEMPLATES, article

_HEADS = {
    "like": "like", "just_like": "just like", "looks_like": "looks like", "look_like": "look like",
    "exactly_like": "exactly like", "as_as": "as [adjective] as", "as_if": "as if", "as_though": "as though",
}  # fmt: skip


class Pair(NamedTuple):
    """One cell of the set: a class of vehicles and a template."""

    vehicle: str
    template: str

    def __str__(self) -> str:
        return f"{self.vehicle}/{self.template}"


PAIRS: tuple[Pair, ...] = tuple(Pair(name, template) for name in CLASSES for template in TEMPLATES)


@cache
def one_of(name: str) -> str:
    """One of a class, with its article: `a car`, `an umbrella`, `a pair of scissors`."""
    forms = inflections(name)[0]
    noun = name if name in forms else next(word for word in words() if word in forms)
    return f"{article(noun)} {noun}"


@cache
def many_of(name: str) -> str:
    """Several of a class: `cars`, `knives`, `mice`, `sheep`, `scissors`, `heads of broccoli`."""
    forms = inflections(name)[1]
    return next(word for word, of in words().items() if of == name and word in forms)


def noun(pair: Pair) -> str:
    """The vehicle as the template asks for it, with the article of one."""
    return many_of(pair.vehicle) if TEMPLATES[pair.template].plural else one_of(pair.vehicle)


def phrase(pair: Pair) -> str:
    """The phrase of a pair: `like a car`, `as [adjective] as knives`."""
    return f"{_HEADS[pair.template.rpartition('-')[0]]} {noun(pair)}"
