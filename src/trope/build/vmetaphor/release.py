"""What is given away of a build: addresses, annotations, prompts and questions that people checked. No pictures."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from trope.build.drops import Drop, counts
from trope.build.vmetaphor.croissant import metadata
from trope.build.vmetaphor.items import make_item, problems_of, unusable
from trope.build.vmetaphor.sheet import Sheet
from trope.errors import ItemError, UsageError
from trope.items import dump_items, items_digest
from trope.items.rules.vmetaphor import CATEGORIES, STRUCTURES
from trope.items.tables import Table
from trope.items.words import words
from trope.nouns import Item
from trope.store.files import write_durably

FILES = ("items.jsonl", "croissant.json", "README.md", "drops.jsonl")


@dataclass(frozen=True, slots=True)
class About:
    """What a release says of itself.

    Attributes
    ----------
    license : of annotations, prompts and questions, as an SPDX name; the pictures stay their makers'.
    contact : where a picture's maker may ask for its removal.
    date : of publication, as YYYY-MM-DD.
    """

    title: str
    creators: tuple[str, ...]
    contact: str
    date: str
    version: str = "1.0.0"
    license: str = "CC-BY-4.0"
    url: str | None = None


def write_release(build: Path, out: Path, about: About) -> tuple[list[Item], list[Drop]]:
    """Write the release form of a build's checked rows.

    Only rows that somebody signed (``verified_by``) with the decision ``keep`` go out.

    Returns
    -------
    The items, and what stayed behind and why.

    Raises
    ------
    ItemError : there is no sheet, or no row of it is kept.
    """
    sheet = Sheet(build)
    if out.resolve() == build.resolve():
        raise UsageError(f"--out {str(out)!r} is the folder of the build. Expected: one of its own")
    if not sheet.path.exists():
        raise ItemError(f"no {sheet.path.name} in {str(build)!r}. First: trope items build vmetaphor ... --out {build}")
    pictures = _pictures(build)
    drops = _dropped(build)
    lost = {drop.what for drop in drops}
    items: list[Item] = []
    for name, row in sheet.read().items():
        picture = pictures.get(name)
        if picture is None and name in lost:
            continue  # drops.jsonl says already why there is no picture any more
        if picture is None:
            raise ItemError(f"{sheet.path.name}: {name!r} is none of the pictures of {str(build)!r}")
        item = _labelled(make_item(name, row, picture["place"] if picture["web"] else None), picture)
        why = _held_back(row.decision, row.verified_by, unusable(item), row.note)
        if why is None:
            items.append(item)
        else:
            drops.append(Drop(name, "release", why[0], why[1], {"place": picture["place"]}))
    if not items:
        raise ItemError(f"no row of {sheet.path.name} is to be released. Expected: the decision keep, and a name in"
                        " verified_by")  # fmt: skip
    text = dump_items(items)
    write_durably(out / "items.jsonl", text.encode())
    card = _card(items, drops, about, sum(problem != [] for problem in problems_of(items).values()))
    write_durably(out / "README.md", card.encode())
    described = metadata(about, text.encode(), len(items))
    write_durably(out / "croissant.json", (json.dumps(described, ensure_ascii=False, indent=2) + "\n").encode())
    told = (Drop(d.what, d.stage, d.reason, d.why, {k: v for k, v in d.more.items() if k == "place"}) for d in drops)
    write_durably(out / "drops.jsonl", "".join(drop.line() for drop in told).encode())
    return items, drops


def _held_back(decision: str, people: Sequence[str], unusable_: str | None, note: str) -> tuple[str, str] | None:
    if decision == "drop":
        return "by-a-person", note or "dropped by whoever checked it"
    if decision != "keep":
        return "undecided", "nobody has decided on it"
    if not people:
        return "unsigned", "kept by nobody: verified_by is empty"
    if unusable_ is not None:
        return "options", unusable_
    return None


def _labelled(item: Item, picture: Mapping[str, Any]) -> Item:
    more = {"picture_sha256": picture["sha256"], **({"page": picture["page"]} if picture["page"] else {})}
    return item.model_copy(update={"labels": {**item.labels, **more}})


def _pictures(build: Path) -> dict[str, dict[str, Any]]:
    path = build / "pictures.jsonl"
    if not path.exists():
        raise ItemError(f"no {path.name} in {str(build)!r}: it says which picture is whose")
    return {row["id"]: row for row in _lines(path)}


def _dropped(build: Path) -> list[Drop]:
    path = build / "drops.jsonl"
    if not path.exists():
        return []
    found = []
    for row in _lines(path):
        what, stage, reason, why = (row.pop(name) for name in ("what", "stage", "reason", "why"))
        found.append(Drop(what, stage, reason, why, row))
    return found


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def release_tables(items: Sequence[Item], drops: Sequence[Drop]) -> list[Table]:
    """Counts for the card: categories by structure, questions, lengths, hosts, what was dropped."""
    from trope.items.tables import cross

    lengths = {name: [len(words(item.prompts[name])) for item in items] for name in ("conceptual", "descriptive")}
    axes = Counter(question.axis for item in items for question in item.questions)
    hosts = Counter(urlsplit(item.image or "").netloc or "none" for item in items)
    return [
        cross(items, "Categories by structure", lambda i: i.labels["category"],
              lambda i: str(i.figure and i.figure.structure), (*CATEGORIES, *STRUCTURES)),
        Table("Questions", ("asks for", "questions"), tuple((axis, str(n)) for axis, n in axes.items())),
        Table("Prompts, in words", ("prompt", "mean", "SD (n - 1)", "least", "most"),
              tuple((name, *_spread(of)) for name, of in lengths.items())),
        Table("Hosts of the pictures", ("host", "pictures"), tuple((host, str(n)) for host, n in hosts.most_common())),
        Table("What was dropped on the way", ("stage", "reason", "pictures"),
              tuple((stage, reason, str(n)) for (stage, reason), n in counts(drops).most_common())),
    ]  # fmt: skip


def _spread(values: Sequence[int]) -> tuple[str, str, str, str]:
    spread = f"{statistics.stdev(values):.1f}" if len(values) > 1 else "–"
    return f"{statistics.fmean(values):.1f}", spread, str(min(values)), str(max(values))


def _card(items: Sequence[Item], drops: Sequence[Drop], about: About, flagged: int) -> str:
    people = sorted({name for item in items for name in item.verified_by})
    asked = sum(len(item.questions) for item in items)
    several = sum(len(item.verified_by) > 1 for item in items)
    makers = ", ".join(about.creators)
    lost = sum(item.image is None for item in items)
    fetched = "" if lost == len(items) else " Those from the web were fetched only where robots.txt permits it."
    text = f"""# {about.title}

