"""``predictions:FILE``: replies that a system made elsewhere, one row an item, taken for what it would reply.

JSON lines (``.jsonl``), CSV or TSV with a header, in UTF-8 or what ``?encoding=`` says. Columns:

======================  ====================================================================================
``id``                  the item's id; ``item`` and ``item_id`` are the same
``reply``               the system's reply word for word; where a row has one, its other columns are not read
any other column        a field of the reply, e.g. ``metaphor``, ``target``, ``source``, ``sentiment``
======================  ====================================================================================

Names of columns are read without case and spaces (`MetaphorOccurrence` is ``metaphor_occurrence``); paper names
have an alias. An empty cell, or a key that is not there, is a field that the system does not give; None is
written ``None``. What the fields are worth is the protocol's business: a row becomes one JSON object. A file without
any of m3r's fields, or with one misspelled, is refused: its answers would all be missing, and so wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from trope.errors import ItemError, UsageError
from trope.items.columns import simple
from trope.items.rows import table_rows
from trope.judges.base import Judge
from trope.records import Result, digest, key_of
from trope.requests import Job, Reply

_ALIASES: Final = {
    "item": "id", "item_id": "id", "metaphor_occurrence": "metaphor", "target_domain": "target",
    "source_domain": "source", "image_text_evidence": "evidence", "mapping_explanation": "mapping",
    "mapping_correctness": "mapping", "sentiment_justification": "justification", "raw": "reply",
}  # fmt: skip
_FIELDS: Final = ("metaphor", "target", "source", "sentiment", "evidence", "mapping", "justification", "reply")
_KNOWN: Final = ", ".join(_FIELDS)
_ENDINGS: Final = (".jsonl", ".ndjson", ".csv", ".tsv")


class Predictions(Judge):
    """The replies of one system in one file.

    Parameters
    ----------
    model : the file.
    label : a name for the system that made them, shown in tables; default the file's own.
    encoding : of the file, if it is not UTF-8.
    """

    batch = 256
    transport = frozenset({"encoding"})

    def __init__(self, model: str, label: str | None = None, encoding: str | None = None) -> None:
        self.file = Path(model)
        if not self.file.is_file():
            raise UsageError(f"predictions:{model}: no such file. Expected: one of {', '.join(_ENDINGS)}")
        self._label = label
        try:
            self.replies = read_predictions(self.file, encoding)
        except ItemError as error:  # which names the option that commands have for files of items
            raise UsageError(str(error).replace("--encoding ", f"predictions:{model}?encoding=")) from None

    def identity(self) -> Mapping[str, Any]:
        """The label alone: what a row says is in its own key."""
        return {"judge": "predictions", "label": self._label}

    def named(self, name: str) -> str:
        """The label, or the file's own name: not its path, which may be written in many ways."""
        return f"predictions:{self._label or self.file.stem}"

    def prepare(self, items: Sequence[str], adopt: Callable[[Path], str]) -> list[str]:
        """Say which rows belong to no item, and which items have no row."""
        wanted = set(items)
        spare = [i for i in self.replies if i not in wanted]
        missing = [i for i in items if i not in self.replies]
        found = [("rows belong to no item", spare), ("items have no row", missing)]
        return [f"{self.name}: {len(ids)} {what}, e.g. {ids[0]!r}" for what, ids in found if ids]

    def key(self, request: Any, seed: int, item_id: str) -> str:
        """The item and what the row says: an edited row is another reply, a moved file is not."""
        return key_of(self.identity_digest, "predictions", item_id, self.replies.get(item_id))

    def perform_one(self, job: Job) -> Result:
        """The row's reply, or that there is none."""
        if not isinstance(job.request, Reply):
            raise UsageError(f"{self.name!r} holds replies about items; it cannot judge. Use it as --subject")
        reply = self.replies.get(job.item_id)
        if reply is None:
            return Result(status="not_applicable", reason=f"{self.file.name} has no row for item {job.item_id!r}")
        return Result(raw=reply, provenance={"file": self.file.name, "sha256": digest(reply)})


def read_predictions(file: Path, encoding: str | None = None) -> dict[str, str]:
    """Item id -> reply; raises `UsageError` naming file, line and what is wrong."""
    replies: dict[str, str] = {}
    columns: dict[str, str] = {}
    if file.suffix.lower() not in _ENDINGS:
        raise UsageError(f"{file.name}: unknown kind of file {file.suffix!r}. Expected: {', '.join(_ENDINGS)}")
    for where, cells in table_rows(file, encoding):
        columns |= {_field(name): str(name) for name in cells}
        row = {name: cell for name, cell in cells.items() if not isinstance(cell, str) or cell.strip()}
        names = [_field(name) for name in row]
        twice = [name for n, name in enumerate(names) if name in names[:n]]
        if twice:
            raise UsageError(f"{where}: two columns mean {twice[0]!r}: {', '.join(map(str, row))}")
        fields = dict(zip(names, row.values(), strict=True))
        item = fields.pop("id", None)
        if item in (None, "") or isinstance(item, list | dict):
            raise UsageError(f"{where}: no id. Expected: the id of an item in a column 'id'")
        if str(item) in replies:
            raise UsageError(f"{where}: id {str(item)!r} has a row already; a system answers an item once")
        reply = fields.get("reply")
        replies[str(item)] = reply if isinstance(reply, str) else json.dumps(fields, ensure_ascii=False)
    _spelled(file, columns)
    return replies


def _field(column: object) -> str:
    """What field a column is, by its name."""
    name = simple(str(column))
    return _ALIASES.get(name, name)


def _spelled(file: Path, columns: Mapping[str, str]) -> None:
    """Refuse a file with a field misspelled, or with columns of which none is a field."""
    for name, column in columns.items():
        near = get_close_matches(name, _FIELDS, n=1, cutoff=0.8)
        if name not in (*_FIELDS, "id") and near and near[0] not in columns:
            raise UsageError(f"{file.name}: column {column!r} is no field. Did you mean {near[0]!r}? Fields: {_KNOWN}")
    if columns.keys() - {"id"} and not columns.keys() & set(_FIELDS):
        there = ", ".join(columns.values())
        raise UsageError(f"{file.name}: no column is a field of a reply. Fields: {_KNOWN}. There are: {there}")
