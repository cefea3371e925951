"""What a strategy or a protocol asks, as plain data. A request knows what about it can change its answer.

The flow adds who is asked, and hashes both into the key under which the answer is stored for good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from trope.records import Output, digest


@dataclass(frozen=True, slots=True)
class Layer:
    """A text encoder cut short: ``branch`` (e.g. `t5`) hands on the hidden state of layer ``index``, 0 = embeddings.

    Other branches stay normal. ``pooled`` says whether a pooled vector of that branch is the normal one or is
    taken from the same layer.
    """

    branch: str
    index: int
    pooled: Literal["normal", "layer"] = "normal"


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask the cell's subject for one picture.

    ``attempt`` 0 is the first draw at the cell's seed; each further attempt is a new draw. ``variant``
    names the wording (`base`, `human`, ...) for pictures that were made elsewhere. ``negative`` is what a
    pipeline that takes a negative prompt is told; ``layer`` replaces the text encoder's last word.
    """

    text: str
    attempt: int = 0
    variant: str = "base"
    negative: str | None = None
    layer: Layer | None = None

    def material(self) -> list[Any]:
        """What about this request can change the picture."""
        told = [] if self.negative is None else [{"negative": self.negative}]
        cut = [] if self.layer is None else [{"layer": [self.layer.branch, self.layer.index, self.layer.pooled]}]
        return ["generate", self.text, self.attempt, *told, *cut]


@dataclass(frozen=True, slots=True)
class Detect:
    """Ask a detector which objects are in an output. ``labels`` matter to open-vocabulary detectors only."""

    output: Output
    instrument: str
    labels: tuple[str, ...] = ()

    @property
    def shown(self) -> str | None:
        """The picture that is looked at."""
        return self.output.picture

    def material(self) -> list[Any]:
        """The picture, and what is looked for (a detector with classes of its own leaves that out)."""
        return ["detect", self.shown, list(self.labels)]


class Unreadable(ValueError):
    """A reply that is not what its format names; the raw text stays stored and counts as ``unparsed``."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A message to a chat model: a system text, a user text, and how its reply is to be read.

    ``read`` turns the raw reply into a value; it raises `Unreadable` for anything the format does not name.
    ``schema`` is a JSON schema of the reply, for servers that can hold a model to one.
    """

    user: str
    read: Callable[[str], Any]
    system: str | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    top_p: float | None = None
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Ask the cell's subject, a multimodal model, for a reply in words.

    ``picture`` is the SHA-256 of a stored picture; left out, the flow puts in the item's own.
    """

    prompt: Prompt
    picture: str | None = None
    attempt: int = 0

    @property
    def shown(self) -> str | None:
        """The picture that is looked at."""
        return self.picture

    def material(self) -> list[Any]:
        """The picture and every word that is said."""
        return ["reply", self.picture, said(self.prompt), self.attempt]


@dataclass(frozen=True, slots=True)
class Ask:
    """Put a prompt to a judge, with an output's picture, with the stored ``picture``, or with none.

    ``attempt`` asks for a further sample of the same prompt.
    """

    output: Output | None
    instrument: str
    prompt: Prompt
    attempt: int = 0
    picture: str | None = None

    @property
    def shown(self) -> str | None:
        """The picture that is looked at."""
        return self.output.picture if self.output is not None else self.picture

    def material(self) -> list[Any]:
        """The picture and every word that is said."""
        again = [self.attempt] if self.attempt else []
        return ["ask", self.shown, said(self.prompt), *again]


@dataclass(frozen=True, slots=True)
class Measure:
    """Ask a similarity metric how well an output's picture and a text go together."""

    output: Output
    instrument: str
    text: str

    @property
    def shown(self) -> str | None:
        """The picture that is looked at."""
        return self.output.picture

    def material(self) -> list[Any]:
        """The picture and the text."""
        return ["measure", self.shown, self.text]


@dataclass(frozen=True, slots=True)
class Compare:
    """Ask a text metric how alike texts are: ``pairs`` of (candidate, reference), of an output or of none."""

    output: Output | None
    instrument: str
    pairs: tuple[tuple[str, str], ...]
    shown: ClassVar[None] = None

    def material(self) -> list[Any]:
        """The texts alone."""
        return ["compare", [list(pair) for pair in self.pairs]]


@lru_cache(maxsize=4096)
def _said(system: str | None, user: str, max_tokens: int, temperature: float, *more: str) -> str:
    return digest([system, user, max_tokens, temperature, *more])


def said(prompt: Prompt) -> str:
    """The hash of all that a prompt says; many pictures are asked the same."""
    more = [] if prompt.top_p is None and prompt.schema is None else [digest([prompt.top_p, prompt.schema])]
    return _said(prompt.system, prompt.user, prompt.max_tokens, prompt.temperature, *more)


ToSubject = Generate | Reply
ToInstrument = Detect | Ask | Measure | Compare
Request = ToSubject | ToInstrument


@dataclass(frozen=True, slots=True)
class Job:
    """One request on its way to a backend, with what the cell and the store add to it.

    ``picture`` is the file of the canonical picture that is to be looked at, if there is one.
    """

    key: str
    request: Request
    seed: int
    item_id: str
    picture: Path | None = None
