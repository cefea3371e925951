"""Which threshold of likeness people would draw: the whole curve, not only its best point. m3r, section B.3."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from trope.errors import ItemError
from trope.items.rows import table_rows
from trope.protocols.tables import Table, estimate_cell
from trope.stats import rate_interval

Mask = npt.NDArray[np.bool_]

LOW, HIGH, STEP = 0.70, 0.80, 0.01  # what the paper sweeps


@dataclass(frozen=True, slots=True)
class Judged:
    """Two texts, and whether people take them for one concept; ``item`` is what is not independent."""

    candidate: str
    reference: str
    same: bool
    item: str


def read_judged(file: Path, encoding: str | None = None) -> list[Judged]:
    """Human judgments from CSV, TSV or JSON lines: ``candidate``, ``reference``, ``same`` (yes or no), ``item``.

    Raises
    ------
    ItemError : naming line and value.
    """
    found = []
    for where, row in table_rows(file, encoding):
        values = {str(name).strip().casefold(): value for name, value in row.items()}
        for name in ("candidate", "reference", "same"):
            if values.get(name) in (None, ""):
                raise ItemError(f"{where}: no {name}. Expected columns: candidate, reference, same, item")
        same = str(values["same"]).strip().casefold()
        if same not in ("yes", "no", "true", "false", "1", "0"):
            raise ItemError(f"{where}: same is {values['same']!r}. Expected: yes or no")
        pair = (str(values["candidate"]).strip(), str(values["reference"]).strip())
        item = str(values.get("item") or json.dumps(pair, ensure_ascii=False))
        found.append(Judged(*pair, same in ("yes", "true", "1"), item))
    if not found:
        raise ItemError(f"{file.name}: no rows. Expected: pairs of texts that people judged")
    return found


def calibrate(
    judged: Sequence[Judged], scores: Sequence[float], *, low: float = LOW, high: float = HIGH, step: float = STEP
) -> Table:
    """Agreement with people at every threshold.

    Parameters
    ----------
    scores : likeness of each pair, NaN where it was not measured (left out, and counted in the notes).

    Returns
    -------
    Table with a row a threshold: share of pairs decided as people did, of the same concepts those found
    (sensitivity), of the different ones those kept apart (specificity), each with its interval over items; and `best`
    for the thresholds whose share is the highest; of several the one in their middle is named in the notes.
    """
    array, truth = np.array(scores, float), np.array([j.same for j in judged], bool)
    items, known = np.array([j.item for j in judged], str), ~np.isnan(np.array(scores, float))
    rng = np.random.default_rng(0)
    thresholds = [round(low + n * step, 10) for n in range(round((high - low) / step) + 1)]
    rows: list[list[Any]] = []
    shares = []
    for threshold in thresholds:
        decided = array >= threshold
        right = np.where(known, (decided == truth).astype(float), np.nan)
        estimate = rate_interval(right, items, rng=rng)
        shares.append(estimate.value)
        rows.append([
            float(threshold), estimate_cell(estimate),
            _share(decided, known & truth, items, rng), _share(~decided, known & ~truth, items, rng),
        ])  # fmt: skip
    best = [n for n, share in enumerate(shares) if share == np.nanmax(shares)] if known.any() else []
    for n, row in enumerate(rows):
        row.append("best" if n in best else "")
    notes = [f"{int(known.sum())} pairs, {int((known & truth).sum())} of them the same concept to people."]
    if best:
        middle = thresholds[best[len(best) // 2]]
        notes.append(f"Agreement is highest at {', '.join(f'{thresholds[n]:g}' for n in best)}; take {middle:g}.")
        if 0 in best or len(thresholds) - 1 in best:
            notes.append("The best threshold lies at an end of the sweep: sweep further before you believe it.")
        notes.append("It was chosen on these very pairs: on others it will agree less than its row says.")
    if not known.all():
        notes.append(f"{int((~known).sum())} pairs could not be measured and are left out.")
    columns = ("threshold", "agreement with people", "sensitivity", "specificity", "")
    return Table("calibration", "Threshold of likeness against people", columns, rows, notes)


def _share(hits: Mask, rows: Mask, items: Any, rng: np.random.Generator) -> dict[str, Any] | None:
    return estimate_cell(rate_interval(hits[rows].astype(float), items[rows], rng=rng)) if rows.any() else None
