"""The protocol: who is asked what, and the scores made of the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from trope.errors import ItemError
from trope.nouns import Item
from trope.protocols.base import InstrumentKind, Measured, Option, Scores, Study, SubjectKind, chosen
from trope.protocols.simile.lens_tables import lens_tables
from trope.protocols.simile.plots import plots
from trope.protocols.simile.question import prompt
from trope.protocols.simile.reading import LOOK, look, status_of
from trope.protocols.simile.reference import reference_tables
from trope.protocols.simile.tables import all_tables
from trope.protocols.simile.views import views
from trope.protocols.tables import Table
from trope.records import Output
from trope.requests import Ask, Detect, Measure, Request, Unreadable
from trope.strategies.prompts import read_wordings


class Simile:
    """Does an instrument find the vehicle? Paper: simile, sections 2.3-2.5."""

    name = "simile"
    subject: SubjectKind = "generator"
    options: ClassVar[Mapping[str, Option]] = {}
    default_items = "demo"
    default_strategies = ("base",)
    wordings = read_wordings(Path(__file__).with_name("prompts.toml"))

    def __init__(self, **options: str) -> None:
        chosen(self.options, options, self.name)

    def check(self, items: Sequence[Item], kinds: Mapping[str, InstrumentKind]) -> None:
        """Every item needs a figure, and for detectors a vehicle class."""
        without = [i.id for i in items if i.figure is None]
        if without:
            raise ItemError(f"{len(without)} items have no figure, e.g. {without[0]!r}; simile asks about a vehicle")
        classless = [i.id for i in items if i.figure and i.figure.vehicle_class is None]
        if classless and "detector" in kinds.values():
            raise ItemError(
                f"{len(classless)} items have no figures[0].vehicle_class, e.g. {classless[0]!r}; a detector cannot"
                " look for their vehicle. Add the class, or use a judge"
            )

    def labels(self, items: Sequence[Item]) -> set[str]:
        """The vehicle classes."""
        return {i.figure.vehicle_class for i in items if i.figure and i.figure.vehicle_class}

    def observe(self, item: Item, output: Output, instrument: str, kind: InstrumentKind) -> Mapping[str, Request]:
        """A detector looks for the class; a judge is asked about it; a similarity compares picture and sentence."""
        if kind == "judge":
            return {LOOK: Ask(output, instrument, prompt(item))}
        if kind == "similarity":
            return {LOOK: Measure(output, instrument, item.text)}
        assert item.figure is not None
        return {LOOK: Detect(output, instrument, (item.figure.vehicle_class or "",))}

    def read(self, reply: str) -> Any:
        """No subject of this protocol replies in words."""
        raise Unreadable("a generator does not reply")

    def score(self, study: Study) -> Scores:
        """All tables of the protocol."""
        tables = all_tables(study, views(study))
        lens, drawn = lens_tables(study)
        return Scores(self.name, study.measured_on, [*tables, *lens], [*plots(tables), *drawn], _warnings(study))

    def reference(self, study: Study) -> list[Table]:
        """The paper's tables, for a study of its 1,576 sentences, which do not ship."""
        return reference_tables(study)

    def highlight(self, cell: Measured) -> Mapping[str, Any]:
        """The vehicle's box and verdict of each instrument."""
        shown: dict[str, Any] = {}
        for instrument, calls in cell.observations.items():
            if LOOK not in calls:
                continue  # a person who rated the picture, and was not asked about the vehicle
            if calls[LOOK].value is not None and "score" in calls[LOOK].value:
                shown[instrument] = {"verdict": f"{calls[LOOK].value['score']:.2f}"}
                continue
            seen = look(cell, instrument)
            verdict = status_of(cell, instrument)
            if verdict == "ok":
                verdict = "present" if seen.present else "absent"
            shown[instrument] = {"verdict": verdict}
            if seen.box is not None:
                shown[instrument] |= {
                    "score": seen.box.score,
                    "box": list(seen.box.box),
                    "label": seen.box.label,
                }
        return shown


def _cut(cell: Measured) -> bool:
    return bool((cell.output.value or {}).get("cut"))


def _warnings(study: Study) -> list[str]:
    """What a reader must know before any number."""
    said = []
    if len(study.cells) < study.planned:
        said.append(f"The run was stopped: {len(study.cells)} of {study.planned} cells are finished.")
    cut = Counter(subject for subject, _ in {(c.subject, c.item.id) for c in study.cells if _cut(c)})
    asked = Counter(subject for subject, _ in {(c.subject, c.item.id) for c in study.cells})
    said.extend(
        f"{cut[subject]} of {asked[subject]} items have a prompt that is longer than a text encoder of {subject} reads;"
        " it saw the beginning only."
        for subject in asked if cut[subject]
    )  # fmt: skip
    said.extend(
        f"{subject} draws what it is told to and knows what it drew. Its numbers check the instruments; they say"
        " nothing about an image model."
        for subject in dict.fromkeys(c.subject for c in study.cells if c.output.truth is not None)
    )
    return said
