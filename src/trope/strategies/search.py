"""Search strategies: try again until a gate no longer sees the vehicle.

Whatever instrument a strategy stops on may not score it; the flow notes which ones those were.
"""

from __future__ import annotations

from typing import Any

from trope.errors import ItemError
from trope.nouns import Item
from trope.records import DETECTION_THRESHOLD
from trope.requests import Detect, Generate
from trope.strategies.prompts import Wordings, worded

DEFAULT_TRIES = 5
DEFAULT_THRESHOLD = DETECTION_THRESHOLD


def random_regeneration(item: Item, *, wordings: Wordings, gate: str, tries: int, threshold: float) -> Any:
    """New seeds, the same prompt: keep the first picture without the vehicle, else the last that is one.

    Attempt 0 is the picture `base` makes. A blank, refused or failed picture uses up a try and never stops
    the search. Source: simile, section 2.5.2 (up to five tries).
    """
    vehicle, prompt = vehicle_class(item), worded(wordings, "base", item.lang, item.text)
    image = None
    for attempt in range(tries + 1):
        drawn = yield Generate(prompt, attempt=attempt)
        if image is None or drawn.ok or not image.ok:
            image = drawn
        if drawn.ok:
            seen = yield Detect(drawn, gate, (vehicle,))
            if seen.absent(vehicle, threshold):
                break
    return image


def vehicle_class(item: Item) -> str:
    """The detector class of the item's vehicle; raises `ItemError` if it has none."""
    if item.figure is None or item.figure.vehicle_class is None:
        raise ItemError(
            f"item {item.id!r}: figures[0].vehicle_class is missing; a detector cannot look for its vehicle"
        )
    return item.figure.vehicle_class
