"""Answers of a study as they stand in the store, with what was noted beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trope.people.assignment import CHECK
from trope.people.desk import Desk
from trope.people.units import Page, Task

_CHUNK = 2000


@dataclass
class Answer:
    """What one rater says of one task: the standing answer, and what led to it.

    ``raw`` is None if the answer was taken back; ``changes`` counts the answers that were superseded.
    """

    rater: str
    page: Page
    task: Task
    raw: str | None = None
    at: str = ""
    provenance: dict[str, Any] = field(default_factory=dict)
    changes: int = 0
    withdrawn: int = 0

    @property
    def seconds(self) -> float | None:
        """Time on the page: while it was seen, as the browser says, else from its making to its sending."""
        active = self.provenance.get("active")
        return active if active is not None else self.provenance.get("seconds")

    @property
    def is_check(self) -> bool:
        """Whether this is an attention check."""
        return self.task.call == CHECK


def answers_of(desk: Desk) -> list[Answer]:
    """Every answer, standing or taken back, of raters and tasks in their order."""
    places: dict[str, list[Answer]] = {}
    ordered: list[Answer] = []
    for rater in desk.raters.values():
        for page_id, keys in rater.keys.items():
            page = desk.page(rater, page_id)
            for key, task in zip(keys, page.tasks, strict=True):
                answer = Answer(rater.id, page, task)
                ordered.append(answer)
                places.setdefault(key, []).append(answer)
    for key, status, raw, at, provenance in _records(desk, list(places)):
        for answer in places[key]:
            if status == "ok":
                answer.changes += answer.raw is not None
                answer.raw, answer.at, answer.provenance = raw, at, json.loads(provenance)
            elif status == "not_applicable":
                answer.raw, answer.at = None, at
                answer.withdrawn += 1
    return [answer for answer in ordered if answer.at]


def _records(desk: Desk, keys: list[str]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        marks = ",".join("?" * len(chunk))
        yield from desk.store.database.query(
            f"SELECT key, status, raw, made_at, provenance FROM records WHERE key IN ({marks}) ORDER BY seq", chunk
        )
