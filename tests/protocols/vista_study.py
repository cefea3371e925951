"""Items, replies and whole studies of vista, built by hand for its tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trope.experiment import Experiment, Outcome, execute, plan, score
from trope.items import dump_items
from trope.nouns import Item
from trope.protocols import Measured, Scores, Study
from trope.records import Observation, Output
from trope.store import Store

FIGURE = ("Q1", "Q2", "Q3", "Q4")
AXES = ("tenor", "vehicle", "scene", "meaning")
KINDS = ("entity", "attribute", "relation", "action", "scene")


def item(id: str = "a", lang: str = "en", *, control: bool = False, **fields: Any) -> Item:
    """A figurative item with the four questions, whose stems and options name it."""
    vehicle = fields.pop("vehicle", f"vehicle {id}")
    figure = {"tenor": f"tenor {id}", "vehicle": vehicle, "form": "simile", "mechanism": "semantic_shift"}
    figure |= fields.pop("figure", {})
    questions = [
        {
            "id": name, "axis": axis, "stem": f"stem {name} of {id}?", "scores": [3, 2, 1, 0],
            "options": [f"{id} {name} option {n}" for n in "wxyz"],
        }
        for name, axis in zip(FIGURE, AXES, strict=True)
    ]  # fmt: skip
    if control:
        questions += [
            {"id": f"C{n}", "axis": axis, "stem": f"stem C{n} of {id}?", "options": list("wxyz"), "answer": n % 4}
            for n, axis in enumerate(KINDS, start=1)
        ]  # fmt: skip
    fields = {"text": f"The text of {id}.", "figures": [figure], "questions": questions, **fields}
    return Item.model_validate({"id": id, "lang": lang, **fields})


def literal(id: str) -> Item:
    """A literal control: no figure, no question."""
    return Item(id=id, lang="en", text=f"A plain picture {id}.")


def reply(letters: str, first: str = "Q1") -> str:
    """A valid reply: ``reply("ABCD")`` answers Q1 to Q4, ``reply("ABCDA", "C1")`` C1 to C5."""
    names = [f"{first[0]}{n}" for n in range(1, len(letters) + 1)]
    answers = dict(zip(names, letters, strict=True))
    return json.dumps({"answers": answers, "reasoning": dict.fromkeys(names, "seen")}, separators=(",", ":"))


def value(letters: str, orders: Mapping[str, Sequence[int]] | None = None, first: str = "Q1") -> dict[str, Any]:
    """What a reader makes of `reply`, options shown in the order of the file."""
    names = [f"{first[0]}{n}" for n in range(1, len(letters) + 1)]
    places = {n: "ABCD".index(x) for n, x in zip(names, letters, strict=True)}
    if orders:
        places = {n: orders[n][place] for n, place in places.items()}
    return {"answers": places, "letters": dict(zip(names, letters, strict=True)), "reasoning": dict.fromkeys(names, "")}


def output(key: str, status: str = "ok") -> Output:
    return Output(key, "subject", status, picture=f"sha of {key}" if status == "ok" else None)  # type: ignore[arg-type]


def observation(said: Any) -> Observation:
    """``said`` is a value, or the name of a status."""
    if isinstance(said, str):
        return Observation("key", "judge", said, reason="why")  # type: ignore[arg-type]
    return Observation("key", "judge", "ok", value_json=json.dumps(said))


def cell(
    of: Item,
    said: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    subject: str = "painter",
    strategy: str = "base",
    seed: int = 42,
    status: str = "ok",
    key: str | None = None,
    gates: tuple[str, ...] = (),
) -> Measured:
    """A cell; ``said`` is instrument to call to value or status."""
    observations = {i: {c: observation(v) for c, v in calls.items()} for i, calls in (said or {}).items()}
    made = output(key or f"{of.id} {subject} {strategy} {seed}", status)
    return Measured(of, subject, strategy, seed, made, 1, gates, observations, made.picture)


def judged(of: Item, letters: str, **fields: Any) -> Measured:
    """A cell that one judge answered in the published order; ``letters`` may name a status instead."""
    said = value(letters) if set(letters) <= set("ABCD") else letters
    return cell(of, {"judge": {"published": said}}, **fields)


def study(cells: Sequence[Measured], planned: int | None = None, **kinds: str) -> Study:
    return Study(cells, planned or len(cells), kinds or {"judge": "judge"}, "vista@test")  # type: ignore[arg-type]


def table(scores: Any, name: str) -> list[dict[str, Any]]:
    """The rows of a table as dictionaries; estimates as their values."""
    found = next(t for t in scores.tables if t.name == name)
    return [
        {c: v["value"] if isinstance(v, dict) else v for c, v in zip(found.columns, row, strict=True)}
        for row in found.rows
    ]


def names(scores: Any) -> list[str]:
    return [t.name for t in scores.tables]


def run(folder: Path, url: str, items: Sequence[Item], **fields: Any) -> tuple[Outcome, Scores]:
    """Run in this process; returns the outcome and the scores."""
    (folder / "items.jsonl").write_text(dump_items(items), "utf-8")
    table = {
        "protocol": "vista", "subjects": [f"openai-images:fake?base_url={url}"], "strategies": ["base"],
        "instruments": [f"vllm:judge?base_url={url}"], "items": [str(folder / "items.jsonl")],
    }  # fmt: skip
    with Store(folder / "s") as store:
        done = execute(plan(Experiment.model_validate(table | fields)), store)
        return done, score(done.run)[1]
