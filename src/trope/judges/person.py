"""People as instruments: ``person:ID``. A run never asks them; `trope study` does, and stores what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trope.errors import BackendError, UsageError
from trope.judges.base import Judge
from trope.requests import Prompt

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Person(Judge):
    """One person, whose answers a study has stored.

    Parameters
    ----------
    model : who; letters, digits, ``.``, ``_``, ``-``. The same name is the same person in every study.
    role : ``adjudicator`` for answers given with those of others in view; part of the identity.
    """

    def __init__(self, model: str, role: str | None = None) -> None:
        if not _ID.fullmatch(model):
            raise UsageError(f"person {model!r}. Expected: letters, digits, '.', '_', '-', at most 64")
        if role not in (None, "adjudicator"):
            raise UsageError(f"role {role!r} of person {model!r}. Expected: adjudicator, or none")
        self._model, self._role = model, role

    def identity(self) -> Mapping[str, Any]:
        """Who, and whether they saw the answers of others."""
        return {"judge": "person", "person": self._model, "role": self._role}

    def ask(self, prompt: Prompt, picture: Path | None) -> str:
        """Never: a person cannot be asked by a run."""
        raise BackendError(
            f"{self.name or self._model!r} has not answered this, and a run cannot ask a person. Invite them:"
            " trope study new NAME --run RUN"
        )
