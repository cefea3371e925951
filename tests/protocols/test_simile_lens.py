"""The lens against strips worked out by hand; a missing answer leaves open what it would decide, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.conftest import simile
from trope.protocols import Measured, Study
from trope.protocols.simile.lens_tables import lens_tables
from trope.protocols.simile.strips import strips
from trope.records import Observation, Output

VEHICLES = ["cat", "dog", "bus", "car", "bowl", "fork", "kite", "vase", "book", "bear", "boat", "cake"]


def study(rows: list[str], layers: list[int] | None = None, **instruments: str) -> Study:
    """One row an item: a sign a layer, then ``|`` and the final picture. ``x`` seen, ``.`` not, ``b`` blank, ``?`` no answer."""
    cells = []
    for n, row in enumerate(rows):
        signs, _, final = row.partition("|")
        item = simile(f"i{n}", VEHICLES[n])
        names = [f"lens:t5@{layer:02}" for layer in layers or range(1, len(signs) + 1)] + ["lens:t5@final"]
        for name, sign in zip(names, signs + final, strict=True):
            output = Output(f"{n}{name}", "painter", "blank" if sign == "b" else "ok")
            boxes = [{"label": VEHICLES[n], "score": 0.9, "box": [0, 0, 1, 1]}] if sign == "x" else []
            status = "failed" if sign == "?" else "ok"
            seen = Observation("k", "ssd", status, json.dumps({"detections": boxes}))  # type: ignore[arg-type]
            said = {} if sign == "b" else {"ssd": {"look": seen}}
            cells.append(Measured(item, "painter", name, 42, output, 1, (), said))
    return Study(cells, len(cells), instruments or {"ssd": "detector"}, "simile@test")  # type: ignore[arg-type]


def test_strips_by_hand() -> None:
    (found,) = strips(study(["....|.", ".x.x|.", "..xx|x", "....|x", "xxxx|x"]))
    assert found.appears.tolist() == [0, 1, 1, 0, 1]
    np.testing.assert_array_equal(found.first, [np.nan, 1 / 3, 2 / 3, np.nan, 0])
    assert found.coverage.tolist() == [0, 0.5, 0.5, 0, 1]
    assert found.fate == ["never", "suppressed", "persistent", "final only", "persistent"]


def test_what_is_missing_leaves_open_only_what_it_would_decide() -> None:
    (found,) = strips(study(["?...|.", "?x..|.", ".x?.|x", "b...|x", "x...|?", "x...|b", "xxx?|."]))
    nan = np.nan
    np.testing.assert_array_equal(found.appears, [nan, 1, 1, nan, 1, 1, 1])
    np.testing.assert_array_equal(found.first, [nan, nan, 1 / 3, nan, 0, 0, 0])
    np.testing.assert_array_equal(found.coverage, [nan, nan, nan, nan, 0.25, 0.25, nan])
    assert found.fate == [None, "suppressed", "persistent", None, None, None, "suppressed"]


def test_one_layer_and_layers_left_out() -> None:
    (found,) = strips(study(["x|x", ".|."]))
    np.testing.assert_array_equal(found.first, [0, np.nan])
    (thin,) = strips(study(["..x|x", ".x.|."], layers=[1, 5, 8]))
    np.testing.assert_array_equal(thin.first, [1, 4 / 7])
    (row,) = lens_tables(study(["..x|x", ".x.|."], layers=[1, 5, 8]))[0][1].rows
    assert row[-1] == "3 of 8"


def test_tables_state_their_denominators() -> None:
    rows = ["....|.", ".x.x|.", "..xx|x", "....|x", "xxxx|x", "?...|.", "?x..|.", "b...|x"]
    tables, plots = lens_tables(study(rows))
    layers, emergence, fates = tables
    det = {row[3]: (row[5]["value"], row[6], row[7]) for row in layers.rows}
    assert det == {
        "1": (pytest.approx(1 / 5), 5, 8), "2": (3 / 8, 8, 8), "3": (2 / 8, 8, 8), "4": (3 / 8, 8, 8), "final": (4 / 8, 8, 8)
    }  # fmt: skip
    (row,) = emergence.rows
    cells = dict(zip(emergence.columns, row, strict=True))
    assert cells["first emergence"]["value"] == pytest.approx((1 / 3 + 2 / 3 + 0) / 3)
    assert cells["coverage"]["value"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert cells["coverage, all"]["value"] == pytest.approx(2 / 5)
    assert (cells["n first"], cells["n coverage"], cells["appears in"], cells["of"]) == (3, 3, 4, 8)
    (row,) = fates.rows
    cells = dict(zip(fates.columns, row, strict=True))
    counts = [cells[f"n {name}"] for name in ("never", "suppressed", "persistent", "final only")]
    assert counts == [1, 2, 2, 1]
    assert (cells["of"], cells["open"]) == (6, 2)
    assert cells["suppressed"]["value"] == pytest.approx(2 / 6)
    lines, first, coverage, stacked = plots
    assert lines["series"] == [{
        "name": "painter · t5 · ssd", "x": [1, 2, 3, 4], "y": [pytest.approx(0.2), 0.375, 0.25, 0.375],
        "low": [row[5]["low"] for row in layers.rows[:4]], "high": [row[5]["high"] for row in layers.rows[:4]],
    }]  # fmt: skip
    assert (first["kind"], coverage["points"][0]["label"]) == ("intervals", "painter · t5")
    assert stacked["parts"] == ["never", "suppressed", "persistent", "final only"]
    json.dumps([*plots, *(table.as_json() for table in tables)])


def test_where_it_never_appears_there_is_no_mean() -> None:
    (_, emergence, fates), plots = lens_tables(study(["..|.", "..|."]))
    (row,) = emergence.rows
    assert (row[3]["value"], row[4], row[5]["value"], row[7]["value"]) == (None, 0, None, 0)
    assert row[3]["reason"] == "no values"
    assert fates.rows[0][3]["value"] == 1
    json.dumps(plots)


def test_only_what_looks_is_asked_and_without_a_lens_there_is_nothing() -> None:
    both = study(["x.|."], ssd="detector", clip="similarity")
    assert [strip.instrument for strip in strips(both)] == ["ssd"]
    cell = both.cells[0]
    plain = Study([Measured(cell.item, "painter", "base", 42, cell.output, 1, (), {})], 1, both.instruments, "x")
    assert lens_tables(plain) == ([], [])


@pytest.mark.parametrize("columns", [0, 1, 2])
def test_no_two_columns_have_one_name(columns: Any) -> None:
    table = lens_tables(study(["x.|."]))[0][columns]
    assert len(set(table.columns)) == len(table.columns)
    assert all(len(row) == len(table.columns) for row in table.rows)
