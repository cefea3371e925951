"""Columns that hold each other's values: found by what stands in them, over the whole table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from shlex import quote

from trope.items.findings import Finding
from trope.items.records import LABELS, Record
from trope.items.rules.spans import MARKERS

_FEW = 3  # rows that must speak for a swap, and
_SHARE = 0.6  # their share of the rows that can speak
_AFTER = ("のよう", "みたい", "のごと", "さながら", "そっくり", "めい", "に似")


def find_swaps(
    records: Sequence[Record], name: str, columns: Mapping[str, str], said: Mapping[str, str]
) -> list[Finding]:
    """A finding for each pair of columns that looks swapped, with how many rows say so.

    Fatal, unless the user has said of both columns which is which (``said``).
    """
    found = []
    of = {field: column for column, field in columns.items()}
    for first, second, votes, why in (
        ("text", "vehicle", _text_in_vehicle, "in {n} of {of} rows the 'vehicle' holds the 'text', not the other way"),
        ("text", "tenor", _text_in_tenor, "in {n} of {of} rows the 'tenor' holds the 'text', not the other way"),
        (
            "tenor",
            "vehicle",
            _order,
            "in {n} of {of} rows the marker is followed by the 'tenor' and preceded by the 'vehicle'",
        ),
        ("form", "mechanism", _labels("form", "mechanism"), "in {n} of {of} rows each holds a label of the other"),
        ("id", "text", _id_is_text, "in {n} of {of} rows the 'id' is a sentence and the 'text' is not"),
    ):
        cast = [vote for record in records if (vote := votes(record)) is not None]
        yes = sum(cast)
        if yes < _FEW or yes < _SHARE * len(cast):
            continue
        one, two = of.get(first, first), of.get(second, second)
        explained = why.format(n=yes, of=len(cast)) + ": the columns look swapped. "
        if one in said and two in said:
            found.append(
                Finding("swapped-columns", "note", name, f"{first}, {second}", "", explained + "Read as you say")
            )
        else:
            if_so = f"--column {quote(f'{one}={second}')} --column {quote(f'{two}={first}')}"
            if_not = f"--column {quote(f'{one}={first}')} --column {quote(f'{two}={second}')}"
            how = f"If they are: {if_so}; if not, say so: {if_not}"
            found.append(Finding("swapped-columns", "fatal", name, f"{first}, {second}", "", explained + how))
    return found


def _text_in(other: str) -> Callable[[Record], bool | None]:
    def vote(record: Record) -> bool | None:
        text, cell = record.values.get("text"), record.values.get(other)
        if not text or not cell or text == cell:
            return None
        return text.casefold() in cell.casefold()

    return vote


_text_in_vehicle = _text_in("vehicle")
_text_in_tenor = _text_in("tenor")


def _order(record: Record) -> bool | None:
    """English, Chinese, Arabic: tenor, marker, vehicle. Japanese: vehicle, marker; the tenor stands elsewhere."""
    text, tenor, vehicle = (record.values.get(name) for name in ("text", "tenor", "vehicle"))
    lang = record.values.get("lang") or "en"
    if not text or not tenor or not vehicle or lang not in MARKERS:
        return None
    if lang == "ja":
        return _before_marker(text, tenor, vehicle)
    low = text.casefold()
    at_tenor, at_vehicle = low.find(tenor.casefold()), low.find(vehicle.casefold())
    if (
        min(at_tenor, at_vehicle) < 0
        or tenor.casefold() in vehicle.casefold()
        or vehicle.casefold() in tenor.casefold()
    ):
        return None
    first, last = sorted([(at_tenor, tenor), (at_vehicle, vehicle)])
    between = text[first[0] + len(first[1]) : last[0]]
    if not MARKERS[lang].search(between):
        return None
    return at_vehicle < at_tenor


def _before_marker(text: str, tenor: str, vehicle: str) -> bool | None:
    """Japanese: what stands right before the marker (`鎌のように`) is the vehicle."""
    marked = {said: any(f"{said}{mark}" in text for mark in _AFTER) for said in (tenor, vehicle)}
    return None if marked[tenor] == marked[vehicle] else marked[tenor]


def _labels(first: str, second: str) -> Callable[[Record], bool | None]:
    def vote(record: Record) -> bool | None:
        one, two = record.values.get(first), record.values.get(second)
        if not one and not two:
            return None
        wrong_one = not one or (one not in LABELS[first] and one.casefold() in LABELS[second])
        wrong_two = not two or (two not in LABELS[second] and two.casefold() in LABELS[first])
        return wrong_one and wrong_two

    return vote


def _id_is_text(record: Record) -> bool | None:
    one, text = record.values.get("id"), record.values.get("text")
    if not one or not text:
        return None
    return len(one) > 20 and len(one) > 2 * len(text) and (" " in one or not one.isascii())
