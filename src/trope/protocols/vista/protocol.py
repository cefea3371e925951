"""The protocol: who is asked what, and the scores made of the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from trope.errors import UsageError
from trope.nouns import Item
from trope.protocols.base import InstrumentKind, Measured, Option, Scores, Study, SubjectKind, chosen
from trope.protocols.tables import Table
from trope.protocols.vista.calls import ORDERS, SENTENCE, VEHICLE, judge_calls
from trope.protocols.vista.checks import check_items
from trope.protocols.vista.plots import plots
from trope.protocols.vista.reference import reference_tables
from trope.protocols.vista.shown import highlight, warnings
from trope.protocols.vista.tables import all_tables
from trope.protocols.vista.views import read_study
from trope.records import Output
from trope.requests import Ask, Detect, Measure, Request, Unreadable
from trope.strategies.prompts import read_wordings

_SWITCH = ("on", "off")
_SHUFFLE = re.compile(r"[A-Za-z0-9]{1,40}")


class Vista:
    """Is the vehicle of a figure kept out of the picture, and its meaning in? Paper: vista, sections 3 and 4."""

    name = "vista"
    subject: SubjectKind = "generator"
    options: ClassVar[Mapping[str, Option]] = {
        "order": Option("permuted", "Order of the options a judge sees; published: best first.", tuple(ORDERS)),
        "shuffle": Option("0", "Any word or number; permuted options are drawn from it."),
        "control": Option("on", "Also ask the presence-oriented control questions of items that have some.", _SWITCH),
        "blind": Option("off", "Also ask the questions without the picture, once an item.", _SWITCH),
    }  # fmt: skip
    default_items = "vista"
    default_strategies = ("base",)
    wordings = read_wordings(Path(__file__).with_name("prompts.toml"))

    def __init__(self, **options: str) -> None:
        given = chosen(self.options, options, self.name)
        if not _SHUFFLE.fullmatch(given["shuffle"]):
            raise UsageError(f"option shuffle={given['shuffle']!r} of 'vista'. Expected: letters and digits, e.g. 7")
        self._calls = judge_calls(
            given["order"], given["shuffle"], control=given["control"] == "on", blind=given["blind"] == "on"
        )

    def check(self, items: Sequence[Item], kinds: Mapping[str, InstrumentKind]) -> None:
        """Judges need the four questions, detectors at least one vehicle class."""
        check_items(items, set(kinds.values()))

    def labels(self, items: Sequence[Item]) -> set[str]:
        """The vehicle classes, of items that have one."""
        return {i.figure.vehicle_class for i in items if i.figure and i.figure.vehicle_class}

    def observe(self, item: Item, output: Output, instrument: str, kind: InstrumentKind) -> Mapping[str, Request]:
        """A judge gets the questions the item has, a detector its vehicle's class, a similarity its sentence."""
        if kind == "similarity":
            return {SENTENCE: Measure(output, instrument, item.text)}
        if kind == "detector":
            label = item.figure.vehicle_class if item.figure else None
            return {} if label is None else {VEHICLE: Detect(output, instrument, (label,))}
        prompts = [(call, call.prompt(item)) for call in self._calls]
        return {
            call.name: Ask(None if call.blind else output, instrument, prompt) for call, prompt in prompts if prompt
        }

    def read(self, reply: str) -> Any:
        """No subject of this protocol replies in words."""
        raise Unreadable("a generator does not reply")

    def score(self, study: Study) -> Scores:
        """All tables of the protocol."""
        sheet = read_study(study, self._calls)
        tables = all_tables(study, sheet)
        return Scores(self.name, study.measured_on, tables, plots(tables, sheet), warnings(study, sheet))

    def reference(self, study: Study) -> list[Table]:
        """What the paper printed, if the items of the study are the paper's own; else none."""
        return reference_tables(study)

    def highlight(self, cell: Measured) -> Mapping[str, Any]:
        """Of each judge what it saw and why, of each detector whether it found the vehicle."""
        return highlight(cell)
