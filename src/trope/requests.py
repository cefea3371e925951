"""What a strategy or a protocol asks, as plain data. A request knows what about it can change its answer.

The flow adds who is asked, and hashes both into the key under which the answer is stored for good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from trope.records import Output, digest


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask the cell's subject for one picture.

    ``attempt`` 0 is the first draw at the cell's seed; each further attempt is a new draw. ``variant``
    names the wording (`base`, `human`, ...) for pictures that were made elsewhere.
    """

    text: str
    attempt: int = 0
    variant: str = "base"

    def material(self) -> list[Any]:
        """What about this request can change the picture."""
        return ["generate", self.text, self.attempt]


@dataclass(frozen=True, slots=True)
class Detect:
    """Ask a detector which objects are in an output. ``labels`` matter to open-vocabulary detectors only."""

    output: Output
    instrument: str
    labels: tuple[str, ...] = ()

    def material(self) -> list[Any]:
        """The picture, and what is looked for (a detector with classes of its own leaves that out)."""
        return ["detect", self.output.picture, list(self.labels)]


class Unreadable(ValueError):
    """A reply that is not what its format names; the raw text stays stored and counts as ``unparsed``."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A message to a chat model: a system text, a user text, and how its reply is to be read.

    ``read`` turns the raw reply into a value; it raises `Unreadable` for anything the format does not name.
    """

    user: str
    read: Callable[[str], Any]
    system: str | None = None
    max_tokens: int = 512
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Ask:
    """Put a prompt, with an output's picture, to a judge."""

    output: Output
    instrument: str
    prompt: Prompt

    def material(self) -> list[Any]:
        """The picture and every word that is said."""
        return ["ask", self.output.picture, _said(self.prompt)]


@lru_cache(maxsize=4096)
def _said(prompt: Prompt) -> str:
    """The hash of all that a prompt says; many pictures are asked the same."""
    return digest([prompt.system, prompt.user, prompt.max_tokens, prompt.temperature])


Request = Generate | Detect | Ask


@dataclass(frozen=True, slots=True)
class Job:
    """One request on its way to a backend, with what the cell and the store add to it.

    ``picture`` is the file of the canonical picture that an instrument is to look at; None for a generator.
    """

    key: str
    request: Request
    seed: int
    item_id: str
    picture: Path | None = None
