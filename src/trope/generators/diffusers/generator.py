"""`diffusers:FOLDER_OR_HUB_ID`: a pipeline on this machine, with its text encoders open at every layer."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from trope.errors import BackendError, UsageError
from trope.generators.base import Branch, Generator, draw_seed
from trope.generators.diffusers.families import family_of
from trope.generators.diffusers.files import PipelineFiles, pipeline_files
from trope.generators.diffusers.hardware import OFFLOADS, Placement, free_unused, place, sizes_of
from trope.generators.diffusers.painter import Painter, Wish, say
from trope.generators.diffusers.settings import DTYPES, Settings, layers_of, published, size_of
from trope.records import Result
from trope.requests import Generate, Job
from trope.weights import loading, require


class Diffusers(Generator):
    """A diffusion pipeline.

    Parameters
    ----------
    model : a pipeline folder or a hub id; may be left out if the preset names one.
    preset : published settings, e.g. ``simile-flux`` (`presets.toml`); what is given beside it wins.
    steps, guidance : of a call; default: the preset's, else the pipeline's own.
    size : ``768`` or ``1024x768``.
    dtype : `float32`, `bfloat16`, `float16`; `auto`: the preset's, else what the weights are stored in.
    device : `auto`, `cpu`, `cuda`, `cuda:1`, `mps`.
    offload : what stays in main memory on a CUDA device: `auto`, `none`, `model`, `sequential`.
    batch : pictures a call, at most.
    revision : of a hub id.
    true_guidance, max_tokens, text_layers : of families that have them.
    """

    transport = frozenset({"device", "offload", "batch"})

    def __init__(
        self,
        model: str | None = None,
        preset: str | None = None,
        steps: int | None = None,
        guidance: float | None = None,
        size: str | None = None,
        dtype: str = "auto",
        device: str = "auto",
        offload: str = "auto",
        batch: int | None = None,
        revision: str | None = None,
        true_guidance: float | None = None,
        max_tokens: int | None = None,
        text_layers: str | None = None,
    ) -> None:
        given = {
            "steps": steps, "guidance": guidance, "size": size, "dtype": None if dtype == "auto" else dtype,
            "true_guidance": true_guidance, "max_tokens": max_tokens, "text_layers": text_layers,
        }  # fmt: skip
        table = published(preset)
        chosen = model or table.get("model")
        if chosen is None:
            raise UsageError("'diffusers' names no model. Expected: diffusers:FOLDER_OR_HUB_ID, or ?preset=NAME")
        if offload not in OFFLOADS:
            raise UsageError(f"offload={offload!r}. Expected: {', '.join(OFFLOADS)}")
        self._model, self._device, self._offload = str(chosen), device, offload
        self.files = pipeline_files(self._model, revision)
        if table and table["pipeline"] != self.files.pipeline:
            raise UsageError(f"preset {preset!r} is for a {table['pipeline']}, and this is a {self.files.pipeline}")
        self.family = family_of(self.files.pipeline)
        self.settings = _settings(self.files, table | {k: v for k, v in given.items() if v is not None})
        self.takes_negative = self.family.negative is not None and self.family.guided(self.settings)
        self.batch = int(table.get("batch", 8)) if batch is None else batch
        if self.batch < 1:
            raise UsageError(f"batch={batch}. Expected: at least 1")
        self._painter: Painter | None = None
        self._placement: Placement | None = None
        self._loading = threading.Lock()

    # --- what it is ---

    def identity(self) -> Mapping[str, Any]:
        """The class of the pipeline, its weights and configurations by hash or commit, every setting of a call."""
        known = {"pipeline": self.files.pipeline, "weights": self.files.weights, "settings": self.settings.as_json()}
        return {"generator": "diffusers", "version": 1} | known

    def named(self, name: str) -> str:
        """The folder's own name, not its path; a hub id as it is."""
        if self.files.hub_id is not None:
            return name
        _, question, options = name.partition("?")
        return f"diffusers:{self.files.folder.resolve().name}{question}{options}"

    def branches(self) -> Mapping[str, Branch]:
        """Its text encoders, told from their configurations."""
        return self._branches

    @cached_property
    def _branches(self) -> dict[str, Branch]:
        return self.family.branches(self.files, self.settings)

    def material(self, request: Any) -> Any:
        """The normal layer is no layer: the picture is the same, bit for bit."""
        return self._plainest(request).material()

    def group(self, request: Any) -> Hashable:
        """Layers of one text together, since the text is read once for all of them."""
        return None if self._plainest(request).layer is None else request.text

    def _plainest(self, request: Generate) -> Generate:
        layer = self.family.plainest(request.layer, self._branches)
        return request if layer == request.layer else replace(request, layer=layer)

    # --- what it does ---

    async def open(self) -> None:
        """Load the pipeline, choose where it runs, and say so."""
        await asyncio.to_thread(self.painter)

    async def close(self) -> None:
        """Let go of the weights."""
        self._painter = None
        free_unused()

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """All jobs in as few calls as memory allows."""
        return await asyncio.to_thread(self._perform, jobs)

    def draw(self, text: str, seed: int) -> Result:
        """One picture of ``text``."""
        return self._finished(self.painter().paint([Wish(text, seed % 2**32)]))[0]

    def _perform(self, jobs: Sequence[Job]) -> list[Result]:
        requests = [self._plainest(job.request) for job in jobs if isinstance(job.request, Generate)]
        wishes = [
            Wish(request.text, draw_seed(job.seed, request.attempt), request.negative, request.layer)
            for request, job in zip(requests, jobs, strict=True)
        ]
        results = self._finished(self.painter().paint(wishes))
        return [
            _with(result, "layer", [r.layer.branch, r.layer.index, r.layer.pooled]) if r.layer else result
            for r, result in zip(requests, results, strict=True)
        ]

    def _finished(self, results: Sequence[Result]) -> list[Result]:
        assert self._placement is not None
        common = {
            "pipeline": self.files.pipeline, "weights": self.files.weights, "settings": self.settings.as_json(),
            "device": self._placement.device, "offload": self._placement.offload, "versions": _versions(),
        }  # fmt: skip
        return [replace(result, provenance=common | dict(result.provenance)) for result in results]

    def painter(self) -> Painter:
        """The loaded pipeline; loaded at the first call."""
        with self._loading:
            if self._painter is None:
                require("diffusers", packages=("torch", "transformers", "diffusers"))
                with loading(
                    self.files.called, "a complete folder, as save_pretrained or a download of all files makes it"
                ):
                    pipeline, self._placement = _load(self.files, self.settings, self._device, self._offload)
                name = self.name or f"diffusers:{self._model}"
                say(f"{name}: {self._placement.device}, {self._placement.why}; {self._why_dtype()}")
                self._painter = Painter(pipeline, self.family, self.settings, self.batch, name)
            return self._painter

    def _why_dtype(self) -> str:
        dtype = self.settings.dtype
        stored = self.files.dtype()
        why = "as the weights are stored" if dtype == stored else f"the weights are stored in {stored or 'some type'}"
        slow = self._placement is not None and self._placement.device == "cpu" and dtype != "float32"
        return f"{dtype} ({why})" + (", slow on a CPU: dtype=float32 may be faster, as another subject" if slow else "")


