"""Composites of collage: what is asked for is what is drawn, and the truth says so."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from trope.generators.collage import Collage, cutouts
from trope.generators.composites import Composite, parse_composite
from trope.items import load_items

SIDE = 256
PAIRS = [
    (item.id, item.labels["target_class"], item.labels["source_class"])
    for item in load_items(["vmetaphor"]) if item.labels.get("collage")
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fusion: cell phone + teddy bear", Composite("fusion", "cell phone", "teddy bear")),
        (" juxtaposition: tv+oven ", Composite("juxtaposition", "tv", "oven")),
        ("replacement: banana instead of skateboard", Composite("replacement", "banana", "skateboard")),
        ("fusion: banana instead of skateboard", None),
        ("replacement: banana + skateboard", None),
        ("A fusion: a cat + a dog", None),
        ("fusion: cat", None),
        ("The giraffe eats a banana.", None),
    ],
)
def test_requests_are_read(text: str, expected: Composite | None) -> None:
    assert parse_composite(text) == expected


def _boxes(text: str, seed: int = 42) -> tuple[Image.Image, dict[str, list[float]], dict[str, object]]:
    made = Collage(SIDE).draw(text, seed)
    assert made.status == "ok" and made.value is not None and isinstance(made.image, Image.Image)
    return made.image, {d["label"]: d["box"] for d in made.value["truth"]}, made.value["composite"]


def _scene(seed: int, text: str) -> np.ndarray:
    """The same scene without anything on it: the picture's left column holds nothing but the scene."""
    image = np.asarray(_boxes(text, seed)[0], int)
    return np.abs(image - image[:, :1]).max(axis=2) > 2


def test_every_pair_of_the_items_can_be_composed() -> None:
    assert len(PAIRS) >= 30
    for n, (_, one, two) in enumerate(PAIRS):
        text, labels = (
            (f"fusion: {one} + {two}", {one, two}),
            (f"juxtaposition: {one} + {two}", {one, two}),
            (f"replacement: {one} instead of {two}", {one}),
        )[n % 3]
        _, boxes, composite = _boxes(text)
        held = {cutout.also for name in labels for cutout in cutouts()[name]}  # a plant stands in its vase
        assert labels <= set(boxes) <= labels | held and composite["structure"] == text.partition(":")[0]
        assert all(0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1 for x0, y0, x1, y1 in boxes.values())


def test_a_fusion_is_one_object_in_one_box() -> None:
    _, boxes, _ = _boxes("fusion: suitcase + dog")
    assert boxes["suitcase"] == boxes["dog"]
    swapped = _boxes("fusion: dog + suitcase")[1]
    assert swapped["dog"] == swapped["suitcase"]


def test_a_juxtaposition_is_two_objects_apart_on_one_line() -> None:
    image, boxes, _ = _boxes("juxtaposition: bicycle + horse")
    bicycle, horse = boxes["bicycle"], boxes["horse"]
    assert bicycle[2] < horse[0] and abs(bicycle[3] - horse[3]) < 0.01
    drawn = _scene(42, "juxtaposition: bicycle + horse")
    middle = drawn[:, round(SIDE * bicycle[2]) + 2 : round(SIDE * horse[0]) - 2]
    assert middle.shape[1] > 0 and not middle.any()


def test_a_replacement_draws_the_one_and_of_the_other_the_shadow() -> None:
    image, boxes, composite = _boxes("replacement: banana instead of skateboard")
    assert set(boxes) == {"banana"} and composite["absent"] == "skateboard"
    pixels, line = np.asarray(image, int), round(SIDE * boxes["banana"][3])
    ground = pixels[line + 2 : line + 20]
    assert (ground.sum(axis=2) < ground[:, :1].sum(axis=2) - 60).sum() > 100  # a shadow, darker than the scene


def test_what_a_cut_out_holds_besides_is_in_the_truth_too() -> None:
    _, boxes, _ = _boxes("fusion: surfboard + dog")  # somebody stands on the only surfboard there is
    assert set(boxes) == {"surfboard", "dog", "person"}
    assert set(_boxes("replacement: dog instead of surfboard")[1]) == {"dog"}


def test_what_has_no_cut_out_is_not_applicable() -> None:
    made = Collage(SIDE).draw("fusion: long-term memory + rock strata", 42)
    assert made.status == "not_applicable" and made.image is None
    assert made.reason == "collage has no cut-out of 'long-term memory'"


def test_the_same_seed_is_the_same_picture() -> None:
    one, two, three = (np.asarray(_boxes("fusion: cup + couch", seed)[0]) for seed in (1, 1, 2))
    assert np.array_equal(one, two) and not np.array_equal(one, three)
