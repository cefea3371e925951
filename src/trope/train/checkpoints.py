"""Checkpoints that are whole or not there, and a training that goes on from the last whole one.

A trainer writes a checkpoint file by file. A marker with the hash of each file is written last; a folder without
one, or with a file that is not what it says, is no checkpoint. Older ones go only after a newer one is whole.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from trope.errors import StoreError
from trope.store.files import write_durably

MARKER = "whole.json"


def last_whole(folder: Path) -> Path | None:
    """The newest whole checkpoint below ``folder``, None if there is none. Half-written ones are removed."""
    for path in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if _whole(path):
            return path
        shutil.rmtree(path, ignore_errors=True)
    return None


def step_of(checkpoint: Path) -> int:
    """The update a checkpoint was made after."""
    return _step(checkpoint)


def mark_whole(checkpoint: Path) -> None:
    """Say that every file of a checkpoint is written."""
    files = sorted(p for p in checkpoint.rglob("*") if p.is_file() and p.name != MARKER)
    hashes = {str(p.relative_to(checkpoint)): _sha256(p) for p in files}
    write_durably(checkpoint / MARKER, json.dumps(hashes, indent=1).encode())


def callback(folder: Path, keep: int) -> Any:
    """A trainer callback that marks what was saved and then removes all but the newest ``keep``."""
    from accelerate import PartialState
    from transformers import TrainerCallback

    class Whole(TrainerCallback):
        def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            PartialState().wait_for_everyone()  # each process writes the state of its own random numbers
            if not state.is_world_process_zero:
                return
            mark_whole(folder / f"checkpoint-{state.global_step}")
            for old in sorted(folder.glob("checkpoint-*"), key=_step)[:-keep]:
                shutil.rmtree(old, ignore_errors=True)

    return Whole()


def careful(trainer: type) -> type:
    """A trainer class whose failed checkpoint is an error that says what is safe, and leaves nothing half-written."""

    class Careful(trainer):
        def _save_checkpoint(self, *arguments: Any, **named: Any) -> None:
            folder = Path(self.args.output_dir)
            failed = folder / f"checkpoint-{self.state.global_step}"
            try:
                super()._save_checkpoint(*arguments, **named)
            except writing_errors() as error:
                shutil.rmtree(failed, ignore_errors=True)
                raise unwritten(failed.name, folder, error) from None

    return type(trainer.__name__, (Careful,), {})


def writing_errors() -> tuple[type[Exception], ...]:
    """What torch and safetensors raise when a file cannot be written."""
    from safetensors import SafetensorError

    return (OSError, RuntimeError, SafetensorError)


def unwritten(what: str, folder: Path, error: Exception) -> StoreError:
    """The error for something that could not be written, with what is safe and what to do."""
    safe = last_whole(folder)
    kept = f"{safe.name} is whole: run the same again to go on from it" if safe else "there is no checkpoint before"
    why = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
    free = shutil.disk_usage(folder).free / 1e6
    return StoreError(f"{what} cannot be written to {str(folder)!r}: {why}. {kept}. Free: {free:,.0f} MB")


def _step(path: Path) -> int:
    number = path.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1


def _whole(path: Path) -> bool:
    try:
        hashes = json.loads((path / MARKER).read_text("utf-8"))
        return all(_sha256(path / name) == said for name, said in hashes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
