"""Error kinds: a sheet that people fill, one row an answer, systems hidden; and two systems compared by it.

Items are drawn among those that the first system got wrong. Every system's answer to them becomes a row, in one
shuffled order; an answer whose labels are all right is filled in already. Source: m3r, sections 4.2 (RQ2) and 6.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from trope.errors import UsageError
from trope.items.findings import raise_first
from trope.items.sheets import read_delimited
from trope.protocols.base import Study
from trope.protocols.m3r.labels import FIELDS, Labels
from trope.protocols.m3r.reading import EXPLANATIONS, Answer
from trope.protocols.m3r.views import View, views
from trope.protocols.tables import Table, Value, number
from trope.stats.comparisons import holm

KINDS: Final[Mapping[str, str]] = {
    "textual_shortcut": "it follows a slogan, a boast or selling words, and passes over what the picture shows",
    "granularity": "it names a theme or a feeling where the mapping is between things (or the reverse)",
    "visual_grounding": "it misreads the picture: what is replaced, merged, put inside, or stands for something else",
    "sentiment": "the mapping is right, the stance is not",
    "hallucinated": "it relies on something that neither picture nor text holds",
    "other": "none of these; say what in the note",
}
RIGHT: Final = "right"  # all four labels are right: no error to name
COLUMNS: Final = (
    "row", "item", "picture", "text", *(f"true_{name}" for name in FIELDS), *FIELDS, *EXPLANATIONS, "kind", "note",
)  # fmt: skip
KEY_COLUMNS: Final = ("row", "item", "system")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet for people, and the key that says whose row each is; both as CSV text."""

    sheet: str
    key: str
    items: int
    wrong: int


def make_sheet(
    study: Study,
    systems: Sequence[str],
    *,
    count: int,
    seed: int,
    threshold: float,
    matcher: str | None = None,
    shown: Callable[[str], str] = str,
) -> Sheet:
    """Draw items that the first system got wrong, and lay out every system's answers to them.

    Parameters
    ----------
    systems : one or two, as tables name them: ``subject`` or ``subject · strategy``.
    count : items to draw; all wrong ones if there are fewer.
    matcher : the similarity that decides what is wrong; default the run's first.
    shown : the SHA-256 of a stored picture to what the sheet says, e.g. its path.

    Raises
    ------
    UsageError : an unknown system, or one that got nothing wrong; no matcher.
    """
    through = matcher or next((name for name, kind in study.instruments.items() if kind == "similarity"), None)
    if through is None:
        raise UsageError("what is wrong hangs on target and source: the run needs a similarity instrument")
    seen = [_named(views(study, threshold), name) for name in systems]
    if len(dict(seen[0].pair)) < len(seen[0].pair):
        raise UsageError("the run has several seeds: an item has several answers. Expected: a run with one seed")
    for view in seen:
        if lost := [pair for pair, joint in _joint(view, through) if math.isnan(joint)]:
            raise UsageError(
                f"{view.group!r}: {len(lost)} answers were not measured, e.g. {lost[0][0]!r}; whether they are wrong is"
                " not known. Run again to ask what failed"
            )
    wrong = _wrong(seen[0], through)
    if not wrong:
        raise UsageError(f"{systems[0]!r} got nothing wrong: there is no error to name")
    rng = np.random.default_rng(seed)
    drawn = sorted(rng.choice(len(wrong), min(count, len(wrong)), replace=False).tolist())
    places = [(wrong[n], view) for n in drawn for view in seen if wrong[n] in view.pair]
    rows, key = [], []
    for number_, at in enumerate(rng.permutation(len(places)).tolist(), start=1):
        pair, view = places[at]
        n = view.pair.index(pair)
        right = pair not in _wrong(view, through)
        rows.append(_row(f"r{number_:04d}", view, n, RIGHT if right else "", shown))
        key.append({"row": f"r{number_:04d}", "item": pair[0], "system": view.group})
    return Sheet(_csv(COLUMNS, rows), _csv(KEY_COLUMNS, key), len(drawn), len(wrong))


