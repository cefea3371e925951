"""The interpreter, local engine: asks what waves leave over, a few at a time, and stores every answer.

A request leaves only when its answer is not stored; it counts as under way until its answer is on the
disk. So a killed run repeats at most what was under way, and nothing that was committed.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from trope.backend import Backend
from trope.errors import BudgetError, Interrupted, PictureError, TropeError
from trope.flow.budget import Budget
from trope.flow.cell import Cell
from trope.flow.tally import Tally
from trope.flow.waves import Waves
from trope.nouns import Status
from trope.records import Generate, Job, Observation, Output, Record, Result
from trope.store import CanonicalPicture, CellRow, Entry, Store, canonical_picture


class Interpreter:
    """Runs cells against backends and a store.

    Parameters
    ----------
    backends : subjects and instruments by the name the cells use.
    retry : statuses asked again although an answer is stored.
    """

    def __init__(
        self,
        store: Store,
        backends: Mapping[str, Backend],
        *,
        budget: Budget,
        tally: Tally,
        retry: frozenset[Status] = frozenset(),
    ) -> None:
        self._store, self._backends, self._budget, self._tally = store, backends, budget, tally
        self._retry = retry
        self._desks: dict[str, _Desk] = {}
        self._answers: asyncio.Queue[tuple[str, Record] | BaseException | None] = asyncio.Queue()
        self._stop: TropeError | None = None

    def stop(self, why: TropeError | None = None) -> None:
        """Ask nothing more; what is under way is still waited for and stored."""
        self._stop = self._stop or why or Interrupted("stopped")
        for desk in self._desks.values():
            desk.clear()

    async def run(self, cells: Sequence[Cell]) -> tuple[list[CellRow | None], TropeError | None]:
        """Drive every cell to its end.

        Returns
        -------
        rows : one a cell, in order; None for a cell that did not get to its end.
        stopped : why the run ended early, or None.
        """
        self._tally.cells = len(cells)
        waves = Waves(cells, self._backends, self._store, self._tally, self._retry)
        opened: list[Backend] = []
        try:
            for name, backend in self._backends.items():
                opened.append(backend)
                await backend.open(self._store)
                self._desks[name] = _Desk(self, name, backend)
            await self._drive(waves)
        finally:
            for desk in self._desks.values():
                await desk.close()
            for backend in opened:
                await backend.close()
        return waves.rows, self._stop

    async def _drive(self, waves: Waves) -> None:
        while True:
            if self._stop is None:
                for name, job in waves.advance():
                    self._desks[name].submit(job)
            if not any(desk.busy for desk in self._desks.values()) and self._answers.empty():
                if self._stop is not None:
                    waves.advance()  # cells that need no more than what is stored still end; new jobs are dropped
                return
            arrived = [await self._answers.get()]
            while not self._answers.empty():
                arrived.append(self._answers.get_nowait())
            for answer in arrived:
                if isinstance(answer, BaseException):
                    raise answer
                if answer is not None:
                    waves.answer(*answer)

    async def settle(self, name: str, backend: Backend, jobs: Sequence[Job]) -> None:
        """Perform jobs, store what came of them, and announce it. Called by a desk."""
        known = self._store.records(job.key for job in jobs) if backend.remote else {}
        open_jobs = []
        for job in jobs:
            record = known.get(job.key)
            if record is not None and record.status not in self._retry | {"failed"}:  # another process was first
                self._tally.hit(name)
                self._answers.put_nowait((job.key, record))
            else:
                open_jobs.append(job)
        affordable: list[tuple[Job, float]] = []
        for job in open_jobs:
            reserved = self._budget.reserve(backend, job.request)
            if reserved is None:
                self.stop(BudgetError(
                    f"--max-usd {self._budget.limit:g} would be passed by the next request to {name!r};"
                    f" spent so far: {self._budget.spent:.4f}"
                ))  # fmt: skip
                break
            affordable.append((job, reserved))
        if not affordable:
            return
        results = await backend.perform([job for job, _ in affordable])
        entries = []
        for (job, reserved), result in zip(affordable, results, strict=True):
            self._budget.settle(reserved, result.usd)
            entries.append(await self._entry(name, job, result))
        self._tally.twice += await self._store.add(entries)
        for (job, _), result, entry in zip(affordable, results, entries, strict=True):
            record = entry.record
            self._tally.answered(name, record.status, result.usd, backend.remote, record.reason)
            self._answers.put_nowait((job.key, record))

    async def _entry(self, name: str, job: Job, result: Result) -> Entry:
        value = None if result.value is None else json.dumps(result.value, ensure_ascii=False)
        request = [*job.request.material(), {"seed": job.seed, "item": job.item_id}]
        if not isinstance(job.request, Generate):
            observation = Observation(job.key, name, result.status, value, result.raw, reason=result.reason)
            return Entry(observation, request, result.provenance, result.usd)
        output = Output(job.key, name, result.status, value, result.raw, result.picture, result.reason)
        if result.picture is not None:
            if result.status == "ok" and self._store.is_blank(result.picture):
                output = replace(output, status="blank")
            return Entry(output, request, result.provenance, result.usd)
        if result.image is None:
            if result.status == "ok":
                output = replace(output, status="failed", reason="the subject returned no picture")
            return Entry(output, request, result.provenance, result.usd)
        try:
            picture, row = await asyncio.to_thread(self._keep, result)
        except PictureError as error:
            failed = replace(output, status="failed", reason=str(error))
            return Entry(failed, request, result.provenance, result.usd)
        status: Status = "blank" if result.status == "ok" and picture.blank else result.status
        return Entry(replace(output, status=status, picture=picture.sha), request, result.provenance, result.usd, row)

    def _keep(self, result: Result) -> tuple[CanonicalPicture, tuple[str, int, int, bool]]:
        assert result.image is not None
        picture = canonical_picture(result.image, name="the subject's picture")
        return picture, self._store.keep_picture(picture)

    def announce(self, error: BaseException) -> None:
        """A desk broke: the run ends with this."""
        self._answers.put_nowait(error)

    def nudge(self) -> None:
        """A desk finished without an answer, since the run is stopping: look again whether anything is left."""
        if self._stop is not None:
            self._answers.put_nowait(None)


class _Desk:
    """The queue of one backend, worked by as many tasks as it allows."""

    def __init__(self, interpreter: Interpreter, name: str, backend: Backend) -> None:
        self._interpreter, self._name, self._backend = interpreter, name, backend
        self._jobs: deque[Job] = deque()
        self._wake = asyncio.Semaphore(0)
        self._under_way = 0
        self._workers = [asyncio.create_task(self._work()) for _ in range(max(1, backend.concurrency))]

    @property
    def busy(self) -> bool:
        """Whether anything waits or is under way here."""
        return bool(self._jobs) or self._under_way > 0

    def submit(self, job: Job) -> None:
        """Queue a job."""
        self._jobs.append(job)
        self._wake.release()

    def clear(self) -> None:
        """Forget what has not begun."""
        self._jobs.clear()

    async def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            await self._wake.acquire()
            taken = [self._jobs.popleft() for _ in range(min(self._backend.batch, len(self._jobs)))]
            if not taken:
                continue
            self._under_way += 1
            try:
                await self._interpreter.settle(self._name, self._backend, taken)
            except Exception as error:  # ends the run, with its traceback
                self._interpreter.announce(error)
            finally:
                self._under_way -= 1
                self._interpreter.nudge()
