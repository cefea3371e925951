"""The full matrix on Qwen3-VL: every stage killed and taken up again, every family's batches, a reward that rises."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("trl")

from tests.train import world
from tests.train.recipes import (
    Taught,
    arguments,
    assert_same_curve,
    curve,
    files_digest,
    furthest,
    kill_after,
    quiet,
    short,
)
from trope.testing.tiny_models import FAMILIES
from trope.train import curriculum, grpo
from trope.train.adapter import check_chain
from trope.train.config import STAGES, TrainConfig
from trope.train.examples import Examples, read_examples, write_examples

pytestmark = [*quiet, pytest.mark.slow]
# an epoch is two updates, so a checkpoint after the third lies in the middle of one
SETTINGS = ("sft.max_steps=6", "sft.batch_size=2", "sft.accumulation=2", "run.save_steps=3")


def silent(line: str) -> None:
    pass


@pytest.fixture(scope="module")
def unbroken(bases: dict[str, Path], eight: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainConfig, Path]:
    """All supervised stages, nobody killing."""
    config, out = short(bases["qwen3-vl"], *SETTINGS), tmp_path_factory.mktemp("unbroken")
    curriculum.train(config, eight, out, tell=silent)
    return config, out


def test_the_chain_on_qwen3(taught: Callable[[str], Taught], bases: dict[str, Path]) -> None:
    done = taught("qwen3-vl")
    chain = check_chain([done.out / stage / "adapter" for stage in (*STAGES, "grpo")])
    assert chain == done.links and len({link.sha256 for link in chain}) == 4
    assert files_digest(bases["qwen3-vl"]) == done.base_before
    assert curve(done.out / "grpo", "kl")[0] == (1, 0.0)
    for stage in STAGES:
        losses = [loss for _, loss in curve(done.out / stage, "loss")]
        assert losses[-1] < 0.3 * losses[0]


def test_eight_examples_are_learned_by_heart_with_their_explanations(
    bases: dict[str, Path], eight: Path, tmp_path: Path
) -> None:
    config = short(bases["qwen3-vl"], "sft.stages=['C1']", "sft.max_steps=16", "sft.batch_size=8", "sft.learning_rate=0.01",
                   "run.save_steps=100")  # fmt: skip
    curriculum.train(config, eight, tmp_path, tell=silent)
    losses = [loss for _, loss in curve(tmp_path / "C1", "loss")]
    assert losses[-1] < 0.1 * losses[0] and losses[-1] < 0.7


@pytest.mark.parametrize("stage", STAGES)
def test_kill_9_in_a_supervised_stage(
    stage: str, unbroken: tuple[TrainConfig, Path], eight: Path, tmp_path: Path
) -> None:
    config, whole = unbroken
    out = tmp_path / "out"
    for before in STAGES[: STAGES.index(stage)]:
        shutil.copytree(whole / before, out / before)
    kill_after("curriculum", arguments(config, tmp_path / "c.toml", eight, out), out / stage / "metrics.jsonl", 4)
    assert not (out / stage / "adapter/chain.json").exists()
    curriculum.train(config, eight, out, tell=silent)
    for part in STAGES:
        assert_same_curve(out / part, whole / part, "loss", "grad_norm", "learning_rate")
        assert furthest(out / part / "adapter", whole / part / "adapter") < 1e-6


@pytest.mark.parametrize("save", [2, 3])
def test_kill_9_in_grpo(save: int, taught: Callable[[str], Taught], eight: Path, tmp_path: Path) -> None:
    """From an adapter whose replies can be read, at the end of an epoch and within one; sampling goes on as it would."""
    start = taught("qwen3-vl").out / "C3/adapter"
    config = short(Path(taught("qwen3-vl").config.base), "grpo.max_steps=5", "grpo.max_reply_tokens=44",
                   "grpo.global_batch=16", f"run.save_steps={save}")  # fmt: skip
    grpo.train(config, eight, start, tmp_path / "whole", tell=silent)
    said = arguments(config, tmp_path / "c.toml", eight, tmp_path / "broken", "--start", str(start))
    kill_after("grpo", said, tmp_path / "broken/grpo/metrics.jsonl", save + 1)
    told: list[str] = []
    grpo.train(config, eight, start, tmp_path / "broken", tell=told.append)
    assert f"going on after update {save}, from checkpoint-{save}" in told
    whole, broken = tmp_path / "whole/grpo", tmp_path / "broken/grpo"
    assert_same_curve(broken, whole, "reward", "kl", "grad_norm", "completions/mean_length")
    assert any(reward > 0 for _, reward in curve(whole, "reward"))
    assert furthest(broken / "adapter", whole / "adapter") < 1e-6


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_of_every_family(family: str, bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    for name, sizes in {"one": (8, 1), "eight": (1, 8), "two": (4, 2)}.items():
        config = short(bases[family], "sft.stages=['C3']", "sft.max_steps=3", "sft.schedule=constant", "sft.warmup_ratio=0",
                       f"sft.batch_size={sizes[0]}", f"sft.accumulation={sizes[1]}")  # fmt: skip
        curriculum.train(config, eight, tmp_path / name, tell=silent)
    for name in ("eight", "two"):
        for left, right in zip(curve(tmp_path / "one/C3", "loss", "grad_norm"), curve(tmp_path / name / "C3", "loss", "grad_norm"),
                               strict=True):  # fmt: skip
            assert left == pytest.approx(right, rel=2e-4)


def test_batches_of_grpo(taught: Callable[[str], Taught], eight: Path, tmp_path: Path) -> None:
    """The same replies in one step or in four give the same update."""
    done = taught("qwen3-vl")
    for size in (16, 4):
        config = short(Path(done.config.base), "grpo.max_steps=1", "grpo.max_reply_tokens=44", "grpo.global_batch=16",
                       f"grpo.batch_size={size}")  # fmt: skip
        grpo.train(config, eight, done.out / "C3/adapter", tmp_path / str(size), tell=silent)
    left, right = (curve(tmp_path / str(size) / "grpo", "reward", "grad_norm")[0] for size in (16, 4))
    assert left[1] == right[1] > 0 and left == pytest.approx(right, rel=1e-3)


def test_a_reward_rises(bases: dict[str, Path], tmp_path: Path) -> None:
    """Replies are learned with every sentiment alike; the reward alone says which is right for which text."""
    items = world.items(12, tmp_path / "made")
    corpus = world.corpus(items, tmp_path / "corpus")
    right = read_examples(corpus, "C3")
    noisy = []
    for row in right.rows:
        said = {k: v for k, v in json.loads(row.reply).items() if k in ("metaphor", "target", "source", "sentiment")}
        for label in ("Positive", "Neutral", "Negative"):
            noisy.append(replace(row, id=row.id + label, reply=json.dumps({**said, "sentiment": label})))
    shutil.copytree(corpus / "pictures", tmp_path / "noisy/pictures")
    write_examples(Examples("C3", tmp_path / "noisy", tuple(noisy)))
    config = short(
        bases["qwen3-vl"], "sft.stages=['C3']", "sft.max_steps=45", "sft.batch_size=12", "sft.learning_rate=0.01",
        "adapter.r=16", "adapter.alpha=32", "grpo.max_steps=60", "grpo.learning_rate=7e-4", "grpo.samples=8",
        "grpo.global_batch=48", "grpo.max_reply_tokens=40", "run.save_steps=1000", "rewards.m=0", "rewards.target=0",
        "rewards.source=0", "rewards.format=0",
    )  # fmt: skip
    curriculum.train(config, tmp_path / "noisy", tmp_path / "out", tell=silent)
    grpo.train(config, corpus, tmp_path / "out/C3/adapter", tmp_path / "out", tell=silent)
    rewards = np.array([reward for _, reward in curve(tmp_path / "out/grpo", "reward")])
    assert rewards[:10].mean() < 0.5, "a third is chance"
    assert rewards[-10:].mean() > rewards[:10].mean() + 0.25
    assert curve(tmp_path / "out/grpo", "kl")[0] == (1, 0.0)
    from trope.train.metrics import draw_curves

    draw_curves([tmp_path / "out/grpo/metrics.jsonl"], ["reward", "kl"], tmp_path / "reward.png", 10, ["kl"])
    assert (tmp_path / "reward.png").stat().st_size > 10_000


def test_two_processes_are_one(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    """torchrun, as `accelerate launch` does it: two processes of four examples are one of eight."""
    import os
    import subprocess
    import sys

    config = short(bases["qwen3-vl"], "sft.stages=['C1']", "sft.max_steps=3", "sft.schedule=constant", "sft.warmup_ratio=0",
                   "sft.batch_size=4")  # fmt: skip
    said = arguments(config, tmp_path / "c.toml", eight, tmp_path / "two")
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", "-m"]
    subprocess.run(
        [*command, "trope.train.curriculum", *said], env=environment, check=True, capture_output=True, timeout=300
    )
    whole = short(bases["qwen3-vl"], "sft.stages=['C1']", "sft.max_steps=3", "sft.schedule=constant", "sft.warmup_ratio=0",
                  "sft.batch_size=8")  # fmt: skip
    curriculum.train(whole, eight, tmp_path / "one", tell=silent)
    for left, right in zip(curve(tmp_path / "one/C1", "loss"), curve(tmp_path / "two/C1", "loss"), strict=True):
        assert left == pytest.approx(right, rel=2e-3)


def test_every_ablation(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    from trope.store import Store
    from trope.testing.tiny_text import tiny_bert
    from trope.train.ablate import VARIANTS, ablate, evaluate, write_table

    config = short(bases["qwen3-vl"], "sft.max_steps=2", "grpo.max_steps=1", "grpo.max_reply_tokens=8")
    items = world.item_file(world.items(2, tmp_path / "pictures"), tmp_path / "items.jsonl")
    matcher = f"bertscore:{tiny_bert(tmp_path / 'tiny', world.vocabulary())}?layer=2"
    told: list[str] = []
    made = ablate(config, eight, tmp_path / "out", tell=told.append)
    assert list(made) == list(VARIANTS)
    assert sum("C3: done before" in line for line in told) == 3, "GRPO variants share the curriculum"
    assert sum("nothing was learned" in line for line in told) == 3, "no reply of eight tokens can be read"
    with Store(tmp_path / "store") as store:
        scores, names = evaluate(config, made, [str(items)], matcher, store, options="max_tokens=8")
        text = write_table(scores, names, made, tmp_path / "out")
    assert all(f"| {name} |" in text for name in VARIANTS)
    assert list(names) == list(VARIANTS) and names["base"] != names["curriculum"] != names["labels"]
