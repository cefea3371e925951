"""Image-text pairs in a verification: m3r's labels, target and source, explanations, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trope.nouns import Item
from trope.protocols.m3r.labels import CATEGORICAL, METAPHOR, NONE, SENTIMENT, YES, categorical, open_text
from trope.protocols.m3r.reading import STAGES

PATHS = {f"labels.{name}": values for name, values in CATEGORICAL.items()}  # where a label stands, and what it can be
NAMES = {"tenor": "target", "vehicle": "source"}  # of a figure: what m3r calls it


def is_pair(item: Item) -> bool:
    """Whether an item has m3r's labels, or a place for them: ``labels.metaphor``, which may be an empty text."""
    return "metaphor" in item.labels


def as_asked(item: Item, proposals: Sequence[Item]) -> tuple[Item, tuple[Item, ...]]:
    """Item and proposals with a place for each label, and for explanations if one of them has any.

    As they are, if none of them is a pair.
    """
    every = (item, *proposals)
    if not any(map(is_pair, every)):
        return item, tuple(proposals)
    stages = STAGES if any(stage in one.references for one in every for stage in STAGES) else ()
    first, *others = (
        one.model_copy(update={
            "labels": {**dict.fromkeys(CATEGORICAL, ""), **one.labels},
            "references": {**dict.fromkeys(stages, ""), **one.references},
        })
        for one in every
    )  # fmt: skip
    return first, tuple(others)


def said_of(item: Item) -> dict[str, str]:
    """Path to label (an empty text for none), then to the explanations that there are, or have a place."""
    labels = {f"labels.{name}": categorical(name, item.labels.get(name)) or "" for name in CATEGORICAL}
    return labels | {f"references.{stage}": item.references[stage] for stage in STAGES if stage in item.references}


def is_concept(path: str) -> bool:
    """Whether a path is that of a figure's target or source."""
    steps = path.split(".")
    return len(steps) == 3 and steps[0] == "figures" and steps[2] in NAMES


def named(text: str) -> str | None:
    """A target or source as a person writes it; None for an empty text and for whatever spells None."""
    return None if open_text(text) in (None, NONE) else text.strip()


def fault(said: Mapping[str, str]) -> str | None:
    """What keeps the leaves of a pair from being an answer, as a key of `texts`; None if they are one."""
    if said.get("labels.metaphor") not in METAPHOR:
        return "pair_unlabeled"
    if said.get("labels.sentiment") not in SENTIMENT:
        return "pair_no_sentiment"
    figures: dict[str, list[bool]] = {}
    for path, text in said.items():
        if is_concept(path):
            figures.setdefault(path.rpartition(".")[0], []).append(named(text) is not None)
    there = [known for known in figures.values() if any(known)]
    if said["labels.metaphor"] == YES:
        return None if len(there) == 1 and all(there[0]) else "pair_lacks"
    return "pair_has" if there else None


def tidy(table: Any) -> None:
    """Drop from a pair's fields the figures without target and source, empty explanations, a mapping of nothing."""
    table["figures"] = [figure for figure in table["figures"] if figure.get("tenor") or figure.get("vehicle")]
    is_metaphor = categorical("metaphor", table["labels"].get("metaphor")) == YES
    table["references"] = {
        stage: text for stage, text in table["references"].items() if text and (is_metaphor or stage != "MC")
    }
