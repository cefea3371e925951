"""Requests a strategy yields, and the records that answer them.

Pure data, no I/O. A request knows what about it can change its answer (`material`); the flow adds who is
asked, and hashes both into the key under which the answer is stored for good.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trope.nouns import Status

if TYPE_CHECKING:
    from PIL.Image import Image

DETECTION_THRESHOLD = 0.25  # simile, section 2.4.1: the detector's default confidence


# --- what comes back ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Detection:
    """One box: label, score in [0, 1], and ``(x0, y0, x1, y1)`` as fractions of width and height."""

    label: str
    score: float
    box: tuple[float, float, float, float]

    @property
    def area(self) -> float:
        """Share of the picture the box covers, in [0, 1]."""
        x0, y0, x1, y1 = self.box
        return max(0.0, x1 - x0) * max(0.0, y1 - y0)


@dataclass(frozen=True)
class Record:
    """What is stored for one key: a status, and for ``ok`` whatever was said or made."""

    key: str
    backend: str
    status: Status
    value_json: str | None = None
    raw: str | None = None
    picture: str | None = None
    reason: str | None = None

    @property
    def ok(self) -> bool:
        """Whether there is an answer at all."""
        return self.status == "ok"

    @cached_property
    def value(self) -> Any:
        """The stored value, decoded; None when there is none."""
        return None if self.value_json is None else json.loads(self.value_json)


@dataclass(frozen=True)
class Output(Record):
    """One picture (or reply) of a subject. ``picture`` is the SHA-256 of the canonical picture."""

    @property
    def truth(self) -> list[Detection] | None:
        """What a synthetic generator knows it drew, or None for a generator that cannot know."""
        drawn = (self.value or {}).get("truth")
        return None if drawn is None else [_detection(d) for d in drawn]


@dataclass(frozen=True)
class Observation(Record):
    """What one instrument says of one output: a value or a status, never an invented number."""

    @cached_property
    def detections(self) -> list[Detection]:
        """Boxes of a detector, highest score first; empty when it saw nothing."""
        return [_detection(d) for d in (self.value or {}).get("detections", ())]

    def best(self, label: str, threshold: float = DETECTION_THRESHOLD) -> Detection | None:
        """The highest-scoring box of ``label`` at or above ``threshold`` (several boxes: the best counts)."""
        return next((d for d in self.detections if d.label == label and d.score >= threshold), None)

    def absent(self, label: str, threshold: float = DETECTION_THRESHOLD) -> bool:
        """True only if the instrument looked and did not find ``label``; a failed look proves nothing."""
        if not self.ok:
            return False
        if "present" in (self.value or {}):
            return self.value["present"] is False
        return self.best(label, threshold) is None


def _detection(d: Mapping[str, Any]) -> Detection:
    return Detection(d["label"], d["score"], tuple(d["box"]))


@dataclass(frozen=True, slots=True)
class Result:
    """What a backend hands back for one job, before it is stored.

    ``image`` is encoded bytes or a PIL image; ``value`` anything JSON can hold; ``raw`` a reply's text as
    received; ``provenance`` how it came about; ``usd`` what it cost, None when unknown.
    """

    status: Status = "ok"
    image: Image | bytes | None = None
    picture: str | None = None
    value: Mapping[str, Any] | None = None
    raw: str | None = None
    reason: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    usd: float | None = None


# --- what is asked -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask the cell's subject for one picture.

    ``attempt`` 0 is the first draw at the cell's seed; each further attempt is a new draw. ``variant``
    names the wording (`base`, `human`, ...) for pictures that were made elsewhere.
    """

    text: str
    attempt: int = 0
    variant: str = "base"
    negative: str | None = None

    def material(self) -> list[Any]:
        """What about this request can change the picture."""
        return ["generate", self.text, self.attempt, self.negative]


@dataclass(frozen=True, slots=True)
class Detect:
    """Ask a detector which objects are in an output. ``labels`` matter to open-vocabulary detectors only."""

    output: Output
    instrument: str
    labels: tuple[str, ...] = ()

    def material(self) -> list[Any]:
        """The picture decides, and the labels where the detector is told what to look for."""
        return ["detect", self.output.picture, list(self.labels)]


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


class Unreadable(ValueError):
    """A reply that is not what its format names; the raw text stays stored and counts as ``unparsed``."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Put a prompt, with an output's picture, to a judge."""

    output: Output
    instrument: str
    prompt: Prompt

    def material(self) -> list[Any]:
        """The picture and every word that is said."""
        p = self.prompt
        return ["ask", self.output.picture, p.system, p.user, p.max_tokens, p.temperature]


Request = Generate | Detect | Ask


@dataclass(frozen=True, slots=True)
class Job:
    """One request on its way to a backend, with what the cell adds to it."""

    key: str
    request: Request
    seed: int
    item_id: str


def digest(material: Any) -> str:
    """SHA-256 (hex) of anything JSON can hold, independent of key order and of whitespace."""
    text = json.dumps(material, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reread(record: Observation, prompt: Prompt) -> Observation:
    """Read a stored reply again with today's reader: ``ok`` with a value, or ``unparsed`` with the reason."""
    if record.status != "ok" or record.raw is None:
        return record
    try:
        value = prompt.read(record.raw)
    except Unreadable as unreadable:
        return replace(record, status="unparsed", value_json=None, reason=str(unreadable))
    return replace(record, value_json=json.dumps(value, ensure_ascii=False))


def best_first(detections: Sequence[Detection]) -> list[dict[str, Any]]:
    """Detections as they are stored: plain, highest score first, ties in a fixed order."""
    ordered = sorted(detections, key=lambda d: (-d.score, d.label, d.box))
    return [{"label": d.label, "score": round(d.score, 6), "box": [round(v, 6) for v in d.box]} for d in ordered]
