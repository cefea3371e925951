"""What a judge is: it gets a prompt and a picture and replies in words, which are kept as they came."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trope.backend import Backend
from trope.records import Ask, Job, Prompt, Result

if TYPE_CHECKING:
    from trope.store import Store


class Judge(Backend):
    """Base class of judges. Implement `ask` and `identity`; override `perform` for async."""

    def ask(self, prompt: Prompt, picture: Path) -> str:
        """The judge's reply, word for word."""
        raise NotImplementedError(f"{type(self).__name__} must reply")  # an abstract method

    async def open(self, store: Store) -> None:
        """Keep the store, from which pictures are read."""
        self._store = store

    def perform_one(self, job: Job) -> Result:
        """Put one prompt to the judge."""
        assert isinstance(job.request, Ask)
        assert job.request.output.picture is not None
        return Result(raw=self.ask(job.request.prompt, self._store.picture(job.request.output.picture)))
