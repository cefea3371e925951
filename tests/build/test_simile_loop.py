from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.build.here import trope_here as trope
from tests.build.writing_server import WritingServer
from tests.conftest import trope as new_process
from trope.build.asking import Asker
from trope.build.simile.loop import Built, Settings, build
from trope.build.simile.phrases import Pair
from trope.errors import UsageError
from trope.flow import Budget, Tally
from trope.judges import JUDGES
from trope.store import Store

PAIR = Pair("car", "like-s")
PRICES = {f"vllm:w{n}": {"input": 1.0, "output": 1.0, "image_tokens": 0.0} for n in (1, 2, 3, 4)}


def carried(server: WritingServer, store: Store, writers: int = 4, **options: Any) -> tuple[Built, Tally]:
    tally = Tally()
    more = options.pop("more", "")
    models = [JUDGES.create(f"vllm:w{n}?base_url={server.url}{more}") for n in range(1, writers + 1)]
    limit = options.pop("usd", None)
    settings = Settings(tuple(m.name for m in models), options.pop("pairs", (PAIR,)), **options)
    budget = Budget(limit, PRICES if limit is not None else {})
    return build(settings, Asker({m.name: m for m in models}, store, tally=tally, budget=budget)), tally


def by_writer(built: Built) -> dict[str, str]:
    dropped = {drop.what.split("/")[2].removeprefix("vllm:"): drop.reason for drop in built.drops}
    return dropped | {c.writer.removeprefix("vllm:"): "kept" for c in built.kept}


def write(model: str, reply: str, **more: Any) -> dict[str, Any]:
    return {"model": model, "contains": "put an adjective", "reply": reply, **more}


def test_planted_defects_of_writers_are_dropped_with_their_reason(store: Store) -> None:
    same = "Near the gate, the wet boulder gleams like a car."
    planted = [
        write("w1", "Near the gate, the wet boulder is round."),  # no simile
        write("w2", "A car gleams like a lantern near the gate."),  # vehicle as subject
        write("w3", "Near the gate, the wet boulder gleams like cars."),  # wrong number
        write("w4", same),
        write("w5", f'"{same.replace("Near", "near")}"'),  # a duplicate in other clothes
    ]
    with WritingServer(planted) as server:
        built, _ = carried(server, store, writers=5, rounds=1)
        log = server.log()
    assert by_writer(built) == {
        "w1": "simile", "w2": "vehicle-after-marker", "w3": "template", "w4": "kept", "w5": "duplicate",
    }  # fmt: skip
    assert built.ended == "covered"
    judged = [entry for entry in log if entry["max_tokens"] != 40]
    assert Counter(entry["model"] for entry in judged) == dict.fromkeys(("w1", "w2", "w3", "w5"), 4)  # not the writer
    assert {entry["temperature"] for entry in judged} == {0.0}
    assert all(same in entry["text"] for entry in judged)
    (kept,) = built.kept
    assert (kept.points, kept.most, kept.group) == (16, 16, "G5")


def test_judges_answer_in_the_words_that_are_read_and_no_others(store: Store) -> None:
    question = "contain a simile?"
    planted = [
        {"model": "w2", "contains": question, "reply": "Yes."},
        {"model": "w3", "contains": question, "reply": "yes, because of the word like"},
        {"model": "w4", "contains": question, "reply": "No."},
    ]
    with WritingServer(planted) as server:
        built, _ = carried(server, store, rounds=1)
    votes = {c.writer.removeprefix("vllm:"): c.votes for c in built.judged}
    assert votes["w1"]["vllm:w2"]["simile"] == "yes"  # with a full stop
    assert votes["w1"]["vllm:w3"]["simile"] == "unparsed"  # with a reason: no point
    assert votes["w1"]["vllm:w4"]["simile"] == "no"
    points = {c.writer.removeprefix("vllm:"): (c.points, c.group) for c in built.judged}
    assert points == {"w1": (10, "G3"), "w2": (10, "G3"), "w3": (11, "G4"), "w4": (11, "G4")}
    assert by_writer(built) == {"w1": "G3", "w2": "G3", "w3": "G4", "w4": "G4"}
    assert built.missing == [PAIR] and built.ended == "rounds"


def test_only_pairs_without_a_sentence_are_asked_again_with_the_next_seed(store: Store) -> None:
    pairs = (PAIR, Pair("scissors", "as_as-s"))
    planted = [write(f"w{n}", "The road is wet and grey.", seed=s) | {"contains": "\nlike a car\n"}
               for n in (1, 2, 3) for s in (1, 2)]  # fmt: skip
    with WritingServer(planted) as server:
        built, _ = carried(server, store, writers=3, pairs=pairs, rounds=5)
        log = server.log()
    asked = Counter(("car" if "\nlike a car\n" in e["text"] else "scissors", e["seed"]) for e in log if "seed" in e)
    assert asked == {("car", 1): 3, ("scissors", 1): 3, ("car", 2): 3, ("car", 3): 3}
    assert (built.rounds, built.ended, built.missing) == (3, "covered", [])
    assert all("as a pair of scissors" in c.item.text for c in built.kept if c.pair.vehicle == "scissors")


def test_near_copies_do_not_both_cover_pairs(store: Store) -> None:
    long = "Beside the frozen harbor wall, the enormous speckled boulder quietly gleams {} in the heavy rain."
    pairs = (PAIR, Pair("car", "just_like-s"))
    planted = [
        write("w1", long.format("like a car"), seed=1) | {"contains": "\nlike a car\n"},
        write("w1", long.format("just like a car"), seed=1) | {"contains": "\njust like a car\n"},
        write("w2", "Nothing at all.", seed=1),
    ]
    with WritingServer(planted) as server:
        built, _ = carried(server, store, writers=2, pairs=pairs, rounds=2)
    assert "near-duplicate" in {drop.reason for drop in built.drops}
    assert built.ended == "covered" and built.rounds == 2


