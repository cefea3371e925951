"""The three stages, each from the files of those before, so that a person may edit a line in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from trope.build.asking import one
from trope.build.drops import Drop
from trope.build.vmetaphor.files import Edits, StageFile
from trope.build.vmetaphor.items import make_item, problems_of, unusable
from trope.build.vmetaphor.prompts import annotate, distract, write_up
from trope.build.vmetaphor.records import Annotation, Checked, Options, Writing
from trope.build.vmetaphor.sheet import Sheet
from trope.build.vmetaphor.sources import Source
from trope.errors import ItemError
from trope.flow import Errand
from trope.items import dump_items
from trope.nouns import Item
from trope.records import Record
from trope.requests import Ask
from trope.store.files import write_durably

R = TypeVar("R", bound=BaseModel)
Carry = Callable[[Sequence[Errand]], list[Any]]


@dataclass(slots=True)
class Built:
    """What a build has come to.

    Attributes
    ----------
    pictures : source and picture by id.
    stages : how many records each stage has; ``edited`` : how many of them are a person's.
    items : what is ready to be checked by people, with the ``problems`` the validators see.
    """

    pictures: dict[str, tuple[Source, str]]
    drops: list[Drop]
    stages: dict[str, int] = field(default_factory=dict)
    edited: dict[str, int] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    problems: Mapping[str, list[str]] = field(default_factory=dict)


def run_stages(built: Built, folder: Path, model: str, carry: Carry, *, last: int = 3) -> Built:
    """Run the stages up to ``last`` and write their files: ``stage1.jsonl``, ``stage2.jsonl``, ``stage3.jsonl``.

    After stage 3 the sheet for people is written, too: ``verify.csv``, ``items.jsonl`` and ``problems.jsonl``.

    Parameters
    ----------
    built : with the pictures; what the stages make is added to it.
    carry : carries errands out in order (`trope.build.asking.Asker`); None stands for one that a budget did not reach.
    """
    pictures = built.pictures
    write_pictures(folder, pictures)
    annotated = _stage(
        built, StageFile(folder, "stage1", Annotation), list(pictures), carry,
        lambda name: annotate(pictures[name][1], model),
    )  # fmt: skip
    written: dict[str, Writing] = {}
    wrong: dict[str, Options] = {}
    if last >= 2:
        written = _stage(
            built, StageFile(folder, "stage2", Writing), list(annotated), carry,
            lambda name: write_up(pictures[name][1], annotated[name], model),
        )  # fmt: skip
    if last >= 3:
        wrong = _stage(
            built, StageFile(folder, "stage3", Options), list(written), carry,
            lambda name: distract(annotated[name], written[name], model),
        )  # fmt: skip
        _ready(built, folder, annotated, written, wrong)
    write_durably(folder / "drops.jsonl", "".join(drop.line() for drop in built.drops).encode())
    return built


def _stage(
    built: Built, file: StageFile[R], names: Sequence[str], carry: Carry, request: Callable[[str], Ask]
) -> dict[str, R]:
    """Records of a stage by id: a person's where there are any, a model's for the rest."""
    edits = file.edits()
    _require_pictures(built, file, edits)
    asked = [name for name in names if name not in edits.kept and name not in edits.gone]
    answers = carry([one(f"{file.name}/{name}", lambda name=name: request(name)) for name in asked])  # type: ignore[misc]
    made: dict[str, R] = {}
    for name, record in zip(asked, answers, strict=True):
        drop = _refusal(record)
        if drop is None:
            said = {key: value for key, value in record.value.items() if key != "has_metaphor"}
            made[name] = file.kind.model_validate(said)
        else:
            built.drops.append(Drop(name, file.name, drop.reason, drop.why, _more(built, name) | dict(drop.more)))
    for name in edits.gone:
        if name in names:
            why = f"its line was taken out of {file.path.name}"
            built.drops.append(Drop(name, file.name, "by-a-person", why, _more(built, name)))
    allowed = built.pictures if file.name == "stage1" else names  # an annotation may be put in for any picture
    records = {name: edits.kept.get(name) or made[name] for name in allowed if name in edits.kept or name in made}
    waiting = {name: record for name, record in edits.kept.items() if name not in records}
    file.write(records | waiting, edits)  # what a person wrote stays there, even if what came before it is gone
    built.stages[file.name] = len(records)
    built.edited[file.name] = sum(name in edits.kept for name in records)
    return records


def _require_pictures(built: Built, file: StageFile[Any], edits: Edits[Any]) -> None:
    known = {drop.what for drop in built.drops}
    for name in edits.kept:
        if name not in built.pictures and name not in known:
            raise ItemError(f"{file.path.name}: {name!r} is none of the pictures")


def _refusal(record: Record | None) -> Drop | None:
    """Why an answer is no record of its stage."""
    if record is None:
        return Drop("", "", "usd", "the budget ended before it was asked")
    if not record.ok:
        return Drop("", "", record.status, record.reason or "no reason was given", {"reply": record.raw})
    if record.value.get("has_metaphor") is False:
        return Drop("", "", "no-metaphor", record.value["why"] or "the model sees none")
    return None


def _more(built: Built, name: str) -> dict[str, Any]:
    return {"place": built.pictures[name][0].place} if name in built.pictures else {}


def _ready(
    built: Built, folder: Path, annotated: Mapping[str, Annotation], written: Mapping[str, Writing],
    wrong: Mapping[str, Options],
) -> None:  # fmt: skip
    """What has come through all stages: as items, and as rows for people."""
    sheet = Sheet(folder)
    edits: Edits[Checked] = sheet.edits()
    _require_pictures(built, sheet, edits)
    taken_out = {drop.what for drop in built.drops if drop.reason == "by-a-person"}
    own = {name: row for name, row in edits.kept.items() if name not in taken_out}  # whole, so they need no stage
    rows: dict[str, Checked] = {}
    for name in (name for name in built.pictures if name in wrong or name in own):
        if name in edits.gone:
            built.drops.append(_gone(built, name, "by-a-person", f"its row was taken out of {sheet.path.name}"))
        elif name in own:
            rows[name] = own[name]
        elif (pairs := len(wrong[name].Q5)) != (of := len(annotated[name].mappings)):
            why = f"stage3 has {pairs} pairs of wrong options for {of} mappings"
            built.drops.append(_gone(built, name, "misfit", why))
        else:
            row = Checked(annotation=annotated[name], writing=written[name], options=wrong[name])
            if why_not := unusable(make_item(name, row, None)):
                built.drops.append(_gone(built, name, "options", why_not))
            else:
                rows[name] = row
    built.drops = [drop for drop in built.drops if drop.what not in rows]
    built.items = [make_item(name, row, _image(built, name)) for name, row in rows.items()]
    built.problems = problems_of(built.items)
    built.edited["verify"] = sum(name in edits.kept for name in rows)
    sheet.seen = {name: (built.pictures[name][0], built.problems[name]) for name in rows}
    sheet.write(rows | {name: row for name, row in own.items() if name not in rows}, edits)
    told = ({"id": name, "problems": found} for name, found in built.problems.items() if found)
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told)
    write_durably(folder / "problems.jsonl", lines.encode())
    write_durably(folder / "items.jsonl", dump_items(built.items).encode())


def write_pictures(folder: Path, pictures: Mapping[str, tuple[Source, str]]) -> None:
    """Which picture is whose: ``pictures.jsonl``."""
    plain = (
        {"id": name, "place": source.place, "web": source.path is None, "page": source.page, "sha256": sha}
        for name, (source, sha) in pictures.items()
    )
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in plain)
    write_durably(folder / "pictures.jsonl", lines.encode())


def _gone(built: Built, name: str, reason: str, why: str) -> Drop:
    return Drop(name, "check", reason, why, _more(built, name))


def _image(built: Built, name: str) -> str:
    source, sha = built.pictures[name]
    return source.place if source.path is None else f"sha256:{sha}"
