"""What reading a file came upon: found, counted, explained; nothing is put right in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from trope.errors import ItemError
from trope.nouns import Item

# note: how the file was read, no value touched; changed: a value was read as another; fatal: it cannot be read
Level = Literal["note", "changed", "fatal"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: its kind, how bad, where, which field, what stands there, and what it means."""

    kind: str
    level: Level
    where: str
    field: str
    value: str
    why: str

    def __str__(self) -> str:
        found = self.value if len(self.value) <= 90 else self.value[:87] + "..."
        parts = [self.where, self.field, repr(found) if found else "", self.why]
        return ": ".join(part for part in parts if part) + f" [{self.kind}]"


# kind -> what it is, as `trope items validate` says it
KINDS: dict[str, str] = {
    "encoding": "bytes that are not UTF-8, or that another encoding reads as well",
    "byte-order-mark": "a mark at the beginning that says which Unicode encoding follows",
    "broken-character": "characters that stand for something that was lost",
    "format": "a file that is not what its name says",
    "delimiter": "another sign between cells than the file's name says",
    "quotation-mark": "quotation marks at the beginning of cells",
    "header": "a header without the columns that are needed, or with one twice",
    "column": "columns read under another name, or not read",
    "phantom-column": "columns without a name and without values",
    "blank-row": "rows without values",
    "ragged-row": "rows with more or fewer cells than the header",
    "sheet": "a workbook with several sheets",
    "formula": "a cell computed by the spreadsheet program",
    "spreadsheet-value": "a cell that the spreadsheet program turned into a date or an error",
    "id": "ids made from line numbers",
    "duplicate-id": "one id for two items",
    "schema": "a field that is missing, unknown or of the wrong kind",
    "missing-mark": "a mark that stands for nothing (None, Non, _, -1)",
    "outer-space": "spaces around a value",
    "label-spelling": "a label in another spelling",
    "html-entity": "HTML entities",
    "several-vehicles": "several vehicles in one cell",
    "swapped-columns": "columns that hold each other's values",
    "tenor-alone": "a tenor without a vehicle",
}


def fatal(findings: Iterable[Finding]) -> list[Finding]:
    """Those that keep the file from being read."""
    return [finding for finding in findings if finding.level == "fatal"]


def counts(findings: Iterable[Finding]) -> Counter[str]:
    """How many of each kind."""
    return Counter(finding.kind for finding in findings)


def raise_first(findings: Iterable[Finding], path: str) -> None:
    """Raise the first fatal finding, saying how many more there are.

    Raises
    ------
    ItemError : if any finding is fatal.
    """
    found = fatal(findings)
    if found:
        more = len(found) - 1
        rest = f" (and {more} more: `trope items validate {path}` lists all)" if more else ""
        raise ItemError(f"{found[0]}{rest}")


@dataclass(slots=True)
class ItemFile:
    """A file as it was read: its items, where each stands, how columns were read, what was found."""

    name: str
    items: list[Item] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"
    findings: list[Finding] = field(default_factory=list)
