"""What is chosen for the user: device, precision, attention, batches. Every choice is said, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from trope.errors import UsageError
from trope.train.config import GrpoConfig, RunConfig, SftConfig


@dataclass
class Choices:
    """Choices as they are made: ``made`` holds (what, choice, reason) in order; ``tell`` gets each as a line."""

    tell: Callable[[str], None]
    made: list[tuple[str, str, str]] = field(default_factory=list)

    def say(self, what: str, choice: object, reason: str) -> None:
        """Note one choice."""
        self.made.append((what, str(choice), reason))
        self.tell(f"{what}: {choice} ({reason})")


@dataclass(frozen=True, slots=True)
class Hardware:
    """What a run computes on. ``precision`` is ``bf16`` or ``fp32``."""

    device: str
    processes: int
    precision: str
    attention: str
    gradient_checkpointing: bool

    @property
    def dtype(self) -> Any:
        """The torch type of the frozen weights."""
        import torch

        return torch.bfloat16 if self.precision == "bf16" else torch.float32


def choose_hardware(run: RunConfig, choices: Choices) -> Hardware:
    """Look at what is there.

    Raises
    ------
    UsageError : bf16 was insisted on, and no GPU here has it.
    """
    import torch
    from accelerate import PartialState

    gpu = torch.cuda.is_available()
    processes = PartialState().num_processes
    device = "cuda" if gpu else "cpu"
    choices.say("device", device, torch.cuda.get_device_name() if gpu else "no GPU that torch can use")
    if processes > 1:
        choices.say("processes", processes, "started by accelerate launch")
    able = gpu and torch.cuda.is_bf16_supported()
    if run.precision == "bf16" and not able:
        why = "this GPU has no bf16" if gpu else "there is no GPU"
        raise UsageError(
            f"run.precision = 'bf16', but {why}. Set run.precision = 'auto' (or --set run.precision=fp32): "
            "everything then runs in fp32, slower and with twice the memory"
        )
    precision = run.precision
    if precision == "auto":
        precision = "bf16" if able else "fp32"
        choices.say("precision", precision, "the GPU has it" if able else "bf16 wants a GPU that has it")
    attention: str = run.attention
    if attention == "auto":
        flash = gpu and precision == "bf16" and find_spec("flash_attn") is not None
        attention = "flash_attention_2" if flash else "sdpa"
        choices.say("attention", attention, "flash_attn is installed" if flash else "torch's own; no flash_attn here")
    saving = run.gradient_checkpointing
    if saving == "auto":
        saving = gpu
        choices.say("gradient checkpointing", saving, "saves GPU memory" if gpu else "on a CPU it only costs time")
    return Hardware(device, processes, precision, attention, bool(saving))


def say_batch(sft: SftConfig, processes: int, choices: Choices) -> None:
    """Say how many examples an update of a supervised stage takes: it grows with the processes."""
    choices.say(
        "batch", f"{processes * sft.batch_size * sft.accumulation} examples an update",
        f"processes {processes} x sft.batch_size {sft.batch_size} x sft.accumulation {sft.accumulation}",
    )  # fmt: skip


def choose_batches(grpo: GrpoConfig, processes: int, choices: Choices) -> tuple[int, int]:
    """Replies a device and step, and steps an update, whose product over devices is the global batch.

    Raises
    ------
    UsageError : no whole number of steps makes it.
    """
    share, rest = divmod(grpo.global_batch, processes)
    if rest:
        raise UsageError(f"grpo.global_batch = {grpo.global_batch} cannot be shared by {processes} processes")
    size = grpo.batch_size
    if size is None:
        size = max(n for n in range(1, min(grpo.samples, share) + 1) if share % n == 0)
        choices.say(
            "batch", f"{size} a device, {share // size} steps an update",
            f"{processes} x {size} x {share // size} = {grpo.global_batch} replies, the global batch",
        )  # fmt: skip
    if share % size:
        raise UsageError(
            f"grpo.batch_size = {size}: {processes} devices x {size} do not divide the global batch {grpo.global_batch}"
        )
    return size, share // size


def choose_vllm(grpo: GrpoConfig, device: str, choices: Choices) -> bool:
    """Whether vLLM samples the replies; raises `UsageError` where it must and cannot."""
    if grpo.vllm == "never":
        return False
    missing = "no GPU" if device != "cuda" else "vllm is not installed" if find_spec("vllm") is None else None
    if grpo.vllm == "always" and missing:
        raise UsageError(f"grpo.vllm = 'always', but there is {missing}" if "GPU" in missing else
                         f"grpo.vllm = 'always', but {missing}. Run: pip install vllm")  # fmt: skip
    choices.say("sampling", "transformers" if missing else "vllm", missing or "vllm is installed, and there is a GPU")
    return missing is None
