"""The embedded detector on real photographs, and suppression against an obvious implementation."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.conftest import DATA
from trope.data.coco import CLASS_OF_ID, CLASSES, mentions, words
from trope.detectors import DETECTORS, suppress
from trope.detectors.ssd import SSD
from trope.testing import check_detector

PHOTOS = DATA / "images" / "photos"


@pytest.fixture(scope="module")
def ssd() -> SSD:
    return SSD()


@pytest.mark.parametrize(
    ("photo", "there"),
    [
        ("darknet/giraffe.jpg", {"giraffe", "zebra"}),
        ("darknet/eagle.jpg", {"bird"}),
        ("scikit-image/coffee.png", {"cup"}),
        ("darknet/dog.jpg", {"bicycle", "car"}),
    ],
)
def test_what_is_in_real_photographs_is_found(ssd: SSD, photo: str, there: set[str]) -> None:
    with Image.open(PHOTOS / photo) as image:
        found = ssd.detect(image.convert("RGB"))
    assert there <= {d.label for d in found if d.score >= 0.25}
    assert [d.score for d in found] == sorted((d.score for d in found), reverse=True)


def test_the_wrong_ones_it_gives_are_the_documented_ones(ssd: SSD) -> None:
    """The table of docs/limits.md, as it stands there: a new detector must change the page."""
    page = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\S+)` \| ([^|]+) \|", page, re.MULTILINE)
    assert len(rows) == 11
    for photo, listed in rows:
        with Image.open(PHOTOS / photo) as image:
            labels = {d.label for d in ssd.detect(image.convert("RGB")) if d.score >= 0.25}
        assert labels == {name.strip(" *") for name in listed.split(",") if name.strip() != "nothing"}, photo


def test_boxes_are_where_things_are(ssd: SSD) -> None:
    with Image.open(PHOTOS / "darknet" / "eagle.jpg") as image:
        bird = next(d for d in ssd.detect(image.convert("RGB")) if d.label == "bird")
    x0, y0, x1, y1 = bird.box  # the eagle fills the middle
    assert x0 < 0.3 and x1 > 0.7 and y0 < 0.3 and y1 > 0.7 and 0.3 < bird.area < 1


def test_it_is_a_detector_like_any_other(ssd: SSD) -> None:
    check_detector(ssd)
    assert ssd.classes == frozenset(CLASSES)
    assert isinstance(DETECTORS.create("ssd"), SSD)


def _slow_suppress(boxes: list[list[float]], scores: list[float], iou: float) -> list[int]:
    kept: list[int] = []
    for i in sorted(range(len(boxes)), key=lambda n: (-scores[n], n)):
        clear = True
        for j in kept:
            a, b = boxes[i], boxes[j]
            width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
            height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
            union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - width * height
            if width * height > iou * union:
                clear = False
        if clear:
            kept.append(i)
    return kept


def test_suppression_equals_the_obvious_way() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        corner = rng.random((int(rng.integers(0, 30)), 2))
        boxes = np.hstack([corner, corner + 0.05 + rng.random(corner.shape) * 0.5])
        scores = rng.integers(0, 6, len(boxes)) / 5  # with ties
        assert suppress(boxes, scores).tolist() == _slow_suppress(boxes.tolist(), scores.tolist(), 0.5)


def test_the_class_table_is_coco() -> None:
    assert len(CLASSES) == 80 and CLASSES[0] == "person" and CLASSES[-1] == "toothbrush"
    assert CLASS_OF_ID[90] == "toothbrush" and CLASS_OF_ID[13] == "stop sign" and 12 not in CLASS_OF_ID
    assert words()["knives"] == "knife" and words()["mice"] == "mouse"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A hot dog beside a dog.", ["hot dog", "dog"]),
        ("Two teddy bears and a bear", ["teddy bear", "bear"]),
        ("Orange light over the hills, where cars train", ["car"]),
        ("An orange on a plate", ["orange"]),
        ("Remote hills train the eye", []),
        ("A catalog of benches", ["bench"]),
        ("KNIVES, forks; a pair of scissors!", ["knife", "fork", "scissors"]),
        ("", []),
    ],
)
def test_mentions(text: str, names: list[str]) -> None:
    assert [name for _, _, name in mentions(text)] == names
