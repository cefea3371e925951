"""Which column of a user's table is which field: by name, by a known other name, or as the user says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from trope.errors import UsageError, nearest
from trope.items.findings import Finding

# field -> other names that datasets, papers and languages use for it (as `simple` makes them)
ALIASES: dict[str, tuple[str, ...]] = {
    "id": ("item_id", "uid", "idx", "item", "编号", "序号", "番号"),
    "lang": ("language", "语言", "言語", "اللغة"),
    "text": (
        "sentence",
        "prompt",
        "caption",
        "utterance",
        "phrase",
        "startphrase",
        "proverb",
        "idiom",
        "句子",
        "文本",
        "文",
        "例文",
        "الجملة",
        "النص",
    ),
    "tenor": ("target", "target_domain", "subject", "topic", "本体", "被喩辞", "目标域", "المشبه"),
    "vehicle": ("source", "source_domain", "metaphorical_vehicle", "喻体", "喩辞", "媒体", "源域", "المشبه_به"),
    "vehicle_class": ("coco_class", "class", "vehicle_category"),
    "ground": (
        "attribute",
        "attributes",
        "property",
        "figurative_meaning",
        "meaning",
        "喻底",
        "相似点",
        "根拠",
        "وجه_الشبه",
    ),
    "form": ("figure_form", "figurative_form", "形式"),
    "mechanism": ("figure_mechanism", "figurative_mechanism", "机制", "機序"),
    "structure": ("metaphor_structure",),
    "context": ("语境", "上下文", "文脈", "السياق"),
    "metaphor": ("metaphor_occurrence", "is_metaphor", "是否隐喻"),
    "sentiment": ("sentiment_category", "sentiment_label", "情感"),
    "origin": (),
    "evidence": ("image_text_evidence",),
    "mapping": ("mapping_explanation",),
    "justification": ("sentiment_justification",),
    "image": ("image_path", "picture", "img", "image_file", "pic_id", "pic", "图片", "画像", "الصورة"),
    "gloss": ("translation", "english", "翻译", "訳"),
    "reason": ("rationale", "why"),
    "deleted": ("deleted_twin", "twin_deleted", "twins.deleted"),
    "literal": ("literal_twin", "twin_literal", "twins.literal"),
    "kind": (),
    "template": ("pattern", "句式"),
    "category": ("类别",),
    "split": ("subset", "partition"),
    "held_out": ("heldout", "holdout"),
    "class_may_be_in_scene": (),
}
# names that mean a tenor or a vehicle only beside the other: a "source" alone is often a book or a website
_IN_PAIRS = {"source": "tenor", "target": "vehicle", "subject": "vehicle", "topic": "vehicle"}
_FIELD_OF = {alias: name for name, aliases in ALIASES.items() for alias in (name, *aliases)}
UNREAD = "-"


def simple(column: str) -> str:
    """A column's name without case, width and spelling of spaces: ``Source Domain`` -> ``source_domain``."""
    name = unicodedata.normalize("NFKC", column).strip()
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s-]+", "_", name.casefold())


def looks_flat(names: Sequence[str]) -> bool:
    """Whether a record's keys are columns of a table rather than the fields of an item."""
    flat = set(ALIASES) - {"id", "lang", "text", "context", "image", "gloss", "reason", "split", "held_out",
                           "class_may_be_in_scene"}  # fmt: skip
    fields = {_FIELD_OF.get(simple(name)) for name in names}
    if "figures" in names or "twins" in names:
        return False
    return bool(fields & flat) or ("text" not in names and "text" in fields)


def map_columns(header: Sequence[str], said: Mapping[str, str], where: str) -> tuple[dict[str, str], list[Finding]]:
    """Column -> field, and what was found: columns under other names, unread ones, missing and doubled ones.

    Parameters
    ----------
    header : the columns' names, in order.
    said : what the user says: column -> field, or ``-`` to leave it unread. It goes before all names.
    where : for findings.

    Raises
    ------
    UsageError : ``said`` names a column or a field that does not exist.
    """
    for column, name in said.items():
        if column not in header:
            near = nearest(column, header)
            raise UsageError(f"no column {column!r} in {where}." + (f" Did you mean {near!r}?" if near else "")
                             + f" There are: {', '.join(header)}")  # fmt: skip
        if name not in ALIASES and name != UNREAD:
            near = nearest(name, ALIASES)
            raise UsageError(f"no field {name!r} for column {column!r}." + (f" Did you mean {near!r}?" if near else "")
                             + f" Fields: {', '.join(ALIASES)}, or - to leave it unread")  # fmt: skip
    mapped: dict[str, str] = {}
    meant = {said.get(column) or _FIELD_OF.get(simple(column)) for column in header}
    found: list[Finding] = []
    twice = sorted({column for column in header if column and header.count(column) > 1})
    for column in twice:
        why = f"{header.count(column)} columns have this name; rename them"
        found.append(Finding("header", "fatal", where, "", column, why))
    for column in header:
        name = said.get(column) or _FIELD_OF.get(simple(column), UNREAD)
        partner = _IN_PAIRS.get(simple(column))
        if column not in said and partner is not None and partner not in meant:
            why = f"is not read: without a {partner} it may be anything. If it is the {name}: --column {column}={name}"
            found.append(Finding("column", "note", where, "", column, why))
        elif name == UNREAD:
            found.append(Finding("column", "note", where, "", column, "is not read"))
        else:
            mapped[column] = name
            if simple(column) != name:
                how = "as you say" if column in said else "by its name"
                found.append(Finding("column", "note", where, name, column, f"is read as {name}, {how}"))
    for name in dict.fromkeys(mapped.values()):
        owners = [column for column, of in mapped.items() if of == name]
        if len(owners) > 1:
            shown = " and ".join(map(repr, owners))
            why = f"columns {shown} all mean {name}. Leave one unread, e.g. --column {owners[1]}=-"
            found.append(Finding("header", "fatal", where, name, owners[1], why))
    if "text" not in mapped.values():
        why = (
            f"no column is the text. Columns: {', '.join(header)}. Known names: text, {', '.join(ALIASES['text'])}."
            " Say which it is: --column NAME=text. A file without a header needs one"
        )
        found.append(Finding("header", "fatal", where, "text", "", why))
    return mapped, found
