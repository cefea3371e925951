"""The scheduler: tasks are driven as far as stored answers carry them; what is left over is to be asked.

No I/O but reading the store. The interpreter asks what `advance` returns and hands the answers back; the
forecast makes up answers instead.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trope.backend import Backend
from trope.flow.cell import Task, Walk, as_read
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.records import Record
from trope.requests import Job, Request
from trope.store import Store

WINDOW = 8192  # tasks under way at once; more wait their turn, so that memory stays bounded
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
    """A task under way: its walk, and the answers it waits for, in order."""

    position: int
    task: Task
    walk: Walk
    keys: list[str] = field(default_factory=list)
    needed: int = 0
    answers: dict[str, Record] = field(default_factory=dict)


class Scheduler:
    """Drives tasks.

    Parameters
    ----------
    tasks : what is asked, in the order of the run.
    backends : subjects and instruments by the name the tasks use.
    retry : statuses that are asked again although an answer is stored (`failed` always is).
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        backends: Mapping[str, Backend],
        store: Store,
        tally: Tally,
        retry: frozenset[Status] = frozenset(),
    ) -> None:
        self._backends, self._store, self._tally = backends, store, tally
        self.again = retry | ALWAYS_AGAIN
        self._waiting = deque(enumerate(tasks))
        self._ready: deque[_Active] = deque()
        self._parked: dict[str, list[_Active]] = {}
        self._settled: dict[str, Record] = {}  # asked in this session: final, whatever its status
        self._active = 0
        self.ended: list[tuple[int, Any]] = []  # since the caller last took them

    def take_ended(self) -> list[tuple[int, Any]]:
        """Position and result of every task that ended since the last call."""
        ended, self.ended = self.ended, []
        return ended

    def advance(self) -> list[tuple[str, Job]]:
        """Drive every task as far as stored answers reach; return ``(backend, job)`` for each new question."""
        jobs: list[tuple[str, Job]] = []
        while self._ready or (self._waiting and self._active < WINDOW):
            while self._waiting and self._active < WINDOW:
                position, task = self._waiting.popleft()
                self._active += 1
                self._ready.append(_Active(position, task, task.walk()))
            asking: dict[str, tuple[Request, list[_Active]]] = {}
            while self._ready:
                active = self._ready.popleft()
                for key, request in self._step(active):
                    if key in asking:
                        asking[key][1].append(active)
                    else:
                        asking[key] = (request, [active])
            jobs.extend(self._look_up(asking))
        return jobs

    def answer(self, key: str, record: Record) -> None:
        """Hand in what was asked; the tasks that waited for it go on at the next `advance`."""
        self._settled[key] = record
        for active in self._parked.pop(key, []):
            self._receive(active, key, record)

    def _step(self, active: _Active) -> Iterable[tuple[str, Request]]:
        """Send the answers to the walk; what it asks next, with keys, or nothing if that was the end of it."""
        answers = [active.answers[key] for key in active.keys] if active.keys else None
        try:
            requests = active.walk.send(answers)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as stop:
            self.ended.append((active.position, stop.value))
            self._active -= 1
            self._tally.cells_done += 1
            return ()
        task, backends = active.task, self._backends
        active.keys = [backends[task.asked_of(r)].key(r, task.seed, task.id) for r in requests]
        active.needed = len(set(active.keys))
        active.answers = {}
        return zip(active.keys, requests, strict=True)

    def _look_up(self, asking: Mapping[str, tuple[Request, list[_Active]]]) -> list[tuple[str, Job]]:
        stored = self._store.records(key for key in asking if key not in self._settled)
        jobs: list[tuple[str, Job]] = []
        hits: Counter[str] = Counter()
        for key, (request, waiting) in asking.items():
            task = waiting[0].task
            record = self._settled.get(key) or standing(stored.get(key), request, self.again)
            if record is not None:
                hits[task.asked_of(request)] += 1
                for active in waiting:
                    self._receive(active, key, record)
            elif key in self._parked:
                self._parked[key].extend(waiting)
            else:
                self._parked[key] = list(waiting)
                jobs.append((task.asked_of(request), Job(key, request, task.seed, task.id)))
        self._tally.hits.update(hits)
        return jobs

    def _receive(self, active: _Active, key: str, record: Record) -> None:
        active.answers[key] = record
        if len(active.answers) == active.needed:
            self._ready.append(active)
