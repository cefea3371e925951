"""Twins, similarity and people's ratings in simile, against numbers worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.conftest import simile
from trope.errors import ItemError
from trope.nouns import Item, Twins
from trope.protocols import Measured, Study, protocol
from trope.records import Observation, Output
from trope.strategies import Context, strategies

VEHICLES = ["cat", "dog", "bus", "car", "bowl", "fork", "kite", "vase", "book", "bear", "boat", "cake"]


def _seen(found: bool, label: str) -> Observation:
    boxes = [{"label": label, "score": 0.8, "box": [0.0, 0.0, 0.5, 0.4]}] if found else []
    return Observation("k", "ssd", "ok", json.dumps({"detections": boxes}))


def _cell(item: Item, strategy: str, **said: dict[str, Observation]) -> Measured:
    output = Output(f"{item.id}{strategy}", "painter", "ok", picture="p")
    return Measured(item, "painter", strategy, 42, output, 1, (), said)


def _tables(cells: list[Measured], instruments: dict[str, Any]) -> dict[str, Any]:
    return {t.name: t for t in protocol("simile").score(Study(cells, len(cells), instruments, "t")).tables}


def _index(figurative: list[int], deleted: list[int], literal: list[int]) -> Any:
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        item = simile(f"i{n}", vehicle)
        for name, drawn in (("base", figurative), ("deleted", deleted), ("literal", literal)):
            cells.append(_cell(item, name, ssd={"look": _seen(bool(drawn[n]), vehicle)}))
    (row,) = _tables(cells, {"ssd": "detector"})["literalization"].rows
    return row


def test_the_literalization_index_by_hand() -> None:
    """Figurative 7/12, deleted 1/12, literal 11/12: (7 - 1) / (11 - 1) = 0.6."""
    row = _index([1] * 7 + [0] * 5, [1] + [0] * 11, [1] * 11 + [0])
    assert row[:3] == ["painter", "base", "ssd"] and row[3]["value"] == pytest.approx(0.6)
    assert row[3]["low"] < 0.6 < row[3]["high"] and row[7] == 12
    assert row[4:7] == [pytest.approx(7 / 12), pytest.approx(1 / 12), pytest.approx(11 / 12)]


def test_the_index_is_undefined_where_the_subject_cannot_draw_the_vehicle() -> None:
    row = _index([1] * 6 + [0] * 6, [0] * 11 + [1], [0] * 11 + [1])
    assert row[3]["value"] is None and "no more often" in row[3]["reason"]
    assert "literalization" not in _tables(
        [_cell(simile(), "base", ssd={"look": _seen(True, "cat")})], {"ssd": "detector"}
    )


def test_twins_paint_their_own_text_and_say_which_is_missing() -> None:
    context = Context(protocol("simile").wordings)
    item = simile(twins=Twins(deleted="The cloud over the hill.", literal="The cloud and a cat."))
    for name, text in (("deleted", "The cloud over the hill."), ("literal", "The cloud and a cat.")):
        (chosen,) = strategies(name, context)
        assert next(chosen.start(item)).text == text
    (chosen,) = strategies("deleted", context)
    with pytest.raises(ItemError, match=r"no twins\.deleted"):
        next(chosen.start(simile()))


def _score(value: float, cut: bool = False) -> Observation:
    return Observation("k", "clip", "ok", json.dumps({"score": value, "truncated": cut}))


def test_similarity_is_averaged_and_compared_in_pairs() -> None:
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        item = simile(f"i{n}", vehicle)
        cells.append(_cell(item, "base", clip={"look": _score(20 + n, n == 0)}))
        cells.append(_cell(item, "human", clip={"look": _score(19 + n + 0.1 * (n % 2))}))
    rows = _tables(cells, {"clip": "similarity"})["similarities"].rows
    base, human = rows
    assert base[3]["value"] == pytest.approx(25.5) and base[4] is None and base[7:] == [12, 1]
    assert human[4] == pytest.approx(-0.95) and human[5] < 0.01


def _rated(visible: int, fits: int) -> Observation:
    return Observation("k", "person", "ok", json.dumps({"visible": visible}), f"visible: {visible}\nfits: {fits}")


def test_metrics_are_correlated_with_people_and_reversed_for_fit() -> None:
    """Vehicle found in the first half, where raters see it (4, 5) and like the picture less (2, 1)."""
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        found = n < 6
        said = {
            "ssd": {"look": _seen(found, vehicle)},
            "person:ada": {"rate": _rated(5 if found else 1, 1 if found else 5)},
            "person:ben": {"rate": _rated(4 if found else 1 + n % 2, 2 if found else 5)},
        }
        cells.append(_cell(simile(f"i{n}", vehicle), "base", **said))
    tables = _tables(cells, {"ssd": "detector", "person:ada": "judge", "person:ben": "judge"})
    rows = {(row[0], row[1]): row for row in tables["human"].rows}
    x = np.array([1.0] * 6 + [0.0] * 6)
    y = np.array([4.5] * 6 + [1 + 0.5 * (n % 2) for n in range(6, 12)])
    assert rows["ssd present", "visible"][2]["value"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert rows["ssd present", "fits"][2]["value"] > 0.9 and rows["ssd present", "fits"][4] == "reversed"
    assert rows["ssd conf", "visible"][2]["value"] == pytest.approx(rows["ssd present", "visible"][2]["value"])
    split = {(row[0], row[1]): row for row in tables["human_detected"].rows}
    assert split["ssd", "visible"][2:6] == [4.5, pytest.approx(1.25), 6, 6] and split["ssd", "visible"][6] > 10
    assert "person:ada" not in {row[2] for row in tables["detection"].rows}  # who only rated was not asked to look


def test_a_picture_counts_once_and_not_for_the_instrument_that_chose_it() -> None:
    """Twelve plain pictures; a search kept five of them and drew one anew, which its gate says is empty."""
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        said = {"ssd": {"look": _seen(n < 6, vehicle)}, "person": {"rate": _rated(5 if n < 6 else 1 + n % 2, 3)}}
        cells.append(_cell(simile(f"i{n}", vehicle), "base", **said))
    for n in range(6, 11):
        cells.append(replace(cells[n], strategy="random?gate=ssd", gates=("ssd",)))
    new = _cell(
        simile("i0", "cat"), "random?gate=ssd", ssd={"look": _seen(False, "cat")}, person={"rate": _rated(5, 3)}
    )
    cells.append(replace(new, gates=("ssd",)))
    tables = _tables(cells, {"ssd": "detector", "person": "judge"})
    (row,) = (row for row in tables["human"].rows if row[:2] == ["ssd present", "visible"])
    x, y = np.array([1.0] * 6 + [0.0] * 6), np.array([5.0] * 6 + [1.0 + n % 2 for n in range(6, 12)])
    assert row[2]["value"] == pytest.approx(np.corrcoef(x, y)[0, 1]) and row[2]["n"] == 12
    (split,) = (row for row in tables["human_detected"].rows if row[:2] == ["ssd", "visible"])
    assert split[4:6] == [6, 6]


def test_layers_of_the_lens_are_no_strategies_and_prompts_that_were_cut_are_counted_by_item() -> None:
    cells = []
    for n, vehicle in enumerate(VEHICLES[:3]):
        for strategy in ("base", "lens:t5@01", "lens:t5@02", "lens:t5@final"):
            cell = _cell(simile(f"i{n}", vehicle), strategy, clip={"look": _score(20)})
            cells.append(
                replace(cell, output=replace(cell.output, value_json='{"cut": {"clip": {}}}' if n < 2 else None))
            )
    scores = protocol("simile").score(Study(cells, len(cells), {"clip": "similarity"}, "t"))
    (table,) = (table for table in scores.tables if table.name == "similarities")
    assert [row[:3] for row in table.rows] == [["painter", "base", "clip"]]
    assert scores.warnings == [
        "2 of 3 items have a prompt that is longer than a text encoder of painter reads; it saw the beginning only."
    ]
