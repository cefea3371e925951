"""What a judge is: it gets a prompt, mostly with a picture, and replies in words, which are kept as they came."""

from __future__ import annotations

from pathlib import Path

from trope.backend import Backend
from trope.records import Result
from trope.requests import Ask, Job, Prompt, Reply


class Judge(Backend):
    """Base class of judges, and of multimodal models as subjects. Implement `ask` and `identity`."""

    def ask(self, prompt: Prompt, picture: Path | None) -> str:
        """The reply, word for word; ``picture`` is None where there is nothing to look at."""
        raise NotImplementedError(f"{type(self).__name__} must reply")  # an abstract method

    def perform_one(self, job: Job) -> Result:
        """Put one prompt to the model."""
        assert isinstance(job.request, Ask | Reply)
        return Result(raw=self.ask(job.request.prompt, job.picture))
