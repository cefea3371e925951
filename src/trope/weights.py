"""Models on this machine: whether the packages are here, what a folder of weights is, and loading one at a time."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from trope.errors import BackendError, MissingExtra, TropeError

_HUB_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_READ: Final = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
_COUNTERS: Final = ("num_batches_tracked", "position_ids")  # in a file or not, they change nothing
_MEMO_FROM: Final = 2**28  # bytes of a file from which its hash is remembered
_LOADING: Final = threading.RLock()
_REMEMBERING: Final = threading.Lock()


def require(what: str, extra: str = "local", packages: tuple[str, ...] = ("torch", "transformers")) -> None:
    """Raise `MissingExtra`, naming what needs it, for the first package that is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(what, package, extra)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model comes from: a folder, or its name on a hub and the revision there."""

    model: str
    revision: str | None = None

    @property
    def short(self) -> str:
        """Its name, without the path to it."""
        return Path(self.model).resolve().name if self._is_folder else self.model

    @property
    def commit(self) -> str | None:
        """What to load: the commit that a hub (or its cache) gives for the name and revision; None for a folder."""
        return None if self._is_folder else hub_snapshot(self.model, self.revision, ("config.json",)).name

    @property
    def weights(self) -> str:
        """What tells its weights from others: the hash of a folder's files, the commit on a hub."""
        return self.commit or weights_digest(Path(self.model))

    def named(self, kind: str) -> str:
        """``KIND:NAME``, with the revision."""
        return f"{kind}:{self.short}" + (f"?revision={self.revision}" if self.revision else "")

    @property
    def _is_folder(self) -> bool:
        return Path(self.model).is_dir()


@cache
def hub_snapshot(model: str, revision: str | None, patterns: tuple[str, ...]) -> Path:
    """The folder of a hub's model in the cache, called by its commit; what fits the patterns is fetched.

    Raises
    ------
    BackendError : unknown, gated, unreachable, not in the cache. MissingExtra : the hub's package is not installed.
    """
    if not _HUB_NAME.fullmatch(model):
        raise BackendError(f"{model!r} cannot be loaded: no such folder. Expected: a folder, or a hub's OWNER/NAME")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra(model, "huggingface_hub", "local") from None
    try:
        return Path(snapshot_download(model, revision=revision, allow_patterns=list(patterns)))
    except Exception as error:  # each of these has a class of its own
        first = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        raise BackendError(
            f"the hub does not give {model!r}: {first.rstrip('.')}. If it is gated, accept its license there and log"
            " in; without a network, download it first; a folder is named by its path"
        ) from None


def weights_digest(folder: Path) -> str:
    """SHA-256 of a local model: configuration, tokenizer and weights, whatever the folder is called."""
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.iterdir() if p.suffix in _READ):
        whole.update(path.name.encode())
        whole.update(bytes.fromhex(file_digest(path)))
    return whole.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file; of a big one it is remembered for as long as its size and time stay the same."""
    seen = path.stat()
    if seen.st_size < _MEMO_FROM:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    from platformdirs import user_cache_path

    memo_file = user_cache_path("trope") / "weights.json"
    name = f"{path.resolve()}|{seen.st_size}|{seen.st_mtime_ns}"
    known = _memo(memo_file).get(name)
    if known is not None:
        return known
    with path.open("rb") as file:
        made = hashlib.file_digest(file, "sha256").hexdigest()
    with _REMEMBERING:
        memo_file.parent.mkdir(parents=True, exist_ok=True)
        temporary = memo_file.with_suffix(".new")
        temporary.write_text(json.dumps(_memo(memo_file) | {name: made}), "utf-8")
        temporary.replace(memo_file)
    return made


def _memo(file: Path) -> dict[str, str]:
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


@contextmanager
def loading(what: str, expected: str) -> Iterator[None]:
    """Load one model at a time, without progress bars: Trope has progress of its own.

    Two at once would take the memory of both. And transformers and diffusers put another module in their own place
    while they are imported: of two threads that import one of them for the first time, one can get the empty module.

    Raises
    ------
    BackendError : whatever a folder that is damaged, or no such model, makes of it, in one line.
    """
    with _LOADING:
        import transformers

        transformers.utils.logging.disable_progress_bar()
        try:
            yield
        except TropeError:
            raise
        except pickle.UnpicklingError as error:  # torch reads tensors only, and then suggests to read the rest as well
            raise BackendError(
                f"{what} cannot be loaded: its weights are a pickle that holds more than tensors, and code that comes"
                f" with weights is never run. Expected: {expected}, in .safetensors files"
            ) from error
        except Exception as error:
            said = (str(error).strip() or type(error).__name__).splitlines()[0][:300].rstrip(".")
            raise BackendError(f"{what} cannot be loaded: {said}. Expected: {expected}") from error


def pretrained(cls: Any, model: str, *, unused: tuple[str, ...] = (), **options: Any) -> Any:
    """``cls.from_pretrained`` with all of its weights.

    Parameters
    ----------
    unused : beginnings of the names of weights that nobody reads.

    Raises
    ------
    BackendError : weights that are not in the files; transformers would make them up, and only log it.
    """
    from transformers.utils import logging

    heard = logging.get_verbosity()
    logging.set_verbosity_error()  # its report of what is missing is a table of hundreds of lines
    try:
        made, found = cls.from_pretrained(model, output_loading_info=True, **options)
    finally:
        logging.set_verbosity(heard)
    missing = {*found["missing_keys"], *(key[0] for key in found["mismatched_keys"])}
    lost = sorted(name for name in missing if not name.startswith(unused) and not name.endswith(_COUNTERS))
    if lost:
        raise BackendError(
            f"{model!r} lacks {len(lost)} of the weights of a {type(made).__name__}, e.g. {lost[0]}; made-up ones would"
            " give made-up numbers"
        )
    return made
