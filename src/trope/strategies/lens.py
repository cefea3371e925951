"""The Diffusion Lens: one picture a layer of a text encoder, and the normal picture beside them.

A cell a layer, named ``lens:BRANCH@LAYER`` (``lens:t5@07``), and ``lens:BRANCH@final`` for the normal picture, which is
the very request of `base` and costs nothing where that was made. Source: simile, section 2.5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from trope.generators import Branch
from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Generate, Layer
from trope.strategies.branches import branches, pooled
from trope.strategies.options import Context, Strategy, Wordings, only, whole
from trope.strategies.prompts import worded

FINAL = "final"
_NAME = re.compile(r"lens:(?P<branch>[^@]+)@(?P<layer>\d+|final)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cell of the lens stands: the branch as tables name it, and the layer; None is the normal picture."""

    branch: str
    layer: int | None


def place(strategy: str) -> Place | None:
    """The place of a strategy of the lens, from its name; None for any other strategy."""
    found = _NAME.fullmatch(strategy)
    if found is None:
        return None
    return Place(found["branch"], None if found["layer"] == FINAL else int(found["layer"]))


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``lens?branch=t5&pooled=layer&every=N``: one strategy a layer, and the normal picture.

    Layers are 1 to the last; with ``every`` N the first, then each N-th, and always the normal and the last one.
    """
    only(spec, ("branch", "pooled", "every"))
    chosen = branches(spec, context)
    vector, every = pooled(spec, chosen), whole(spec, "every", 1, 1, 100)
    made = []
    for branch, having in chosen.items():
        label = branch + ("+pooled" if vector == "layer" else "")
        layers = {subject: _layers(of, every) for subject, of in having.items()}
        width = max(2, len(str(max(of.layers for of in having.values()))))
        for index in sorted({index for found in layers.values() for index in found}):
            subjects = tuple(subject for subject, found in layers.items() if index in found)
            script = partial(through, wordings=context.wordings, layer=Layer(branch, index, vector))
            made.append(Strategy(f"lens:{label}@{index:0{width}}", script, subjects=subjects))
        script = partial(through, wordings=context.wordings, layer=None)
        made.append(Strategy(f"lens:{label}@{FINAL}", script, subjects=tuple(having)))
    return made


def _layers(branch: Branch, every: int) -> Iterable[int]:
    return {*range(1, branch.layers + 1, every), branch.normal, branch.layers} - {0}


def through(item: Item, *, wordings: Wordings, layer: Layer | None) -> Any:
    """One picture of the plain sentence, cut at a layer."""
    return (yield Generate(worded(wordings, "base", item.lang, item.text), layer=layer))
