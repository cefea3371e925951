"""A second run of 100,000 observations that are all stored: nothing to ask, and how long that takes to know."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from common import measured, usage, verdict

ITEMS, SEEDS, JUDGES = 1000, 10, 9  # 10,000 outputs + 90,000 replies


def _plan(folder: str) -> object:
    from trope.experiment import Experiment, plan
    from trope.items import dump_items
    from trope.nouns import Figure, Item

    path = Path(folder, "items.jsonl")
    if not path.exists():
        figure = Figure(vehicle="cat", vehicle_class="cat")
        path.write_text(dump_items(
            Item(id=f"i{k}", lang="en", text=f"Cloud {k} curls like a cat.", figures=(figure,), class_may_be_in_scene=False)
            for k in range(ITEMS)
        ), "utf-8")  # fmt: skip
    return plan(Experiment(
        protocol="simile", subjects=("collage?size=128",), strategies=("base",), items=(str(path),), name="big",
        instruments=tuple(f"vllm:judge{n}?base_url=http://127.0.0.1:9/v1" for n in range(JUDGES)), seeds=tuple(range(SEEDS)),
    ))  # fmt: skip


def fill(folder: str) -> None:
    """Write the answers straight into the store, under the keys the flow will look for."""
    import asyncio

    from trope.experiment.planning import Plan
    from trope.records import Observation, Output
    from trope.requests import Generate
    from trope.store import Entry, Store

    planned = _plan(folder)
    assert isinstance(planned, Plan)
    with Store(f"{folder}/store") as store:

        async def go() -> None:
            entries = []
            for cell in planned.cells:
                subject = planned.backends[cell.subject]
                key = subject.key(Generate(cell.item.text), cell.seed, cell.item.id)
                output = Output(key, cell.subject, "ok", '{"truth": []}', picture=f"{cell.item.id}-{cell.seed}")
                entries.append(Entry(output, []))
                for name in cell.instruments:
                    request = cell.observe(cell.item, output, name)
                    asked = planned.backends[name].key(request, cell.seed, cell.item.id)
                    entries.append(Entry(Observation(asked, name, "ok", raw="Q1: B"), []))
                if len(entries) > 5000:
                    await store.add(entries)
                    entries = []
            await store.add(entries)

        asyncio.run(go())
    print(json.dumps({}))


def again(folder: str) -> None:
    """The run itself, from names to saved cells."""
    from trope.experiment import execute
    from trope.experiment.planning import Plan
    from trope.store import Store

    start = time.perf_counter()
    planned = _plan(folder)
    assert isinstance(planned, Plan)
    with Store(f"{folder}/store") as store:
        outcome = execute(planned, store)
    seconds = time.perf_counter() - start
    assert outcome.finished == ITEMS * SEEDS and not outcome.tally.asked
    print(json.dumps({"seconds": seconds, "answers": outcome.tally.hits.total(), "mb": usage()["mb"]}))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured(__file__, "fill", folder)
        result = min((measured(__file__, "again", folder) for _ in range(3)), key=lambda r: r["seconds"])
    print(f"{result['answers']:,} stored answers, {result['mb']:.0f} MB")
    sys.exit(not verdict("a run with nothing to ask", result["seconds"], 3.0, " s"))


if __name__ == "__main__":
    {"fill": fill, "again": again}[sys.argv[1]](*sys.argv[2:]) if len(sys.argv) > 1 else main()
