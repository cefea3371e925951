"""Rows of a user's table to items: cleaned value by value, and everything that was done is reported."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from trope.items.columns import map_columns
from trope.items.findings import Finding
from trope.items.missing import is_missing_mark, several
from trope.items.sheets import Sheet
from trope.nouns import Form, Lang, Mechanism, Structure

LABELS: dict[str, tuple[str, ...]] = {
    "lang": get_args(Lang), "form": get_args(Form), "mechanism": get_args(Mechanism), "structure": get_args(Structure),
}  # fmt: skip
_LANGS = {"english": "en", "eng": "en", "en_us": "en", "en_gb": "en", "chinese": "zh", "zho": "zh", "zh_cn": "zh",
          "zh_hans": "zh", "中文": "zh", "汉语": "zh", "japanese": "ja", "jpn": "ja", "ja_jp": "ja", "jp": "ja",
          "日本語": "ja", "arabic": "ar", "ara": "ar", "العربية": "ar", "英语": "en", "日语": "ja"}  # fmt: skip
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# labels of image-text pairs, and which stage a column of explanations is about
_PAIRS = {"metaphor": {"yes": "Yes", "1": "Yes", "true": "Yes", "no": "No", "0": "No", "false": "No"},
          "sentiment": {"positive": "Positive", "neutral": "Neutral", "negative": "Negative"}}  # fmt: skip
_STAGES = {"evidence": "ITE", "mapping": "MC", "justification": "SJ"}
_REQUIRED = ("id", "text", "lang")


@dataclass(frozen=True, slots=True)
class How:
    """How a user's file is to be read, where the file alone does not say.

    Attributes
    ----------
    encoding
        None: UTF-8, or what a byte order mark says.
    columns
        Column -> field, or ``-`` to leave it unread.
    lang
        The language of every row, for a table without such a column.
    several
        ``refuse`` a cell with several vehicles, or ``split`` it into one figure each.
    entities
        ``keep`` HTML entities (a rule then reports them), or ``decode`` them.
    sheet
        Of a workbook.
    """

    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    lang: str | None = None
    several: Literal["refuse", "split"] = "refuse"
    entities: Literal["keep", "decode"] = "keep"
    sheet: str | None = None


@dataclass(slots=True)
class Record:
    """One row: where it stands, and its values by field, None for what is not there."""

    where: str
    values: dict[str, str | None]


def clean(sheet: Sheet, how: How) -> tuple[list[Record], list[Finding]]:
    """Cells by field: spaces around them, marks for nothing, spellings of labels; each change is a finding."""
    if not sheet.header:
        return [], []
    mapped, found = map_columns(sheet.header, how.columns, sheet.name)
    for n, column in enumerate(sheet.header):
        marks = [cells[n] for _, cells in sheet.rows if column not in mapped and is_missing_mark(cells[n])]
        if marks:
            said = ", ".join(f"{mark} {n}" for mark, n in Counter(map(str.strip, marks)).most_common())
            why = f"{len(marks)} cells are a mark that stands for nothing; the column is not read"
            found.append(Finding("missing-mark", "note", f"{sheet.name}, column {column}", "", said, why))
    records = []
    for where, cells in sheet.rows:
        values: dict[str, str | None] = {}
        for column, raw in zip(sheet.header, cells, strict=True):
            if column in mapped:
                values[mapped[column]] = _value(mapped[column], raw, where, how, found)
        records.append(Record(where, values))
    return records, found


def _value(name: str, raw: str, where: str, how: How, found: list[Finding]) -> str | None:
    value = raw.strip()
    if not value:
        return None
    if value != raw:
        found.append(Finding("outer-space", "changed", where, name, raw, f"read as {value!r}"))
    if is_missing_mark(value):
        level: Literal["fatal", "changed"] = "fatal" if name in _REQUIRED else "changed"
        why = "stands for nothing, but a value is needed" if level == "fatal" else "read as nothing"
        found.append(Finding("missing-mark", level, where, name, value, why))
        return None
    if how.entities == "decode" and (plain := html.unescape(value)) != value:
        found.append(Finding("html-entity", "changed", where, name, value, f"read as {plain!r}"))
        value = plain
    if name in LABELS:
        key = re.sub(r"[\s-]+", "_", value.casefold())
        key = _LANGS.get(key, key) if name == "lang" else key
        if key in LABELS[name] and key != value:
            found.append(Finding("label-spelling", "changed", where, name, value, f"read as {key!r}"))
            value = key
    if name in _PAIRS and (label := _PAIRS[name].get(value.casefold(), value)) != value:
        found.append(Finding("label-spelling", "changed", where, name, value, f"read as {label!r}"))
        value = label
    return value


def to_item(record: Record, how: How, stem: str, found: list[Finding]) -> dict[str, Any] | None:
    """A record as the fields of an item, or None if a finding says why not."""
    said = {name: value for name, value in record.values.items() if value is not None}
    where = record.where
    here: list[Finding] = []
    if how.lang is not None:
        said.setdefault("lang", how.lang)
    if "lang" not in said:
        here.append(Finding("schema", "fatal", where, "lang", "", "no language. Say which: --lang en, zh, ja or ar"))
    if "text" not in said:
        here.append(Finding("schema", "fatal", where, "text", "", "no text"))
    if "id" not in said:
        said["id"] = made_id(where, stem)
    for name in ("held_out", "class_may_be_in_scene"):
        if name in said and said[name].casefold() not in _BOOLEANS:
            here.append(Finding("schema", "fatal", where, name, said[name], "expected true or false"))
    for name, labels in _PAIRS.items():
        if name in said and said[name] not in labels.values():
            known = ", ".join(dict.fromkeys(labels.values()))
            why = f"expected {known}. If the column is something else: --column NAME=-"
            here.append(Finding("schema", "fatal", where, name, said[name], why))
    vehicles = _vehicles(said, where, how, here)
    found += here
    if any(finding.level == "fatal" for finding in here):
        return None
    item: dict[str, Any] = {name: said[name] for name in ("id", "lang", "text", "context", "image", "gloss", "reason",
                                                          "split") if name in said}  # fmt: skip
    for name in ("held_out", "class_may_be_in_scene"):
        if name in said:
            item[name] = _BOOLEANS[said[name].casefold()]
    shared = {name: said[name] for name in ("tenor", "vehicle_class", "ground", "form", "mechanism", "structure")
              if name in said}  # fmt: skip
    item["figures"] = [{"vehicle": vehicle, **shared} for vehicle in vehicles]
    item["twins"] = {name: said[name] for name in ("deleted", "literal") if name in said}
    item["labels"] = {name: said[name] for name in ("kind", "category", *_PAIRS, "origin") if name in said}
    item["references"] = {stage: said[name] for name, stage in _STAGES.items() if name in said}
    item["cluster"] = {"template": said["template"]} if "template" in said else {}
    if vehicles:
        item["cluster"]["vehicle"] = said.get("vehicle_class", vehicles[0])
    return item


def made_id(where: str, stem: str) -> str:
    """An id for a row without one: the file's name and the line."""
    plain = re.sub(r"[^A-Za-z0-9._]+", "-", stem).strip("-._") or "item"
    return f"{plain}-{int(re.findall(r'[0-9]+', where)[-1]):04d}"


def _vehicles(said: Mapping[str, str], where: str, how: How, found: list[Finding]) -> tuple[str, ...]:
    if "vehicle" not in said:
        if "tenor" in said:
            why = "a tenor, but no vehicle: a figure has both, an item without a figure has neither"
            found.append(Finding("tenor-alone", "fatal", where, "tenor", said["tenor"], why))
        return ()
    parts = several(said["vehicle"], said.get("text", ""))
    if not parts:
        return (said["vehicle"],)
    shown = ", ".join(map(repr, parts))
    if how.several == "split":
        why = f"read as {len(parts)} figures: {shown}"
        found.append(Finding("several-vehicles", "changed", where, "vehicle", said["vehicle"], why))
        return parts
    why = (
        f"holds {len(parts)} vehicles ({shown}). Give each a row of its own, or read each as a figure: --several split"
    )
    found.append(Finding("several-vehicles", "fatal", where, "vehicle", said["vehicle"], why))
    return ()
