"""A plan: names resolved to strategies, backends and items; cells laid out; nothing asked yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import trope
from trope.backend import Backend
from trope.detectors import DETECTORS, Detector
from trope.errors import UnknownName, UsageError
from trope.experiment.asked import Experiment
from trope.flow import Cell
from trope.generators import GENERATORS
from trope.items import items_digest, load_items
from trope.judges import JUDGES
from trope.nouns import Item
from trope.protocols import Protocol, protocol
from trope.protocols.base import InstrumentKind
from trope.records import digest
from trope.registry import parse_spec
from trope.strategies import Strategy, strategy


@dataclass(frozen=True)
class Plan:
    """An experiment with every name resolved."""

    experiment: Experiment
    protocol: Protocol
    items: Sequence[Item]
    strategies: Sequence[Strategy]
    backends: Mapping[str, Backend]
    instruments: Mapping[str, InstrumentKind]
    cells: Sequence[Cell]

    def resolved(self) -> dict[str, Any]:
        """What the names stood for, as a run keeps it."""
        return {
            "trope": trope.__version__,
            "items_sha256": items_digest(self.items),
            "items_count": len(self.items),
            "cells": len(self.cells),
            "measured_on": measured_on(self.experiment, self.items),
            "instruments": dict(self.instruments),
            "identities": {name: digest(backend.identity()) for name, backend in self.backends.items()},
        }


def plan(experiment: Experiment, items: Sequence[Item] | None = None) -> Plan:
    """Resolve an experiment.

    Parameters
    ----------
    items : the frozen items of a run that is taken up again; default: what the experiment names.
    """
    asked = protocol(experiment.protocol)
    chosen = list(load_items(experiment.items) if items is None else items)[: experiment.limit]
    if not chosen:
        raise UsageError(f"no items in {', '.join(experiment.items)}. Expected: at least one")
    backends: dict[str, Backend] = {}
    instruments: dict[str, InstrumentKind] = {}
    for name in experiment.subjects:
        backends[_once(name, backends)] = GENERATORS.create(name)
    for name in experiment.instruments:
        backends[_once(name, backends)] = instrument(name)
        instruments[name] = kind_of(name)
    gates = [name for name, kind in instruments.items() if kind == "detector" and name != "truth"]
    strategies = [strategy(name, protocol=asked.name, gates=gates) for name in experiment.strategies]
    for gate in (gate for chosen_strategy in strategies for gate in chosen_strategy.gates):
        if gate not in backends:
            if kind_of(gate) != "detector":
                raise UsageError(f"gate {gate!r} is no detector")
            backends[gate] = instrument(gate)
    asked.check(chosen, instruments)
    for backend in backends.values():
        if isinstance(backend, Detector):
            backend.require(asked.labels(chosen))
    observe = partial(_observe, asked, instruments)
    cells = [
        Cell(item, subject, how.name, seed, tuple(instruments), how.start, observe)
        for subject in experiment.subjects
        for how in strategies
        for seed in experiment.seeds
        for item in chosen
    ]
    return Plan(experiment, asked, chosen, strategies, backends, instruments, cells)


def instrument(name: str) -> Backend:
    """The instrument of that name, from whichever room has it."""
    return DETECTORS.create(name) if kind_of(name) == "detector" else JUDGES.create(name)


def kind_of(name: str) -> InstrumentKind:
    """Whether an instrument is a detector or a judge; raises `UnknownName` if it is neither."""
    backend = parse_spec(name).backend
    if backend in DETECTORS:
        return "detector"
    if backend in JUDGES:
        return "judge"
    raise UnknownName("instrument", backend, [*DETECTORS.names(), *JUDGES.names()], hint="See all: trope doctor")


def measured_on(experiment: Experiment, items: Sequence[Item]) -> str:
    """What a score of this experiment was measured on, e.g. ``simile@demo#1f2e3d4c``."""
    sets = "+".join(source.rpartition("/")[2].removesuffix(".jsonl") for source in experiment.items)
    return f"{experiment.protocol}@{sets}#{items_digest(items)[:8]}"


def _observe(asked: Protocol, kinds: Mapping[str, InstrumentKind], item: Item, output: Any, name: str) -> Any:
    return asked.observe(item, output, name, kinds[name])


def _once(name: str, backends: Mapping[str, Backend]) -> str:
    if name in backends:
        raise UsageError(f"{name!r} is given twice")
    return name