def _with(result: Result, name: str, value: Any) -> Result:
    return replace(result, provenance={**result.provenance, name: value})


def _settings(files: PipelineFiles, chosen: Mapping[str, Any]) -> Settings:
    """Options and preset over the family's defaults; an option the family does not have is an error."""
    family = family_of(files.pipeline)
    for name in ("true_guidance", "max_tokens", "text_layers"):
        if name in chosen and getattr(family, name) is None:
            raise UsageError(f"a {files.pipeline} has no option {name!r}")
    size = chosen.get("size") or family.default_size(files)
    width, height = (None, None) if size is None else size_of(str(size), family.multiple)
    dtype = chosen.get("dtype") or files.dtype() or family.dtype
    if dtype not in DTYPES:
        raise UsageError(f"dtype={dtype!r}. Expected: auto, {', '.join(DTYPES)}")
    layers = chosen.get("text_layers")
    settings = Settings(
        width=width,
        height=height,
        steps=chosen.get("steps", family.steps),
        guidance=chosen.get("guidance", family.guidance),
        true_guidance=chosen.get("true_guidance", family.true_guidance),
        max_tokens=chosen.get("max_tokens", family.max_tokens),
        text_layers=layers_of(layers) if layers else family.text_layers,
        dtype=dtype,
    )
    for name, least in (("steps", 1), ("guidance", 0), ("true_guidance", 0), ("max_tokens", 1)):
        value = getattr(settings, name)
        if value is not None and not least <= value < 1e6:
            raise UsageError(f"{name}={value}. Expected: {least} or more")
    family.check(files, settings)
    return settings


def _load(files: PipelineFiles, settings: Settings, device: str, offload: str) -> tuple[Any, Placement]:
    import diffusers
    import torch

    diffusers.utils.logging.disable_progress_bar()
    where = files.hub_id or str(files.folder)
    left_out = {part: None for part in family_of(files.pipeline).optional if not files.has(part)}
    with _complete(files):
        pipeline = diffusers.DiffusionPipeline.from_pretrained(
            where, revision=files.commit, dtype=getattr(torch, settings.dtype), local_files_only=not files.hub_id,
            **left_out,
        )  # fmt: skip
    denoiser = getattr(pipeline, "transformer", None) or getattr(pipeline, "unet", None)
    if denoiser is not None and str(denoiser.dtype) != f"torch.{settings.dtype}":
        raise BackendError(f"{files.called} was loaded in {denoiser.dtype}, not in {settings.dtype}: update diffusers")
    pipeline.set_progress_bar_config(disable=True)
    placement = place(device, offload, sizes_of(pipeline))
    if placement.offload == "model":
        pipeline.enable_model_cpu_offload(device=placement.device)
    elif placement.offload == "sequential":
        pipeline.enable_sequential_cpu_offload(device=placement.device)
    else:
        pipeline.to(placement.device)
    if hasattr(getattr(pipeline, "vae", None), "enable_slicing"):
        pipeline.vae.enable_slicing()  # decode one by one: less memory, and no picture depends on its batch
    return pipeline, placement


@contextlib.contextmanager
def _complete(files: PipelineFiles) -> Iterator[None]:
    """Raise `BackendError` if weights were made up while loading: the libraries only log that, and go on.

    What else they log is passed on, but for their remarks on a package that no pipeline here needs.
    """
    heard: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    libraries = [logging.getLogger(name) for name in ("diffusers", "transformers")]
    handlers = [library.handlers[:] for library in libraries]
    for library in libraries:
        library.handlers[:] = [Listener(logging.WARNING)]
    try:
        yield
    finally:
        for library, before in zip(libraries, handlers, strict=True):
            library.handlers[:] = before
    for line in heard:
        if "newly initialized" in line or "MISSING" in line:
            shown = line if len(line) <= 300 else line[:300] + " …"
            raise BackendError(f"{files.called} lacks weights, and made-up ones would paint noise: {shown}")
        if "torchvision" not in line:
            say(line)


def _versions() -> dict[str, str]:
    found = {}
    for name in ("torch", "diffusers", "transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
