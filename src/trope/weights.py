"""Models on this machine: whether the packages are here, what a folder of weights is, and quiet loading."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from trope.errors import MissingExtra

_READ: Final = (".safetensors", ".bin", ".json", ".txt", ".model")


def require(what: str, extra: str = "local", packages: tuple[str, ...] = ("torch", "transformers")) -> None:
    """Raise `MissingExtra`, naming what needs it, for the first package that is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(what, package, extra)


@cache
def weights_digest(folder: Path) -> str:
    """SHA-256 of a local model: configuration, tokenizer and weights, whatever the folder is called."""
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.iterdir() if p.suffix in _READ):
        whole.update(path.name.encode())
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def no_progress_bars() -> None:
    """Weights load in a moment, and Trope has progress of its own."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
