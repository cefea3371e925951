"""The protocol: who is asked what, and the scores made of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from trope.errors import UsageError
from trope.nouns import Item
from trope.protocols.base import InstrumentKind, Measured, Option, Scores, Study, SubjectKind, chosen
from trope.protocols.tables import Table
from trope.protocols.vmetaphor import questions
from trope.protocols.vmetaphor.calls import dimensions_prompt, mappings_prompt, questions_prompt
from trope.protocols.vmetaphor.plots import plots
from trope.protocols.vmetaphor.reading import verdict
from trope.protocols.vmetaphor.reference import reference_tables
from trope.protocols.vmetaphor.tables import all_tables, warnings
from trope.records import Output
from trope.requests import Ask, Detect, Request
from trope.strategies.prompts import read_wordings


class VMetaphor:
    """Is the metaphor in the picture, and in the form that was asked for? Paper: vmetaphor, section 3.2.

    Options
    -------
    shuffle : which order the options of every question are shown in; another number is another order.
    undetermined : ``shuffled`` with the other options, or always ``last``.
    """

    name = "vmetaphor"
    default_items = "vmetaphor"
    default_strategies = ("conceptual", "descriptive")
    subject: SubjectKind = "generator"
    wordings = read_wordings(Path(__file__).with_name("prompts.toml"))
    options: ClassVar[Mapping[str, Option]] = {
        "shuffle": Option("0", "which of all orders the answers to choose from are shown in"),
        "undetermined": Option("shuffled", "where 'cannot be determined' stands", ("shuffled", "last")),
    }

    def __init__(self, **given: str) -> None:
        asked = chosen(self.options, given, self.name)
        if not asked["shuffle"].isalnum():
            raise UsageError(f"option shuffle={asked['shuffle']!r} of {self.name!r}. Expected: letters and digits")
        self._order = questions.Order(asked["shuffle"], asked["undetermined"] == "last")

    def check(self, items: Sequence[Item], kinds: Mapping[str, InstrumentKind]) -> None:
        """Every item needs a whole figure, a question on every axis, and one for every mapping."""
        questions.check(items)

    def labels(self, items: Sequence[Item]) -> set[str]:
        """The classes of tenor and vehicle, where items name them."""
        return {label for item in items for label in classes(item)}

    def observe(self, item: Item, output: Output, instrument: str, kind: InstrumentKind) -> Mapping[str, Request]:
        """Three calls to a judge that know nothing of one another; a detector looks for tenor and vehicle."""
        if kind == "detector":
            wanted = classes(item)
            return {"objects": Detect(output, instrument, wanted)} if wanted else {}
        if kind != "judge":
            return {}
        assert item.figure is not None
        order = self._order.suffix
        prompts = {f"questions{order}": questions_prompt(self.shown(item, questions.AXES[:4]))}
        if mappings := self.shown(item, ("mapping",)):
            prompts[f"mappings{order}"] = mappings_prompt(mappings, item.figure)
        prompts["dimensions"] = dimensions_prompt(item)
        return {call: Ask(output, instrument, prompt) for call, prompt in prompts.items()}

    def shown(self, item: Item, axes: Sequence[str]) -> tuple[questions.Shown, ...]:
        """Questions of an item in the order in which this run shows their options."""
        return questions.shown(item, axes, self._order)

    def read(self, reply: str) -> Any:
        """Subjects of this protocol paint; they have nothing to say."""
        raise NotImplementedError("subjects of vmetaphor are generators")

    def score(self, study: Study) -> Scores:
        """All tables of the protocol."""
        tables = all_tables(study, self.shown)
        return Scores(self.name, study.measured_on, tables, plots(tables), warnings(study))

    def reference(self, study: Study) -> list[Table]:
        """The paper's tables, if the items of the study are the paper's own; else none."""
        return reference_tables(study)

    def highlight(self, cell: Measured) -> Mapping[str, Any]:
        """Each instrument's answers in short."""
        return {
            instrument: {"verdict": said} for instrument in cell.observations if (said := verdict(cell, instrument))
        }


def classes(item: Item) -> tuple[str, ...]:
    """The detector classes of tenor and vehicle, in this order, for items that name both."""
    found = tuple(item.labels[name] for name in ("target_class", "source_class") if item.labels.get(name))
    return found if len(found) == 2 else ()
