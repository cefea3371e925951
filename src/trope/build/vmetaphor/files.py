"""Stage files that a person may edit between two stages: a line a record, and what was edited is kept.

Beside them ``state.json`` remembers each line as it was written. So a line that reads otherwise was edited, one that is
gone was taken out by a person, and one that was never written was put in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from trope.build.vmetaphor.records import why_not
from trope.errors import ItemError
from trope.records import digest
from trope.store.files import write_durably

R = TypeVar("R", bound=BaseModel)
State = dict[str, dict[str, list[str]]]  # file -> id -> how its line may read, as written here


@dataclass(slots=True)
class Edits(Generic[R]):
    """What a person did to a stage file since it was written.

    ``kept`` holds lines that were changed or put in, ``gone`` the ids of those that were taken out.
    """

    kept: dict[str, R] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)


class StageFile(Generic[R]):
    """``NAME.jsonl`` in the folder of a build.

    Parameters
    ----------
    kind : what a line holds besides its id.
    """

    ending = ".jsonl"

    def __init__(self, folder: Path, name: str, kind: type[R]) -> None:
        self.path, self.name, self.kind = folder / f"{name}{self.ending}", name, kind
        self._state = folder / "state.json"

    def edits(self) -> Edits[R]:
        """What a person did since the file was last written; nothing, if there is no file (it is then made anew).

        Raises
        ------
        ItemError : a line that cannot be read; names file, line and field.
        """
        if not self.path.exists():
            return Edits()
        written, found = self._all_states().get(self.name, {}), self.read()
        kept = {name: record for name, record in found.items() if _digest(record) not in written.get(name, ())}
        return Edits(kept, [name for name in written if name not in found])

    def write(self, records: Mapping[str, R], edits: Edits[R]) -> None:
        """Write the records; those that are no person's, and what a person took out, are remembered."""
        state = self._all_states()
        before = state.get(self.name, {})
        after = {name: [_digest(record)] for name, record in records.items() if name not in edits.kept}
        after |= {name: before[name] for name in edits.gone if name in before}
        both = {name: [*before.get(name, ()), *after.get(name, ())] for name in {**before, **after}}
        # three steps, so that whenever a process dies no line of ours is taken for a person's
        self._remember(state | {self.name: both})
        write_durably(self.path, self.encode(records))
        self._remember(state | {self.name: after})

    def encode(self, records: Mapping[str, R]) -> bytes:
        """The file's bytes."""
        lines = (
            json.dumps({"id": name, **r.model_dump(mode="json")}, ensure_ascii=False) for name, r in records.items()
        )
        return "".join(line + "\n" for line in lines).encode()

    def read(self) -> dict[str, R]:
        """The file's records by id, as they stand there.

        Raises
        ------
        ItemError : a line that cannot be read, or an id twice.
        """
        found: dict[str, R] = {}
        for where, name, fields in self._rows():
            if name in found:
                raise ItemError(f"{where}: id {name!r} is there twice")
            try:
                found[name] = self.kind.model_validate(fields)
            except ValidationError as error:
                raise ItemError(f"{where}: {name}: {why_not(error)}") from None
        return found

    def _rows(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Where a record stands, its id, its fields."""
        for number, line in enumerate(self.path.read_text("utf-8-sig").split("\n"), start=1):
            if not line.strip():
                continue
            where = f"{self.path.name}, line {number}"
            try:
                fields = json.loads(line)
            except ValueError as error:
                raise ItemError(f"{where}: not JSON: {error}") from None
            name = fields.pop("id", None) if isinstance(fields, dict) else None
            if not isinstance(name, str):
                raise ItemError(f"{where}: expected an object with an 'id', got {line[:80]!r}")
            yield where, name, fields

    def _all_states(self) -> State:
        if not self._state.exists():
            return {}
        try:
            state: State = json.loads(self._state.read_text("utf-8"))
        except ValueError:
            raise ItemError(
                f"{str(self._state)!r} is damaged. Remove it: every line then counts as a person's"
            ) from None
        return state

    def _remember(self, state: State) -> None:
        write_durably(self._state, (json.dumps(state, indent=1, sort_keys=True) + "\n").encode())


def _digest(record: BaseModel) -> str:
    return digest(record.model_dump(mode="json"))
