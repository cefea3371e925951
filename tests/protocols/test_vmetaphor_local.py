"""A real multimodal model behind a real server, with random weights: whatever it says is counted, nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.local_server import LocalServer
from trope.experiment import Experiment, execute, plan, score
from trope.items import dump_items, load_items
from trope.store import Store


@pytest.mark.slow
def test_noise_is_counted_as_unparsed_and_scores_nothing(tmp_path: Path) -> None:
    items = [i for i in load_items(["vmetaphor"]) if i.labels.get("collage")][:3]
    (tmp_path / "three.jsonl").write_text(dump_items(items), "utf-8")
    (tmp_path / "model").mkdir()
    with LocalServer(tmp_path / "model") as local, Store(tmp_path / "store") as store:
        spec = f"transformers:{local.model}?base_url={local.url}&concurrency=2"
        asked = Experiment(
            protocol="vmetaphor", subjects=("collage?size=128",), strategies=("composite", "conceptual", "realise"),
            instruments=(spec,), items=(str(tmp_path / "three.jsonl"),),
        )  # fmt: skip
        outcome = execute(plan(asked), store)
        assert outcome.stopped is None and outcome.finished == 9
        assert local.answered() == 2 * 3 * 3 + 3  # three calls about six pictures, three plans
        tables = {table.name: table for table in score(outcome.run)[1].tables}
        assert execute(plan(asked), store).tally.asked.total() == 0
    for row in tables["statuses"].rows:
        assert row[4:] == [0, 3, 0, 0, 0, 0, 3], row  # the replies, or the plans that no picture came of
    for row in tables["levels"].rows:
        assert all(cell["value"] is None and cell["reason"] for cell in row[3:9]) and row[9:11] == [0.0, 1.0]
    assert all(row[3]["value"] is None for row in tables["dimensions"].rows)
