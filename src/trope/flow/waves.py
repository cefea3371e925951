"""Waves: all cells are driven as far as stored answers carry them; what is left over is to be asked.

No I/O but reading the store. The interpreter asks what `advance` returns and hands the answers back; the
forecast makes up answers instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from trope.backend import Backend
from trope.flow.cell import Cell, Walk, walk
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.records import Ask, Job, Observation, Record, Request, reread
from trope.store import CellRow, Store

WINDOW = 8192  # cells under way at once; more wait their turn, so that memory stays bounded


@dataclass(slots=True)
class _Under:
    """A cell under way: its walk, and the answers it still waits for."""

    position: int
    cell: Cell
    walk: Walk
    requests: dict[str, Request] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    answers: dict[str, Record] = field(default_factory=dict)


class Waves:
    """Drives cells.

    Parameters
    ----------
    cells : what is asked, in the order of the run.
    backends : subjects and instruments by the name the cells use.
    retry : statuses that are asked again although an answer is stored (`failed` always is).
    """

    def __init__(
        self,
        cells: Iterable[Cell],
        backends: Mapping[str, Backend],
        store: Store,
        tally: Tally,
        retry: frozenset[Status] = frozenset(),
    ) -> None:
        self._cells = list(cells)
        self._backends, self._store, self._tally = backends, store, tally
        self._retry = retry | {"failed"}
        self._waiting = deque(enumerate(self._cells))
        self._ready: deque[_Under] = deque()
        self._parked: dict[str, list[_Under]] = {}
        self._settled: dict[str, Record] = {}  # asked in this session: final, whatever its status
        self.rows: list[CellRow | None] = [None] * len(self._cells)
        self._active = 0

    @property
    def done(self) -> int:
        """How many cells are finished."""
        return self._tally.cells_done

    def key(self, cell: Cell, request: Request) -> str:
        """The key of a cell's request."""
        return self._backends[cell.asked_of(request)].key(request, cell.seed, cell.item.id)

    def advance(self) -> list[tuple[str, Job]]:
        """Drive every cell as far as stored answers reach; return ``(backend, job)`` for each new question."""
        jobs: list[tuple[str, Job]] = []
        while self._ready or (self._waiting and self._active < WINDOW):
            asking: dict[str, list[_Under]] = {}
            self._admit()
            while self._ready:
                under = self._ready.popleft()
                if self._step(under):
                    for key in under.requests:
                        asking.setdefault(key, []).append(under)
            jobs.extend(self._look_up(asking))
        return jobs

    def answer(self, key: str, record: Record) -> None:
        """Hand in what was asked; the cells that waited for it go on at the next `advance`."""
        self._settled[key] = record
        for under in self._parked.pop(key, []):
            self._receive(under, key, record)

    # --- inside ---

    def _admit(self) -> None:
        while self._waiting and self._active < WINDOW:
            position, cell = self._waiting.popleft()
            self._active += 1
            self._ready.append(_Under(position, cell, walk(cell, self.key)))

    def _step(self, under: _Under) -> bool:
        answers = [under.answers[key] for key in under.order] if under.order else None
        try:
            requests = under.walk.send(answers)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as stop:
            self.rows[under.position] = stop.value
            self._active -= 1
            self._tally.cells_done += 1
            return False
        under.order = [self.key(under.cell, request) for request in requests]
        under.requests = dict(zip(under.order, requests, strict=True))
        under.answers = {}
        if not requests:
            self._ready.append(under)
        return bool(requests)

    def _look_up(self, asking: Mapping[str, list[_Under]]) -> list[tuple[str, Job]]:
        unknown = [key for key in asking if key not in self._settled]
        stored = self._store.records(unknown)
        jobs: list[tuple[str, Job]] = []
        for key, waiting in asking.items():
            first = waiting[0]
            record = self._settled.get(key) or self._usable(stored.get(key), first.requests[key])
            if record is not None:
                self._tally.hit(first.cell.asked_of(first.requests[key]))
                for under in waiting:
                    self._receive(under, key, record)
            elif key in self._parked:
                self._parked[key].extend(waiting)
            else:
                self._parked[key] = list(waiting)
                cell, request = first.cell, first.requests[key]
                jobs.append((cell.asked_of(request), Job(key, request, cell.seed, cell.item.id)))
        return jobs

    def _usable(self, record: Record | None, request: Request) -> Record | None:
        if record is None:
            return None
        if isinstance(request, Ask) and isinstance(record, Observation):
            record = reread(record, request.prompt)
        return None if record.status in self._retry else record

    def _receive(self, under: _Under, key: str, record: Record) -> None:
        request = under.requests[key]
        if isinstance(request, Ask) and isinstance(record, Observation):
            record = reread(record, request.prompt)
        under.answers[key] = record
        if len(under.answers) == len(under.requests):
            self._ready.append(under)
