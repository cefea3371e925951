"""What a protocol is, and what it gets to score."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from typing import Protocol as Structural

import numpy as np

from trope.errors import UsageError
from trope.nouns import Item
from trope.protocols.tables import Table
from trope.records import Observation, Output
from trope.requests import Request
from trope.strategies.options import Wordings

InstrumentKind = Literal["detector", "judge", "similarity"]
SubjectKind = Literal["generator", "model"]


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a protocol leaves to whoever runs it; recorded with the run."""

    default: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """One cell of a run with everything said of it.

    ``observations`` maps instrument to call to what was said; ``picture`` is the SHA-256 of what a page shows:
    the output's own, or the item's where the output is a reply.
    """

    item: Item
    subject: str
    strategy: str
    seed: int
    output: Output
    attempts: int
    gates: tuple[str, ...]
    observations: Mapping[str, Mapping[str, Observation]]
    picture: str | None = None

    def said(self, instrument: str, call: str) -> Observation | None:
        """What an instrument said in one call, as read today; None if it was not asked."""
        return self.observations.get(instrument, {}).get(call)


@dataclass(frozen=True, slots=True)
class Study:
    """What a protocol scores: the cells of one run, and what the run had planned.

    ``planned`` is how many cells the run has; fewer in ``cells`` means that it was stopped.
    """

    cells: Sequence[Measured]
    planned: int
    instruments: Mapping[str, InstrumentKind]
    measured_on: str

    def rng(self, *place: str) -> np.random.Generator:
        """A generator for one place in the tables, the same whatever else is computed."""
        seed = hashlib.sha256("\x00".join(place).encode()).digest()
        return np.random.default_rng(list(seed))


@dataclass(frozen=True, slots=True)
class Scores:
    """Tables, and the data of plots that go with them."""

    protocol: str
    measured_on: str
    tables: Sequence[Table]
    plots: Sequence[Mapping[str, Any]] = ()
    warnings: Sequence[str] = field(default_factory=tuple)

    def as_json(self) -> dict[str, Any]:
        """Scores as JSON holds them."""
        return {
            "protocol": self.protocol, "measured_on": self.measured_on,
            "tables": [t.as_json() for t in self.tables], "plots": [dict(p) for p in self.plots],
            "warnings": list(self.warnings),
        }  # fmt: skip


class Protocol(Structural):
    """Strategies, questions, scores and tables that belong together."""

    name: str
    subject: SubjectKind
    options: Mapping[str, Option]
    default_items: str
    default_strategies: Sequence[str]
    wordings: Wordings

    def check(self, items: Sequence[Item], kinds: Mapping[str, InstrumentKind]) -> None:
        """Raise `ItemError` for items the protocol cannot ask about with these instruments."""

    def labels(self, items: Sequence[Item]) -> set[str]:
        """The classes a detector has to know."""

    def observe(self, item: Item, output: Output, instrument: str, kind: InstrumentKind) -> Mapping[str, Request]:
        """The requests that put a finished output to an instrument, by the name of the call; none if it has no part.

        A forecast hands in outputs that nobody made: it wants all that could be asked.
        """

    def read(self, reply: str) -> Any:
        """A model's reply as the protocol's strategies read it; raises `Unreadable`. Generators never reply."""

    def score(self, study: Study) -> Scores:
        """Tables from stored answers alone: no model, no clock, no unseeded chance."""

    def reference(self, study: Study) -> list[Table]:
        """The paper's own numbers, as tables with their source; none unless these are the paper's items."""

    def highlight(self, cell: Measured) -> Mapping[str, Any]:
        """What the gallery shows of one cell: boxes, a verdict a instrument, a number to sort by."""


def chosen(options: Mapping[str, Option], given: Mapping[str, str], protocol: str) -> dict[str, str]:
    """Every option of a protocol with the value it has; raises `UsageError` for what it does not know."""
    for name, value in given.items():
        if name not in options:
            raise UsageError(f"protocol {protocol!r} has no option {name!r}. Options: {', '.join(options) or 'none'}")
        choices = options[name].choices
        if choices and value not in choices:
            raise UsageError(f"option {name}={value!r} of {protocol!r}. Expected: {', '.join(choices)}")
    return {name: given.get(name, option.default) for name, option in options.items()}
