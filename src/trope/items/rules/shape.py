"""Common rules: what every item must keep, whatever set it belongs to."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from trope.data.coco import CLASSES
from trope.errors import nearest
from trope.items.missing import is_missing_mark, several
from trope.items.rules.base import Fault, Rule, each, texts_of
from trope.nouns import Item

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def entities(text: str) -> list[str]:
    """HTML entities that a browser would show as another character."""
    return [found for found in _ENTITY.findall(text) if html.unescape(found) != found]


def _white_space(item: Item) -> Iterator[Fault]:
    for field, text, _ in texts_of(item):
        if text != text.strip():
            yield Fault(field, text, "begins or ends with white space")
        elif re.search(r"\s\s|[^\S ]", text.replace("\n\n", " ").replace("\n", " ")):
            yield Fault(field, text, "holds two spaces in a row, or white space that is no plain space")


def _entities(item: Item) -> Iterator[Fault]:
    for field, text, _ in texts_of(item):
        for found in entities(text):
            yield Fault(field, text, f"holds the HTML entity {found}; write {html.unescape(found)!r}")


def _missing(item: Item) -> Iterator[Fault]:
    for field, text, _ in texts_of(item):
        if is_missing_mark(text) and ".options." not in field:
            yield Fault(field, text, "is a mark for a missing value, not a text; leave the field out")
    for owner, labels in (("cluster", item.cluster), ("labels", item.labels)):
        for name, value in labels.items():
            if is_missing_mark(value):
                yield Fault(f"{owner}.{name}", value, "is a mark for a missing value; leave the field out")


def _several(item: Item) -> Iterator[Fault]:
    for n, figure in enumerate(item.figures):
        parts = several(figure.vehicle, item.text)
        if parts:
            yield Fault(
                f"figures.{n}.vehicle", figure.vehicle,
                f"holds {len(parts)} vehicles ({', '.join(map(repr, parts))}); each is a figure of its own",
            )  # fmt: skip


def _labels(item: Item) -> Iterator[Fault]:
    for owner, labels in (("cluster", item.cluster), ("labels", item.labels)):
        for name, value in labels.items():
            if value != value.strip() or not value:
                yield Fault(f"{owner}.{name}", value, "a label neither begins nor ends with a space, nor is it empty")
    for n, figure in enumerate(item.figures):
        if figure.vehicle_class is not None and figure.vehicle_class not in CLASSES:
            near = nearest(figure.vehicle_class, CLASSES)
            hint = f"; did you mean {near!r}?" if near else ""
            yield Fault(f"figures.{n}.vehicle_class", figure.vehicle_class, f"is no COCO class{hint}")


def _twins(item: Item) -> Iterator[Fault]:
    for name, twin in (("deleted", item.twins.deleted), ("literal", item.twins.literal)):
        if twin is not None and _plain(twin) == _plain(item.text):
            yield Fault(f"twins.{name}", twin, "is the text itself")
    if item.twins.deleted is not None and item.twins.deleted == item.twins.literal:
        yield Fault("twins.literal", item.twins.deleted, "is the deleted twin")


def _questions(item: Item) -> Iterator[Fault]:
    seen: set[str] = set()
    for question in item.questions:
        where = f"questions.{question.id}"
        if question.id in seen:
            yield Fault(where, question.id, "two questions have this id")
        seen.add(question.id)
        options = [_plain(option) for option in question.options]
        for n, option in enumerate(options):
            if option in options[:n]:
                yield Fault(f"{where}.options.{n}", question.options[n], "two options are the same")
        if question.answer is not None and question.answer >= len(options):
            yield Fault(f"{where}.answer", str(question.answer), f"is no option (there are {len(options)}, from 0)")
        if question.scores is not None and len(question.scores) != len(options):
            found = ", ".join(f"{s:g}" for s in question.scores)
            yield Fault(f"{where}.scores", found, f"{len(question.scores)} scores for {len(options)} options")
        if question.answer is None and question.scores is None:
            yield Fault(where, question.stem, "has neither an answer nor scores")


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


RULES: tuple[Rule, ...] = (
    each("white-space", "no text begins or ends with a space, or holds two in a row", _white_space),
    each("html-entity", "no text holds an HTML entity", _entities),
    each("missing-mark", "no text or label is a mark for a missing value (None, Non, _, -1)", _missing),
    each("one-vehicle", "a vehicle is one thing, not a list", _several),
    each("label", "labels have no spaces around them; vehicle classes are COCO classes", _labels),
    each("twin-is-new", "a twin is neither the text nor the other twin", _twins),
    each("question", "options differ; answer and scores fit them", _questions),
)
