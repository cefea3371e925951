"""A pipeline's files: a folder as ``save_pretrained`` writes it, or a hub id. Read without loading a weight."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from trope.errors import BackendError, UsageError
from trope.records import digest
from trope.weights import file_digest, hub_snapshot

INDEX = "model_index.json"
COMPLETE = "a complete folder, as save_pretrained or a download of all files makes it"
_WEIGHTS = (".safetensors", ".bin")
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_WEIGHTLESS = re.compile(r"Scheduler|Tokenizer|Processor|FeatureExtractor")  # parts that are configuration alone
_DTYPES = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}


@dataclass(frozen=True)
class PipelineFiles:
    """The files of one pipeline.

    Attributes
    ----------
    folder : where the configurations are; of a hub id, the snapshot in its cache.
    hub_id, commit : None for a folder of one's own.
    """

    folder: Path
    hub_id: str | None = None
    commit: str | None = None

    @cached_property
    def index(self) -> dict[str, Any]:
        """``model_index.json``."""
        return _json(self.folder / INDEX, self.called)

    @property
    def called(self) -> str:
        """For messages."""
        return f"pipeline {self.hub_id or str(self.folder)!r}"

    @property
    def pipeline(self) -> str:
        """The class of the pipeline."""
        name = self.index.get("_class_name")
        return name if isinstance(name, str) else ""  # a list names a file of code beside it, which is never run

    def parts(self) -> dict[str, str]:
        """Its parts: name and class, without those that were left out when it was saved."""
        listed = {n: of for n, of in self.index.items() if n[:1] != "_" and isinstance(of, list) and len(of) == 2}
        return {name: str(of[1]) for name, of in listed.items() if of[1] is not None}

    def has(self, part: str) -> bool:
        """Whether the pipeline has a part."""
        return part in self.parts()

    def config(self, part: str) -> dict[str, Any]:
        """The configuration of a part."""
        return _json(self.folder / part / "config.json", self.called)

    def number(self, part: str, field: str, default: int) -> int:
        """A whole number of a part's configuration; of a list, e.g. height and width, the first."""
        value = self.config(part).get(field, default)
        value = value[0] if isinstance(value, list) and value else value
        if not isinstance(value, int):
            raise BackendError(f"{self.called}: {part}/config.json has {field}={value!r}. Expected: a whole number")
        return value

    def layers(self, encoder: str) -> int:
        """How many layers a text encoder has."""
        config = self.config(encoder)
        inner = config.get("text_config")
        for table in (inner if isinstance(inner, dict) else {}, config):
            for field in ("num_hidden_layers", "num_layers"):
                if isinstance(table.get(field), int):
                    return int(table[field])
        raise BackendError(f"{self.called}: {encoder}/config.json does not say how many layers it has")

    def check(self) -> None:
        """Raise `BackendError` for a folder that lacks the index, a part, its configuration or its weights."""
        if not self.pipeline:
            raise BackendError(f"{self.called}: {INDEX} names no pipeline class (_class_name)")
        for part, cls in self.parts().items():
            there = self.folder / part
            missing = None
            if not there.is_dir():
                missing = "its folder"
            elif not any(there.glob("*.json")):
                missing = "its configuration"
            elif self.commit is None and not _WEIGHTLESS.search(cls):
                missing = _missing_weights(there)
            if missing:
                raise BackendError(
                    f"{self.called} lacks a component: {part} ({cls}) is listed in {INDEX}, but {missing} is not there."
                    f" Expected: {COMPLETE}"
                )

    @cached_property
    def weights(self) -> str:
        """What the weights and configurations are: the commit of a hub id, the hash of a folder's files."""
        if self.commit is not None:
            return f"{self.hub_id}@{self.commit}"
        return digest({str(path.relative_to(self.folder)): file_digest(path) for path in self._read()})

    def _read(self) -> Iterator[Path]:
        """Every file that loading may read."""
        yield self.folder / INDEX
        for part in sorted(self.parts()):
            yield from sorted(p for p in (self.folder / part).rglob("*") if p.is_file())

    def dtype(self) -> str | None:
        """The type most weights of the denoiser are stored in; None if that cannot be seen."""
        part = next((name for name in ("transformer", "unet") if self.has(name)), None)
        stored = Counter[str]()
        for path in (self.folder / part).glob("*.safetensors") if part else ():
            stored.update(_stored(path))
        return stored.most_common(1)[0][0] if stored else None


def pipeline_files(model: str, revision: str | None = None) -> PipelineFiles:
    """A folder, or else a hub id whose configurations are fetched (weights only when the pipeline is loaded).

    Raises
    ------
    UsageError : neither. BackendError : an incomplete pipeline, or the hub does not give it.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / INDEX).is_file():
            raise BackendError(
                f"pipeline {model!r}: no {INDEX} there. Expected: a folder as diffusers saves it; a checkpoint in one"
                " file must be converted first"
            )
        if revision is not None:
            raise UsageError(f"diffusers:{model}: revision={revision!r} is for a hub id, and this is a folder")
        files = PipelineFiles(folder)
    elif _HUB_ID.fullmatch(model) and not folder.exists():
        files = _from_hub(model, revision)
    else:
        raise UsageError(
            f"diffusers:{model}: no such folder, and no hub id. Expected: a pipeline folder, or OWNER/NAME"
        )
    files.check()
    return files


def _from_hub(model: str, revision: str | None) -> PipelineFiles:
    there = hub_snapshot(model, revision, ("*.json", "*.txt", "*.model"))
    if not (there / INDEX).is_file():
        raise BackendError(f"hub id {model!r} holds no {INDEX}: it is no diffusers pipeline")
    return PipelineFiles(there, model, there.name)


def _missing_weights(there: Path) -> str | None:
    """What a part's weights lack; None if they are complete."""
    for index in there.glob("*.index.json"):
        told = _json(index, str(there)).get("weight_map")
        shards = {str(name) for name in told.values()} if isinstance(told, dict) else set()
        lost = sorted(name for name in shards if not (there / name).is_file())
        if lost:
            return f"{lost[0]} (of {len(shards)} files of weights)"
    weights = [path for path in there.iterdir() if path.suffix in _WEIGHTS]
    return None if weights else "a file of weights (.safetensors or .bin)"


def _json(path: Path, of: str) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BackendError(f"{of}: {path.parent.name}/{path.name} cannot be read: {error}") from None
    if not isinstance(read, dict):
        raise BackendError(f"{of}: {path.parent.name}/{path.name} is no JSON object")
    return read


def _stored(path: Path) -> Mapping[str, int]:
    """How many weights of each type a safetensors file holds, from its header."""
    found = Counter[str]()
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(min(length, path.stat().st_size)))
        for name, tensor in header.items():
            if name != "__metadata__" and tensor["dtype"] in _DTYPES:
                found[_DTYPES[tensor["dtype"]]] += tensor["data_offsets"][1] - tensor["data_offsets"][0]
    except (OSError, ValueError, AttributeError, KeyError, IndexError, TypeError, struct.error) as error:
        raise BackendError(f"{str(path)!r} is no whole .safetensors file ({type(error).__name__}: {error})") from None
    return found
