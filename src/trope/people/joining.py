"""People's studies and runs put together: what a report says of both."""

from __future__ import annotations

import contextlib
from typing import Any

from trope.errors import UsageError
from trope.people.agreement import agreement, alignment, plots
from trope.people.answers import answers_of
from trope.people.corrected import Drawn, corrected, spread
from trope.people.design import StudyFolder
from trope.people.desk import Desk
from trope.people.frame import Frame, frame_of_cells
from trope.people.runs import load_run
from trope.people.sheet import Sheet, sheet_of
from trope.protocols.tables import Table
from trope.store import RunFolder


def studies_of(run: RunFolder) -> list[StudyFolder]:
    """The studies of people about a run."""
    found = [StudyFolder(run.store, name) for name in StudyFolder.names(run.store)]
    return [study for study in found if study.design().run == run.name and study.design().kind == "judge"]


def people_tables(run: RunFolder) -> tuple[list[Table], list[dict[str, Any]]]:
    """Tables and plots of every study of a run: agreement, alignment, corrected scores. Empty if nobody answered."""
    tables: list[Table] = []
    drawn: list[dict[str, Any]] = []
    for study in studies_of(run):
        with contextlib.closing(Desk(study)) as desk:
            sheet, how = lined_up(desk)
            if not sheet.people:
                continue
            made = [agreement(sheet)]
            if sheet.instruments:
                made += [alignment(sheet), corrected(sheet, how)]
            name = desk.design.name
            tables += [Table(f"{t.name}_{name}", f"{t.title} ({name})", t.columns, t.rows, t.notes) for t in made]
            drawn += [{**plot, "name": f"{plot['name']} {name}"} for plot in plots(sheet)]
    return tables, drawn


def lined_up(desk: Desk) -> tuple[Sheet, Drawn]:
    """A study's answers beside what the instruments of its run said, and how it was drawn."""
    if desk.design.run is None:
        raise UsageError(f"study {desk.design.name!r} is of items, not of a run")
    cells, protocol = load_run(desk.store, desk.design.run)
    whole = frame_of_cells(desk.design, protocol, cells)
    instruments = list(dict.fromkeys(name for cell in cells for name in cell.observations))
    judges = [name for name in instruments if not name.startswith("person:")]
    sheet = sheet_of(whole, answers_of(desk), cells, judges)
    return sheet, drawn_of(desk, whole)


def drawn_of(desk: Desk, whole: Frame) -> Drawn:
    """How a study was drawn, by cell."""
    frozen = desk.book.frame()
    unit_of: dict[tuple[str, Any], str] = {}
    for unit in whole.units.values():
        if unit.id in frozen:
            for page in unit.pages:
                for task in page.tasks:
                    unit_of |= {(task.item.id, place): unit.id for place in task.places}
    return Drawn(desk.design, frozen, desk.book.strata(), unit_of)


def next_spread(desk: Desk, judge: str | None, question: str | None) -> tuple[dict[str, float], str]:
    """What the next draw goes by, and a line that says so."""
    sheet, how = lined_up(desk)
    asked = [q for place, q in sheet.questions.items() if place in sheet.people]
    chosen = next((q for q in asked if question in (None, q.name)), None)
    if chosen is None:
        known = ", ".join(dict.fromkeys(q.name for q in asked))
        if not known:
            raise UsageError(f"nobody has answered in {desk.design.name!r} yet. Draw more once some have")
        raise UsageError(f"no answers to question {question!r}. Answered: {known}")
    with_numbers = [
        name for name in sheet.instruments if any(name in s for s in sheet.judges.get(chosen.place, {}).values())
    ]
    if judge is not None and judge not in with_numbers:
        raise UsageError(
            f"judge {judge!r} says nothing of {chosen.name!r}. It could be: {', '.join(with_numbers) or 'none'}"
        )
    by = judge or next(iter(with_numbers), None)
    said = f"by {chosen.name}: people less {by}" if by else f"by {chosen.name}: people alone, no judge answered it"
    return spread(sheet, how, by, chosen), said
