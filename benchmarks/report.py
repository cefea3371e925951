"""The report over 10,000 stored pictures: how long it takes, and how much the first page weighs."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from common import measured, usage, verdict

ITEMS, SEEDS = 1000, 10


def fill(folder: str) -> None:
    """Draw 10,000 small pictures, detect in none of them, and store what a run would have."""
    import asyncio

    from PIL import Image

    from trope.data.coco import CLASSES
    from trope.experiment import Experiment, execute, plan
    from trope.items import dump_items
    from trope.nouns import Figure, Item
    from trope.records import Observation, Output
    from trope.requests import Detect, Generate
    from trope.store import Entry, Store, canonical_picture

    items = [
        Item(
            id=f"i{k}", lang="en", text=f"Cloud {k} curls over the long hill like a {CLASSES[k % 80]}.",
            figures=(Figure(tenor="Cloud", vehicle=CLASSES[k % 80], vehicle_class=CLASSES[k % 80]),),
            cluster={"vehicle": CLASSES[k % 80], "template": f"t{k % 14}"}, class_may_be_in_scene=False,
        )
        for k in range(ITEMS)
    ]  # fmt: skip
    path = Path(folder, "items.jsonl")
    path.write_text(dump_items(items), "utf-8")
    planned = plan(Experiment(
        protocol="simile", subjects=("collage?size=128",), strategies=("base",), instruments=("ssd", "truth"),
        items=(str(path),), name="big", seeds=tuple(range(SEEDS)),
    ))  # fmt: skip
    with Store(f"{folder}/store") as store:

        async def go() -> None:
            entries = []
            for n, cell in enumerate(planned.cells):
                picture = canonical_picture(Image.effect_noise((128, 128), 20 + n % 60).convert("RGB"))
                row = store.keep_picture(picture)
                label = cell.item.figures[0].vehicle_class
                truth = {"label": label, "score": 1.0, "box": [0.1, 0.1, 0.6, 0.6]}
                key = planned.backends[cell.subject].key(Generate(cell.item.text), cell.seed, cell.item.id)
                output = Output(key, cell.subject, "ok", json.dumps({"truth": [truth]}), picture=picture.sha)
                entries.append(Entry(output, [], picture=row))
                for name in cell.instruments:
                    boxes = [truth | {"score": 0.3 + n % 7 / 10}] if n % 3 else []
                    request = Detect(output, name, (label or "",))
                    seen = Observation(
                        planned.backends[name].key(request, cell.seed, cell.item.id),
                        name,
                        "ok",
                        json.dumps({"detections": boxes}),
                    )
                    entries.append(Entry(seen, []))
                if len(entries) > 3000:
                    await store.add(entries)
                    entries = []
            await store.add(entries)

        asyncio.run(go())
        assert not execute(planned, store).tally.asked
    print(json.dumps({}))


def write(folder: str) -> None:
    """`trope report big`, as the command does it."""
    from trope.cli.report import write_report
    from trope.store import RunFolder, Store

    start = time.perf_counter()
    with Store(f"{folder}/store") as store:
        page = write_report(RunFolder.find(store, "big"))
    seconds = time.perf_counter() - start
    first = [page, page.with_name("style.css"), page.with_name("gallery.js"), page.parent / "data" / "0001.js"]
    print(json.dumps({"seconds": seconds, "first": sum(p.stat().st_size for p in first) / 1e6, "mb": usage()["mb"]}))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured(__file__, "fill", folder)
        result = measured(__file__, "write", folder)
    print(f"peak memory {result['mb']:.0f} MB")
    kept = verdict("report over 10,000 pictures", result["seconds"], 15.0, " s")
    kept &= verdict("first page", result["first"], 2.0, " MB")
    sys.exit(not kept)


if __name__ == "__main__":
    {"fill": fill, "write": write}[sys.argv[1]](*sys.argv[2:]) if len(sys.argv) > 1 else main()
