"""What the stages hand on, as plain data: what a model may say and what a person may edit are checked alike."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from trope.items.rules.vmetaphor import CATEGORIES
from trope.nouns import Structure

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Two = tuple[Text, Text]
Domain = Literal["target", "source"]
MOST_MAPPINGS = 10


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Correspondence(_Record):
    """An element of the source and what it stands for in the target."""

    source: Text
    target: Text


class Annotation(_Record):
    """Stage 1: a metaphor taken apart."""

    target: Text
    source: Text
    structure: Structure
    absent: Domain | None = None
    meaning: Text
    mappings: Annotated[tuple[Correspondence, ...], Field(min_length=1, max_length=MOST_MAPPINGS)]
    category: Text

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.category not in CATEGORIES:
            raise ValueError(f"category {self.category!r} is none of {', '.join(CATEGORIES)}")
        if (self.structure == "replacement") != (self.absent is not None):
            raise ValueError(f"a {self.structure} has absent = {self.absent!r}: a replacement, and nothing else, lacks"
                             f" one of {' and '.join(get_args(Domain))}")  # fmt: skip
        return self


class Writing(_Record):
    """Stage 2: two prompts without style, and the style."""

    conceptual: Text
    descriptive: Text
    style: Text


class Options(_Record):
    """Stage 3: two wrong options for each question; Q3 has the other structures."""

    Q1: Two
    Q2: Two
    Q4: Two
    Q5: tuple[Two, ...]


def why_not(error: ValidationError) -> str:
    """The first thing that is wrong, as ``field: what``."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    what = str(first["msg"]).removeprefix("Value error, ")
    more = error.error_count() - 1
    return (f"{where}: " if where else "") + what + (f" (and {more} more)" if more else "")


class Checked(_Record):
    """All stages of one picture, and what a person decided about it."""

    annotation: Annotation
    writing: Writing
    options: Options
    decision: Literal["", "keep", "drop"] = ""
    verified_by: tuple[Text, ...] = ()
    note: str = ""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        wanted, found = len(self.annotation.mappings), len(self.options.Q5)
        if found != wanted:
            raise ValueError(f"{found} pairs of wrong options for {wanted} mappings")
        return self
