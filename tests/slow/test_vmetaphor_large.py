"""Anybody's study of 1,500 metaphors and two pictures each: a folder and a judge are enough, and a kill costs nothing."""

from __future__ import annotations

import csv
import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import trope
from trope.items import dump_items, load_items
from trope.nouns import Item
from trope.protocols.vmetaphor.questions import AXES, shown
from trope.testing import FakeServer

CONCURRENCY = 16
KINDS = ("conceptual", "descriptive")


def _items() -> list[Item]:
    base = load_items(["vmetaphor"])
    made = []
    for n in range(1500):
        item = base[n % len(base)]
        prompts = {kind: f"{text} Variation {n}." if kind in KINDS else text for kind, text in item.prompts.items()}
        made.append(item.model_copy(update={"id": f"large-{n:04}", "text": prompts["conceptual"], "prompts": prompts}))
    return made


def _pictures(folder: Path, items: list[Item]) -> None:
    folder.mkdir()
    chance = random.Random(8)
    with (folder / "manifest.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item", "file", "strategy"])
        for item in items:
            for kind in KINDS:
                name = f"{item.id}-{kind}.png"
                Image.frombytes("RGB", (8, 8), chance.randbytes(192)).resize((64, 64), 0).save(folder / name)
                rows.writerow([item.id, name, kind])


def _answered(store: Path) -> int:
    path = store / "observations.sqlite"
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=30)
    try:
        (count,) = connection.execute("SELECT count(*) FROM records WHERE backend LIKE 'vllm%'").fetchone()
        return int(count)
    except sqlite3.OperationalError:  # no table yet
        return 0
    finally:
        connection.close()


@pytest.mark.slow
def test_3000_pictures_9000_questions_and_a_kill_in_the_middle(tmp_path: Path) -> None:
    items = _items()
    (tmp_path / "large.jsonl").write_text(dump_items(items), "utf-8")
    _pictures(tmp_path / "pictures", items)
    rating = {
        "contains": "metaphoric_efficacy",
        "reply": "metaphoric_efficacy: 2\nmetaphor_logic: 3\nperceptual_harmony: 4",
    }
    with FakeServer(replies=(rating,), busy=0.01, error=0.005, retry_after=0.01) as server:
        command = [
            "run", "vmetaphor", f"--subject=folder:{tmp_path / 'pictures'}?label=anybody", "--strategy=conceptual,descriptive",
            f"--instrument=vllm:judge?base_url={server.url}&concurrency={CONCURRENCY}", f"--items={tmp_path / 'large.jsonl'}",
            f"--store={tmp_path / 'store'}", "--name=large",
        ]  # fmt: skip
        started = time.monotonic()
        first = subprocess.Popen(
            [sys.executable, "-m", "trope", *command],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while _answered(tmp_path / "store") < 4000:
            assert first.poll() is None, "it ended before it could be killed"
            time.sleep(0.1)
        first.send_signal(signal.SIGKILL)
        first.wait()
        before = _answered(tmp_path / "store")
        done = trope(*command, cwd=tmp_path)
        seconds = time.monotonic() - started
        assert "3000 of 3000 cells" in done.stdout
        times = Counter(entry["sha"] for entry in server.log() if entry["treated"] == "ok")
        assert len(times) == 9000 == _answered(tmp_path / "store") and before < 9000
        assert sum(count - 1 for count in times.values()) <= CONCURRENCY
        assert "0 asked now" in trope(*command, cwd=tmp_path).stdout
    report = trope("report", "large", "--format=json", f"--store={tmp_path / 'store'}", cwd=tmp_path)
    tables = {table["name"]: table for table in json.loads(report.stdout)["tables"]}
    first_place = {
        item.id: [q.recorded[0] == q.truth for q in shown(item, AXES)] for item in items
    }  # the judge always says A
    right = [hit for hits in first_place.values() for hit in hits]
    for row in tables["levels"]["rows"]:
        assert row[7]["value"] == pytest.approx(sum(right) / len(right)) and row[11:] == [1500, 1500]
    assert [cell["value"] for cell in tables["dimensions"]["rows"][0][3:7]] == [2.0, 3.0, 4.0, 3.0]
    assert sum(row[2] for row in tables["categories"]["rows"]) == 1500
    print(f"9,000 questions about 3,000 pictures, killed at {before}: {seconds:.0f} s")