def test_a_limit_on_calls_ends_the_build_and_says_so(store: Store) -> None:
    pairs = tuple(Pair(name, "like-s") for name in ("car", "cat", "dog", "cow"))
    with WritingServer() as server:
        built, _ = carried(server, store, writers=3, pairs=pairs, calls=50)
        assert len(server.log()) == built.calls == 45  # five sentences at 1 + 2 x 4 calls
    assert built.ended == "calls"
    assert [c.pair.vehicle for c in built.kept] == ["car", "car", "car", "cat", "cat"]
    assert [pair.vehicle for pair in built.missing] == ["dog", "cow"]


def test_a_limit_in_dollars_ends_the_build_and_keeps_what_was_judged(store: Store) -> None:
    pairs = tuple(Pair(name, "like-s") for name in ("car", "cat", "dog", "cow"))
    with WritingServer() as server:
        built, tally = carried(server, store, writers=2, pairs=pairs, usd=0.004, more="&concurrency=1")
        spent = len(server.log())
        assert built.ended == "usd"
        assert 0 < tally.usd <= 0.004
        assert built.judged and built.missing
        whole, _ = carried(server, store, writers=2, pairs=pairs)
        assert whole.ended == "covered"
        assert len(server.log()) == whole.calls  # what was paid for is asked no more
        assert spent < whole.calls


def test_a_writer_judges_nobody_alone(store: Store) -> None:
    with pytest.raises(UsageError, match="two different models"):
        Settings(("vllm:w1",))
    with pytest.raises(UsageError, match="two different models"):
        Settings(("vllm:w1", "vllm:w1"))


def command(server: WritingServer, *more: str, concurrency: int = 4) -> list[str]:
    models = [f"--writer=vllm:w{n}?base_url={server.url}&concurrency={concurrency}" for n in (1, 2, 3)]
    return ["items", "build", "simile", *models, "--vehicle=scissors,mouse", "--out=built", *more]


def test_a_killed_build_goes_on_in_a_second_process_and_repeats_nothing(tmp_path: Path) -> None:
    planted = [write(f"w{n}", "The road is wet and grey.", seed=1) | {"contains": "as mice"} for n in (1, 2, 3)]
    with WritingServer(planted, latency=0.02) as server:
        process = subprocess.Popen([sys.executable, "-m", "trope", *command(server)], cwd=tmp_path,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        until = time.monotonic() + 60
        while sum(entry["done"] for entry in server.log()) < 250:
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert not (tmp_path / "built" / "items.jsonl").exists()
        before = len(server.log())
        done = new_process(*command(server), cwd=tmp_path)
        log = server.log()
        repeated = len(log) - len({(e["model"], e["text"], e.get("seed")) for e in log})
        assert repeated <= 3 * 4  # what was under way when it was killed
        assert before < len(log)
        said = f"{len(log) - before} asked now"
        assert said in done.stdout
        first = {path.name: path.read_bytes() for path in (tmp_path / "built").iterdir()}
        again = trope(*command(server), cwd=tmp_path)
        assert len(server.log()) == len(log)
        assert "0 asked now" in again.stdout
    assert {path.name: path.read_bytes() for path in (tmp_path / "built").iterdir()} == first
    assert set(first) == {"items.jsonl", "candidates.jsonl", "drops.jsonl", "summary.md", "build.json"}
    checked = trope("items", "validate", "built/items.jsonl", cwd=tmp_path)
    assert "0 problems" in checked.stdout
    how = json.loads(first["build.json"])
    assert (how["ended"], how["missing"], how["pairs"]) == ("covered", [], 28)
    assert how["decoding"] == {"max_tokens": 40, "temperature": 0.4, "top_p": 0.9, "first_seed": 1}
    assert b"| pairs of class and template with a sentence | 28 of 28 |" in first["summary.md"]
    assert {entry["top_k"] for entry in log} == {50}


def test_names_that_are_none_are_said(tmp_path: Path) -> None:
    wrong = trope("items", "build", "simile", "--writer=vllm:a", "--vehicle=carr", cwd=tmp_path, check=False)
    assert wrong.returncode == 2
    assert "no class 'carr'. Did you mean 'car'?" in wrong.stderr


def test_models_in_this_process_write_and_judge_like_any_other(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.judges.test_transformers_chat import tiny_llama

    models = [f"--writer=transformers:{tiny_llama(tmp_path / name, seed)}" for name, seed in (("one", 1), ("two", 2))]
    build_ = ["items", "build", "simile", *models, "--vehicle=car", "--template=like-s,as_as-p", "--rounds=2"]
    done = trope(*build_, "--out=built", cwd=tmp_path)
    assert "built: 0 sentences, 0 of 2 pairs; ended by rounds" in done.stdout  # random weights write no English
    assert "8 asked now" in done.stdout
    drops = [json.loads(line) for line in (tmp_path / "built" / "drops.jsonl").read_text("utf-8").splitlines()]
    assert len({drop["what"] for drop in drops}) == 8
    assert {drop["what"].split("/")[2] for drop in drops} == {"transformers:one?top_k=50", "transformers:two?top_k=50"}
    assert len({drop["reply"] for drop in drops}) > 4  # a seed is a sample of its own
    assert "0 asked now, 8 answers were stored" in trope(*build_, "--out=built", cwd=tmp_path).stdout
