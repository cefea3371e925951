"""What comes back, and what is stored of it: results of backends, outputs, observations. Pure data, no I/O."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from trope.nouns import Status

if TYPE_CHECKING:
    from PIL.Image import Image

KEY_VERSION = 1  # part of every key and of every question: a change is said, and never asks again in silence
DETECTION_THRESHOLD = 0.25  # simile, section 2.4.1: the detector's default confidence


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

    @property
    def cannot_draw(self) -> tuple[str, ...]:
        """What a synthetic generator was asked for and has no way to draw: its absence proves nothing."""
        return tuple((self.value or {}).get("cannot_draw", ()))


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
        value = self.value or {}
        if not self.ok or not {"present", "detections"} & value.keys():
            return False
        if "present" in value:
            return bool(value["present"] is False)
        return self.best(label, threshold) is None


def _detection(d: Mapping[str, Any]) -> Detection:
    return Detection(d["label"], d["score"], tuple(d["box"]))


@dataclass(frozen=True, slots=True)
class Result:
    """What a backend hands back for one job, before it is stored.

    ``image`` is encoded bytes or a PIL image, ``picture`` the SHA-256 of one the store has already; ``value``
    anything JSON can hold; ``raw`` a reply's text as received; ``provenance`` how it came about. ``billed``
    says whether it may have cost money: a refused connection did not.
    """

    status: Status = "ok"
    image: Image | bytes | None = None
    picture: str | None = None
    value: Mapping[str, Any] | None = None
    raw: str | None = None
    reason: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    billed: bool = True


def digest(material: Any) -> str:
    """SHA-256 (hex) of anything JSON can hold, independent of key order and of white space."""
    return hashlib.sha256(_CANONICAL.encode(material).encode("utf-8", "surrogatepass")).hexdigest()


def key_of(*parts: Any) -> str:
    """SHA-256 (hex) of strings, numbers, None and lists of them; the quick `digest` of what has no keys to sort.

    ``ascii`` writes such values unambiguously and the same in every version of Python.
    """
    return hashlib.sha256(ascii((KEY_VERSION, *parts)).encode("ascii")).hexdigest()


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


R = TypeVar("R", bound=Record)


def reread(record: R, read: Callable[[str], Any]) -> R:
    """Read a stored reply with today's reader: ``ok`` with a value, or ``unparsed`` with the reason.

    ``read`` raises `ValueError` (`requests.Unreadable`) for a reply that its format does not name.
    """
    if record.status != "ok" or record.raw is None:
        return record
    try:
        value = read(record.raw)
    except ValueError as unreadable:
        return replace(record, status="unparsed", value_json=None, reason=str(unreadable))
    return replace(record, value_json=json.dumps(value, ensure_ascii=False))


def best_first(detections: Sequence[Detection]) -> list[dict[str, Any]]:
    """Detections as they are stored: plain, highest score first, ties in a fixed order."""
    ordered = sorted(detections, key=lambda d: (-d.score, d.label, d.box))
    return [
        {"label": d.label, "score": round(float(d.score), 6), "box": [round(float(v), 6) for v in d.box]}
        for d in ordered
    ]
