"""Detectors from transformers, tiny and with random weights: their boxes against transformers by hand, their classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from trope.detectors import DETECTORS
from trope.errors import BackendError, MissingExtra, UsageError
from trope.testing import check_detector

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from trope.testing import tiny_vision

    made = {}
    for kind in ("rtdetr", "dfine", "owlv2", "grounding-dino"):
        build: Any = getattr(tiny_vision, f"tiny_{kind.replace('-', '_')}")
        made[kind] = build(tmp_path_factory.mktemp(kind))
    return made


PICTURE = Image.fromarray(np.random.default_rng(0).integers(0, 255, (70, 90, 3), dtype=np.uint8))


@pytest.mark.parametrize("kind", ["rtdetr", "dfine", "owlv2", "grounding-dino"])
def test_boxes_are_boxes_and_the_same_again(folders: dict[str, Path], kind: str) -> None:
    detector = DETECTORS.create(f"{kind}:{folders[kind]}")
    check_detector(detector)
    assert detector.name == f"{kind}:{folders[kind].name}"
    again = DETECTORS.create(f"{kind}:{folders[kind]}")
    assert detector.detect(PICTURE, ("cat", "dog")) == again.detect(PICTURE, ("cat", "dog"))


def test_boxes_of_rtdetr_are_those_of_transformers_by_hand(folders: dict[str, Path]) -> None:
    import torch
    from transformers import RTDetrForObjectDetection, RTDetrImageProcessorPil

    found = DETECTORS.create(f"rtdetr:{folders['rtdetr']}").detect(PICTURE, ())
    model = RTDetrForObjectDetection.from_pretrained(folders["rtdetr"]).eval()
    with torch.no_grad():
        out = model(**RTDetrImageProcessorPil.from_pretrained(folders["rtdetr"])(images=PICTURE, return_tensors="pt"))
    scores, boxes = torch.sigmoid(out.logits[0]), out.pred_boxes[0]
    best = scores.flatten().topk(len(found))
    assert len(found) > 0 and [d.score for d in found] == pytest.approx(best.values.tolist(), abs=1e-6)
    for detection, place in zip(found, best.indices.tolist(), strict=True):
        x, y, w, h = boxes[place // scores.shape[1]].tolist()
        by_hand = [min(1, max(0, v)) for v in (x - w / 2, y - h / 2, x + w / 2, y + h / 2)]
        assert detection.box == pytest.approx(by_hand, abs=1e-5)


def test_classes_go_by_cocos_names_and_an_unknown_one_is_an_error_not_zero(folders: dict[str, Path]) -> None:
    detector = DETECTORS.create(f"rtdetr:{folders['rtdetr']}")
    assert detector.classes is not None and {"couch", "tv"} <= detector.classes and "sofa" not in detector.classes
    detector.require({"couch", "cat"})
    with pytest.raises(UsageError, match="does not know 1 of the vehicles: dragon"):
        detector.require({"dragon", "cat"})
    for kind in ("owlv2", "grounding-dino"):
        DETECTORS.create(f"{kind}:{folders[kind]}").require({"dragon"})


def test_open_vocabularies_look_for_what_they_are_told(folders: dict[str, Path]) -> None:
    for kind in ("owlv2", "grounding-dino"):
        found = DETECTORS.create(f"{kind}:{folders[kind]}").detect(PICTURE, ("dragon",))
        assert {d.label for d in found} <= {"dragon"}


def test_a_folder_that_holds_no_detector_is_explained(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BackendError, match="cannot be read"):
        _ = DETECTORS.create(f"rtdetr:{tmp_path / 'empty'}").classes
    with pytest.raises(BackendError, match=r"cannot be loaded.*Expected"):
        DETECTORS.create(f"owlv2:{tmp_path / 'empty'}").detect(PICTURE, ("cat",))


def test_yolo_says_what_it_needs() -> None:
    try:
        import ultralytics  # noqa: F401  # AGPL-3.0: only where somebody has chosen to install it
    except ImportError:
        with pytest.raises(MissingExtra, match="ultralytics"):
            DETECTORS.create("yolo:yolov8n.pt")
        return
    detector = DETECTORS.create("yolo:yolov8n.yaml")
    check_detector(detector)
    assert detector.classes is not None and "cat" in detector.classes
