"""m3r from end to end: a fake server, a real local model, a prediction file, a tiny BERT; twice, and in a bundle."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from tests.local_server import LocalServer
from trope.cli.app import app
from trope.experiment import Experiment, execute, plan, score, verify
from trope.items import load_set
from trope.nouns import Item
from trope.protocols.m3r.labels import gold
from trope.store import Store, write_bundle
from trope.testing import FakeServer
from trope.testing.tiny_text import tiny_bert

ITEMS = load_set("m3r-demo")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [text for i in ITEMS for f in i.figures for text in (f.tenor or "", f.vehicle)] + ["another matter"]
    return tiny_bert(tmp_path_factory.mktemp("bert") / "tiny-bert", texts)


def answer(of: Item, **fields: Any) -> str:
    true = gold(of)
    full = {"metaphor": true.metaphor, "target": true.target, "source": true.source, "sentiment": true.sentiment,
            "evidence": "what is seen", "mapping": "how", "justification": "why"}  # fmt: skip
    return json.dumps(full | fields, ensure_ascii=False)


def replies() -> tuple[dict[str, str], ...]:
    """Right for all but: one missed metaphor, one unreadable reply, one source that is another matter."""
    yes = [i for i in ITEMS if i.figures]
    odd = {
        yes[0].id: answer(yes[0], metaphor="No", target=None, source=None), yes[1].id: "A fine picture.",
        yes[2].id: answer(yes[2], source="another matter"),
    }  # fmt: skip
    judge = {
        "ITE, MC, SJ": {"ITE": 0.8, "MC": 0.5, "SJ": 1}, "ITE, SJ": {"ITE": 0.8, "SJ": 1}, "SJ": {"SJ": 1},
    }  # fmt: skip
    told = [{"contains": f"exactly these keys: {keys}.", "reply": json.dumps(said)} for keys, said in judge.items()]
    return (*told, *({"contains": i.text, "reply": odd.get(i.id, answer(i))} for i in ITEMS))


def asked(bert: Path, subjects: list[str], judge: str | None = None, **more: Any) -> Experiment:
    instruments = [f"bertscore:{bert}?layer=3", *([judge] if judge else [])]
    given = {"items": ("m3r-demo",), "strategies": ("direct", "given"), "name": "run", **more}
    return Experiment(protocol="m3r", subjects=tuple(subjects), instruments=tuple(instruments), **given)


def cells(scores: Any, table: str, row: int = 0) -> dict[str, Any]:
    found = next(t for t in scores.tables if t.name == table)
    values = [c["value"] if isinstance(c, dict) else c for c in found.rows[row]]
    return dict(zip(found.columns, values, strict=True))


def test_a_run_against_a_server_then_again_then_as_a_bundle(
    tmp_path: Path, bert: Path, server: Callable[..., FakeServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    fake = server(replies=replies())
    given = tmp_path / "clip.csv"
    given.write_text("id,metaphor,sentiment\n" + "".join(f"{i.id},Yes,Positive\n" for i in ITEMS[:-1]), "utf-8")
    experiment = asked(
        bert, [f"openai:m?base_url={fake.url}", f"predictions:{given}"], f"vllm:judge?base_url={fake.url}"
    )
    with Store(tmp_path / "store") as store:
        outcome = execute(plan(experiment), store)
        assert outcome.stopped is None and outcome.finished == 48
        study, scores = score(outcome.run)
        requests = len(fake.log())
        again = execute(plan(experiment), store)
        assert again.tally.asked.total() == 0 and len(fake.log()) == requests
        bundle = tmp_path / "b.zip"
        write_bundle(outcome.run, scores.as_json(), bundle)
    assert verify(bundle) > 300
    sheet = tmp_path / "kinds.csv"
    made = CliRunner().invoke(app, ["study", "errors", "sheet", "run", "--system", "openai:m", "--out", str(sheet),
                                    "--store", str(tmp_path / "store")], catch_exceptions=False)  # fmt: skip
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    assert made.exit_code == 0 and {row["item"] for row in rows} >= {i.id for i in ITEMS if i.figures} & {
        "m3r-demo-en-01", "m3r-demo-en-02"
    }  # fmt: skip
    assert all(Path(row["picture"]).is_file() for row in rows)
    for row in rows:
        row["kind"] = "granularity"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    counted = CliRunner().invoke(app, ["study", "errors", "compare", str(sheet)], catch_exceptions=False)
    assert counted.output.strip() == f"openai:m · direct: granularity {len(rows)}"
    sent = [entry["body"] for entry in fake.log()]
    asked_model = [body for body in sent if body["model"] == "m"]
    assert len(asked_model) == 24
    assert all(body["messages"][0]["content"][0]["type"] == "image_url" for body in asked_model)
    judged = [body for body in sent if body["model"] == "judge"]
    assert len(judged) == 23 and all(len(body["messages"][0]["content"]) == 1 for body in judged)  # no picture
    assert all(body["temperature"] == 0 for body in sent)

    labels, mapping = cells(scores, "labels"), cells(scores, "mapping")
    assert labels["subject"] == "openai:m" and labels["strategy"] == "direct"
    assert labels["MD accuracy"] == pytest.approx(100 * 22 / 24)
    assert labels["SC accuracy"] == pytest.approx(100 * 23 / 24)
    assert mapping["TP"] == pytest.approx(100 * 12 / 14) and mapping["true metaphors"] == 14
    cell = next(
        c for c in study.cells if c.item.id == [i for i in ITEMS if i.figures][2].id and c.subject == "openai:m"
    )
    (f1,) = cell.said("bertscore:tiny-bert?layer=3", "source").value["scores"]  # type: ignore[union-attr]
    assert mapping["SP"] == pytest.approx(100 * (11 + f1) / 14)
    joint = 21 + (f1 >= 0.75)
    assert mapping["JLA"] == pytest.approx(100 * joint / 24)
    explained = cells(scores, "explanations")
    assert explained["ITE"] == pytest.approx(100 * 0.8 * 22 / 24) and explained["SJ"] == pytest.approx(100 * 23 / 24)
    assert explained["MC"] == pytest.approx(100 * 0.5 * (11 + (f1 >= 0.75)) / 14)

    clip, open_ = cells(scores, "labels", 1), cells(scores, "mapping", 1)
    assert clip["subject"] == "predictions:clip" and clip["strategy"] == "given"
    assert clip["MD accuracy"] == pytest.approx(100 * 14 / 24) and open_["TP"] is None and open_["JLA"] is None
    assert cells(scores, "statuses", 1)["not_applicable"] == 1
    from trope.report.plots import svg

    assert scores.plots and all(svg(plot).startswith("<svg") for plot in scores.plots)


@pytest.mark.slow
def test_a_real_model_that_has_learned_nothing_is_unparsed_and_wrong(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, bert: Path
) -> None:
    with LocalServer(tmp_path_factory.mktemp("model")) as local:
        subject = f"transformers:{local.model}?base_url={local.url}&max_tokens=24&concurrency=1"
        experiment = asked(bert, [subject], limit=3, strategies=("direct", "evidence"))
        with Store(tmp_path / "store") as store:
            outcome = execute(plan(experiment), store)
            _, scores = score(outcome.run)
        assert local.answered() == 6
    for row in range(2):
        assert cells(scores, "statuses", row)["unparsed"] == 3
        assert cells(scores, "labels", row)["MD accuracy"] == 0.0 and cells(scores, "mapping", row)["TP"] == 0.0
        assert cells(scores, "mapping", row)["true metaphors"] == 3
