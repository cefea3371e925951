"""What every subject and every instrument has in common, whichever room it lives in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trope.errors import UsageError
from trope.records import Job, Result, digest

if TYPE_CHECKING:
    from trope.store import Store


class Backend:
    """A subject or instrument: it has an identity, and performs jobs.

    Subclass one of `generators.Generator`, `detectors.Detector`, `judges.Judge` rather than this.

    Attributes
    ----------
    spec : how the user named it; the name under which tables show it.
    batch : how many jobs `perform` gets at once, at most.
    concurrency : how many `perform` calls may be under way at once.
    remote : whether a request leaves this process and may cost money.
    seeded : whether the cell's seed can change an answer (a generator's does, an instrument's does not).
    """

    spec: str = ""
    batch: int = 1
    concurrency: int = 1
    remote: bool = False
    seeded: bool = False

    def identity(self) -> Mapping[str, Any]:
        """Everything about the backend that can change an answer (model, revision, parameters), for the key."""
        raise NotImplementedError(f"{type(self).__name__} must say its identity")  # an abstract method

    def key(self, request: Any, seed: int, item_id: str) -> str:
        """The key of one request: a hash of all that can change its answer."""
        return digest([self._identity_digest(), request.material(), seed if self.seeded else None])

    def _identity_digest(self) -> str:
        known: str | None = self.__dict__.get("_digest")
        if known is None:
            known = self.__dict__["_digest"] = digest(self.identity())
        return known

    async def open(self, store: Store) -> None:
        """Get ready: load weights, connect. Called once, before the first job; raises `TropeError` if it cannot."""

    async def close(self) -> None:
        """Let go of what `open` took."""

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """Answer each job, in order. A job that fails for good gets a `Result` that says so."""
        return await asyncio.to_thread(self._perform_each, jobs)

    def perform_one(self, job: Job) -> Result:
        """Answer one job; runs in a worker thread."""
        raise NotImplementedError(f"{type(self).__name__} must perform its jobs")  # an abstract method

    def _perform_each(self, jobs: Sequence[Job]) -> list[Result]:
        return [self._guarded(job) for job in jobs]

    def _guarded(self, job: Job) -> Result:
        try:
            return self.perform_one(job)
        except Exception as error:  # a backend's bug is this job's failure, not the run's
            return Result(status="failed", reason=f"{type(error).__name__}: {error}")

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """The most one request can cost at the stated price; raises `UsageError` where it cannot be bounded."""
        if not self.remote:
            return 0.0
        raise UsageError(f"{self.spec!r} cannot bound what a request costs; run it without --max-usd")
