"""Layer regeneration and the lens: what they ask, in which order, and that they stop in time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import simile
from trope.errors import UsageError
from trope.experiment import Experiment, execute, plan, score
from trope.flow import forecast
from trope.flow.budget import Budget
from trope.generators import GENERATORS
from trope.items import dump_items
from trope.records import Observation, Output
from trope.requests import Detect, Generate, Layer
from trope.store import Store
from trope.strategies import Context, strategies
from trope.strategies.lens import place

from .peeled import SHOWN, Peeled

WORDINGS = {"base": {"en": "{text}"}}


def context(**subjects: Any) -> Context:
    return Context(WORDINGS, ("ssd",), (), subjects)


def one(text: str, **subjects: Any) -> Any:
    (made,) = strategies(text, context(**(subjects or {"peeled": Peeled()})))
    return made


def walk(strategy: Any, seen: Sequence[bool | str]) -> tuple[list[Any], Output]:
    """Drive a script. ``seen``: for each picture whether the gate sees the vehicle, or the status it has instead."""
    item, asked, made = simile("i", "cat"), [], 0
    script = strategy.start(item)
    answer: Any = None
    while True:
        try:
            request = script.send(answer)
        except StopIteration as stop:
            return asked, stop.value
        if isinstance(request, Generate):
            asked.append((request.layer.branch, request.layer.index, request.layer.pooled) if request.layer else None)
            status = seen[made] if isinstance(seen[made], str) else "ok"
            answer, made = Output(str(made), "peeled", status, picture=str(made)), made + 1
        else:
            assert isinstance(request, Detect) and request.labels == ("cat",)
            there = seen[int(request.output.key)]
            boxes = [{"label": "cat", "score": 0.9, "box": [0, 0, 1, 1]}] if there else []
            answer = Observation("d", "ssd", "ok", json.dumps({"detections": boxes}))


# --- layer regeneration ---


def test_layers_go_down_from_below_the_normal_one_until_the_vehicle_is_gone() -> None:
    t5 = one("layer?branch=t5")
    assert t5.name == "layer?branch=t5&from=5&gate=ssd"
    assert t5.gates == ("ssd",) and t5.subjects == ("peeled",)
    asked, kept = walk(t5, [True, True, True, False])
    assert asked == [None, ("t5", 5, "normal"), ("t5", 4, "normal"), ("t5", 3, "normal")]
    assert kept.key == "3"
    assert walk(one("layer?branch=clip"), [True, False])[0] == [None, ("clip", 3, "normal")]


def test_an_early_stop_saves_the_work() -> None:
    asked, kept = walk(one("layer?branch=t5"), [False])
    assert (asked, kept.key) == ([None], "0")


def test_all_fail_and_the_original_is_kept() -> None:
    asked, kept = walk(one("layer?branch=t5"), [True] * 9)
    assert [place and place[1] for place in asked] == [None, 5, 4, 3, 2, 1]  # five tries
    assert kept.key == "0"
    asked, kept = walk(one("layer?branch=t5&from=2&tries=5"), [True] * 9)
    assert [place and place[1] for place in asked] == [None, 2, 1]  # there are no more
    random = one("random")
    assert walk(random, [True] * 9)[1].key == "5"  # of a random search the last one is kept


def test_what_is_no_picture_uses_up_a_try_and_stops_nothing() -> None:
    asked, kept = walk(one("layer?branch=t5&tries=2"), ["blank", "failed", True])
    assert len(asked) == 3 and kept.key == "2"
    asked, kept = walk(one("layer?branch=t5&tries=3"), [True, "blank", "failed", False])
    assert len(asked) == 4 and kept.key == "3"
    asked, kept = walk(one("layer?branch=t5&tries=1"), ["refused", "blank"])
    assert (kept.key, kept.status) == ("0", "refused")


def test_the_pooled_vector_follows_where_it_can() -> None:
    made = one("layer?branch=t5&pooled=layer&tries=1&threshold=0.5&from=3")
    assert made.name == "layer?branch=t5&from=3&gate=ssd&tries=1&threshold=0.5&pooled=layer"
    assert walk(made, [True, False])[0] == [None, ("t5", 3, "layer")]
    assert one(made.name).name == made.name


def test_without_a_branch_every_branch() -> None:
    made = strategies("layer", context(peeled=Peeled()))
    assert [how.name for how in made] == ["layer?branch=t5&from=5&gate=ssd", "layer?branch=clip&from=3&gate=ssd"]
    (aside,) = strategies("layer?branch=pooled", context(peeled=Peeled()))
    assert aside.name == "layer?branch=pooled&from=4&gate=ssd"


class Deeper(Peeled):
    def branches(self) -> Any:
        from trope.generators import Branch

        return {"t5": Branch(24, 24)}


def test_subjects_of_other_depths_begin_elsewhere() -> None:
    made = strategies("layer?branch=t5", context(a=Peeled(), b=Deeper(), c=Peeled()))
    assert [(how.name, how.subjects) for how in made] == [
        ("layer?branch=t5&from=5&gate=ssd", ("a", "c")),
        ("layer?branch=t5&from=23&gate=ssd", ("b",)),
    ]
    (only,) = strategies("layer?branch=t5&from=9", context(a=Peeled(), b=Deeper()))
    assert only.subjects == ("b",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("layer?branch=clap", r"no subject has a branch 'clap'. Did you mean 'clip'\? Branches: t5, clip, pooled"),
        ("layer?from=9", r"from='9'. Expected: a number from 1 to 6"),
        ("layer?branch=clip&pooled=layer", r"clip of peeled has no pooled vector that could follow its layer"),
        ("layer?pooled=some", r"pooled='some'. Expected: normal or layer"),
        ("layer?depth=3", r"has no option 'depth'. Options: branch, from, gate"),
        ("lens?gate=ssd", r"has no option 'gate'. Options: branch, pooled, every"),
        ("layer?from=2.5", r"from='2.5'. Expected: a whole number from 1 to 6"),
        ("lens?every=0", r"every='0'. Expected: a number from 1 to 100"),
    ],
)
def test_options_that_cannot_be_meant(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        strategies(text, context(peeled=Peeled()))


@pytest.mark.parametrize("text", ["lens", "layer"])
def test_a_subject_with_a_closed_encoder(text: str) -> None:
    with pytest.raises(
        UsageError, match=r"needs a subject whose text encoder can be cut, e.g. diffusers:FOLDER.*collage"
    ):
        strategies(text, context(collage=GENERATORS.create("collage")))


# --- the lens ---


def test_the_lens_is_one_cell_a_layer_and_the_normal_picture() -> None:
    made = strategies("lens?branch=t5", context(a=Peeled(), b=Deeper(), c=GENERATORS.create("collage")))
    assert [how.name for how in made] == [*(f"lens:t5@{n:02}" for n in range(1, 25)), "lens:t5@final"]
    assert made[5].subjects == ("a", "b") and made[6].subjects == ("b",) and made[-1].subjects == ("a", "b")
    item = simile("i", "cat")
    assert next(made[2].start(item)) == Generate(item.text, layer=Layer("t5", 3))
    assert next(made[-1].start(item)) == Generate(item.text)
    assert (place(made[2].name).branch, place(made[2].name).layer) == ("t5", 3)
    assert place("lens:t5@final").layer is None
    assert place("base") is None and place("layer?branch=t5&from=5&gate=ssd") is None


def test_a_thinner_lens_keeps_the_first_the_normal_and_the_last_layer() -> None:
    made = strategies("lens?every=4", context(peeled=Peeled()))
    assert [how.name for how in made] == [
        "lens:t5@01", "lens:t5@05", "lens:t5@06", "lens:t5@final",
        "lens:clip@01", "lens:clip@04", "lens:clip@05", "lens:clip@final",
    ]  # fmt: skip
    (*_, last, _) = strategies("lens?branch=t5&pooled=layer", context(peeled=Peeled()))
    assert last.name == "lens:t5+pooled@06"
    assert next(last.start(simile("i", "cat"))).layer == Layer("t5", 6, "layer")


# --- through the flow, against what was planted ---


@pytest.fixture
def planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(GENERATORS._builtin, "peeled", "tests.strategies.peeled:Peeled")
    items = tmp_path / "items.jsonl"
    items.write_text(dump_items(simile(f"i-{word}", word) for word in SHOWN), "utf-8")

    def of(*how: str, **fields: Any) -> Any:
        return plan(Experiment(
            protocol="simile", subjects=("peeled",), strategies=how, instruments=("truth",), items=(str(items),), **fields
        ))  # fmt: skip

    return of


def rows(run: Any, table: str) -> list[list[Any]]:
    scores = score(run)[1]
    (found,) = [t for t in scores.tables if t.name == table]
    return [list(row) for row in found.rows]


def test_what_was_planted_is_what_the_tables_say(planned: Any, store: Store) -> None:
    made = planned("lens?branch=t5", name="lens")
    run = execute(made, store).run
    layers = {row[3]: (row[5]["value"], row[6], row[7]) for row in rows(run, "lens_layers")}
    shares = {str(n): sum(n in at for at in SHOWN.values()) / 5 for n in range(1, 7)}
    assert layers == {name: (share, 5, 5) for name, share in shares.items()} | {"final": (0.6, 5, 5)}
    (row,) = rows(run, "lens_emergence")
    first, n_first, coverage, n_coverage, of_all, appears, of, shown = row[3:]
    assert first["value"] == pytest.approx((1 / 5 + 3 / 5 + 5 / 5 + 0) / 4)  # bus never appears
    assert coverage["value"] == pytest.approx((2 / 6 + 3 / 6 + 1 / 6 + 1) / 4)
    assert of_all["value"] == pytest.approx((2 / 6 + 3 / 6 + 0 + 1 / 6 + 1) / 5)
    assert (n_first, n_coverage, appears, of, shown) == (4, 4, 4, 5, "6 of 6")
    (row,) = rows(run, "lens_fates")
    assert row[4::2][:4] == [1, 1, 3, 0] and row[-2:] == [5, 0]  # never, suppressed, persistent, final only
    plots = {plot["name"]: plot for plot in score(run)[1].plots}
    assert plots["lens_layers"]["series"][0]["x"] == [1, 2, 3, 4, 5, 6]
    assert plots["lens_fates"]["values"] == [[0.2, 0.2, 0.6, 0.0]]
    assert {"lens_first", "lens_coverage"} <= plots.keys()


def test_layers_of_one_text_come_in_one_batch_and_the_search_shares_them(planned: Any, store: Store) -> None:
    made = planned("base", "lens?branch=t5", name="shared")
    execute(made, store)
    (subject,) = (made.backends[name] for name in made.subjects)
    assert sorted(len(batch) for batch in subject.batches) == [5, 6, 6, 6, 6, 6]
    assert all(len(set(batch)) == 1 for batch in subject.batches if len(batch) == 6)
    search = planned("layer?branch=t5&gate=truth", "lens?branch=t5", name="search")
    least = forecast(search.cells, search.backends, store, Budget(None, {}))
    assert least.most["peeled"] == 0  # every picture that the search could want is there
    outcome = execute(search, store)
    assert outcome.tally.asked["peeled"] == 0
    cells = {(cell.item.id, cell.strategy): cell for cell in score(outcome.run)[0].cells}
    name = "layer?branch=t5&from=5&gate=truth"
    attempts = {word: cells[f"i-{word}", name].attempts for word in SHOWN}
    assert attempts == {"cat": 1, "dog": 4, "bus": 1, "car": 2, "vase": 6}
    same = cells["i-vase", name].output.key == cells["i-vase", "lens:t5@final"].output.key
    assert same  # all layers show it: the original is kept
