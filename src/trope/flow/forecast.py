"""What a run would ask, before it asks anything: the least and the most, since strategies may stop early."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trope.backend import Backend
from trope.flow.budget import Budget
from trope.flow.cell import Cell
from trope.flow.tally import Tally
from trope.flow.waves import Waves
from trope.nouns import Status
from trope.records import Generate, Job, Observation, Output, Record
from trope.store import Store


@dataclass(frozen=True, slots=True)
class Forecast:
    """Requests by backend, and the worst-case cost in US dollars (None where a price is unknown)."""

    least: Counter[str]
    most: Counter[str]
    stored: Counter[str]
    usd: float | None


def forecast(
    cells: Sequence[Cell],
    backends: Mapping[str, Backend],
    store: Store,
    budget: Budget,
    retry: frozenset[Status] = frozenset(),
) -> Forecast:
    """Drive the same strategies with made-up answers: every gate sees nothing, then every gate sees it.

    Stored answers are used where there are any, so the forecast is of what is new.
    """
    least, stored, _ = _drive(cells, backends, store, budget, retry, present=False)
    most, _, usd = _drive(cells, backends, store, budget, retry, present=True)
    return Forecast(least, most, stored, usd)


def _drive(
    cells: Sequence[Cell],
    backends: Mapping[str, Backend],
    store: Store,
    budget: Budget,
    retry: frozenset[Status],
    *,
    present: bool,
) -> tuple[Counter[str], Counter[str], float | None]:
    tally = Tally()
    waves = Waves(cells, backends, store, tally, retry)
    asked = Counter[str]()
    usd: float | None = 0.0
    while jobs := waves.advance():
        for name, job in jobs:
            backend = backends[name]
            asked[name] += 1
            if backend.remote:
                price = budget.price(backend)
                usd = usd + backend.worst_case_usd(job.request, price) if price and usd is not None else None
            waves.answer(job.key, _made_up(job, name, present))
    return asked, tally.hits, usd


def _made_up(job: Job, backend: str, present: bool) -> Record:
    if isinstance(job.request, Generate):
        return Output(job.key, backend, "ok", picture=f"forecast:{job.key}")
    return Observation(job.key, backend, "ok", json.dumps({"present": present}))
