"""Kill a real run with SIGKILL at random moments, again and again, and check what the design promises.

    python tests/slow/kill.py 200

A run (openai-images and a chat judge against the fake server in its own process) is started, killed after a
random time, started again, ... Checked after every kill and at the end:

- no committed row is lost, and none is asked again;
- at most ``concurrency`` requests per backend reach the server twice per kill;
- no half-written picture stands under a picture's name, and every stored picture is what its name says.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from trope.items import dump_items, load_items
from trope.store import canonical_picture
from trope.testing import FakeServer

CONCURRENCY = 4


def _committed(store: Path) -> dict[str, str]:
    """Key to backend of every row that holds an answer."""
    path = store / "observations.sqlite"
    if not path.exists():
        return {}
    connection = sqlite3.connect(path, timeout=30)
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'records'").fetchone():
            return {}
        rows = connection.execute("SELECT key, backend FROM records WHERE status <> 'failed'").fetchall()
    finally:
        connection.close()
    assert len({key for key, _ in rows}) == len(rows), "a committed row was asked again"
    return dict(rows)


def _check_pictures(store: Path, checked: set[str]) -> None:
    for path in store.glob("images/*/*"):
        if path.name.startswith(".new-") or path.name in checked:
            continue
        assert canonical_picture(path).sha == path.stem, f"{path} is not what its name says"
        checked.add(path.name)


def _batch(n: int, folder: Path, kills: int, rng: random.Random, server: FakeServer) -> int:
    """One fresh store, killed up to ``kills`` times, then finished; returns how many kills hit a living run."""
    folder.mkdir()
    items = folder / "items.jsonl"
    copies = [
        item.model_copy(update={"id": f"{item.id}-{k}", "text": f"{item.text[:-1]}, scene {n}-{k}."})
        for k in range(3) for item in load_items(["demo"])
    ]  # fmt: skip
    items.write_text(dump_items(copies), "utf-8")
    options = f"base_url={server.url}&concurrency={CONCURRENCY}&retries=0"
    command = [
        sys.executable, "-m", "trope", "run", "simile", f"--subject=openai-images:fake?{options}",
        f"--instrument=vllm:fake?{options}", f"--items={items}", f"--store={folder / 'store'}", "--name=r",
    ]  # fmt: skip
    server.forget()
    before: dict[str, str] = {}
    checked: set[str] = set()
    killed = 0
    for _ in range(kills):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 2.2))
        if run.poll() is not None:
            break
        run.send_signal(signal.SIGKILL)
        run.wait()
        killed += 1
        after = _committed(folder / "store")
        assert before.items() <= after.items(), "a committed row was lost"
        before = after
        _check_pictures(folder / "store", checked)
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    final = _committed(folder / "store")
    assert before.items() <= final.items() and len(final) == 2 * len(copies), (len(final), len(copies))
    _check_pictures(folder / "store", checked)
    for path in ("/v1/images/generations", "/v1/chat/completions"):
        times = Counter(entry["sha"] for entry in server.log() if entry["path"] == path)
        doubled = sum(count - 1 for count in times.values())
        assert len(times) == len(copies), f"{path}: {len(times)} different requests for {len(copies)} items"
        assert doubled <= CONCURRENCY * killed, f"{path}: {doubled} doubled in {killed} kills"
    again = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "0 asked now" in again.stdout, again.stdout
    return killed


def main(kills: int, seed: int = 0) -> None:
    rng = random.Random(seed)
    os.environ.pop("OPENAI_API_KEY", None)
    done = batches = 0
    with tempfile.TemporaryDirectory() as folder, FakeServer(latency=0.03) as server:
        while done < kills:
            done += _batch(batches, Path(folder) / str(batches), min(10, kills - done), rng, server)
            batches += 1
            print(f"{done} kills over {batches} stores: all rows kept, none asked again", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
