"""A plan: names resolved to strategies, backends and items; cells laid out; nothing asked yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.detectors import DETECTORS, Detector
from trope.errors import UnknownName, UsageError
from trope.experiment.spec import Experiment
from trope.flow import Cell
from trope.generators import GENERATORS
from trope.items import items_digest, load_items
from trope.judges import JUDGES
from trope.nouns import Item
from trope.protocols import Protocol, protocol
from trope.protocols.base import InstrumentKind
from trope.records import KEY_VERSION, digest
from trope.registry import parse_spec
from trope.strategies import Strategy, strategy

TRUTH = "truth"


@dataclass(frozen=True)
class Plan:
    """An experiment with every name resolved. Backends are known by their names, without how to reach them."""

    experiment: Experiment
    protocol: Protocol
    items: Sequence[Item]
    subjects: Sequence[str]
    strategies: Sequence[Strategy]
    instruments: Mapping[str, InstrumentKind]
    backends: Mapping[str, Backend]
    cells: Sequence[Cell] = field(repr=False)
    known_items: Sequence[str] = field(repr=False)  # ids of all items, those beyond the limit too

    def question(self) -> dict[str, Any]:
        """What is asked, in full names: two spellings of one question are the same."""
        return {
            "protocol": self.protocol.name,
            "subjects": list(self.subjects),
            "strategies": [s.name for s in self.strategies],
            "instruments": list(self.instruments),
            "identities": {name: backend.identity_digest for name, backend in self.backends.items()},
            "seeds": list(self.experiment.seeds),
            "keys": KEY_VERSION,
        }

    @cached_property
    def items_sha256(self) -> str:
        """The hash of the items."""
        return items_digest(self.items)

    @property
    def run_name(self) -> str:
        """The given name, or one that the same question of the same items always has."""
        made = digest([self.question(), self.items_sha256])[:8]
        return self.experiment.name or f"{self.protocol.name}-{made}"

    def resolved(self) -> dict[str, Any]:
        """What the names stood for, as a run keeps it."""
        resolved: dict[str, Any] = {
            "items_sha256": self.items_sha256,
            "items_count": len(self.items),
            "cells": len(self.cells),
            "measured_on": _measured_on(self.experiment, self.items_sha256),
            "question": self.question(),
            "kinds": dict(self.instruments),
        }
        return {"trope": version("trope"), "sha256": digest(resolved), **resolved}

    def prepare(self, adopt: Callable[[Path], str]) -> list[str]:
        """Let every backend look at what is there; returns what a user should know."""
        return [line for backend in self.backends.values() for line in backend.prepare(self.known_items, adopt)]


def plan(experiment: Experiment, items: Sequence[Item] | None = None) -> Plan:
    """Resolve an experiment.

    Parameters
    ----------
    items : the frozen items of a run that is taken up again; default: what the experiment names.
    """
    chosen_protocol = protocol(experiment.protocol)
    known = list(load_items(experiment.items) if items is None else items)
    chosen = known[: experiment.limit]
    if not chosen:
        raise UsageError(f"no items in {', '.join(experiment.items)}. Expected: at least one")
    backends: dict[str, Backend] = {}
    subjects = [_add(backends, GENERATORS.create(spec)) for spec in experiment.subjects]
    instruments = {_add(backends, instrument(spec)): kind_of(spec) for spec in experiment.instruments}
    strategies = _strategies(experiment, chosen_protocol, instruments)
    for gate in {gate for how in strategies for gate in how.gates} - backends.keys():
        _add(backends, instrument(gate))
    chosen_protocol.check(chosen, instruments)
    for backend in backends.values():
        if isinstance(backend, Detector):
            backend.require(chosen_protocol.labels(chosen))
    observe = partial(_observe, chosen_protocol, instruments)
    cells = [
        Cell(item, subject, how.name, seed, tuple(instruments), how.start, observe)
        for subject in subjects
        for how in strategies
        for seed in experiment.seeds
        for item in chosen
    ]
    return Plan(
        experiment, chosen_protocol, chosen, subjects, strategies, instruments, backends, cells, [i.id for i in known]
    )


def instrument(spec: str) -> Backend:
    """The instrument of that name, from whichever room has it."""
    return DETECTORS.create(spec) if kind_of(spec) == "detector" else JUDGES.create(spec)


def kind_of(spec: str) -> InstrumentKind:
    """Whether an instrument is a detector or a judge; raises `UnknownName` if it is neither."""
    backend = parse_spec(spec).backend
    if backend in DETECTORS:
        return "detector"
    if backend in JUDGES:
        return "judge"
    raise UnknownName("instrument", backend, [*DETECTORS.names(), *JUDGES.names()], hint="See all: trope doctor")


def _strategies(
    experiment: Experiment, chosen: Protocol, instruments: Mapping[str, InstrumentKind]
) -> Sequence[Strategy]:
    gates = [name for name, kind in instruments.items() if kind == "detector" and name != TRUTH]
    found = [strategy(spec, wordings=chosen.wordings, gates=gates, named=_gate_name) for spec in experiment.strategies]
    names = [how.name for how in found]
    twice = [name for n, name in enumerate(names) if name in names[:n]]
    if twice:
        raise UsageError(f"strategy {twice[0]!r} is given twice")
    return found


def _gate_name(spec: str) -> str:
    if kind_of(spec) != "detector":
        raise UsageError(f"gate {spec!r} is no detector")
    return instrument(spec).name


def _add(backends: dict[str, Backend], backend: Backend) -> str:
    if backend.name in backends:
        raise UsageError(f"{backend.name!r} is given twice")
    backends[backend.name] = backend
    return backend.name


def _observe(chosen: Protocol, kinds: Mapping[str, InstrumentKind], item: Item, output: Any, name: str) -> Any:
    return chosen.observe(item, output, name, kinds[name])


def _measured_on(experiment: Experiment, items_sha256: str) -> str:
    """What a score of this experiment was measured on, e.g. ``simile@demo#1f2e3d4c``."""
    sets = "+".join(source.rpartition("/")[2].removesuffix(".jsonl") for source in experiment.items)
    return f"{experiment.protocol}@{sets}#{items_sha256[:8]}"
