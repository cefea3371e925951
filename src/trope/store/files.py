"""Files that are whole or not there: written under another name, synced, then renamed."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from trope.errors import StoreError

_STALE = 24 * 3600.0  # seconds after which a half-written file is nobody's any more


@contextlib.contextmanager
def durable(path: Path, *, waiting: Path | None = None, sync: bool = True, mode: int = 0o644) -> Iterator[BinaryIO]:
    """A file to write so that a crash leaves the old one, the new one, or none, but never half of one.

    Parameters
    ----------
    waiting : folder for the temporary file, on the same file system; default the file's own.
    sync : force file and folder to the disk before returning.

    Raises
    ------
    StoreError : the disk is full, or the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = (waiting or path.parent) / f".new-{os.getpid()}-{secrets.token_hex(6)}"
        try:
            with temporary.open("xb") as file:
                yield file
                if sync:
                    file.flush()
                    os.fsync(file.fileno())
            temporary.chmod(mode)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        if sync:
            _sync_folder(path.parent)
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(f"cannot write {str(path)!r}: {why}. What was stored before is safe") from None


def write_durably(path: Path, data: bytes, **options: Any) -> None:
    """Write all of a file at once, as `durable` does."""
    with durable(path, **options) as file:
        file.write(data)


def sweep(folder: Path) -> None:
    """Remove what killed processes left half-written, once it is old enough to be nobody's."""
    now = time.time()
    for path in folder.glob(".new-*"):
        try:
            if now - path.stat().st_mtime > _STALE:
                path.unlink()
        except OSError:
            continue  # another process was quicker


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
