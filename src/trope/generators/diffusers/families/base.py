"""What a family is: how a prompt becomes the tensors that its pipelines take, for every layer of every branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from trope.errors import BackendError, nearest
from trope.generators.base import Branch
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.encoding import Encoding
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings

Row = dict[str, Any]  # one prompt's share of a call: the pipeline's argument -> a tensor with a batch of one


@dataclass(frozen=True, slots=True)
class Reader:
    """One text encoder of a family: the pipeline's parts, and the words for it."""

    encoder: str
    tokenizer: str


class Family:
    """Base class of families. A family has no state: the pipeline and the settings come with every call.

    Attributes
    ----------
    readers : text encoders by the name of their branch.
    optional : parts that a pipeline may do without.
    steps, guidance, size : defaults of a call, the pipeline's own.
    true_guidance : default of a second kind of guidance; None if there is none.
    max_tokens : default length of the longest text; None where it cannot be chosen.
    text_layers : layers that are read together by default; None where one is.
    multiple : width and height must be multiples of this.
    negative : what it is told not to draw where a request does not say; None if it takes no negative prompt.
    dtype : of the published weights.
    """

    readers: ClassVar[Mapping[str, Reader]] = {}
    optional: ClassVar[frozenset[str]] = frozenset()
    steps: ClassVar[int | None] = None
    guidance: ClassVar[float | None] = None
    size: ClassVar[int | None] = 1024
    true_guidance: ClassVar[float | None] = None
    max_tokens: ClassVar[int | None] = None
    text_layers: ClassVar[tuple[int, ...] | None] = None
    multiple: ClassVar[int] = 16
    negative: ClassVar[str | None] = ""
    dtype: ClassVar[str] = "bfloat16"

    def default_size(self, files: PipelineFiles) -> int | None:
        """Side of a picture nobody gave a size for."""
        return self.size

    def check(self, files: PipelineFiles, settings: Settings) -> None:
        """Raise `BackendError` if a text encoder is missing, `UsageError` for settings it cannot follow."""
        for reader in self.readers.values():
            for part in (reader.encoder, reader.tokenizer):
                if part not in self.optional and not files.has(part):
                    raise BackendError(f"{files.called} lacks a component: a {files.pipeline} needs {part}")

    def guided(self, settings: Settings) -> bool:
        """Whether there is guidance against a negative prompt."""
        return (settings.guidance or 0.0) > 1.0

    def branches(self, files: PipelineFiles, settings: Settings) -> dict[str, Branch]:
        """Its text encoders, told from their configurations; the normal layer is the last one."""
        return {name: self._branch(files, name) for name, reader in self.readers.items() if files.has(reader.encoder)}

    def _branch(self, files: PipelineFiles, name: str) -> Branch:
        layers = files.layers(self.readers[name].encoder)
        return Branch(layers, layers)

    def plainest(self, layer: Layer | None, branches: Mapping[str, Branch]) -> Layer | None:
        """The simplest request for the very same picture: None for the normal layer of an exact branch.

        Raises
        ------
        BackendError : there is no such branch or layer.
        """
        if layer is None:
            return None
        if layer.branch not in branches:
            near = nearest(layer.branch, branches)
            raise BackendError(
                f"no branch {layer.branch!r}." + (f" Did you mean {near!r}?" if near else "")
                + f" Branches: {', '.join(branches) or 'none'}"
            )  # fmt: skip
        branch = branches[layer.branch]
        if not 0 <= layer.index <= branch.layers:
            raise BackendError(f"no layer {layer.index} of {layer.branch!r}. Expected: 0 to {branch.layers}")
        if branch.exact and layer.index == branch.normal:
            return None
        return layer if branch.pooled else replace(layer, pooled="normal")

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """One forward pass of one encoder over one text."""
        raise NotImplementedError(f"{type(self).__name__} must encode")  # an abstract method

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """One prompt's share of a call, its branches read by ``read``, one of them at ``layer``."""
        raise NotImplementedError(f"{type(self).__name__} must make a row")  # an abstract method

    def joined(self, rows: Sequence[Row]) -> Row:
        """Rows as one batch."""
        import torch

        return {name: torch.cat([row[name] for row in rows]) for name in rows[0]}

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """What else the pipeline is told."""
        return {"guidance_scale": settings.guidance}


def at(branch: str, layer: Layer | None, normal: int) -> int:
    """The layer to read a branch at."""
    return layer.index if layer is not None and layer.branch == branch else normal
