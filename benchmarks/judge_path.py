"""The judge path: 2,000 stored pictures of 200 kB through a chat judge over 100 connections.

Peer: a bare aiohttp loop that also reads each file, encodes it and decodes the reply. Compared: CPU seconds a
call of the client process (the server is another process), and the peak memory of ours.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import tempfile
import time
from pathlib import Path

from common import measured, photograph, usage, verdict

from trope.testing import FakeServer

PICTURES, CONNECTIONS = 2000, 100


def prepare(folder: Path, n: int = PICTURES) -> Path:
    """A store that holds ``n`` pictures of a finished run."""
    from trope.experiment import Experiment, execute, plan
    from trope.items import dump_items
    from trope.nouns import Figure, Item
    from trope.store import Store

    pictures = folder / "pictures"
    pictures.mkdir()
    figure = Figure(vehicle="cat", vehicle_class="cat")
    items = [
        Item(id=f"i{k}", lang="en", text=f"Cloud {k} curls like a cat.", figures=(figure,), class_may_be_in_scene=False)
        for k in range(n)
    ]
    for k in range(n):
        (pictures / f"i{k}.jpg").write_bytes(photograph(k))
    (folder / "items.jsonl").write_text(dump_items(items), "utf-8")
    asked = Experiment(
        protocol="simile", subjects=(f"folder:{pictures}",), strategies=("base",), instruments=("truth",),
        items=(str(folder / "items.jsonl"),), name="prepared",
    )  # fmt: skip
    with Store(folder / "store") as store:
        execute(plan(asked), store)
    return folder / "store"


def ours(folder: str, url: str) -> None:
    from trope.experiment import Experiment, execute, plan
    from trope.store import Store

    judge = f"vllm:judge?base_url={url}&concurrency={CONNECTIONS}"
    asked = Experiment(
        protocol="simile", subjects=(f"folder:{folder}/pictures",), strategies=("base",), instruments=(judge,),
        items=(f"{folder}/items.jsonl",), name="judged",
    )  # fmt: skip
    planned = plan(asked)
    with Store(f"{folder}/store") as store:
        before, start = usage()["cpu"], time.perf_counter()
        outcome = execute(planned, store)
        wall = time.perf_counter() - start
        assert outcome.tally.asked["vllm:judge"] == PICTURES and not outcome.tally.troubles
    print(json.dumps({"cpu": usage()["cpu"] - before, "wall": wall, "mb": usage()["mb"]}))


def bare(folder: str, url: str) -> None:
    import aiohttp

    paths = sorted(Path(folder, "store", "images").glob("*/*"))
    assert len(paths) == PICTURES
    text = "x" * 600

    async def go() -> None:
        gate = asyncio.Semaphore(CONNECTIONS)
        connector = aiohttp.TCPConnector(limit=CONNECTIONS)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def one(path: Path) -> None:
                async with gate:
                    image = base64.b64encode(path.read_bytes()).decode()
                    parts = [
                        {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{image}"}},
                        {"type": "text", "text": text},
                    ]
                    body = {"model": "judge", "messages": [{"role": "user", "content": parts}], "max_tokens": 32}
                    async with session.post(f"{url}/chat/completions", json=body) as response:
                        assert (await response.json())["choices"][0]["message"]["content"]

            await asyncio.gather(*(one(path) for path in paths))

    before, start = usage()["cpu"], time.perf_counter()
    asyncio.run(go())
    print(json.dumps({"cpu": usage()["cpu"] - before, "wall": time.perf_counter() - start, "mb": usage()["mb"]}))


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder)
        sizes = [p.stat().st_size for p in (folder / "store" / "images").glob("*/*")]
        print(f"{len(sizes)} pictures of {sum(sizes) / len(sizes) / 1000:.0f} kB")
        with FakeServer(latency=0.05, replies=[{"contains": "", "reply": "Q1: A"}]) as server:
            measured(__file__, "bare", temporary, server.url)  # warms the file cache
            peer = measured(__file__, "bare", temporary, server.url)
            mine = measured(__file__, "ours", temporary, server.url)
    each = {name: 1000 * m["cpu"] / PICTURES for name, m in (("ours", mine), ("bare", peer))}
    print(
        f"CPU a call: {each['ours']:.2f} ms, bare loop {each['bare']:.2f} ms; wall {mine['wall']:.1f} s, {peer['wall']:.1f} s"
    )
    kept = verdict("CPU a call / bare aiohttp loop", mine["cpu"] / peer["cpu"], 1.5, " x")
    kept &= verdict("peak memory", mine["mb"], 300, " MB")
    sys.exit(not kept)


if __name__ == "__main__":
    {"ours": ours, "bare": bare}[sys.argv[1]](*sys.argv[2:]) if len(sys.argv) > 1 else main()
