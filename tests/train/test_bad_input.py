"""What a user can get wrong: said clearly, before anything is lost."""

from __future__ import annotations

import asyncio
import resource
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl")

from tests.train import world
from tests.train.recipes import assert_same_curve, furthest, quiet, short
from trope.errors import BackendError, ItemError, StoreError, UsageError
from trope.judges import JUDGES
from trope.judges.vision import load_processor
from trope.train import curriculum, grpo, stages
from trope.train.choices import Choices, choose_batches, choose_hardware, choose_vllm, say_batch
from trope.train.config import GrpoConfig, RunConfig, SftConfig
from trope.train.merge import merge

pytestmark = quiet


def silent(line: str) -> None:
    pass


def test_a_missing_picture_stops_it_at_once(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(eight, tmp_path / "corpus")
    (corpus / "pictures/w003.png").unlink()
    with pytest.raises(ItemError, match=r"C1: 1 of 8 pictures are missing in .*pictures/w003\.png \(of w003\)"):
        curriculum.train(short(bases["qwen2.5-vl"]), corpus, tmp_path / "out", tell=silent)
    assert not (tmp_path / "out").exists()


def test_a_damaged_picture_is_named(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(eight, tmp_path / "corpus")
    (corpus / "pictures/w003.png").write_bytes(b"no picture")
    with pytest.raises(ItemError, match=r"picture pictures/w003\.png of w003"):
        curriculum.train(short(bases["qwen2.5-vl"]), corpus, tmp_path / "out", tell=silent)


@pytest.fixture(scope="module")
def sharp_eyed(bases: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base that reads a picture of 64 x 64 at four times the size: 25 tokens instead of 4."""
    from trope.judges.vision import load_processor

    folder = tmp_path_factory.mktemp("sharp") / "base"
    shutil.copytree(bases["qwen2.5-vl"], folder)
    processor, _ = load_processor(folder)
    processor.image_processor.size = {"shortest_edge": 140 * 140, "longest_edge": 560 * 560}
    processor.save_pretrained(folder)
    return folder


def test_a_picture_too_large_is_never_cut(sharp_eyed: Path, eight: Path, tmp_path: Path) -> None:
    limit = ["sft.stages=['C1']", "sft.max_tokens=60", "sft.max_steps=1"]
    with pytest.raises(ItemError) as caught:
        curriculum.train(short(sharp_eyed, *limit), eight, tmp_path / "a", tell=silent)
    said = str(caught.value)
    assert "8 of 8 examples are over the limit of 60 tokens" in said and "25 of the picture" in said
    assert "Nothing is cut. Set pictures.max_pixels (now None)" in said
    with pytest.raises(ItemError, match="no example is within the token limit"):
        curriculum.train(short(sharp_eyed, *limit, "pictures.too_long=drop"), eight, tmp_path / "b", tell=silent)
    told: list[str] = []
    smaller = short(sharp_eyed, *limit, f"pictures.max_pixels={56 * 56}")
    assert curriculum.train(smaller, eight, tmp_path / "c", tell=told.append)[0].steps == 1
    assert any("(picture 4, " in line and "0 left out as too long; none is cut" in line for line in told)

    adapter = tmp_path / "c/C1/adapter"  # what it was trained with is what it is asked with, and what is merged
    chat: Any = JUDGES.create(f"transformers:{sharp_eyed}?adapter={adapter}")
    asyncio.run(chat.open())
    assert (
        any("pictures of at most 3136 pixels" in note for note in chat.notes) and chat.identity()["max_pixels"] == 3136
    )
    merged, _ = load_processor(merge(adapter, tmp_path / "merged"))
    assert chat._processor.image_processor.size == merged.image_processor.size
    assert merged.image_processor.size["longest_edge"] == 56 * 56


def test_what_is_left_out_is_counted(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    from trope.judges.vision import load_processor
    from trope.train.examples import read_examples
    from trope.train.tokens import fitting, measure

    processor, _ = load_processor(bases["qwen2.5-vl"])
    examples = read_examples(eight, "C3")
    lengths = [measure(processor, examples, row).whole for row in examples.rows]
    limit = sorted(lengths)[4]
    config = short(bases["qwen2.5-vl"], "pictures.too_long=drop").pictures
    told: list[str] = []
    kept, _ = fitting(processor, examples, config, told.append, whole=limit)
    assert [row.id for row in kept.rows] == [r.id for r, n in zip(examples.rows, lengths, strict=True) if n <= limit]
    assert f"{8 - len(kept.rows)} left out as too long" in told[-1]
    with pytest.raises(ItemError, match="over the limit of 5 prompt tokens"):
        fitting(processor, examples, short(bases["qwen2.5-vl"]).pictures, silent, prompt=5)


def test_lengths_are_those_that_training_sees(bases: dict[str, Path], tmp_path: Path) -> None:
    """What we count is what the trainer's own collation makes, for every family."""
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    from trope.judges.vision import load_processor
    from trope.train.examples import read_examples, to_dataset
    from trope.train.tokens import image_token, measure

    asked = world.corpus(world.items(2, tmp_path / "made"), tmp_path / "corpus", asked=True)
    examples = read_examples(asked, "C2")
    for family in bases:
        processor, _ = load_processor(bases[family])
        collate = DataCollatorForVisionLanguageModeling(processor, completion_only_loss=True)
        dataset = to_dataset(examples, replies=True)
        for n in (0, 1):
            length = measure(processor, examples, examples.rows[n])
            batch = collate([dataset[n]])
            assert batch["input_ids"].shape[1] == length.whole, family
            assert int((batch["input_ids"] == image_token(processor)).sum()) == length.picture > 0
            assert int((batch["labels"] != -100).sum()) == length.reply


def test_bf16_without_a_gpu() -> None:
    with pytest.raises(UsageError, match=r"run.precision = 'bf16', but there is no GPU. Set run.precision = 'auto'"):
        choose_hardware(RunConfig(precision="bf16"), Choices(silent))
    choices = Choices(silent)
    assert choose_hardware(RunConfig(), choices).precision == "fp32"
    assert [what for what, _, _ in choices.made] == ["device", "precision", "attention", "gradient checkpointing"]
    assert all(reason for _, _, reason in choices.made)


def test_batches_that_make_no_whole() -> None:
    choices = Choices(silent)
    say_batch(SftConfig(), 4, choices)
    assert choices.made[-1][1:] == ("32 examples an update", "processes 4 x sft.batch_size 1 x sft.accumulation 8")
    assert choose_batches(GrpoConfig(), 1, choices) == (4, 10)
    assert choose_batches(GrpoConfig(), 8, choices) == (1, 5)
    assert "8 x 1 x 5 = 40" in choices.made[-1][2]
    with pytest.raises(UsageError, match="cannot be shared by 3 processes"):
        choose_batches(GrpoConfig(), 3, choices)
    with pytest.raises(UsageError, match="do not divide the global batch 40"):
        choose_batches(GrpoConfig(batch_size=3), 1, choices)
    with pytest.raises(UsageError, match="there is no GPU"):
        choose_vllm(GrpoConfig(vllm="always"), "cpu", choices)


def test_fewer_prompts_than_an_update_takes(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    """TRL would train on nothing."""
    config = short(
        bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=1", "grpo.samples=2", "grpo.global_batch=18"
    )
    curriculum.train(config, eight, tmp_path, tell=silent)
    with pytest.raises(UsageError, match="8 examples are too few: an update takes 9 different prompts"):
        grpo.train(config, eight, tmp_path / "C1/adapter", tmp_path, tell=silent)


def test_a_tracker_that_is_not_there(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"run.trackers: 'wandbb' is no tracker that is installed here"):
        curriculum.train(short(bases["qwen2.5-vl"], "run.trackers=['wandbb']"), eight, tmp_path, tell=silent)


def test_bases_and_adapters_that_are_none(bases: dict[str, Path], eight: Path, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no processor can be loaded from"):
        curriculum.train(short(tmp_path / "nothing"), eight, tmp_path / "out", tell=silent)
    config = short(bases["qwen2.5-vl"])
    with pytest.raises(UsageError, match="no finished stage C3 in"):
        grpo.last_adapter(tmp_path, config)
    with pytest.raises(UsageError, match="meets no linear layer"):
        curriculum.train(short(bases["qwen2.5-vl"], "adapter.targets=nothing"), eight, tmp_path / "o", tell=silent)


def test_a_full_disk_at_a_checkpoint(
    bases: dict[str, Path], eight: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system refuses to write any file beyond 100 KB from the second update on, as a full disk would."""
    from transformers import TrainerCallback

    class FillDisk(TrainerCallback):
        def on_step_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            if state.global_step == 1:
                resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))

    config = short(bases["qwen2.5-vl"], "sft.stages=['C1']", "sft.max_steps=3", "run.save_steps=1")
    whole = tmp_path / "whole"
    curriculum.train(config, eight, whole, tell=silent)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    original = stages.callbacks
    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(stages, "callbacks", lambda *given: [*original(*given), FillDisk()])
        try:
            with pytest.raises(StoreError) as caught:
                curriculum.train(config, eight, out, tell=silent)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    said = str(caught.value)
    assert "checkpoint-2 cannot be written" in said and "checkpoint-1 is whole: run the same again" in said
    assert [path.name for path in (out / "C1/checkpoints").glob("checkpoint-*")] == ["checkpoint-1"]
    told: list[str] = []
    curriculum.train(config, eight, out, tell=told.append)
    assert "going on after update 1, from checkpoint-1" in told
    assert furthest(out / "C1/adapter", whole / "C1/adapter") < 1e-6
    assert_same_curve(out / "C1", whole / "C1", "loss")
