"""The interpreter, local engine: asks what the scheduler leaves over, a few at a time, and stores every answer.

A request leaves only when its answer is not stored; it counts as under way until its answer is on the
disk. So a killed run repeats at most what was under way, and nothing that was committed.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from trope.backend import Backend
from trope.errors import BackendError, BudgetError, Interrupted, NotAsked, PictureError, TropeError
from trope.flow.budget import Budget
from trope.flow.cell import Task, as_read
from trope.flow.scheduler import Scheduler, standing
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.records import Observation, Output, Record, Result
from trope.requests import Generate, Job, ToSubject
from trope.store import CanonicalPicture, Entry, Store, canonical_picture

REACH = 256  # jobs that are looked through for some of the same group
HOPELESS = 8  # failures in a row after which a remote backend is not asked on; thrice that once it has answered


class Interpreter:
    """Runs tasks against backends and a store.

    Parameters
    ----------
    backends : subjects and instruments by the name the tasks use.
    retry : statuses asked again although an answer is stored.
    run : name under which costs are counted.
    save : called with position and result of the tasks that have ended, a few at a time.
    """

    def __init__(
        self,
        store: Store,
        backends: Mapping[str, Backend],
        *,
        budget: Budget,
        tally: Tally,
        retry: frozenset[Status] = frozenset(),
        run: str | None = None,
        save: Callable[[list[tuple[int, Any]]], Any] | None = None,
    ) -> None:
        self._store, self._backends, self._budget, self._tally = store, backends, budget, tally
        self._retry, self._run, self._save = retry, run, save
        self._again: frozenset[Status] = frozenset()
        self._queues: dict[str, _Queue] = {}
        self._answers: asyncio.Queue[tuple[str, Record] | None] = asyncio.Queue()
        self._stopped: TropeError | None = None
        self._bug: Exception | None = None
        self._failures: Counter[str] = Counter()
        self._answered: set[str] = set()

    def stop(self, why: TropeError | None = None) -> None:
        """Ask nothing more; what is under way is still waited for and stored."""
        self._stopped = self._stopped or why or Interrupted("stopped")
        for queue in self._queues.values():
            queue.clear()
            queue.backend.hurry()
        self._answers.put_nowait(None)

    def abandon(self) -> None:
        """After `stop`: do not even wait for what is under way."""
        for queue in self._queues.values():
            queue.cancel()

    async def run(self, tasks: Sequence[Task]) -> TropeError | None:
        """Drive every task to its end, or as far as it gets.

        Returns
        -------
        Why the run ended early, or None.
        """
        self._tally.cells = len(tasks)
        scheduler = Scheduler(tasks, self._backends, self._store, self._tally, self._retry)
        self._again = scheduler.again
        self._queues = {name: _Queue(self, backend) for name, backend in self._backends.items()}
        try:
            await self._drive(scheduler)
        finally:
            for queue in self._queues.values():
                await queue.close()
        if self._bug is not None:
            raise self._bug
        return self._stopped

    async def _drive(self, scheduler: Scheduler) -> None:
        while True:
            jobs = scheduler.advance()  # once stopped, tasks that need no more than what is stored still end
            if self._save is not None and (ended := scheduler.take_ended()):
                self._save(ended)
            if self._stopped is None:
                for name, job in jobs:
                    self._queues[name].submit(job)
            if self._answers.empty() and not any(queue.busy for queue in self._queues.values()):
                return
            arrived = [await self._answers.get()]
            while not self._answers.empty():
                arrived.append(self._answers.get_nowait())
            for answer in arrived:
                if answer is not None:
                    scheduler.answer(*answer)

    # --- called by queues ---

    async def settle(self, backend: Backend, jobs: Sequence[Job]) -> None:
        """Perform jobs, store what came of them, and announce it."""
        reserved: dict[str, float] = {}
        asked: list[Job] = []
        for job in self._still_open(backend, jobs):
            worst = self._budget.reserve(backend, job.request)
            if worst is None:
                self.stop(BudgetError(
                    f"--max-usd {self._budget.limit:g} would be passed by the next request to {backend.name!r};"
                    f" spent so far: {self._budget.spent:.4f}, what is under way aside"
                ))  # fmt: skip
                break
            reserved[job.key] = worst
            asked.append(job)
        if not asked:
            return
        try:
            results = await backend.perform([self._with_picture(job) for job in asked])
        except asyncio.CancelledError:
            self._drop(backend, asked, reserved)
            raise
        costs = [self._budget.settle(backend, reserved[job.key], r) for job, r in zip(asked, results, strict=True)]
        entries = await asyncio.gather(*(
            self._entry(backend, *made) for made in zip(asked, results, costs, strict=True)
        ))  # fmt: skip
        twice = await self._store.add(entries)
        self._tally.twice += twice
        for job, entry in zip(asked, entries, strict=True):
            self._tally.answered(backend.name, as_read(entry.record, job.request), entry.usd)
            self._notice_failure(backend, entry.record)
            self._answers.put_nowait((job.key, entry.record))

    def _drop(self, backend: Backend, jobs: Sequence[Job], reserved: Mapping[str, float]) -> None:
        """Nobody waits for these any more; what they may cost still counts."""
        if not backend.remote:
            return
        entries = []
        for job in jobs:
            cost = self._budget.settle(backend, reserved[job.key], Result(status="failed"))
            cls = Output if isinstance(job.request, ToSubject) else Observation
            record = cls(job.key, backend.name, "failed", reason="dropped while under way; may have been billed")
            entries.append(Entry(record, job.request.material(), backend.known_identity, {}, cost, self._run))
        self._store.database.add(entries)  # committed before the store closes

    def fail(self, error: Exception) -> None:
        """A queue broke: stop, keep what is under way, and end the run with this."""
        if isinstance(error, NotAsked):
            return
        if isinstance(error, TropeError):
            self.stop(error)
        else:
            self._bug = self._bug or error
            self.stop(Interrupted(f"{type(error).__name__}: {error}"))

    def nudge(self) -> None:
        """A queue has nothing under way any more: look whether anything is left."""
        if self._stopped is not None:
            self._answers.put_nowait(None)

    # --- inside ---

    def _still_open(self, backend: Backend, jobs: Sequence[Job]) -> list[Job]:
        """Jobs that no other process has answered since they were planned."""
        if not backend.remote:
            return list(jobs)
        known = self._store.records(job.key for job in jobs)
        left = []
        for job in jobs:
            record = standing(known.get(job.key), job.request, self._again)
            if record is None:
                left.append(job)
            else:
                self._tally.hit(backend.name)
                self._answers.put_nowait((job.key, record))
        return left

    def _with_picture(self, job: Job) -> Job:
        shown = None if isinstance(job.request, Generate) else job.request.shown
        return job if shown is None else replace(job, picture=self._store.picture(shown))

    def _notice_failure(self, backend: Backend, record: Record) -> None:
        if not backend.remote:
            return
        if record.status != "failed":
            self._failures[backend.name] = 0
            self._answered.add(backend.name)
            return
        self._failures[backend.name] += 1
        in_a_row, alive = self._failures[backend.name], backend.name in self._answered
        if in_a_row == (HOPELESS * 3 if alive else HOPELESS):
            self.stop(BackendError(f"{in_a_row} requests to {backend.name!r} in a row failed: {record.reason}"))

    async def _entry(self, backend: Backend, job: Job, result: Result, usd: float | None) -> Entry:
        value = None if result.value is None else json.dumps(result.value, ensure_ascii=False)
        request = [*job.request.material(), {"seed": job.seed, "item": job.item_id}]
        identity = backend.known_identity

        def entry(record: Output | Observation, row: tuple[str, int, int, bool] | None = None) -> Entry:
            return Entry(record, request, identity, result.provenance, usd, self._run, row)

        name = backend.name
        if not isinstance(job.request, ToSubject):
            seen = Observation(job.key, name, result.status, value, result.raw, reason=result.reason)
            empty = seen.ok and value is None and result.raw is None
            return entry(replace(seen, status="failed", reason="the instrument said nothing") if empty else seen)
        output = Output(job.key, name, result.status, value, result.raw, result.picture, result.reason)
        if result.picture is not None:
            blank = result.status == "ok" and self._store.is_blank(result.picture)
            return entry(replace(output, status="blank") if blank else output)
        if result.image is None:
            wanted, made = ("picture", None) if isinstance(job.request, Generate) else ("reply", result.raw)
            if result.status == "ok" and made is None:
                output = replace(output, status="failed", reason=f"the subject returned no {wanted}")
            return entry(output)
        try:
            picture, row = await asyncio.to_thread(self._keep, result)
        except PictureError as error:
            return entry(replace(output, status="failed", reason=str(error)))
        status: Status = "blank" if result.status == "ok" and picture.blank else result.status
        return entry(replace(output, status=status, picture=picture.sha), row)

    def _keep(self, result: Result) -> tuple[CanonicalPicture, tuple[str, int, int, bool]]:
        assert result.image is not None
        picture = canonical_picture(result.image, name="the subject's picture")
        return picture, self._store.keep_picture(picture)


class _Queue:
    """The jobs of one backend, worked by as many tasks as it allows; the backend opens at the first one."""

    def __init__(self, interpreter: Interpreter, backend: Backend) -> None:
        self.backend = backend
        self._interpreter = interpreter
        self._jobs: deque[Job] = deque()
        self._wake = asyncio.Semaphore(0)
        self._under_way = 0
        self._opening = asyncio.Lock()
        self._opened = False
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

    def cancel(self) -> None:
        """Drop what is under way."""
        for worker in self._workers:
            worker.cancel()

    async def close(self) -> None:
        """End the workers and close the backend."""
        self.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        if self._opened:
            await self.backend.close()

    def _take(self) -> list[Job]:
        """The next job, and others that its backend would rather answer with it."""
        if not self._jobs:
            return []
        first = self._jobs.popleft()
        group, taken = self.backend.group(first.request), [first]
        passed: deque[Job] = deque()
        while self._jobs and len(taken) < self.backend.batch and len(passed) < REACH:
            job = self._jobs.popleft()
            (taken if self.backend.group(job.request) == group else passed).append(job)
        self._jobs.extendleft(reversed(passed))
        return taken

    async def _work(self) -> None:
        while True:
            await self._wake.acquire()
            taken = self._take()
            if not taken:
                continue
            self._under_way += 1
            try:
                async with self._opening:
                    if not self._opened:
                        await self.backend.open()
                        self._opened = True
                await self._interpreter.settle(self.backend, taken)
            except Exception as error:
                self._interpreter.fail(error)
            finally:
                self._under_way -= 1
                self._interpreter.nudge()
