"""54 pairs that collage can compose, put together as asked and all as fusions, before a judge whose replies are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trope.experiment import Experiment, execute, plan, score
from trope.items import dump_items, load_items
from trope.nouns import Item
from trope.protocols import protocol
from trope.records import Output
from trope.store import Store
from trope.testing import FakeServer

PAIRS = [item for item in load_items(["vmetaphor"]) if item.labels.get("collage")]
STRUCTURES = ("fusion", "replacement", "juxtaposition")


def _believes(n: int) -> str:
    """What the judge will take picture ``n`` for, whatever is on it."""
    return (*STRUCTURES, "cannot be determined")[(n * 7) % 4]


def _letter(block: str, option: str) -> str:
    return next(line[0] for line in block.split("\n") if line[1:] == f". {option}")


def _replies() -> tuple[dict[str, str], ...]:
    """Whatever the prompt says of a pair is known, so the reply to it is: right in Q1, wrong in Q4, as above in Q3."""
    asked = protocol("vmetaphor")
    made = []
    for n, item in enumerate(PAIRS):
        calls: Any = asked.observe(item, Output("k", "x", "ok"), "j", "judge")
        text = calls["questions"].prompt.user
        q1, q2, q3, q4 = (part for part in text.split("\n\n") if part.startswith(("Q1: W", "Q2: W", "Q3: B", "Q4: W")))
        figure, options = item.figures[0], item.questions[3].options
        letters = [
            _letter(q1, figure.tenor),
            _letter(q2, figure.vehicle),
            _letter(q3, _believes(n)),
            _letter(q4, options[1]),
        ]
        made.append({"contains": q4, "reply": "\n".join(f"Q{k}: {letter}" for k, letter in enumerate(letters, 1))})
    return (
        *made,
        {"contains": "Q5_1: <letter>", "reply": "I cannot say."},
        {
            "contains": "metaphoric_efficacy",
            "reply": "metaphoric_efficacy: 2\nmetaphor_logic: 3\nperceptual_harmony: 1",
        },
    )


def _made(item: Item, strategy: str) -> str:
    return "fusion" if "structure" in strategy else str(item.figures[0].structure)


def test_a_judge_is_measured_against_what_was_really_made(
    server: Callable[..., FakeServer], store: Store, tmp_path: Path
) -> None:
    fake = server(replies=_replies())
    path = tmp_path / "pairs.jsonl"
    others = load_items(["vmetaphor"])[:2]  # collage does not know these things
    path.write_text(dump_items([*PAIRS, *others]), "utf-8")
    strategies = ("composite", "composite?structure=fusion")
    asked = Experiment(
        protocol="vmetaphor", subjects=("collage?size=192",), strategies=strategies,
        instruments=(f"vllm:judge?base_url={fake.url}", "truth"), items=(str(path),),
    )  # fmt: skip
    outcome = execute(plan(asked), store)
    assert outcome.stopped is None and outcome.finished == 2 * 56
    study, scores = score(outcome.run)
    tables = {t.name: t for t in scores.tables}
    assert "collage?size=192 draws what it is told to" in scores.warnings[0]

    for strategy in strategies:
        said = Counter((_made(item, strategy), _believes(n)) for n, item in enumerate(PAIRS))
        rows = [row for row in tables["composites"].rows if row[1] == strategy]
        assert [row[3] for row in rows] == (["fusion"] if "structure" in strategy else list(STRUCTURES))
        for row in rows:
            counts = [said[row[3], o] for o in (*STRUCTURES, "cannot be determined")]
            assert row[5:] == [*(pytest.approx(c / sum(counts)) for c in counts), sum(counts)]
            assert row[4]["value"] == pytest.approx(said[row[3], row[3]] / sum(counts))

        (levels,) = (row for row in tables["levels"].rows if row[1] == strategy)
        agrees = [_believes(n) == item.figures[0].structure for n, item in enumerate(PAIRS)]
        assert [c["value"] for c in levels[3:6]] == [1.0, pytest.approx(sum(agrees) / 54), 0.0]
        assert levels[6]["value"] is None and levels[7]["value"] is None and levels[11:] == [0, 56]  # no Q5 was read
        asked_for = Counter((str(item.figures[0].structure), _believes(n)) for n, item in enumerate(PAIRS))
        for row in (row for row in tables["structures"].rows if row[1] == strategy):  # by the item, whatever was made
            counts = [asked_for[row[3], o] for o in (*STRUCTURES, "cannot be determined")]
            assert row[4:9] == [*(pytest.approx(c / sum(counts)) for c in counts), sum(counts)]
            assert row[9] == sum(item.figures[0].structure == row[3] for item in others)
        roles = {tuple(row[3:6]): row[6:] for row in tables["roles"].rows if row[1] == strategy}
        expected = Counter(
            (i.figures[0].structure, role, "absent" if i.labels.get("absent") == role else "visible")
            for i in PAIRS for role in ("tenor", "vehicle")
        )  # fmt: skip
        assert {place: n for place, (_, n) in roles.items()} == expected
        assert all(share["value"] == 1.0 for share, _ in roles.values())
        for what in ("structure", "level", "category"):
            for row in (row for row in tables[f"by_{what}"].rows if row[2] == strategy):
                assert [c["value"] for c in (row[5], row[7], row[11])] == [1.0, 0.0, 2.0], row
        (ratings,) = (row for row in tables["dimensions"].rows if row[1] == strategy)
        assert [c["value"] for c in ratings[3:7]] == [2.0, 3.0, 1.0, 2.0]

        found = {tuple(row[3:6]): row[6]["value"] for row in tables["objects"].rows if row[1] == strategy}
        for (structure, _, asked_to_be), share in found.items():
            absent_stays_away = asked_to_be == "absent" and strategy == "composite"
            assert share == (0.0 if absent_stays_away else 1.0), (structure, asked_to_be)
    assert {row[4] for row in tables["statuses"].rows if row[3] == "mappings"} == {0}
    reasons = {c.output.reason for c in study.cells if c.output.status == "not_applicable"}
    assert len(reasons) == 2 and all("has no cut-out of" in str(reason) for reason in reasons)
