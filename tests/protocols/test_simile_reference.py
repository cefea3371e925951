"""Identities in the paper's own numbers: what it prints in one place must follow from what it prints in another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.conftest import simile
from trope.protocols import Measured, Study, protocol
from trope.protocols.simile.reference import SPLIT, printed
from trope.records import Output
from trope.stats import r_from_d, spearman

RATES = {row[0]: row[1] for row in printed()["table1"]["rows"]}


def test_templates_add_up_to_all_sentences() -> None:
    counts = [row[1] for row in printed()["table6"]["rows"]]
    assert (
        len(counts) == 14 and sum(counts) == printed()["sentences"] == 1576 and (min(counts), max(counts)) == (85, 136)
    )


@pytest.mark.parametrize("row", printed()["table4"]["rows"], ids=lambda row: " ".join(map(str, row[:3])))
def test_differences_are_those_to_the_first_pictures(row: list[Any]) -> None:
    assert row[3] - RATES[row[1]] == pytest.approx(row[4], abs=0.00101)  # both rates are rounded


def test_persistent_cases_are_the_rate_times_the_sentences_but_for_one_slip() -> None:
    lens = {(row[0], row[1]): row[4] for row in printed()["lens"]["rows"] if row[4] != ""}
    found = {key: round(RATES[key[0]] * 1576) for key in lens}
    slips = {key: (lens[key], found[key]) for key in lens if abs(lens[key] - found[key]) > 1}
    assert slips == {("PixArt", ""): (770, 780)}


def test_models_in_tables_1_and_2_correlate_less_than_is_printed() -> None:
    visible = {row[0]: row[1] for row in printed()["table2"]["rows"]}
    assert spearman([RATES[m] for m in RATES], [visible[m] for m in RATES]).value == pytest.approx(0.90)


def test_the_effect_of_a_detection_is_the_correlation_of_table_3() -> None:
    """The share of images with a detection follows from the means of both groups and of all (table 2): 40 %."""
    ((seen, unseen, _, d),) = printed()["figure3"]["rows"]
    share = (np.mean([row[1] for row in printed()["table2"]["rows"]]) - unseen) / (seen - unseen)
    assert share == pytest.approx(0.40, abs=0.005)
    assert r_from_d(d, share) == pytest.approx(printed()["table3"]["rows"][0][1], abs=0.0006)


def test_the_papers_numbers_stand_only_beside_its_own_sentences() -> None:
    def study(count: int, split: str | None) -> Study:
        items = [simile(f"s{n}", split=split) for n in range(count)]
        cells = [Measured(i, "p", "base", 42, Output(i.id, "p", "blank"), 1, (), {}) for i in items]
        return Study(cells, count, {"ssd": "detector"}, "t")

    asked = protocol("simile")
    assert asked.reference(study(10, SPLIT)) == [] == asked.reference(study(1576, None))
    tables = asked.reference(study(1576, SPLIT))
    assert len(tables) == 8 and all("doi:10.1145" in table.notes[0] for table in tables)
