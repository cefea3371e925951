"""What a user asks, as a TOML file can say it. A finished run's `run.toml` is one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from trope.errors import UsageError, nearest

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Experiment(BaseModel):
    """One experiment.

    Attributes
    ----------
    protocol : e.g. ``simile``.
    subjects, strategies, instruments : ``backend:model?option=value`` each.
    items : names of shipped sets, or paths of JSONL files.
    seeds : one picture for each, item and strategy.
    models : chat models that strategies may ask, as instruments are named.
    options : choices of the protocol.
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
    models: tuple[str, ...] = ()
    options: Mapping[str, str] = Field(default_factory=dict)
    limit: Annotated[int, Field(ge=1)] | None = None
    name: str | None = None

    @field_validator("subjects", "strategies", "instruments", "models", "items", "seeds")
    @classmethod
    def _once(cls, values: tuple[Any, ...]) -> tuple[Any, ...]:
        twice = [value for n, value in enumerate(values) if value in values[:n]]
        if twice:
            raise ValueError(f"{twice[0]!r} is given twice")
        return values


def read_experiment(path: Path) -> tuple[Experiment, dict[str, Any]]:
    """Read an experiment file.

    Returns
    -------
    experiment : what is asked.
    resolved : the table a finished run added, or an empty one.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise UsageError(f"no experiment file at {str(path)!r}") from None
    except (UnicodeDecodeError, OSError) as error:
        raise UsageError(f"experiment file {str(path)!r}: {error}") from None
    return split_experiment(text, f"experiment file {str(path)!r}")


def split_experiment(text: str, where: str) -> tuple[Experiment, dict[str, Any]]:
    """The two parts of an experiment file's text; ``where`` is used in errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: {error}") from None
    resolved = table.pop("resolved", {})
    if not isinstance(resolved, dict):
        raise UsageError(f"{where}: resolved = {resolved!r}. Expected: the table a run wrote, or nothing")
    return parse_experiment(table, where), resolved


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
        message = str(first["msg"]).removeprefix("Value error, ").lower()
        raise UsageError(f"{where}: {field}: {message}.{hint}") from None
