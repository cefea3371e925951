"""A plan: names resolved to strategies, backends and items; cells laid out; nothing asked yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.detectors import DETECTORS, Detector
from trope.errors import ItemError, UnknownName, UsageError
from trope.experiment.spec import Experiment
from trope.flow import Cell
from trope.generators import GENERATORS
from trope.items import items_digest, load_items
from trope.judges import JUDGES
from trope.nouns import Item
from trope.protocols import Protocol, protocol
from trope.protocols.base import InstrumentKind, chosen
from trope.records import KEY_VERSION, digest
from trope.registry import Registry, parse_spec
from trope.similarity import SIMILARITIES
from trope.strategies import Context, Strategy, strategies

TRUTH = "truth"
STORED = "sha256:"  # an item's picture that the store has: this, and the hash


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
    known_items: Sequence[str] = field(repr=False)  # ids of all items, those beyond the limit too

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """Item by item, its strategies together: they share texts, and a stopped run can be compared."""
        observe, looking = partial(_observe, self.protocol, self.instruments), tuple(self.instruments)
        return [
            Cell(item, subject, how.name, seed, looking, how.start, observe, stored_picture(item))
            for subject in self.subjects
            for seed in self.experiment.seeds
            for item in self.items
            for how in self.strategies
            if how.subjects is None or subject in how.subjects
        ]

    def question(self) -> dict[str, Any]:
        """What is asked, in full names: two spellings of one question are the same."""
        asked = {
            "protocol": self.protocol.name,
            "subjects": list(self.subjects),
            "strategies": [s.name for s in self.strategies],
            "instruments": list(self.instruments),
            "identities": {name: backend.identity_digest for name, backend in self.backends.items()},
            "seeds": list(self.experiment.seeds),
            "keys": KEY_VERSION,
        }
        if options := chosen(self.protocol.options, self.experiment.options, self.protocol.name):
            asked["options"] = options
        if only := {how.name: list(how.subjects) for how in self.strategies if how.subjects is not None}:
            asked["only"] = only
        return asked

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

    def prepare(self, adopt: Callable[[Path], str]) -> tuple[Plan, list[str]]:
        """Take in what lies outside the store: the items' own pictures, and whatever a backend looks at.

        Returns
        -------
        plan : the same, its items naming stored pictures by their hashes.
        notices : what a user should know, a line each.
        """
        items = self.items
        if self.protocol.subject == "model":
            items = [_stored(item, adopt) for item in items]
        notices = [line for backend in self.backends.values() for line in backend.prepare(self.known_items, adopt)]
        return replace(self, items=items), notices


def plan(experiment: Experiment, items: Sequence[Item] | None = None) -> Plan:
    """Resolve an experiment.

    Parameters
    ----------
    items : the frozen items of a run that is taken up again; default: what the experiment names.
    """
    asked = protocol(experiment.protocol, experiment.options)
    if items is None:
        items = load_items(experiment.items, pictured=asked.subject == "model")
    known = list(items)
    chosen_items = known[: experiment.limit]
    if not chosen_items:
        raise UsageError(f"no items in {', '.join(experiment.items)}. Expected: at least one")
    backends: dict[str, Backend] = {}
    subjects = _add(backends, [_subject(spec, asked) for spec in experiment.subjects])
    tested = {name: backends[name] for name in subjects}
    looking = _add(backends, [instrument(spec) for spec in experiment.instruments])
    instruments = dict(zip(looking, map(kind_of, experiment.instruments), strict=True))
    models = _add(backends, [JUDGES.create(spec) for spec in experiment.models])
    found = _strategies(experiment, asked, instruments, models, tested)
    _add(backends, [instrument(gate) for gate in {gate for how in found for gate in how.gates} - backends.keys()])
    asked.check(chosen_items, instruments)
    for backend in backends.values():
        if isinstance(backend, Detector):
            backend.require(asked.labels(chosen_items))
    return Plan(experiment, asked, chosen_items, subjects, found, instruments, backends, [item.id for item in known])


def _subject(spec: str, asked: Protocol) -> Backend:
    """A generator, or a multimodal model where the protocol tests those."""
    if asked.subject == "generator":
        return GENERATORS.create(spec)
    backend = parse_spec(spec).backend
    if backend in GENERATORS and backend not in JUDGES:
        raise UsageError(f"subject {spec!r} draws pictures, but {asked.name!r} tests models that read them")
    return JUDGES.create(spec)


def stored_picture(item: Item) -> str | None:
    """The SHA-256 of an item's own picture, if the store has it."""
    return item.image.removeprefix(STORED) if item.image and item.image.startswith(STORED) else None


def _stored(item: Item, adopt: Callable[[Path], str]) -> Item:
    if item.image is None or item.image.startswith(STORED):
        return item
    path = Path(item.image)
    if not path.is_file():
        raise ItemError(f"item {item.id!r}: image {item.image!r} is no file. Expected: a picture beside the item file")
    return item.model_copy(update={"image": STORED + adopt(path)})


def instrument(spec: str) -> Backend:
    """The instrument of that name, from whichever room has it."""
    made: Backend = _ROOMS[kind_of(spec)].create(spec)
    return made


def kind_of(spec: str) -> InstrumentKind:
    """Which kind an instrument is; raises `UnknownName` if it is none."""
    backend = parse_spec(spec).backend
    for kind, room in _ROOMS.items():
        if backend in room:
            return kind
    known = [name for room in _ROOMS.values() for name in room.names()]
    raise UnknownName("instrument", backend, known, hint="See all: trope doctor")


_ROOMS: dict[InstrumentKind, Registry[Any]] = {
    "detector": DETECTORS, "judge": JUDGES, "similarity": SIMILARITIES,
}  # fmt: skip


def _strategies(
    experiment: Experiment,
    asked: Protocol,
    instruments: Mapping[str, InstrumentKind],
    models: Sequence[str],
    subjects: Mapping[str, Backend],
) -> Sequence[Strategy]:
    context = Context(
        wordings=asked.wordings,
        gates=[name for name, kind in instruments.items() if kind == "detector" and name != TRUTH],
        models=[*models, *(name for name, kind in instruments.items() if kind == "judge")],
        subjects=subjects,
        named=_gate_name,
    )
    found = [how for spec in experiment.strategies for how in strategies(spec, context)]
    names = [how.name for how in found]
    twice = [name for n, name in enumerate(names) if name in names[:n]]
    if twice:
        raise UsageError(f"strategy {twice[0]!r} is given twice")
    return found


def _gate_name(spec: str) -> str:
    if kind_of(spec) != "detector":
        raise UsageError(f"gate {spec!r} is no detector")
    return instrument(spec).name


def _add(backends: dict[str, Backend], added: Sequence[Backend]) -> list[str]:
    """Note the backends of one role, and return their names; one model may have several roles."""
    names = [backend.name for backend in added]
    for n, backend in enumerate(added):
        known = backends.setdefault(backend.name, backend)
        if backend.name in names[:n] or known.identity_digest != backend.identity_digest:
            raise UsageError(f"{backend.name!r} is given twice")
    return names


def _observe(asked: Protocol, kinds: Mapping[str, InstrumentKind], item: Item, output: Any, name: str) -> Any:
    return asked.observe(item, output, name, kinds[name])


def _measured_on(experiment: Experiment, items_sha256: str) -> str:
    """What a score of this experiment was measured on, e.g. ``simile@demo#1f2e3d4c``."""
    sets = "+".join(source.rpartition("/")[2].removesuffix(".jsonl") for source in experiment.items)
    return f"{experiment.protocol}@{sets}#{items_sha256[:8]}"
