"""What a run would ask, before it asks anything: the least and the most, since strategies may stop early."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trope.backend import Backend
from trope.flow.budget import Budget
from trope.flow.cell import Task
from trope.flow.scheduler import Scheduler
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.records import Observation, Output, Record
from trope.requests import Ask, Compare, Generate, Job, Measure, Reply
from trope.store import Store

Course = Literal["absent", "present", "refused"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """Requests by backend, and the worst-case cost in US dollars (None where a price is unknown)."""

    least: Counter[str]
    most: Counter[str]
    stored: Counter[str]
    usd: float | None


def forecast(
    cells: Sequence[Task],
    backends: Mapping[str, Backend],
    store: Store,
    budget: Budget,
    retry: frozenset[Status] = frozenset(),
) -> Forecast:
    """Drive the same strategies with made-up answers on three courses, and take the extremes of each backend.

    The courses: every gate sees nothing; every gate sees the vehicle; every picture is refused (so nothing is
    looked at). Stored answers are used where there are any, so the forecast is of what is new.
    """
    courses: list[Course] = ["absent", "present", "refused"]
    driven = [_drive(cells, backends, store, budget, retry, course) for course in courses]
    counts = [asked for asked, _, _ in driven]
    costs = [usd for _, _, usd in driven]
    return Forecast(
        least=Counter({name: min(c[name] for c in counts) for name in backends}),
        most=Counter({name: max(c[name] for c in counts) for name in backends}),
        stored=driven[0][1],
        usd=None if None in costs else max(c for c in costs if c is not None),
    )


def _drive(
    cells: Sequence[Task],
    backends: Mapping[str, Backend],
    store: Store,
    budget: Budget,
    retry: frozenset[Status],
    course: Course,
) -> tuple[Counter[str], Counter[str], float | None]:
    tally = Tally()
    scheduler = Scheduler(cells, backends, store, tally, retry)
    asked = Counter[str]()
    usd: float | None = 0.0
    while jobs := scheduler.advance():
        for name, job in jobs:
            asked[name] += 1
            worst = budget.worst(backends[name], job.request)
            usd = None if usd is None or worst is None else usd + worst
            scheduler.answer(job.key, _made_up(job, name, course))
    return asked, tally.hits, usd


def _made_up(job: Job, backend: str, course: Course) -> Record:
    request = job.request
    status: Status = "refused" if course == "refused" else "ok"
    if isinstance(request, Generate):
        return Output(job.key, backend, status, picture=f"forecast:{job.key}")
    if isinstance(request, Reply):
        return Output(job.key, backend, status)
    if isinstance(request, Ask) and request.shown is None:
        return Observation(job.key, backend, "unparsed", reason="forecast")
    if isinstance(request, Measure | Compare):
        return Observation(job.key, backend, "unparsed", reason="forecast")
    return Observation(job.key, backend, "ok", json.dumps({"present": course == "present"}))
