"""The scheduler: cells are driven as far as stored answers carry them; what is left over is to be asked.

No I/O but reading the store. The interpreter asks what `advance` returns and hands the answers back; the
forecast makes up answers instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trope.backend import Backend
from trope.flow.cell import Cell, Walk, as_read, walk
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.records import Record
from trope.requests import Job, Request
from trope.store import CellRow, Store

WINDOW = 8192  # cells under way at once; more wait their turn, so that memory stays bounded
ALWAYS_AGAIN: frozenset[Status] = frozenset({"failed"})


def standing(record: Record | None, request: Request, again: Collection[Status]) -> Record | None:
    """The stored record, or None if there is none or it is to be asked again for its status as read."""
    if record is None or record.status in again:
        return None
    if "unparsed" in again and as_read(record, request).status == "unparsed":
        return None
    return record


@dataclass(slots=True)
class _Active:
    """A cell under way: its walk, and the answers it waits for, in order."""

    position: int
    cell: Cell
    walk: Walk
    keys: list[str] = field(default_factory=list)
    requests: Sequence[Request] = ()
    answers: dict[str, Record] = field(default_factory=dict)


class Scheduler:
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
        self._backends, self._store, self._tally = backends, store, tally
        self.again = retry | ALWAYS_AGAIN
        self._waiting = deque(enumerate(cells))
        self._ready: deque[_Active] = deque()
        self._parked: dict[str, list[_Active]] = {}
        self._settled: dict[str, Record] = {}  # asked in this session: final, whatever its status
        self._active = 0
        self.ended: list[tuple[int, CellRow]] = []  # since the caller last took them

    def take_ended(self) -> list[tuple[int, CellRow]]:
        """Position and row of every cell that ended since the last call."""
        ended, self.ended = self.ended, []
        return ended

    def advance(self) -> list[tuple[str, Job]]:
        """Drive every cell as far as stored answers reach; return ``(backend, job)`` for each new question."""
        jobs: list[tuple[str, Job]] = []
        while self._ready or (self._waiting and self._active < WINDOW):
            while self._waiting and self._active < WINDOW:
                position, cell = self._waiting.popleft()
                self._active += 1
                self._ready.append(_Active(position, cell, walk(cell)))
            asking: dict[str, list[_Active]] = {}
            while self._ready:
                active = self._ready.popleft()
                if self._step(active):
                    for key in active.keys:
                        asking.setdefault(key, []).append(active)
            jobs.extend(self._look_up(asking))
        return jobs

    def answer(self, key: str, record: Record) -> None:
        """Hand in what was asked; the cells that waited for it go on at the next `advance`."""
        self._settled[key] = record
        for active in self._parked.pop(key, []):
            self._receive(active, key, record)

    def _step(self, active: _Active) -> bool:
        """Send the answers to the walk; False if that was the end of it."""
        answers = [active.answers[key] for key in active.keys] if active.keys else None
        try:
            active.requests = active.walk.send(answers)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as stop:
            self.ended.append((active.position, stop.value))
            self._active -= 1
            self._tally.cells_done += 1
            return False
        cell = active.cell
        active.keys = [self._backends[cell.asked_of(r)].key(r, cell.seed, cell.item.id) for r in active.requests]
        active.answers = {}
        return True

    def _look_up(self, asking: Mapping[str, list[_Active]]) -> list[tuple[str, Job]]:
        stored = self._store.records(key for key in asking if key not in self._settled)
        jobs: list[tuple[str, Job]] = []
        for key, waiting in asking.items():
            cell, request = waiting[0].cell, _request(waiting[0], key)
            record = self._settled.get(key) or standing(stored.get(key), request, self.again)
            if record is not None:
                self._tally.hit(cell.asked_of(request))
                for active in waiting:
                    self._receive(active, key, record)
            elif key in self._parked:
                self._parked[key].extend(waiting)
            else:
                self._parked[key] = list(waiting)
                jobs.append((cell.asked_of(request), Job(key, request, cell.seed, cell.item.id)))
        return jobs

    def _receive(self, active: _Active, key: str, record: Record) -> None:
        active.answers[key] = record
        if len(active.answers) == len(set(active.keys)):
            self._ready.append(active)


def _request(active: _Active, key: str) -> Request:
    return active.requests[active.keys.index(key)]