def read_kinds(filled: str, key: str) -> dict[str, dict[str, str]]:
    """A filled sheet and its key: system -> item -> kind (`RIGHT` or one of `KINDS`).

    Cells may be parted by commas, semicolons or tabs, as spreadsheets save them.

    Raises
    ------
    UsageError : a row without a kind, an unknown kind, a row twice, rows that the key does not have.
    ItemError : no table, or one with rows of different lengths.
    """
    said: dict[str, str] = {}
    for where, row in _rows(filled, "sheet", ("row", "kind")):
        kind = row["kind"].strip().casefold().replace(" ", "_").replace("-", "_")
        if kind not in (RIGHT, *KINDS):
            raise UsageError(f"{where}: kind {row['kind']!r}. Expected: {', '.join((*KINDS, RIGHT))}")
        if row["row"] in said:
            raise UsageError(f"{where}: row {row['row']!r} is there already")
        said[row["row"]] = kind
    found: dict[str, dict[str, str]] = {}
    for _, row in _rows(key, "key", KEY_COLUMNS):
        if row["row"] not in said:
            raise UsageError(f"the key has row {row['row']!r}, the sheet has not")
        found.setdefault(row["system"], {})[row["item"]] = said.pop(row["row"])
    if said:
        raise UsageError(f"the sheet has {len(said)} rows that the key does not have, e.g. {next(iter(said))!r}")
    return found


def _rows(text: str, name: str, needed: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    table = read_delimited(text.lstrip("\ufeff"), name, ",")
    raise_first(table.findings, name)
    if lacking := [column for column in needed if column not in table.header]:
        raise UsageError(f"the {name} has no column {lacking[0]!r}. Expected: {', '.join(needed)} and the others of it")
    return [(where, dict(zip(table.header, cells, strict=True))) for where, cells in table.rows]


def compare(kinds: Mapping[str, Mapping[str, str]]) -> Table:
    """Each kind's count under two systems on the same items, and McNemar's exact test, adjusted by Holm."""
    if len(kinds) != 2:
        raise UsageError(f"a comparison needs two systems, the sheet has {len(kinds)}: {', '.join(kinds)}")
    (one, first), (two, second) = kinds.items()
    items = [item for item in first if item in second]
    rows: list[list[Value]] = []
    tests = []
    for kind in (*KINDS, RIGHT):
        a, b = [first[i] == kind for i in items], [second[i] == kind for i in items]
        only_a = sum(x and not y for x, y in zip(a, b, strict=True))
        only_b = sum(y and not x for x, y in zip(a, b, strict=True))
        tests.append(mcnemar(only_a, only_b))
        rows.append([kind, sum(a), sum(b), only_a, only_b, len(items), number(tests[-1]), None])
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[7] = number(float(adjusted))
    columns = ("kind", one, two, f"only {one}", f"only {two}", "items", "p", "p (Holm)")
    notes = (
        "The items were drawn among the errors of one system: its counts are shares of its errors; the other's are not"
        " shares of its own, and it can only look better here. p: McNemar's exact test on the two 'only' columns.",
    )
    return Table("error_kinds", "Kinds of error on the same items", columns, rows, notes)


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p of McNemar's test: a fair coin for each discordant pair; 1 where there is none."""
    n, least = only_a + only_b, min(only_a, only_b)
    return float(min(1.0, 2 * sum(math.comb(n, k) for k in range(least + 1)) / 2**n))


def _named(seen: Sequence[View], name: str) -> View:
    found = [view for view in seen if name in (view.group, view.subject)]
    if len(found) != 1:
        known = ", ".join(repr(view.group) for view in seen)
        why = "is in the run under several strategies" if found else "is not in the run"
        raise UsageError(f"system {name!r} {why}. Expected: one of {known}")
    return found[0]


def _wrong(view: View, matcher: str) -> list[tuple[str, int]]:
    return [pair for pair, joint in _joint(view, matcher) if joint == 0]


def _joint(view: View, matcher: str) -> list[tuple[tuple[str, int], float]]:
    return list(zip(view.pair, view.column(view.marks(matcher), "joint").tolist(), strict=True))


def _row(name: str, view: View, n: int, kind: str, shown: Callable[[str], str]) -> dict[str, Any]:
    cell, true, said = view.cells[n], view.truth[n], view.answers[n]
    picture = shown(cell.picture) if cell.picture else cell.item.image or ""
    return {
        "row": name, "item": cell.item.id, "picture": picture, "text": cell.item.text,
        **{f"true_{field}": _shown(true, field) for field in FIELDS},
        **{field: _shown(said, field) for field in (*FIELDS, *EXPLANATIONS)}, "kind": kind, "note": "",
    }  # fmt: skip


def _shown(labels: Labels | Answer, field: str) -> str:
    value = getattr(labels, field)
    return "(no valid answer)" if value is None else str(value)


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows({name: _harmless(row[name]) for name in columns} for row in rows)
    return text.getvalue()


def _harmless(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula: a model's words may begin with ``=``."""
    text = str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
