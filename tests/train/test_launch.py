"""Files for many GPUs are what accelerate reads, and the recipes are programs it can launch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trope.train

pytest.importorskip("accelerate")
LAUNCH = Path(trope.train.__file__).parent / "launch"


@pytest.mark.parametrize("path", sorted(LAUNCH.glob("*.yaml")), ids=lambda path: path.stem)
def test_accelerate_reads_every_file(path: Path) -> None:
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import launch_command_parser

    config = load_config_from_file(str(path))
    assert config.mixed_precision == "bf16" and config.num_processes == 4
    assert config.distributed_type.name in ("MULTI_GPU", "FSDP", "DEEPSPEED")
    known = vars(launch_command_parser().parse_args(["script"]))
    for part in (config.fsdp_config or {}, config.deepspeed_config or {}):
        for name in part:
            assert name in known or f"deepspeed_{name}" in known, f"{path.name}: {name}"


@pytest.mark.parametrize("recipe", ["curriculum", "grpo"])
def test_recipes_are_programs(recipe: str) -> None:
    command = [sys.executable, "-m", f"trope.train.{recipe}"]
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert all(option in shown.stdout for option in ("--config", "--set", "--corpus", "--out"))
    wrong = subprocess.run(
        [*command, "--corpus", "c", "--out", "o", "--config", "nope"], capture_output=True, text=True
    )
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: no preset 'nope'")


def test_nothing_calls_home(tmp_path: Path) -> None:
    """TRL reports every training to its makers unless told not to, also where the hub was imported before."""
    # the libraries are empty here: what they would load is beside the point, and slow
    code = ("import sys, types; sys.modules.update({name: types.ModuleType(name) for name in "
            "('torch', 'transformers', 'accelerate', 'peft', 'trl', 'datasets')}); import huggingface_hub.constants as hub; before = hub.HF_HUB_DISABLE_TELEMETRY\n"
            "from trope.train.stages import need_training; need_training(); print(before, hub.HF_HUB_DISABLE_TELEMETRY)")  # fmt: skip
    clean = {k: v for k, v in os.environ.items() if "TELEMETRY" not in k and k != "DO_NOT_TRACK"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=clean)
    assert done.stdout.split() == ["False", "True"]


def test_importing_the_room_loads_no_torch() -> None:
    code = (
        "import sys, trope.train, trope.train.config, trope.train.rewards, trope.cli.app; print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
