"""Scores of simile against numbers worked out by hand, and its rule that no score comes from a missing value."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.conftest import simile
from trope.errors import ItemError, UnknownName
from trope.nouns import Item
from trope.protocols import Measured, Scores, Study, protocol
from trope.protocols.tables import plain
from trope.records import Observation, Output, reread
from trope.requests import Ask, Detect

VEHICLES = ["cat", "dog", "bus", "car", "bowl", "fork", "kite", "vase", "book", "bear", "boat", "cake"]


def _seen(score: float | None, label: str, key: str = "o") -> Observation:
    boxes = [] if score is None else [{"label": label, "score": score, "box": [0.0, 0.0, 0.5, 0.4]}]
    return Observation(key, "ssd", "ok", json.dumps({"detections": boxes}))


def _cell(item: Item, strategy: str, status: str, observations: dict[str, Observation], **fields: Any) -> Measured:
    output = Output(f"{item.id}{strategy}", "painter", status)  # type: ignore[arg-type]
    said = {name: {"look": observation} for name, observation in observations.items()}
    return Measured(item, "painter", strategy, 42, output, 1, fields.get("gates", ()), said)


def _score(
    cells: Sequence[Measured], instruments: dict[str, Any], planned: int | None = None
) -> dict[str, list[list[Any]]]:
    study = Study(cells, planned or len(cells), instruments, "simile@test")
    scores = protocol("simile").score(study)
    assert isinstance(scores, Scores)
    return {t.name: [list(r) for r in t.rows] for t in scores.tables} | {"warnings": [[w] for w in scores.warnings]}


def _column(study_rows: list[list[Any]], n: int) -> Any:
    return study_rows[0][n]


def test_det_conf_area_and_bounds_by_hand() -> None:
    """12 classes: 5 seen at 0.9, 3 not, 1 seen at 0.2 only (below 0.25), 1 blank, 1 refused, 1 failed look."""
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        item = simile(f"i{n}", vehicle, class_may_be_in_scene=n == 0)
        if n < 5:
            cells.append(_cell(item, "base", "ok", {"ssd": _seen(0.9, vehicle)}))
        elif n < 8:
            cells.append(_cell(item, "base", "ok", {"ssd": _seen(None, vehicle)}))
        elif n == 8:
            cells.append(_cell(item, "base", "ok", {"ssd": _seen(0.2, vehicle)}))
        elif n < 11:
            cells.append(_cell(item, "base", ["blank", "refused"][n - 9], {}))
        else:
            cells.append(_cell(item, "base", "ok", {"ssd": Observation("x", "ssd", "failed")}))
    row = _score(cells, {"ssd": "detector"})["detection"][0]
    det, clear, conf, area, worst, best, pictures, of = row[3:11]
    assert det["value"] == pytest.approx(5 / 9) and det["n"] == 9 and det["clusters"] == 9
    assert clear["value"] == pytest.approx(4 / 8)
    assert conf["value"] == pytest.approx(0.9) and conf["n"] == 5
    assert area["value"] == pytest.approx(0.2)
    assert worst == pytest.approx((5 + 3) / 12) and best == pytest.approx(5 / 12)
    assert (pictures, of) == (9, 12)
    (statuses,) = _score(cells, {"ssd": "detector"})["statuses"]
    assert statuses[3:] == [9, 0, 0, 1, 1, 1, 0, 12]  # ok, cannot_tell, unparsed, refused, failed, blank, n/a, all


def test_of_several_boxes_the_best_counts_and_other_classes_do_not() -> None:
    boxes = [
        {"label": "dog", "score": 0.99, "box": [0, 0, 1, 1]},
        {"label": "cat", "score": 0.6, "box": [0, 0, 0.5, 0.5]},
        {"label": "cat", "score": 0.3, "box": [0, 0, 1, 1]},
    ]
    seen = Observation("o", "ssd", "ok", json.dumps({"detections": boxes}))
    row = _score([_cell(simile(), "base", "ok", {"ssd": seen})], {"ssd": "detector"})["detection"][0]
    assert row[3]["value"] == 1.0 and row[5]["value"] == 0.6 and row[6]["value"] == 0.25


def test_nothing_answered_is_undefined_with_the_reason_and_not_zero() -> None:
    row = _score([_cell(simile(), "base", "blank", {})], {"ssd": "detector"})["detection"][0]
    assert row[3]["value"] is None and row[3]["reason"] and plain(row[3]) == "–"
    assert row[7:9] == [1.0, 0.0]


def test_a_rate_of_one_has_an_interval() -> None:
    cells = [_cell(simile(f"i{v}", v), "base", "ok", {"ssd": _seen(0.9, v)}) for v in VEHICLES]
    det = _score(cells, {"ssd": "detector"})["detection"][0][3]
    assert det["value"] == 1.0 and det["low"] < 1.0 and "wilson" in det["method"]


def test_the_paired_difference_by_hand() -> None:
    """Guard removes the vehicle in 9 of 12 classes where base shows all: difference -0.75, Cohen's d by hand."""
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        item = simile(f"i{n}", vehicle)
        cells.append(_cell(item, "base", "ok", {"ssd": _seen(0.9, vehicle)}))
        cells.append(_cell(item, "guard:rewrite", "ok", {"ssd": _seen(0.9 if n < 3 else None, vehicle)}))
    (row,) = _score(cells, {"ssd": "detector"})["comparison"]
    differences = np.array([0] * 3 + [-1] * 9)
    assert row[0] == "painter · guard:rewrite" and row[1] == "painter · base"
    assert row[3] == pytest.approx(-0.75)
    assert row[4] == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert row[5] == 12 and row[7] == pytest.approx(2 / 2**9, rel=0.5) and row[8] == row[7]


