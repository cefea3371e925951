"""Where a pipeline runs, and why there: the device, and what is kept off it for want of memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trope.errors import UsageError

OFFLOADS = ("auto", "none", "model", "sequential")
ROOM = 4 * 10**9  # bytes kept free for what is computed; batches are halved if that is too little


@dataclass(frozen=True, slots=True)
class Placement:
    """A device, what is off-loaded to main memory (`none`, `model`, `sequential`), and why."""

    device: str
    offload: str
    why: str


def place(wanted: str, offload: str, sizes: Mapping[str, int]) -> Placement:
    """Choose for a pipeline whose parts take ``sizes`` bytes each.

    Raises
    ------
    UsageError : the wanted device is not there.
    """
    device, why = _device(wanted)
    whole, largest = sum(sizes.values()), max(sizes.values(), default=0)
    if not device.startswith("cuda"):
        if offload not in ("auto", "none"):
            raise UsageError(f"offload={offload!r} needs a CUDA device, and this is {device}")
        return Placement(device, "none", f"{why}; {_gb(whole)} of weights")
    free = free_memory(device)
    if offload == "auto":
        offload, reason = choose_offload(whole, largest, free)
    else:
        reason = f"offload={offload}, as asked"
    return Placement(device, offload, f"{why}; {reason}")


def choose_offload(whole: int, largest: int, free: int) -> tuple[str, str]:
    """What to off-load, and why, given bytes of all weights, of the largest part, and free."""
    if whole + ROOM <= free:
        return "none", f"{_gb(whole)} of weights fit in {_gb(free)} free"
    if largest + ROOM <= free:
        return "model", f"{_gb(whole)} of weights do not fit in {_gb(free)} free, but one part at a time does"
    return "sequential", f"not even the largest part ({_gb(largest)}) fits in {_gb(free)} free: layer by layer, slow"


def free_memory(device: str) -> int:
    """Bytes free on a CUDA device."""
    import torch

    return int(torch.cuda.mem_get_info(device)[0])


def _device(wanted: str) -> tuple[str, str]:
    import torch

    there = ["cpu"]
    if torch.backends.mps.is_available():
        there.insert(0, "mps")
    if torch.cuda.is_available():
        there = ["cuda", *(f"cuda:{n}" for n in range(torch.cuda.device_count())), *there]
    if wanted == "auto":
        found = there[0]
        why = "no CUDA device and no Apple GPU is there" if found == "cpu" else "the fastest device there is"
    elif wanted in there:
        found, why = wanted, "as asked"
    else:
        raise UsageError(f"device={wanted!r} is not there. Expected: auto, {', '.join(there)}")
    if found.startswith("cuda"):
        why += f" ({torch.cuda.get_device_name(found)})"
    return found, why


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that a device, or main memory, is full."""
    import torch

    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return isinstance(error, RuntimeError) and any(
        sign in str(error) for sign in ("out of memory", "can't allocate memory", "not enough memory")
    )


def free_unused() -> None:
    """Give back what a failed call left behind."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def sizes_of(pipeline: Any) -> dict[str, int]:
    """Bytes of the weights of each part of a loaded pipeline."""
    import torch

    return {
        name: sum(t.numel() * t.element_size() for t in (*part.parameters(), *part.buffers()))
        for name, part in pipeline.components.items()
        if isinstance(part, torch.nn.Module)
    }


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"
