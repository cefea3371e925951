"""The frame of a study: every unit that could be asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trope.errors import ItemError, UsageError
from trope.items import cells_of, load_items
from trope.nouns import Item
from trope.people.design import Design, StudyFolder
from trope.people.queue import asked_again
from trope.people.units import SOMEBODY, VERIFY, Page, Task, Unit
from trope.people.verification import verification_form, verification_prompt
from trope.protocols import Measured, Protocol
from trope.protocols.forms import Form, form_of, people_calls
from trope.records import digest
from trope.requests import Ask


@dataclass(frozen=True)
class Frame:
    """All units of a study by their ids, and the protocol and cells they come from (None, none for items)."""

    units: Mapping[str, Unit]
    protocol: Protocol | None = None
    cells: Sequence[Measured] = ()

    def pages(self) -> dict[str, Page]:
        """All pages by their ids."""
        return {page.id: page for unit in self.units.values() for page in unit.pages}


def frame_of(study: StudyFolder, design: Design, only: frozenset[str] | None = None) -> Frame:
    """Build a study's frame from its run or its items; ``only`` these units, if given."""
    if design.kind == "verify":
        return _of_items(study, design, only)
    if design.kind == "adjudicate":
        return _adjudicated(study, design, only)
    from trope.people.runs import load_run

    if design.run is None:
        raise UsageError("run: a study of outputs needs a run. Expected: trope study new NAME --run RUN")
    measured, protocol = load_run(study.store, design.run)
    return frame_of_cells(design, protocol, measured, only)


def frame_of_cells(
    design: Design, protocol: Protocol, cells: Sequence[Measured], only: frozenset[str] | None = None
) -> Frame:
    """The frame of the outputs of a run. Only outputs that are ``ok`` can be looked at."""
    units: dict[str, dict[str, dict[str, Task]]] = {}  # unit -> call -> task id -> task
    strata: dict[str, str] = {}
    calls, missing, seen = dict.fromkeys(design.calls), set(design.calls), dict.fromkeys("")
    for cell in cells:
        if not cell.output.ok:
            continue
        shown = cell.output.picture or cell.output.key  # a reply has no picture of its own
        unit = digest([cell.item.id] if design.layout == "together" else [cell.item.id, shown])[:16]
        if only is not None and unit not in only:
            continue
        asked = people_calls(protocol, cell.item, cell.output, SOMEBODY)
        seen |= dict.fromkeys(asked)
        wanted = calls or dict.fromkeys(protocol.observe(cell.item, cell.output, SOMEBODY, "judge"))
        known = units.setdefault(unit, {})
        strata.setdefault(unit, _stratum(design, cell))
        for call in wanted:
            if call not in asked:
                continue  # nothing to ask of this output
            missing.discard(call)
            task = _task(protocol, cell, call, asked[call])
            known.setdefault(call, {}).setdefault(task.id, task).places.append((cell.subject, cell.strategy, cell.seed))
    if missing and only is None:
        raise UsageError(f"protocol {protocol.name!r} has no call {min(missing)!r}. Calls: {', '.join(seen) or 'none'}")
    made = {
        unit: Unit(
            unit, strata[unit],
            tuple(Page(digest([unit, call])[:16], unit, call, tuple(tasks.values())) for call, tasks in known.items()),
        )
        for unit, known in units.items()
        if known
    }  # fmt: skip
    if not made and only is None:
        raise UsageError("no output that could be judged. Expected: a run with at least one that is ok")
    return Frame(made, protocol, cells)


def _task(protocol: Protocol, cell: Measured, call: str, request: Ask) -> Task:
    def form(lang: str) -> Form:
        return form_of(protocol, cell.item, call, lang, request, cell.output)

    return Task(digest([cell.item.id, call, request.material()])[:16], call, cell.item, request, form)


def _stratum(design: Design, cell: Measured) -> str:
    of_cell = {"subject": cell.subject, "strategy": cell.strategy, "seed": str(cell.seed)}
    if design.layout == "together" and (odd := [name for name in design.by if name in of_cell]):
        raise UsageError(f"by: {odd[0]!r} cannot be a stratum where all outputs of an item stand together")
    return _named([of_cell.get(name) or _field(cell.item, name) for name in design.by])


def _field(item: Item, name: str) -> str:
    ((value,),) = cells_of([item], (name,))
    return value


def _named(values: Sequence[str]) -> str:
    return " · ".join(values) or "all"


def _adjudicated(study: StudyFolder, design: Design, only: frozenset[str] | None) -> Frame:
    source = StudyFolder.find(study.store, str(design.of))
    whole = frame_of(source, source.design())
    units = asked_again(study, whole.units.values())
    return Frame({n: unit for n, unit in units.items() if only is None or n in only}, whole.protocol, whole.cells)


def _of_items(study: StudyFolder, design: Design, only: frozenset[str] | None) -> Frame:
    items = load_items([str(study.items)])
    others = [load_items([str(path)]) for path in sorted(study.folder.glob("proposals-*.jsonl"))]
    proposals = _by_id(items, others)
    units = {}
    for item in items:
        unit = digest([item.id])[:16]
        if only is not None and unit not in only:
            continue
        request = Ask(None, SOMEBODY, verification_prompt(item, proposals[item.id]), picture=_picture(item))
        task = Task(
            digest([item.id, VERIFY, request.material()])[:16], VERIFY, item, request, _verifying(item, proposals)
        )
        page = Page(digest([unit, VERIFY])[:16], unit, VERIFY, (task,))
        units[unit] = Unit(unit, _named([_field(item, name) for name in design.by]), (page,))
    return Frame(units)


def _by_id(items: Sequence[Item], others: Sequence[Sequence[Item]]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {item.id: [] for item in items}
    for source in others:
        for item in source:
            if item.id not in found:
                raise ItemError(f"a proposal for {item.id!r}, which is not among the items")
            found[item.id].append(item)
    return found


def _verifying(item: Item, proposals: Mapping[str, Sequence[Item]]) -> Callable[[str], Form]:
    def form(lang: str) -> Form:
        return verification_form(item, proposals[item.id], lang)

    return form


def _picture(item: Item) -> str | None:
    image: Any = item.image
    return image.removeprefix("sha256:") if image and image.startswith("sha256:") else None
