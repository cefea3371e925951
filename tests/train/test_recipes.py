"""Every stage on tiny models of two families; the full matrix on a third is in `test_matrix.py` (slow)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("trl")
pytest.importorskip("peft")

from tests.train import world
from tests.train.recipes import (
    Taught,
    arguments,
    assert_same_curve,
    curve,
    files_digest,
    furthest,
    halve,
    kill_after,
    quiet,
    short,
    weights,
)
from trope.errors import UsageError
from trope.judges.adapters import adapter_digest, base_fingerprint, load_adapter
from trope.judges.vision import load_model
from trope.train import curriculum, grpo, stages
from trope.train.adapter import AdapterError, check_chain, folder_digest
from trope.train.checkpoints import last_whole
from trope.train.config import STAGES

pytestmark = quiet


@pytest.mark.parametrize("family", ["qwen2.5-vl", "idefics3"])
def test_three_stages_then_grpo(
    family: str, taught: Callable[[str], Taught], bases: dict[str, Path], eight: Path
) -> None:
    done, base = taught(family), bases[family]
    config, out, links = done.config, done.out, done.links
    chain = check_chain([out / stage / "adapter" for stage in (*STAGES, "grpo")])
    assert [link.stage for link in chain] == ["C1", "C2", "C3", "grpo"] and chain == links
    assert [link.parent for link in chain] == [None, *(link.sha256 for link in links[:-1])]
    assert len({link.sha256 for link in chain}) == 4, "every stage learned something"
    assert {link.base for link in chain} == {base_fingerprint(load_model(base))}
    assert [link.steps for link in chain] == [18, 18, 18, 2]
    assert files_digest(base) == done.base_before, "the base's files are untouched"

    first = curve(out / "grpo", "kl", "reward")[0]
    assert any(reward > 0 for _, _, reward in curve(out / "grpo", "kl", "reward"))
    assert first[1] == 0.0, "policy and reference are the same adapter before the first update"
    for stage in STAGES:
        losses = [loss for _, loss in curve(out / stage, "loss")]
        assert len(losses) == 18 and losses[-1] < 0.1 * losses[0], "eight examples are learned by heart"
    for choice in ("device: cpu (", "attention: sdpa (", "gradient checkpointing: False (", "batch: 4 a device, 2 steps",
                   "sampling: transformers (no GPU)", "compared by: chars", "none is cut"):  # fmt: skip
        assert any(choice in line for line in done.told), choice
    assert "adapter on: " in (out / "C1/choices.txt").read_text("utf-8")

    again = []
    assert curriculum.train(config, eight, out, tell=again.append) == links[:-1]
    assert [line for line in again if "done before" in line] and not any("updates" in line for line in again)


def test_the_base_in_memory_is_untouched_too(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    """Every byte of every frozen weight, not only those that the fingerprint reads."""
    from trope.judges.adapters import tensors_digest
    from trope.train.choices import Choices, choose_hardware

    base = load_model(bases["qwen2.5-vl"])
    whole = tensors_digest(base.named_parameters())
    config = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=2")
    kept = []
    original = stages.load_base
    stages.load_base = lambda *arguments: kept.append(original(*arguments)) or kept[-1]
    try:
        curriculum.train(config, eight, tmp_path, tell=lambda line: None)
    finally:
        stages.load_base = original
    assert choose_hardware(config.run, Choices(lambda line: None)).precision == "fp32"
    trained = {n.replace(".base_layer.", "."): p for n, p in kept[0].named_parameters() if "lora_" not in n}
    assert tensors_digest(trained.items()) == whole


def test_a_batch_of_eight_is_eight_of_one(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    """Replies differ in length: a mean over examples rather than over tokens would show."""
    for name, sizes in {"one": (8, 1), "eight": (1, 8)}.items():
        config = short(bases["qwen2.5-vl"], "sft.stages=['C3']", "sft.max_steps=2", "sft.schedule=constant", "sft.warmup_ratio=0",
                       f"sft.batch_size={sizes[0]}", f"sft.accumulation={sizes[1]}")  # fmt: skip
        curriculum.train(config, eight, tmp_path / name, tell=lambda line: None)
    one, accumulated = (curve(tmp_path / name / "C3", "loss", "grad_norm") for name in ("one", "eight"))
    for left, right in zip(one, accumulated, strict=True):
        assert left == pytest.approx(right, rel=1e-4)
    left, right = (weights(tmp_path / name / "C3/adapter") for name in ("one", "eight"))
    # Adam divides by the size of a gradient: where that is nearly 0, rounding alone decides a whole step
    off = sum(float(abs(left[n] - right[n]).sum()) for n in left) / sum(float(abs(left[n]).sum()) for n in left)
    assert off < 1e-3


def test_kill_9_and_go_on(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    config = short(bases["qwen2.5-vl"], "sft.stages=['C1', 'C2']", "sft.max_steps=5")
    whole = tmp_path / "whole"
    links = curriculum.train(config, eight, whole, tell=lambda line: None)
    broken, told = tmp_path / "broken", []
    said = arguments(config, tmp_path / "config.toml", eight, broken)
    kill_after("curriculum", said, broken / "C2/metrics.jsonl", 3)
    assert (broken / "C1/adapter/chain.json").exists() and not (broken / "C2/adapter/chain.json").exists()
    assert curriculum.train(config, eight, broken, tell=told.append)[-1].parent == links[0].sha256
    assert any(line.startswith("C1: done before") for line in told) and any(
        "going on after update" in line for line in told
    )
    assert_same_curve(broken / "C2", whole / "C2", "loss", "learning_rate", "grad_norm")
    assert furthest(broken / "C2/adapter", whole / "C2/adapter") < 1e-6
    shutil.rmtree(broken / "C2/adapter")  # killed after the last update, before the adapter was written
    curriculum.train(config, eight, broken, tell=lambda line: None)
    assert furthest(broken / "C2/adapter", whole / "C2/adapter") < 1e-6
    assert_same_curve(broken / "C2", whole / "C2", "loss")


def test_a_half_written_checkpoint_is_none(tmp_path: Path) -> None:
    from trope.train.checkpoints import mark_whole

    for step in (2, 4, 10):
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        (folder / "weights").write_bytes(b"w" * step)
        mark_whole(folder)
    (tmp_path / "checkpoint-10/weights").write_bytes(b"cut")  # power failed
    (tmp_path / "checkpoint-12").mkdir()  # killed before the marker
    assert last_whole(tmp_path) == tmp_path / "checkpoint-4"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-2", "checkpoint-4"]


def test_another_question_in_the_same_folder_is_refused(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    config = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1")
    curriculum.train(config, eight, tmp_path, tell=lambda line: None)
    other = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1", "sft.learning_rate=0.5")
    with pytest.raises(UsageError, match=r"settings.sft.learning_rate was 0.003, now 0.5. Give another folder"):
        curriculum.train(other, eight, tmp_path, tell=lambda line: None)
    kept = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1", "run.save_steps=7")
    curriculum.train(kept, eight, tmp_path, tell=lambda line: None)  # what changes no result may change


def test_an_adapter_of_another_base(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    from trope.testing.tiny_models import tiny_model

    config = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1")
    curriculum.train(config, eight, tmp_path, tell=lambda line: None)
    adapter = tmp_path / "C1/adapter"
    loaded = load_adapter(load_model(bases["qwen2.5-vl"]), adapter)
    assert adapter_digest(loaded) == folder_digest(adapter)

    twin = tiny_model("qwen2.5-vl", tmp_path / "twin", words=world.vocabulary(), seed=1)  # the same shapes
    with pytest.raises(AdapterError, match="was trained on another base"):
        load_adapter(load_model(twin), adapter)
    with pytest.raises(AdapterError, match="was trained on another base"):
        grpo.train(short(twin), eight, adapter, tmp_path / "g", tell=lambda line: None)
    with pytest.raises(UsageError, match=r"has alpha 16 \(configured: 32\).*--set adapter\.alpha=16"):
        grpo.train(
            short(bases["qwen2.5-vl"], "adapter.alpha=32"), eight, adapter, tmp_path / "h", tell=lambda line: None
        )
    (adapter / "chain.json").unlink()  # made elsewhere: shapes and names still tell
    halve(adapter)  # and saved in 16 bits, as many are
    load_adapter(load_model(bases["qwen2.5-vl"]), adapter)
    with pytest.raises(AdapterError, match="does not fit this base"):
        load_adapter(load_model(bases["idefics3"]), adapter)


def test_what_is_in_shards_is_not_checked_and_that_is_said() -> None:
    from types import SimpleNamespace as Plain

    from trope.train.choices import Choices

    def trainer(*, fsdp: bool = False, zero: int | None = None) -> Plain:
        plugin = Plain(state=Plain(deepspeed_plugin=None if zero is None else Plain(zero_stage=zero)))
        return Plain(is_fsdp_enabled=fsdp, is_deepspeed_enabled=zero is not None, accelerator=plugin)

    assert [stages.in_shards(trainer(zero=stage)) for stage in (None, 2, 3)] == [False, False, True]
    config, choices = short(Path("base")), Choices(lambda line: None)
    for one in (trainer(fsdp=True), trainer(zero=3)):
        grpo._check_reference(one, "0" * 64, config, choices)
        assert choices.made.pop() == ("reference checked", "False", "its weights are in shards")


def test_a_changed_adapter_is_noticed(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    config = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1")
    curriculum.train(config, eight, tmp_path, tell=lambda line: None)
    file = tmp_path / "C1/adapter/chain.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "sha256": "0" * 64}))
    with pytest.raises(AdapterError, match="were changed since"):
        curriculum.train(config, eight, tmp_path, tell=lambda line: None)
    with pytest.raises(AdapterError, match=r"are not those that chain\.json names"):
        check_chain([tmp_path / "C1/adapter"])
    (tmp_path / "C1/adapter/adapter_model.safetensors").write_bytes(b"damaged")
    with pytest.raises(AdapterError, match="is damaged"):
        folder_digest(tmp_path / "C1/adapter")
