"""Explanations scored from 0 to 1 by people and by a judge, on the same replies of a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from tests.people.served import Client, command, hidden, new_study, serving
from tests.people.test_report import rows, value
from tests.people.test_serving import records
from trope.testing import FakeServer

ANSWER = {
    "metaphor": "Yes", "target": "engine", "source": "horses", "sentiment": "Positive",
    "evidence": "A horse stands by a car.", "mapping": "The engine is a team of horses.", "justification": "It pulls.",
}  # fmt: skip


def test_a_number_a_stage(tmp_path: Path, server: Callable[..., FakeServer]) -> None:
    scores = [
        {"contains": "Labels, right", "reply": '{"ITE":0.5,"MC":0.5,"SJ":0.5}'},
        {"contains": "", "reply": json.dumps(ANSWER)},
    ]
    fake = server(replies=scores).url
    command(
        "run", "m3r", "--subject", f"vllm:fake?base_url={fake}", "--strategy", "direct",
        "--instrument", f"vllm:judge?base_url={fake}", "--limit", "4", "--name", "m", cwd=tmp_path,
    )  # fmt: skip
    invited = new_study(tmp_path, "e", "--run", "m", "--raters", "anna")
    given = []
    with serving(tmp_path, "e") as url:
        anna = Client(url).enter(invited["anna"])
        while (path := anna.next_page()) is not None:
            page = anna.get(path).text
            assert "Reference" in page and "A horse stands by a car." in page and "<img" not in page
            stages = re.findall(r'type="number" id="[^"]+" name="0\.(\w+)"', page)
            assert stages
            for wrong in ("1.5", "-1", "nan", "all", ""):
                assert anna.post(path, hidden(page) | {f"0.{s}": wrong for s in stages}).status == 422
            assert anna.post(path, hidden(page) | {f"0.{s}": "0.75" for s in stages}).status == 303
            given.append(stages)
    assert [json.loads(str(raw)) for _, _, raw in records(tmp_path)] == [dict.fromkeys(s, 0.75) for s in given]
    made = json.loads(command("report", "m", "--format", "json", cwd=tmp_path))
    tables = {t["name"]: t for t in made["tables"]}
    (row,) = [r for r in rows(tables["judge_alignment_e"], question="ITE") if r["outputs of"] == "all"]
    assert value(row["MAE"]) == 0.25 and value(row["bias"]) == -0.25