By {makers}. Version {about.version} of {about.date}: {len(items)} visual metaphors, {asked} questions.

## What is in it, and what is not

`items.jsonl` holds, a line each: the address of a picture, what its metaphor is (target, source, structure, meaning,
which element stands for which), a conceptual and a descriptive prompt, the style apart, and multiple-choice questions
(`answer` is the place of the right option, from 0). The pictures are not in it and are not licensed by it: they are
their makers' own, at the addresses given, under the terms of the sites they lie at. `picture_sha256` says which picture
was annotated, if an address has come to show another.{_lost(lost, len(items))}

Whoever made a picture and wants its line removed: {about.contact}.

## How it was made

A multimodal model took the metaphor of each picture apart or said that there is none, wrote the prompts, and then the
wrong options.{fetched} People checked every line that is here; they are named in `verified_by`: {len(people)} in all,
{several} of {len(items)} lines by more than one.
Lines that break a rule of style or form and were let pass: {flagged}. `drops.jsonl` says what was left out
at which stage, and why.

## What to keep in mind

- Annotations began as a model's. People correct what is wrong sooner than what is merely one reading among several.
- Categories and structures are as frequent as they were found, not balanced.
- Texts are in English, and pictures come from the sites in the table below: other traditions are missing.
- Addresses go stale. Say how many pictures you could still get.

## Counts

{chr(10).join(table.markdown() for table in release_tables(items, drops))}
SHA-256 of the items: `{items_digest(items)}`

## License

Annotations, prompts and questions: {about.license}. Pictures: none is given.
"""
    return text


def _lost(lost: int, of: int) -> str:
    return f" {lost} of {of} pictures came from a folder and have no address." if lost else ""
