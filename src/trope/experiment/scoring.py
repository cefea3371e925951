"""Scores: recomputed from stored answers alone, of a run or of a bundle."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from trope.errors import BundleError, StoreError, TropeError
from trope.experiment.planning import stored_picture
from trope.experiment.spec import Experiment, split_experiment
from trope.items import items_digest
from trope.items.reading import parse_items
from trope.judges import JUDGES
from trope.nouns import Item
from trope.protocols import Measured, Protocol, Scores, Study, protocol
from trope.protocols.base import InstrumentKind
from trope.protocols.forms import people_calls
from trope.records import Observation, Output, digest, reread
from trope.requests import Ask
from trope.store import CellRow, RunFolder, open_bundle


@dataclass(frozen=True)
class _Frozen:
    """A run's two files, read, and checked against the hashes they carry or the store remembers."""

    experiment: Experiment
    resolved: Mapping[str, Any]
    items: list[Item]

    @cached_property
    def protocol(self) -> Protocol:
        return protocol(self.experiment.protocol, self.experiment.options)


def score(run: RunFolder, people: Sequence[str] = ()) -> tuple[Study, Scores]:
    """Score a run from its store.

    Parameters
    ----------
    people : instruments ``person:ID`` that have answered about its outputs (in a study of people).

    Raises
    ------
    StoreError : `run.toml` or `items.jsonl` is not what was asked, or a record is lost.
    """
    study, asked = load(run, people)
    return study, asked.score(study)


def load(run: RunFolder, people: Sequence[str] = ()) -> tuple[Study, Protocol]:
    """What `score` scores, and the protocol that does it."""
    frozen = _read(run.asked.read_text("utf-8"), run.items.read_text("utf-8"), run.name, run.frozen())
    cells = run.cells()
    records = run.store.records(set().union(*(cell.keys() for cell in cells)))
    study = _study(frozen, cells, records, run.name)
    return (_with_people(study, frozen.protocol, run, people) if people else study), frozen.protocol


def score_bundle(path: Path) -> tuple[Study, Scores, Any]:
    """Score a bundle; also returns the scores it carries.

    Raises
    ------
    BundleError : damaged, or its parts do not belong together.
    """
    bundle = open_bundle(path)
    try:
        frozen = _read(bundle.asked, bundle.items, path.name, None)
        _check_cells(frozen, bundle.cells)
        study = _study(frozen, bundle.cells, bundle.records, path.name)
        return study, frozen.protocol.score(study), bundle.scores
    except BundleError:
        raise
    except TropeError as error:
        raise BundleError(f"{path.name} does not verify: {error}") from None


def verify(path: Path) -> int:
    """Recompute every cell of a bundle's scores and compare; returns how many there are.

    Raises
    ------
    BundleError : naming the first cells that differ.
    """
    _, scores, carried = score_bundle(path)
    recomputed = json.loads(json.dumps(scores.as_json()))
    differing, compared = _differences(recomputed, carried, "scores")
    if differing:
        listed = "\n  ".join(differing[:10])
        raise BundleError(f"{path.name} does not verify: {len(differing)} values differ\n  {listed}")
    return compared


def _read(asked: str, items: str, name: str, remembered: tuple[str, str] | None) -> _Frozen:
    experiment, resolved = split_experiment(asked, f"{name}: run.toml")
    try:
        stated = (str(resolved["sha256"]), str(resolved["items_sha256"]))
        parts = {k: resolved[k] for k in ("items_sha256", "items_count", "cells", "measured_on", "question", "kinds")}
        found = (digest(parts), items_digest(read := parse_items(items, f"{name}: items.jsonl")))
        same = resolved["question"]["protocol"] == experiment.protocol
        same = same and list(resolved["question"]["seeds"]) == list(experiment.seeds)
        same = same and dict(experiment.options).items() <= resolved["question"].get("options", {}).items()
    except (KeyError, TypeError) as error:
        raise StoreError(f"{name}: run.toml lacks what a run wrote into it ({error})") from None
    expected = remembered or stated
    for what, kept in (("run.toml", same and found[0] == expected[0]), ("items.jsonl", found[1] == expected[1])):
        if not kept:
            raise StoreError(f"{name}: {what} was edited after the run. Restore it, or run it under a new name")
    return _Frozen(experiment, resolved, read)


def _check_cells(frozen: _Frozen, cells: Sequence[CellRow]) -> None:
    question = frozen.resolved["question"]
    planned = {
        (item.id, subject, strategy, seed)
        for item in frozen.items
        for subject in question["subjects"]
        for strategy in question["strategies"]
        if subject in question.get("only", {}).get(strategy, [subject])
        for seed in question["seeds"]
    }
    found = [(cell.item, cell.subject, cell.strategy, cell.seed) for cell in cells]
    if len(set(found)) != len(found) or not set(found) <= planned or len(planned) != frozen.resolved["cells"]:
        raise BundleError("does not verify: its cells are not those that were asked")


