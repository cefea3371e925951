"""The design of a study: what is asked of whom. A TOML file in the study's folder, written once."""

from __future__ import annotations

import re
import tomllib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trope.errors import StoreError, UnknownName, UsageError
from trope.judges.person import Person
from trope.records import digest
from trope.store import Store
from trope.store.files import write_durably

COORDINATOR = "coordinator"  # no rater's name
LANGS = ("en", "zh", "ja", "ar")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

Kind = Literal["judge", "verify", "adjudicate"]
Layout = Literal["single", "together"]
Method = Literal["all", "stratified", "convenience"]


class Design(BaseModel):
    """One study of people.

    Attributes
    ----------
    name : of the study; also the start of the names of raters that were given none.
    kind : ``judge``: people answer what judges are asked; ``verify``: they check and edit items; ``adjudicate``:
        one person decides where the raters of the study ``of`` disagreed.
    run : whose outputs are judged; ``items`` and ``proposals``: files of a verification.
    calls : which calls of the protocol, in this order; a rater finishes one before the next begins.
    layout : ``single``: one output a page; ``together``: all outputs of an item on one page, blind, as A, B, C.
    lang : of the pages until a rater chooses another.
    seed : of everything drawn: sample, assignment, orders, labels.
    method, n, by : how outputs were drawn: all, n of them stratified by the fields ``by``, or for convenience.
    raters : ids; each is the instrument ``person:ID``.
    per_unit, overlap : how many raters an output gets; how many outputs all raters get.
    checks : attention checks a page, e.g. 0.05.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    kind: Kind = "judge"
    run: str | None = None
    of: str | None = None
    items: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    layout: Layout = "single"
    lang: Literal["en", "zh", "ja", "ar"] = "en"
    seed: int = 42
    method: Method = "all"
    n: Annotated[int, Field(ge=1)] | None = None
    by: tuple[str, ...] = ()
    raters: Annotated[tuple[str, ...], Field(min_length=1)]
    per_unit: Annotated[int, Field(ge=1)] = 1
    overlap: Annotated[int, Field(ge=0)] = 0
    checks: Annotated[float, Field(ge=0, le=0.5)] = 0.0

    @model_validator(mode="after")
    def _whole(self) -> Design:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name {self.name!r}: letters, digits, '.', '_', '-', at most 40")
        if len(set(self.raters)) < len(self.raters):
            raise ValueError("raters: one is given twice")
        if COORDINATOR in self.raters:
            raise ValueError(f"raters: {COORDINATOR!r} is who looks after the study. Expected: another name")
        if self.per_unit > len(self.raters):
            raise ValueError(f"per_unit: {self.per_unit} raters an output, but there are {len(self.raters)}")
        if (self.method == "stratified") != (self.n is not None):
            raise ValueError("n: how many to draw, with method 'stratified' and only then")
        for rater in self.raters:
            Person(rater)
        return self

    def person(self, rater: str) -> Person:
        """A rater as the instrument that the store knows."""
        return person_of(rater, "adjudicator" if self.kind == "adjudicate" else None)

    def seed_of(self, *place: str) -> int:
        """The seed of one place: a rater's order, a page's labels."""
        return int(digest([self.seed, self.name, *place])[:12], 16)


def person_of(rater: str, role: str | None = None) -> Person:
    """The instrument ``person:RATER``, named as the registry would."""
    made = Person(rater, role)
    made.name = made.spec = f"person:{rater}" + (f"?role={role}" if role else "")
    return made


class StudyFolder:
    """The folder of one study in a store: ``studies/NAME/`` with its design, its frame and its book."""

    def __init__(self, store: Store, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise UsageError(f"study name {name!r}. Expected: letters, digits, '.', '_', '-', at most 40")
        self.store, self.name = store, name
        self.folder = store.folder / "studies" / name
        self.file, self.book = self.folder / "study.toml", self.folder / "study.sqlite"
        self.items = self.folder / "items.jsonl"

    @classmethod
    def find(cls, store: Store, name: str) -> StudyFolder:
        """The study of that name; raises `UnknownName` with what there is."""
        study = cls(store, name)
        if not study.file.exists():
            raise UnknownName("study", name, cls.names(store), hint="Make one: trope study new NAME --run RUN")
        return study

    @staticmethod
    def names(store: Store) -> list[str]:
        """Names of all studies in a store."""
        return sorted(p.parent.name for p in (store.folder / "studies").glob("*/study.toml"))

    def write(self, design: Design) -> None:
        """Write the design; raises `UsageError` if the study exists."""
        import tomli_w

        if self.file.exists():
            raise UsageError(f"study {self.name!r} exists. Choose another name; a study is never overwritten")
        table = design.model_dump(mode="json", exclude_none=True)
        write_durably(self.file, tomli_w.dumps(table).encode("utf-8"))

    def design(self) -> Design:
        """The design as it was written."""
        try:
            return design_from(tomllib.loads(self.file.read_text("utf-8")))
        except (OSError, ValueError, UsageError) as error:
            raise StoreError(f"{str(self.file)!r} is no design of a study: {error}") from None


def design_from(table: dict[str, Any]) -> Design:
    """A design from a table; raises `UsageError` that names the field."""
    try:
        return Design.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(p) for p in first["loc"]) or "study"
        raise UsageError(f"{field}: {str(first['msg']).removeprefix('Value error, ')}") from None
