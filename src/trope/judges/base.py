"""What a judge is: it gets a prompt and a picture and replies in words, which are kept as they came."""

from __future__ import annotations

from pathlib import Path

from trope.backend import Backend
from trope.records import Result
from trope.requests import Ask, Job, Prompt


class Judge(Backend):
    """Base class of judges. Implement `ask` and `identity`; override `perform` for async."""

    def ask(self, prompt: Prompt, picture: Path) -> str:
        """The judge's reply, word for word."""
        raise NotImplementedError(f"{type(self).__name__} must reply")  # an abstract method

    def perform_one(self, job: Job) -> Result:
        """Put one prompt to the judge."""
        assert isinstance(job.request, Ask) and job.picture is not None
        return Result(raw=self.ask(job.request.prompt, job.picture))