def _study(frozen: _Frozen, cells: Sequence[CellRow], records: Mapping[str, Output | Observation], name: str) -> Study:
    by_id, asked = {item.id: item for item in frozen.items}, frozen.protocol
    measured = []
    for cell in cells:
        item, output = by_id.get(cell.item), records.get(cell.output)
        lost = [key for key in cell.keys() if key not in records]
        if isinstance(output, Observation) and output.key in cell.trail[-1:]:
            output = _unpainted(output)
        if item is None or not isinstance(output, Output) or lost:
            raise StoreError(f"{name}: cell {cell.item!r}, {cell.strategy!r} has lost its item or an answer")
        output = reread(output, asked.read) if asked.subject == "model" else output
        observations = _observations(frozen, item, output, cell, records)
        attempts = sum(isinstance(records[key], Output) for key in cell.trail)
        what = (item, cell.subject, cell.strategy, cell.seed, output, attempts, cell.gates, observations)
        measured.append(Measured(*what, picture=output.picture or stored_picture(item)))
    return Study(measured, frozen.resolved["cells"], frozen.resolved["kinds"], frozen.resolved["measured_on"])


def _unpainted(said: Observation) -> Output:
    """The output of a strategy that ended on a model's reply it could not use: no picture, and why."""
    reason = said.reason or f"{said.backend!r} gave no plan that could be read, so no picture was asked for"
    return Output(said.key, said.backend, "unparsed" if said.ok else said.status, raw=said.raw, reason=reason)


def _observations(
    frozen: _Frozen, item: Item, output: Output, cell: CellRow, records: Mapping[str, Output | Observation]
) -> dict[str, dict[str, Observation]]:
    """What was said of a cell by instrument and call, replies read anew."""
    kinds = frozen.resolved["kinds"]
    found: dict[str, dict[str, Observation]] = {}
    for instrument, calls in cell.observations.items():
        asked = frozen.protocol.observe(item, output, instrument, kinds[instrument]) if instrument in kinds else {}
        for call, key in calls.items():
            record, request = records[key], asked.get(call)
            if not isinstance(record, Observation) or request is None:
                raise StoreError(f"an answer of {instrument!r} about {item.id!r} is no observation of this run")
            found.setdefault(instrument, {})[call] = (
                reread(record, request.prompt.read) if isinstance(request, Ask) else record
            )
    return found


def _with_people(study: Study, asked: Protocol, run: RunFolder, people: Sequence[str]) -> Study:
    """The study with what these people said of its outputs.

    In a call that a person has answered anywhere, the outputs they were not asked about are ``not_applicable``.
    """
    persons = {name: JUDGES.create(name) for name in people}
    calls = [people_calls(asked, c.item, c.output, "person:anybody") if c.output.ok else {} for c in study.cells]
    keys = [
        {(name, call): person.key(request, cell.seed, cell.item.id)
         for call, request in of.items() for name, person in persons.items()}
        for cell, of in zip(study.cells, calls, strict=True)
    ]  # fmt: skip
    records = run.store.records({key for of in keys for key in of.values()})
    given = {place for of in keys for place, key in of.items() if key in records}
    cells = []
    for cell, of, of_calls in zip(study.cells, keys, calls, strict=True):
        said: dict[str, dict[str, Observation]] = {name: dict(known) for name, known in cell.observations.items()}
        for name, call in of.keys() & given:
            record = records.get(of[(name, call)])
            if not isinstance(record, Observation):
                record = Observation("", name, "not_applicable", reason="not asked of this person")
            said.setdefault(name, {})[call] = reread(record, of_calls[call].prompt.read)
        cells.append(replace(cell, observations=said))
    heard = {name for name, _ in given}
    kinds: dict[str, InstrumentKind] = {name: "judge" for name in people if name in heard}
    return replace(study, cells=cells, instruments={**study.instruments, **kinds})


def _differences(a: Any, b: Any, place: str) -> tuple[list[str], int]:
    if isinstance(a, dict) and isinstance(b, dict):
        pairs = [(a.get(k), b.get(k), f"{place}.{k}") for k in sorted(a.keys() | b.keys())]
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        pairs = [(x, y, f"{place}[{n}]") for n, (x, y) in enumerate(zip(a, b, strict=True))]
    else:
        close = isinstance(a, float) and isinstance(b, float | int) and abs(a - b) <= 1e-9
        return ([] if close or a == b else [f"{place}: {a!r} recomputed, {b!r} in the bundle"]), 1
    found: list[str] = []
    compared = 0
    for x, y, where in pairs:
        differing, count = _differences(x, y, where)
        found += differing
        compared += count
    return found, compared
