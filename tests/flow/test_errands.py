"""Errands, samples, replies of models, several requests at once, and batches of one group."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.flow.test_interpreter import Painter, Talker, run
from trope.errors import BackendError
from trope.flow import Budget, Cell, Errand, carry_out, forecast
from trope.judges import Judge
from trope.nouns import Item
from trope.records import Output, Result
from trope.requests import Ask, Generate, Job, Layer, Prompt, Reply, Unreadable
from trope.store import Store


class Echo(Judge):
    """Says how often it was asked, what, and how large the picture was."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def identity(self) -> Mapping[str, Any]:
        return {"echo": 1}

    def ask(self, prompt: Prompt, picture: Path | None) -> str:
        self.asked.append(prompt.user)
        size = None
        if picture is not None:
            with Image.open(picture) as image:
                size = image.size
        return json.dumps({"n": len(self.asked), "said": prompt.user, "size": size})


def prompt(text: str) -> Prompt:
    return Prompt(text, json.loads)


def dialogue(text: str) -> Any:
    first = yield Ask(None, "echo", prompt(text))
    many = yield (Ask(None, "echo", prompt(first.value["said"] + "!")), Ask(None, "echo", prompt(text), attempt=1))
    return [first.value["n"], *(record.value["said"] for record in many)]


def test_an_errand_returns_what_its_script_does_and_a_second_time_asks_nothing(store: Store) -> None:
    echo = Echo()
    echo.name = "echo"
    errands = [Errand(name, lambda name=name: dialogue(name)) for name in ("a", "b")]  # type: ignore[misc]
    first = carry_out(errands, {"echo": echo}, store)
    assert [r[1:] for r in first] == [["a!", "a"], ["b!", "b"]] and len(echo.asked) == 6
    assert carry_out(errands, {"echo": echo}, store) == first and len(echo.asked) == 6


def test_a_stopped_errand_says_why(store: Store) -> None:
    class Down(Echo):
        remote = True
        concurrency = 1

        def perform_one(self, job: Job) -> Result:
            raise BackendError("wrong key")

    with pytest.raises(BackendError, match="wrong key"):
        carry_out([Errand("a", lambda: dialogue("a"))], {"echo": Down()}, store)


def test_samples_and_pictures_are_part_of_the_key() -> None:
    asked = [
        Ask(None, "echo", prompt("a")), Ask(None, "echo", prompt("a"), attempt=1),
        Ask(None, "echo", prompt("a"), picture="f" * 64),
        Ask(None, "echo", Prompt("a", json.loads, top_p=0.9)),
        Ask(None, "echo", Prompt("a", json.loads, schema={"type": "object"})),
    ]  # fmt: skip
    assert len({str(request.material()) for request in asked}) == len(asked)
    drawn = [Generate("a"), Generate("a", negative=""), Generate("a", layer=Layer("t5", 3)),
             Generate("a", layer=Layer("t5", 3, "layer")), Generate("a", layer=Layer("clip", 3))]  # fmt: skip
    assert len({str(request.material()) for request in drawn}) == len(drawn)


def read(raw: str) -> Any:
    if not raw.startswith("{"):
        raise Unreadable("no object")
    return json.loads(raw)


def _cell(item: Item, picture: str, instruments: tuple[str, ...] = ()) -> Cell:
    def script(item: Item) -> Any:
        return (yield Reply(Prompt(item.text, read)))

    def observe(item: Item, output: Output, name: str) -> Mapping[str, Ask]:
        said = "" if output.value is None else output.value["said"]
        return {call: Ask(None, name, prompt(f"{call} {said}")) for call in ("one", "two")}

    return Cell(item, "painter", "direct", 42, instruments, script, observe, picture)


def test_a_model_replies_about_the_items_own_picture_and_is_asked_about_in_several_calls(store: Store) -> None:
    Image.new("RGB", (40, 30), "red").save(store.folder / "a.png")
    sha = store.adopt(store.folder / "a.png")
    model, echo = Echo(), Echo()
    cells = [_cell(Item(id="a", lang="en", text="what?"), sha, ("echo",))]
    expected = forecast(cells, _named(painter=model, echo=echo), store, Budget(None, {}))
    assert expected.least == {"painter": 1, "echo": 0} and expected.most == {"painter": 1, "echo": 2}
    (row,), tally, _ = run(store, {"painter": model, "echo": echo}, cells)
    assert row is not None and row.gates == () and set(row.observations["echo"]) == {"one", "two"}
    output = store.records([row.output])[row.output]
    assert isinstance(output, Output) and json.loads(output.raw or "")["size"] == [40, 30]
    assert echo.asked == ["one what?", "two what?"] and tally.asked == {"painter": 1, "echo": 2}


def test_an_unreadable_reply_is_an_output_that_nobody_is_asked_about(store: Store) -> None:
    Image.new("RGB", (4, 3), "red").save(store.folder / "a.png")
    sha = store.adopt(store.folder / "a.png")
    echo = Echo()
    cells = [_cell(Item(id="a", lang="en", text="what?"), sha, ("echo",))]
    (row,), tally, _ = run(store, {"painter": Talker("nonsense"), "echo": echo}, cells)
    assert row is not None and row.observations == {} and tally.statuses == {("painter", "unparsed"): 1}
    assert store.records([row.output])[row.output].raw == "nonsense" and not echo.asked


def _named(**backends: Any) -> dict[str, Any]:
    for name, backend in backends.items():
        backend.name = name
    return backends


class Batched(Painter):
    batch = 4

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []

    def group(self, request: Any) -> Hashable:
        return str(request.text)

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        self.batches.append([job.request.text for job in jobs])  # type: ignore[union-attr]
        return await super().perform(jobs)


def test_a_batch_holds_one_group_and_nothing_is_lost(store: Store) -> None:
    painter = Batched()
    items = [Item(id=f"i{n}", lang="en", text="abc"[n % 3]) for n in range(24)]

    def script(item: Item) -> Any:
        return (yield Generate(item.text, attempt=int(item.id[1:])))

    cells = [Cell(item, "painter", "base", 42, (), script, lambda *_: {}) for item in items]
    rows, tally, _ = run(store, {"painter": painter}, cells)
    assert None not in rows and tally.asked == {"painter": 24}
    assert all(len(set(batch)) == 1 for batch in painter.batches) and len(painter.batches) == 6
