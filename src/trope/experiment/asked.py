"""What a user asks, as a TOML file can say it. A finished run's `run.toml` is one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trope.errors import UsageError, nearest
from trope.records import digest

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Experiment(BaseModel):
    """One experiment.

    Attributes
    ----------
    protocol : e.g. ``simile``.
    subjects, strategies, instruments : ``backend:model?option=value`` each.
    items : names of shipped sets, or paths of JSONL files.
    seeds : one picture for each, item and strategy.
    limit : only the first so many items.
    name : of the run; made from what is asked if left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    protocol: str
    subjects: Names
    strategies: Names
    instruments: Names
    items: Names
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (42,)
    limit: Annotated[int, Field(ge=1)] | None = None
    name: str | None = None

    @property
    def run_name(self) -> str:
        """The given name, or one that the same question always has."""
        return self.name or f"{self.protocol}-{digest(self.question())[:8]}"

    def question(self) -> dict[str, Any]:
        """What is asked, without what it is called."""
        return self.model_dump(mode="json", exclude={"name"}, exclude_none=True)


def read_experiment(path: Path) -> tuple[Experiment, dict[str, Any]]:
    """Read an experiment file.

    Returns
    -------
    experiment : what is asked.
    resolved : the table a finished run added, or an empty one.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"no experiment file at {str(path)!r}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, IsADirectoryError) as error:
        raise UsageError(f"experiment file {str(path)!r}: {error}") from None
    resolved = table.pop("resolved", {})
    return parse_experiment(table, str(path)), resolved


def parse_experiment(table: dict[str, Any], where: str) -> Experiment:
    """An experiment from a table; raises `UsageError` that names the field."""
    try:
        return Experiment.model_validate(table)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])  # a typo explains what is missing
        field = ".".join(str(p) for p in first["loc"])
        known = list(Experiment.model_fields)
        near = nearest(field, known) if first["type"] == "extra_forbidden" else None
        hint = f" Did you mean {near!r}?" if near else f" Fields: {', '.join(known)}"
        raise UsageError(f"{where}: {field}: {first['msg'].lower()}.{hint}") from None
