"""Checks that any backend must pass; for the tests of those who write one."""

from __future__ import annotations

import io
import json

from PIL import Image

from trope.detectors import Detector
from trope.generators import Generator
from trope.records import Result, digest
from trope.store import canonical_picture


def check_generator(generator: Generator, text: str = "A bowl on a table.") -> None:
    """Raise `AssertionError` if a generator's identity is not JSON or its picture not reproducible."""
    _check_identity(generator.identity())
    first, second = (_picture(generator.draw(text, 42)) for _ in range(2))
    assert first == second, "draw(text, seed) must give the same picture for the same seed"


def check_detector(detector: Detector) -> None:
    """Raise `AssertionError` if a detector's identity is not JSON or its boxes are not boxes."""
    _check_identity(detector.identity())
    for found in detector.detect(Image.new("RGB", (64, 48), "gray"), ("cat",)):
        x0, y0, x1, y1 = found.box
        assert 0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1, f"box {found.box} is not x0, y0, x1, y1 in 0..1"
        assert 0 <= found.score <= 1, f"score {found.score} is not in 0..1"
        assert detector.classes is None or found.label in detector.classes, f"{found.label!r} is no class of it"


def _check_identity(identity: object) -> None:
    json.dumps(identity)
    assert identity, "identity() must say what can change an answer"
    digest(identity)


def _picture(made: object) -> str:
    image = made.image if isinstance(made, Result) else made
    assert isinstance(image, bytes | Image.Image), "draw must return a PIL image, encoded bytes, or a Result with one"
    return canonical_picture(io.BytesIO(image).getvalue() if isinstance(image, bytes) else image).sha
