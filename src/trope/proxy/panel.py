"""Who may be asked while somebody waits: chat models and instruments, with no store behind them.

Scripts are driven as the flow drives them; only where the answers come from is another matter.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trope.backend import Backend
from trope.flow import Budget
from trope.flow.cell import Script, follow
from trope.records import Observation, Record, Result
from trope.requests import Job, Request, ToSubject
from trope.store import CanonicalPicture

Answers = Callable[[Sequence[Request]], Awaitable[Sequence[Record]]]


async def drive(script: Script, answers: Answers) -> Any:
    """Drive a strategy's script to its end, asking ``answers`` for the records of each step."""
    walk = follow(script, lambda *_: None)
    records: Any = None  # starts the generator
    while True:
        try:
            requests = walk.send(records)
        except StopIteration as stop:
            return stop.value
        records = await answers(requests)


class Panel:
    """Backends by name, open while the block lasts; each is asked at most so often at once as it allows.

    Parameters
    ----------
    budget : its limit is over everything the panel is asked; what would pass it is answered `failed`.
    """

    def __init__(self, backends: Mapping[str, Backend], budget: Budget | None = None) -> None:
        self.backends = backends
        self._budget = budget or Budget(None, {})
        self._turns: dict[str, asyncio.Semaphore] = {}

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Panel]:
        """Raises `BackendError` where a backend cannot work at all, e.g. without its key."""
        self._budget.check(self.backends.values())
        self._turns = {name: asyncio.Semaphore(max(1, b.concurrency)) for name, b in self.backends.items()}
        async with contextlib.AsyncExitStack() as opened:
            for backend in self.backends.values():
                await backend.open()
                opened.push_async_callback(backend.close)
            yield self

    async def answers(
        self, requests: Sequence[Request], pictures: Mapping[str, CanonicalPicture] | None = None
    ) -> list[Record]:
        """Ask, and keep nothing. ``pictures`` holds what requests show, by SHA-256."""
        if not pictures:
            return await self._ask(requests, {})
        with TemporaryDirectory(prefix="trope-") as folder:
            files = await asyncio.to_thread(_lay_out, pictures, Path(folder))
            return await self._ask(requests, files)

    async def _ask(self, requests: Sequence[Request], files: Mapping[str, Path]) -> list[Record]:
        records: dict[int, Record] = {}
        by_name: dict[str, list[int]] = {}
        for n, request in enumerate(requests):
            assert not isinstance(request, ToSubject), "a panel draws nothing"
            by_name.setdefault(request.instrument, []).append(n)

        async def share(name: str, mine: list[int]) -> None:
            backend = self.backends[name]
            size = max(1, backend.batch)
            parts = [mine[at : at + size] for at in range(0, len(mine), size)]
            await asyncio.gather(*(part_of(backend, [requests[n] for n in part], part) for part in parts))

        async def part_of(backend: Backend, asked: list[Request], places: list[int]) -> None:
            jobs = [
                Job(backend.key(request, 0, ""), request, 0, "", files.get(request.shown or ""))  # type: ignore[union-attr]
                for request in asked
            ]
            for n, job, result in zip(places, jobs, await self._perform(backend, jobs), strict=True):
                records[n] = _observed(backend, job, result)

        await asyncio.gather(*(share(name, mine) for name, mine in by_name.items()))
        return [records[n] for n in range(len(requests))]

    async def _perform(self, backend: Backend, jobs: Sequence[Job]) -> list[Result]:
        reserved = [self._budget.reserve(backend, job.request) for job in jobs]
        if None in reserved:
            for kept in reserved:
                self._budget.settle(backend, kept or 0.0, Result(status="failed", billed=False))
            return [Result(status="failed", reason="the budget is spent", billed=False)] * len(jobs)
        results: list[Result] = []
        left = False
        try:
            async with self._turns[backend.name]:
                left = True
                results = await backend.perform(jobs)
        finally:  # who gave up waiting for an answer may still be billed
            for n, kept in enumerate(reserved):
                result = results[n] if n < len(results) else Result(status="failed", billed=left)
                self._budget.settle(backend, kept or 0.0, result)
        return results


def _lay_out(pictures: Mapping[str, CanonicalPicture], folder: Path) -> dict[str, Path]:
    files = {sha: folder / (sha + picture.suffix) for sha, picture in pictures.items()}
    for sha, picture in pictures.items():
        files[sha].write_bytes(picture.encoded)
    return files


def _observed(backend: Backend, job: Job, result: Result) -> Observation:
    value = None if result.value is None else json.dumps(result.value, ensure_ascii=False)
    if result.status == "ok" and value is None and result.raw is None:
        return Observation(job.key, backend.name, "failed", reason="the instrument said nothing")
    return Observation(job.key, backend.name, result.status, value, result.raw, reason=result.reason)
