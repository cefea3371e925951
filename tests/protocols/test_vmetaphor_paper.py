"""The paper's printed numbers against one another, and that they are shown beside the paper's own items only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.protocols.test_vmetaphor import metaphor
from trope.protocols import Measured, Study, Table, protocol
from trope.protocols.vmetaphor.judges import top_agreement
from trope.protocols.vmetaphor.reference import FILES, SPLIT, printed
from trope.records import Output
from trope.stats import spearman

MAPPINGS = 3594 / 1500  # a picture


def _column(file: str, name: str) -> np.ndarray[Any, Any]:
    table = printed(file)
    return np.array([row[table["columns"].index(name)] for row in table["rows"]], float)


def _by_model(file: str, name: str) -> dict[str, float]:
    return dict(zip([row[0] for row in printed(file)["rows"]], _column(file, name), strict=True))


@pytest.mark.parametrize("file", ["table1", "table7", "table8"])
def test_the_printed_overall_is_the_pooled_one_in_all_33_rows(file: str) -> None:
    levels = [_column(file, f"L{n}") for n in range(1, 5)]
    overall = _column(file, "overall_pooled")
    pooled = (2 * levels[0] + levels[1] + levels[2] + MAPPINGS * levels[3]) / (4 + MAPPINGS)
    assert len(overall) == 11 and np.abs(pooled - overall).max() < 0.08
    assert np.abs(np.mean(levels, axis=0) - overall).max() > 0.5  # and not the mean of the levels that the text names


def test_the_mean_of_the_levels_is_off_by_up_to_1_5() -> None:
    off = [
        np.abs(np.mean([_column(f, f"L{n}") for n in range(1, 5)], axis=0) - _column(f, "overall_pooled"))
        for f in ("table1", "table7", "table8")
    ]  # fmt: skip
    assert 1.3 < np.max(off) < 1.6


def test_dimensions_average_to_their_overall_but_for_one_slip() -> None:
    slips = []
    for file in ("table1", "table7", "table8"):
        mean = np.mean(
            [_column(file, d) for d in ("metaphoric_efficacy", "metaphor_logic", "perceptual_harmony")], axis=0
        )
        off = np.abs(mean - _column(file, "dimensions_overall"))
        slips += [
            (file, row[0], round(float(m), 2))
            for row, m, d in zip(printed(file)["rows"], mean, off, strict=True)
            if d > 0.0101
        ]
    assert slips == [("table1", "OmniGen2", 2.81)]


@pytest.mark.parametrize(("column", "rho"), [("overall_pooled", 0.991), ("dimensions_overall", 0.936)])
def test_two_judges_order_the_models_as_the_paper_says(column: str, rho: float) -> None:
    one, two = _by_model("table1", column), _by_model("table8", column)
    first, second = np.array(list(one.values())), np.array([two[model] for model in one])
    assert round(spearman(first, second).value, 3) == rho
    assert top_agreement(first, second, 5) == (1.0, True)


def test_table_2_is_the_difference_of_tables_7_and_1() -> None:
    for at, column in ((1, "overall_pooled"), (4, "dimensions_overall")):
        conceptual, descriptive = _by_model("table1", column), _by_model("table7", column)
        for row in printed("table2")["rows"]:
            assert row[at : at + 2] == [conceptual[row[0]], descriptive[row[0]]]
            assert row[at + 2] == pytest.approx(descriptive[row[0]] - conceptual[row[0]], abs=0.0051)
    assert max(printed("table2")["rows"], key=lambda row: row[3])[0] == "OmniGen2"  # the text says Z-Image


def test_categories_add_up() -> None:
    rows = printed("table5")["categories"]["rows"]
    assert sum(row[2] for row in rows) == 1500
    levels = {level: sum(row[2] for row in rows if row[0] == level) for level in ("Individual", "External", "Creative")}
    assert levels == {"Individual": 495, "External": 499, "Creative": 506}
    assert all(row[3] == pytest.approx(row[2] / 15, abs=0.0051) for row in rows)
    assert 6000 + 3594 == 9594 and round(MAPPINGS, 3) == 2.396


def test_every_file_names_its_table_and_fills_its_columns() -> None:
    for name in FILES:
        table = printed(name)
        assert table["source"].endswith(f"{table['table']}") or table["table"] in table["source"]
        assert all(len(row) == len(table["columns"]) for row in table["rows"]), name


def _study(split: str, change: int = 0) -> Study:
    categories = [row[1] for row in printed("table5")["categories"]["rows"] for _ in range(row[2])]
    items = [
        metaphor(f"bench-{n}", mappings=0, split=split, labels={"category": of})
        for n, of in enumerate(categories[change:] if change >= 0 else [*categories, categories[0]])
    ]  # fmt: skip
    cells = [Measured(i, "s", "conceptual", 42, Output(i.id, "s", "refused"), 1, (), {}) for i in items]
    return Study(cells, len(cells), {"j": "judge"}, "vmetaphor@bench")


def test_the_paper_is_quoted_beside_its_own_items_only() -> None:
    vmetaphor: Any = protocol("vmetaphor")
    shown: list[Table] = vmetaphor.reference(_study(SPLIT))
    assert [t.name for t in shown] == [
        "paper_table1", "paper_table2", "paper_table4", "paper_table5", "paper_categories", "paper_table7", "paper_table8", "paper_figure5",
    ]  # fmt: skip
    assert all("arXiv:2609.02502v1" in table.notes[0] for table in shown)
    assert shown[-1].rows[0] == ["fusion", 67.9, None, None, None]
    assert vmetaphor.reference(_study("core-1")) == []
    assert vmetaphor.reference(_study(SPLIT, change=1)) == []  # one is missing
    assert vmetaphor.reference(_study(SPLIT, change=-1)) == []  # one too many