def test_pairs_with_a_missing_side_are_left_out() -> None:
    cells = [
        _cell(simile("a"), "base", "ok", {"ssd": _seen(0.9, "cat")}),
        _cell(simile("a"), "human", "blank", {}),
        _cell(simile("b"), "base", "ok", {"ssd": _seen(0.9, "cat")}),
        _cell(simile("b"), "human", "ok", {"ssd": _seen(None, "cat")}),
    ]
    (row,) = _score(cells, {"ssd": "detector"})["comparison"]
    assert row[5] == 1 and row[3] == -1.0


def test_what_a_strategy_stopped_on_is_marked_and_not_tested() -> None:
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        item = simile(f"i{n}", vehicle)
        both = {"ssd": _seen(0.9, vehicle), "truth": _seen(1.0, vehicle)}
        cells.append(_cell(item, "base", "ok", both))
        both = {"ssd": _seen(None, vehicle), "truth": _seen(1.0, vehicle)}
        cells.append(_cell(item, "random?gate=ssd", "ok", both, gates=("ssd",)))
    tables = _score(cells, {"ssd": "detector", "truth": "detector"})
    marks = {(row[1], row[2]): row[3].get("mark") for row in tables["detection"]}
    assert marks == {
        ("base", "ssd"): None, ("base", "truth"): None,
        ("random?gate=ssd", "ssd"): "optimized on", ("random?gate=ssd", "truth"): None,
    }  # fmt: skip
    through = {row[2]: (row[3], row[7], row[8]) for row in tables["comparison"]}
    assert through["ssd"] == (-1.0, "optimized on", None)
    assert through["truth"][0] == 0.0 and through["truth"][1] == 1.0


def test_the_instrument_check_by_hand() -> None:
    """Truth: 8 there, 4 not. The detector finds 6 of the 8 and sees 1 of the 4."""
    cells = []
    for n, vehicle in enumerate(VEHICLES):
        true, said = n < 8, n < 6 or n == 11
        both = {"ssd": _seen(0.9 if said else None, vehicle), "truth": _seen(1.0 if true else None, vehicle)}
        cells.append(_cell(simile(f"i{n}", vehicle), "base", "ok", both))
    overall, alone = _score(cells, {"ssd": "detector", "truth": "detector"})["instrument_check"]
    for row in (overall, alone):
        assert row[2]["value"] == 0.75 and row[3] == 8 and row[4]["value"] == 0.25 and row[5] == 4


