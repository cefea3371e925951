from __future__ import annotations

import pytest

from trope.errors import UnknownName, UsageError
from trope.train.config import STAGES, dump_config, presets, read_config


def test_the_preset_holds_what_the_paper_prints() -> None:
    config = read_config("m3r")
    assert (config.adapter.r, config.adapter.alpha) == (8, 16)
    sft, grpo = config.sft, config.grpo
    assert sft.stages == STAGES and sft.schedule == "cosine"
    assert (sft.learning_rate, sft.warmup_ratio, sft.max_tokens) == (1e-5, 0.03, 4096)
    assert (sft.batch_size, sft.accumulation, config.run.precision, config.seed) == (1, 8, "bf16", 42)
    assert (grpo.samples, grpo.learning_rate, grpo.global_batch, grpo.kl) == (4, 1e-6, 40, 0.01)
    assert (grpo.max_prompt_tokens, grpo.max_reply_tokens) == (1536, 1024)


@pytest.mark.parametrize("name", presets())
def test_a_preset_read_and_written_is_the_same(name: str, tmp_path) -> None:
    config = read_config(name)
    file = tmp_path / "again.toml"
    file.write_text(dump_config(config), "utf-8")
    assert read_config(str(file)) == config


def test_settings_come_on_top() -> None:
    config = read_config("m3r", ["sft.epochs=2", "rewards.matcher=chars", "sft.stages=['C3']", "base=/models/mine"])
    assert (config.sft.epochs, config.rewards.matcher, config.sft.stages, config.base) == (
        2,
        "chars",
        ("C3",),
        "/models/mine",
    )


@pytest.mark.parametrize(("setting", "said"), [
    ("sft.epoch=2", "sft.epoch: extra inputs are not permitted. Did you mean 'epochs'?"),
    ("adaptr.r=1", "adaptr: extra inputs are not permitted. Did you mean 'adapter'?"),
    ("grpo.samples=7", "grpo: global_batch 40 is no multiple of samples 7"),
    ("sft.learning_rate=-1", "sft.learning_rate: input should be greater than 0"),
    ("sft.stages=['C4']", "sft.stages.0: input should be 'C1', 'C2' or 'C3'"),
    ("epochs", "Expected: NAME=VALUE"),
    ("base.x=1", "'base' is no table"),
])  # fmt: skip
def test_a_setting_that_cannot_be_meant_is_named(setting: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_config("m3r", [setting])
    assert said in str(caught.value)


def test_rewards_need_one_weight() -> None:
    zero = [f"rewards.{name}=0" for name in ("m", "target", "source", "sentiment", "format")]
    with pytest.raises(UsageError, match="every weight is 0"):
        read_config("m3r", zero)


def test_unknown_presets_and_files(tmp_path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'm3r'"):
        read_config("m3")
    with pytest.raises(UsageError, match="no training file"):
        read_config(str(tmp_path / "none.toml"))
    (tmp_path / "bad.toml").write_text("base = ", "utf-8")
    with pytest.raises(UsageError, match=r"bad\.toml"):
        read_config(str(tmp_path / "bad.toml"))
