"""Search strategies: try again until a gate no longer sees the vehicle.

Whatever instrument a strategy stops on may not score it; the flow notes which ones those were.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from trope.errors import ItemError
from trope.nouns import Item
from trope.records import DETECTION_THRESHOLD
from trope.registry import Spec
from trope.requests import Detect, Generate
from trope.strategies.options import Context, Strategy, Wordings, full_name, number, only, whole
from trope.strategies.prompts import worded

DEFAULT_TRIES = 5
DEFAULT_THRESHOLD = DETECTION_THRESHOLD


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``random?gate=NAME&tries=N&threshold=T``."""
    only(spec, ("gate", "tries", "threshold"))
    gate, tries, threshold = search_options(spec, context)
    told = {"tries": (tries, DEFAULT_TRIES), "threshold": (threshold, DEFAULT_THRESHOLD)}
    name = full_name("random", {"gate": (gate, None), **told})
    script = partial(random_regeneration, wordings=context.wordings, gate=gate, tries=tries, threshold=threshold)
    return [Strategy(name, script, (gate,))]


def search_options(spec: Spec, context: Context) -> tuple[str, int, float]:
    """What every search needs: the gate it stops on, how often it may try, and the score that counts."""
    tries = whole(spec, "tries", DEFAULT_TRIES, 1, 100)
    return context.gate(spec), tries, number(spec, "threshold", DEFAULT_THRESHOLD, 0.0, 1.0)


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