def test_what_the_generator_cannot_draw_is_not_kept_out() -> None:
    seen = Observation("o", "truth", "ok", json.dumps({"detections": [], "cannot_tell": ["cat"]}))
    tables = _score([_cell(simile(), "base", "ok", {"truth": seen})], {"truth": "detector"})
    assert tables["detection"][0][3]["value"] is None and tables["statuses"][0][4] == 1


def test_by_class_and_by_template_clusters_are_the_other_one() -> None:
    cells = [
        _cell(
            simile(f"{v}{t}", v, cluster={"vehicle": v, "template": t}), "base", "ok",
            {"ssd": _seen(0.9 if v == "cat" or t == "like-s" else None, v)},
        )
        for v in VEHICLES for t in ("like-s", "as_as-p")
    ]  # fmt: skip
    tables = _score(cells, {"ssd": "detector"})
    classes = {row[0]: row[1] for row in tables["by_vehicle_class"]}
    assert classes["cat"]["value"] == 1.0 and classes["dog"]["value"] == 0.5 and classes["dog"]["clusters"] == 2
    templates = {row[0]: row[1] for row in tables["by_template"]}
    assert templates["like-s"]["value"] == 1.0 and templates["as_as-p"]["value"] == pytest.approx(1 / 12)
    assert templates["as_as-p"]["clusters"] == 12


def test_a_judge_is_asked_about_the_noun_and_read_by_the_grammar() -> None:
    simile_protocol = protocol("simile")
    output = Output("k", "painter", "ok", picture="p")
    request = simile_protocol.observe(simile(), output, "j", "judge")["look"]
    assert isinstance(request, Ask) and "cat" in request.prompt.user and "cloud" not in request.prompt.user
    assert isinstance(simile_protocol.observe(simile(), output, "d", "detector")["look"], Detect)
    answers = {"Q1: A": 1.0, "q1: A": None, "Q1: B": 0.0, "Q1: C": None, "Yes, A": None}
    for n, (raw, present) in enumerate(answers.items()):
        said = reread(Observation(f"k{n}", "j", "ok", raw=raw), request.prompt.read)
        row = _score([_cell(simile(), "base", "ok", {"j": said})], {"j": "judge"})
        assert row["detection"][0][3]["value"] == present, raw
        assert row["detection"][0][5] is None  # a judge has no confidence
    assert row["statuses"][0][5] == 1  # unparsed


def test_a_stopped_run_says_so() -> None:
    cells = [_cell(simile(), "base", "ok", {"ssd": _seen(0.9, "cat")})]
    assert "1 of 7 cells" in _score(cells, {"ssd": "detector"}, planned=7)["warnings"][0][0]


def test_items_that_cannot_be_asked_about_are_named() -> None:
    simile_protocol = protocol("simile")
    bare = Item(id="bare", lang="en", text="A hill.")
    with pytest.raises(ItemError, match="1 items have no figure, e.g. 'bare'"):
        simile_protocol.check([bare], {"ssd": "detector"})
    dragon = simile("d", "dragon")
    classless = dragon.model_copy(update={"figures": (dragon.figures[0].model_copy(update={"vehicle_class": None}),)})
    with pytest.raises(ItemError, match="vehicle_class, e.g. 'd'"):
        simile_protocol.check([classless], {"ssd": "detector"})
    simile_protocol.check([classless], {"j": "judge"})
    with pytest.raises(UnknownName, match="Did you mean 'simile'"):
        protocol("similie")


def test_scores_do_not_depend_on_the_order_of_cells() -> None:
    cells = [
        _cell(simile(f"i{v}", v), "base", "ok", {"ssd": _seen(0.9 if n % 3 else None, v)})
        for n, v in enumerate(VEHICLES)
    ]
    one, two = (_score(c, {"ssd": "detector"})["detection"][0][3] for c in (cells, cells[::-1]))
    assert one["value"] == two["value"]
    assert one == _score(cells, {"ssd": "detector"})["detection"][0][3]
