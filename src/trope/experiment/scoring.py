"""Scores: recomputed from stored answers alone, of a run or of a bundle."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from trope.errors import BundleError, StoreError
from trope.experiment.asked import Experiment, parse_experiment
from trope.items.reading import parse_items
from trope.nouns import Item
from trope.protocols import Measured, Protocol, Scores, Study, protocol
from trope.protocols.base import InstrumentKind
from trope.records import Ask, Observation, Output, reread
from trope.store import CellRow, RunFolder, open_bundle


def score(run: RunFolder) -> tuple[Study, Scores]:
    """Score a run from its store."""
    cells = run.cells()
    keys = {c.output for c in cells} | {key for c in cells for key in c.observations.values()}
    study = _study(run.asked.read_text("utf-8"), run.items.read_text("utf-8"), cells, run.store.records(keys), run.name)
    return study, _protocol_of(run.asked.read_text("utf-8")).score(study)


def score_bundle(path: Path) -> tuple[Study, Scores, Any]:
    """Score a bundle; also returns the scores it carries."""
    bundle = open_bundle(path)
    study = _study(bundle.asked, bundle.items, bundle.cells, bundle.records, path.name)
    return study, _protocol_of(bundle.asked).score(study), bundle.scores


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


def _protocol_of(asked: str) -> Protocol:
    return protocol(_experiment(asked)[0].protocol)


def _experiment(asked: str) -> tuple[Experiment, Mapping[str, Any]]:
    table = tomllib.loads(asked)
    resolved = table.pop("resolved", {})
    return parse_experiment(table, "run.toml"), resolved


def _study(
    asked: str, items: str, cells: Sequence[CellRow], records: Mapping[str, Output | Observation], name: str
) -> Study:
    experiment, resolved = _experiment(asked)
    by_id = {item.id: item for item in parse_items(items, "items.jsonl")}
    judge_of = protocol(experiment.protocol)
    kinds = cast("dict[str, InstrumentKind]", resolved["instruments"])
    measured = []
    for cell in cells:
        item = by_id.get(cell.item)
        output = records.get(cell.output)
        if item is None or not isinstance(output, Output):
            raise StoreError(f"{name}: cell {cell.item!r}, {cell.strategy!r} has lost its item or its output")
        observations = {
            instrument: _reread(judge_of, item, output, instrument, kinds[instrument], records[key])
            for instrument, key in cell.observations.items()
        }
        measured.append(
            Measured(item, cell.subject, cell.strategy, cell.seed, output, cell.attempts, cell.gates, observations)
        )
    return Study(measured, resolved["cells"], kinds, resolved["measured_on"])


def _reread(
    asked: Protocol,
    item: Item,
    output: Output,
    instrument: str,
    kind: InstrumentKind,
    record: Output | Observation,
) -> Observation:
    assert isinstance(record, Observation)
    if kind != "judge":
        return record
    request = asked.observe(item, output, instrument, kind)
    return reread(record, request.prompt) if isinstance(request, Ask) else record


def _differences(a: Any, b: Any, place: str) -> tuple[list[str], int]:
    if isinstance(a, dict) and isinstance(b, dict):
        pairs = [(a.get(k), b.get(k), f"{place}.{k}") for k in sorted(a.keys() | b.keys())]
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        pairs = [(x, y, f"{place}[{n}]") for n, (x, y) in enumerate(zip(a, b, strict=True))]
    elif isinstance(a, float) and isinstance(b, float | int):
        return ([] if abs(a - b) <= 1e-9 else [f"{place}: {a!r} recomputed, {b!r} in the bundle"]), 1
    else:
        return ([] if a == b else [f"{place}: {a!r} recomputed, {b!r} in the bundle"]), 1
    found: list[str] = []
    compared = 0
    for x, y, where in pairs:
        differing, count = _differences(x, y, where)
        found += differing
        compared += count
    return found, compared
