"""What tests of the recipes share: short configurations, a process to kill, and adapters as numbers."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from trope.judges.adapters import Link
from trope.train.config import TrainConfig, read_config
from trope.train.metrics import read_metrics

# what the libraries warn of, and nothing of ours
THIRD_PARTY = [
    "ignore:`.*gradient_checkpointing` is deprecated:FutureWarning",
    "ignore:The `seen_tokens`:FutureWarning",
    "ignore::DeprecationWarning:torch",
    "ignore::FutureWarning:torch",
]
quiet = [pytest.mark.filterwarnings(said) for said in THIRD_PARTY]


def short(base: Path, *settings: str) -> TrainConfig:
    """A configuration of a few updates; later settings win."""
    return read_config("try", [
        f"base={base}", "sft.max_steps=3", "sft.batch_size=4", "sft.learning_rate=0.003", "grpo.max_steps=2",
        "grpo.global_batch=8", "grpo.max_reply_tokens=16", "grpo.learning_rate=0.003", "run.save_steps=2", *settings,
    ])  # fmt: skip


@dataclass
class Taught:
    """What three stages and GRPO left: links in order, and every line that was told."""

    config: TrainConfig
    out: Path
    base_before: str
    links: list[Link]
    told: list[str]


def teach(base: Path, corpus: Path, out: Path) -> Taught:
    from trope.train import curriculum, grpo

    config = short(base, "sft.max_steps=18", "sft.batch_size=8", "sft.learning_rate=0.01", "sft.explanations=false",
                   "grpo.max_reply_tokens=44", "run.save_steps=50")  # fmt: skip
    before, told = files_digest(base), []
    links = curriculum.train(config, corpus, out, tell=told.append)
    links.append(grpo.train(config, corpus, out / "C3/adapter", out, tell=told.append))
    return Taught(config, out, before, links, told)


def files_digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        whole.update(str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b""))
    return whole.hexdigest()


def arguments(config: TrainConfig, file: Path, corpus: Path, out: Path, *more: str) -> list[str]:
    """The same as a command line of a recipe."""
    from trope.train.config import dump_config

    file.write_text(dump_config(config), "utf-8")
    return ["--config", str(file), "--corpus", str(corpus), "--out", str(out), *more]


def kill_after(recipe: str, arguments: list[str], metrics: Path, step: int) -> None:
    """Run a recipe in a process of its own, and `kill -9` it once it has logged an update."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", f"trope.train.{recipe}", *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        lines = read_metrics(metrics)
        if lines and lines[-1]["step"] >= step:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.02)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL, f"ended {process.returncode} before it was killed:\n{said}"


def weights(folder: Path) -> dict[str, np.ndarray]:
    from safetensors.numpy import load_file

    return load_file(folder / "adapter_model.safetensors")


def halve(folder: Path) -> None:
    """Write an adapter's weights anew, in bf16."""
    import torch
    from safetensors.torch import load_file, save_file

    file = folder / "adapter_model.safetensors"
    save_file({name: tensor.to(torch.bfloat16) for name, tensor in load_file(file).items()}, file, {"format": "pt"})


def furthest(one: Path, other: Path) -> float:
    """The largest difference between two adapters, as a share of the largest weight."""
    left, right = weights(one), weights(other)
    assert left.keys() == right.keys()
    largest = max(float(np.abs(values).max()) for values in left.values())
    return max(float(np.abs(left[name] - right[name]).max()) for name in left) / largest


def curve(folder: Path, *keys: str) -> list[tuple[float, ...]]:
    """Logged values by update."""
    return [tuple(line[key] for key in ("step", *keys)) for line in read_metrics(folder / "metrics.jsonl")]


def assert_same_curve(one: Path, other: Path, *keys: str) -> None:
    """Both logged the same updates with the same values."""
    left, right = curve(one, *keys), curve(other, *keys)
    assert [row[0] for row in left] == [row[0] for row in right]
    for here, there in zip(left, right, strict=True):
        assert here == pytest.approx(there, rel=1e-5, abs=1e-9)
