"""The items themselves: lengths of prompts, counts by category; and one item a category with all that was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from trope.nouns import Item
from trope.protocols.base import Study
from trope.protocols.tables import Table, Value
from trope.protocols.vmetaphor.views import View
from trope.records import digest
from trope.strategies.kinds import STRUCTURES


def _items(study: Study) -> list[Item]:
    return list({cell.item.id: cell.item for cell in study.cells}.values())


def lengths(study: Study) -> Table:
    """Words of each kind of prompt, alone and with the style suffix."""
    rows: list[list[Value]] = []
    items = _items(study)
    for kind in ("conceptual", "descriptive"):
        prompts = [(_prompt(item, kind), item.prompts.get("style")) for item in items]
        alone = [len(text.split()) for text, _ in prompts if text]
        styled = [len(text.split()) + len(style.split()) for text, style in prompts if text and style]
        rows += [[kind, *_described(alone)], [f"{kind} + style", *_described(styled)]]
    columns = ("prompt", "mean", "min", "max", "items")
    notes = ("Words are what stands between white space; Chinese and Japanese have no such words.",)
    return Table("lengths", "How long prompts are", columns, rows, notes)


def _prompt(item: Item, kind: str) -> str:
    return item.prompts.get(kind) or (item.text if kind == "conceptual" else "")


def _described(counts: Sequence[int]) -> list[Value]:
    return [float(np.mean(counts)), min(counts), max(counts), len(counts)] if counts else [None, None, None, 0]


def categories(study: Study) -> Table:
    """Items by level and category, and the structures they ask for."""
    items = _items(study)
    places = Counter((item.labels.get("level", "(none)"), item.labels.get("category", "(none)")) for item in items)
    structures = Counter((i.labels.get("category", "(none)"), str(i.figure and i.figure.structure)) for i in items)
    rows: list[list[Value]] = [
        [level, category, count, count / len(items), *(structures[category, of] for of in STRUCTURES)]
        for (level, category), count in sorted(places.items())
    ]
    columns = ("level", "category", "items", "share", *STRUCTURES)
    return Table("categories", "What the items are about", columns, rows)


def sheet(seen: Sequence[View]) -> Table:
    """One item of each category, with what every subject made of it and every judge said."""
    first: dict[str, Item] = {}
    for item in sorted({c.item.id: c.item for v in seen for c in v.cells}.values(), key=_draw):
        first.setdefault(item.labels.get("category", "(none)"), item)
    rows: list[list[Value]] = []
    for category, item in sorted(first.items()):
        for view in seen:
            n = next((n for n, cell in enumerate(view.cells) if cell.item.id == item.id), None)
            if n is not None:
                rows.append([category, item.id, *view.place, *_said(view, n), item.text])
    columns = (
        "category", "item", "subject", "strategy", "judge", "seed", "picture", "ratings", "answers",
        "conceptual prompt",
    )  # fmt: skip
    notes = (
        "The item is drawn by a hash of its id; the picture is that of the first seed. To see the pictures, type the"
        " item into the gallery's text filter, and look at them side by side.",
    )
    return Table("sample_sheet", "A sample from each category", columns, rows, notes)


def _draw(item: Item) -> str:
    return digest(["sample", item.id])


def _said(view: View, n: int) -> list[Value]:
    cell = view.cells[n]
    signs = {1.0: "✓", 0.0: "✗"}
    answers = [
        f"{answer.id} {signs[answer.right]} {answer.said}" if answer.said is not None else f"{answer.id} –"
        for answer in view.answers[n]
    ]
    ratings = " / ".join("–" if np.isnan(value) else f"{value:.0f}" for value in view.ratings[n])
    return [cell.seed, cell.output.status, ratings, "; ".join(answers)]
