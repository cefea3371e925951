"""What every subject and every instrument has in common, whichever room it lives in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from trope.errors import TropeError
from trope.records import Result, digest, key_of
from trope.requests import Job


class Backend:
    """A subject or instrument: it has an identity, and performs jobs.

    Subclass one of `generators.Generator`, `detectors.Detector`, `judges.Judge` rather than this.

    Attributes
    ----------
    spec : how the user named it, with every option.
    name : the same without what cannot change an answer; tables, keys of runs and seeds use it.
    batch : how many jobs `perform` gets at once, at most.
    concurrency : how many `perform` calls may be under way at once.
    remote : whether a request leaves this process and may cost money.
    seeded : whether the cell's seed can change an answer (a generator's does, an instrument's does not).
    transport : options that say how to reach it, not what it answers.
    price_fields : what its price must state for a limit in dollars.
    cautious : set under such a limit: never repeat in silence what may have been billed.
    """

    spec: str = ""
    name: str = ""
    batch: int = 1
    concurrency: int = 1
    remote: bool = False
    seeded: bool = False
    cautious: bool = False
    transport: ClassVar[frozenset[str]] = frozenset({"base_url", "concurrency", "timeout", "retries"})
    price_fields: ClassVar[tuple[str, ...]] = ()

    def identity(self) -> Mapping[str, Any]:
        """Everything about the backend that can change an answer (model, revision, parameters), for the key."""
        raise NotImplementedError(f"{type(self).__name__} must say its identity")  # an abstract method

    def key(self, request: Any, seed: int, item_id: str) -> str:
        """The key of one request: a hash of all that can change its answer."""
        return key_of(self.identity_digest, self.material(request), seed if self.seeded else None)

    def material(self, request: Any) -> Any:
        """What about a request can change this backend's answer."""
        return request.material()

    @cached_property
    def known_identity(self) -> Mapping[str, Any]:
        """The identity, computed once."""
        return self.identity()

    @cached_property
    def identity_digest(self) -> str:
        """The hash of the identity, computed once."""
        return digest(self.known_identity)

    def group(self, request: Any) -> Hashable:
        """Requests of one group are better answered in one batch, e.g. those of one text."""
        return None

    def named(self, name: str) -> str:
        """The name to go by, given the one made from the spec; it must not depend on where something lies."""
        return name

    def prepare(self, items: Sequence[str], adopt: Callable[[Path], str]) -> list[str]:
        """Look at what is there before keys are made; ``adopt`` takes a picture file in and returns its hash.

        Returns
        -------
        What a user should know, a line each, e.g. pictures that match no item.
        """
        return []

    async def open(self) -> None:
        """Get ready: load weights, connect. Called before the first job, and only if there is one."""

    async def close(self) -> None:
        """Let go of what `open` took."""

    def hurry(self) -> None:
        """The run is stopping: give up waiting and retrying."""

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
        except TropeError:
            raise  # nothing a further job could do better
        except Exception as error:  # a backend's bug is this job's failure, not the run's
            return Result(status="failed", reason=f"{type(error).__name__}: {error}")

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """The most one request can cost, at a price that states `price_fields`."""
        return 0.0

    def cost_usd(self, result: Result, price: Mapping[str, float]) -> float | None:
        """What one request cost, as far as its result tells; None if it does not."""
        return 0.0
