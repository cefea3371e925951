"""Layer regeneration: the same seed, but the text encoder cut ever lower, until a gate no longer sees the vehicle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Detect, Generate, Layer
from trope.strategies.branches import Branches, Pooled, branches, pooled
from trope.strategies.options import Context, Strategy, Wordings, full_name, only, whole
from trope.strategies.prompts import worded
from trope.strategies.search import DEFAULT_THRESHOLD, DEFAULT_TRIES, search_options, vehicle_class


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``layer?branch=t5&from=23&gate=NAME&tries=N&threshold=T&pooled=layer``; one strategy a branch and start.

    Without ``from`` the search begins right below the layer that the subject normally reads.
    """
    only(spec, ("branch", "from", "gate", "tries", "threshold", "pooled"))
    chosen = branches(spec, context)
    gate, tries, threshold = search_options(spec, context)
    vector = pooled(spec, chosen)
    told = {"tries": (tries, DEFAULT_TRIES), "threshold": (threshold, DEFAULT_THRESHOLD), "pooled": (vector, "normal")}
    made = []
    for branch, start, subjects in _starts(spec, chosen):
        name = full_name("layer", {"branch": (branch, None), "from": (start, None), "gate": (gate, None), **told})
        script = partial(
            layer_regeneration, wordings=context.wordings, branch=branch, start=start, vector=vector, gate=gate,
            tries=tries, threshold=threshold,
        )  # fmt: skip
        made.append(Strategy(name, script, (gate,), subjects))
    return made


def _starts(spec: Spec, chosen: Branches) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Branch, first layer and subjects; subjects that begin at different layers get strategies of their own."""
    for branch, having in chosen.items():
        deepest = max(of.layers for of in having.values())
        given = whole(spec, "from", 1, 1, deepest) if "from" in spec.options else None
        starts: dict[int, list[str]] = {}
        for subject, of in having.items():
            if given is None or given <= of.layers:
                starts.setdefault(max(1, of.normal - 1) if given is None else given, []).append(subject)
        for start, subjects in starts.items():
            yield branch, start, tuple(subjects)


def layer_regeneration(
    item: Item, *, wordings: Wordings, branch: str, start: int, vector: Pooled, gate: str, tries: int, threshold: float
) -> Any:
    """The normal picture if the gate does not see the vehicle in it; else the first such one of lower layers.

    All fail: the normal picture is kept (where it is none, the first that is one). Layers go down from
    ``start`` to 1, ``tries`` of them at most. A blank, refused or failed picture uses up a try and never stops the
    search. Source: simile, section 2.5.2.
    """
    vehicle, prompt = vehicle_class(item), worded(wordings, "base", item.lang, item.text)
    kept = None
    for layer in [None, *(Layer(branch, index, vector) for index in range(start, max(0, start - tries), -1))]:
        drawn = yield Generate(prompt, layer=layer)
        if kept is None or (drawn.ok and not kept.ok):
            kept = drawn
        if drawn.ok and (yield Detect(drawn, gate, (vehicle,))).absent(vehicle, threshold):
            return drawn
    return kept
