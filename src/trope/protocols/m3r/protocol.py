"""The protocol: what a multimodal model is asked, who looks at its answers, and the scores made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from trope.errors import ItemError, UsageError
from trope.nouns import Item
from trope.protocols.base import InstrumentKind, Measured, Option, Scores, Study, SubjectKind, chosen
from trope.protocols.m3r import judging
from trope.protocols.m3r.comparisons import comparison
from trope.protocols.m3r.labels import OPEN, gold
from trope.protocols.m3r.marks import THRESHOLD, to_match
from trope.protocols.m3r.plots import plots
from trope.protocols.m3r.prompting import GIVEN, LANGUAGES, read, wordings
from trope.protocols.m3r.reading import STAGES, answer_of
from trope.protocols.m3r.reference import reference_tables
from trope.protocols.m3r.tables import NOT_BERTSCORE, all_tables, sights
from trope.protocols.m3r.views import View, views
from trope.protocols.tables import Table
from trope.records import Output
from trope.requests import Ask, Compare, Request

_SEEING: Final = ("clipscore:", "pickscore:")


class M3R:
    """Does a multimodal model understand a metaphor, and say why? Paper: m3r, sections 3, 4 and D.

    Parameters
    ----------
    options : ``language`` and ``threshold``, as `options` says.
    """

    name = "m3r"
    subject: SubjectKind = "model"
    default_items = "m3r-demo"
    default_strategies = ("direct", GIVEN)
    options: ClassVar[Mapping[str, Option]] = {
        "language": Option("item", "language of the prompts: the item's own, or one for all", ("item", *LANGUAGES)),
        "threshold": Option(str(THRESHOLD), "F1 from which target and source are right in JLA and behind MC's gate"),
    }

    def __init__(self, **options: str) -> None:
        self.chosen = chosen(self.options, options, self.name)
        self.wordings = wordings(self.chosen["language"])
        try:
            self.threshold = float(self.chosen["threshold"])
        except ValueError:
            self.threshold = float("nan")
        if not 0 < self.threshold <= 1:
            raise UsageError(f"option threshold={self.chosen['threshold']!r} of 'm3r'. Expected: above 0, at most 1")

    def check(self, items: Sequence[Item], kinds: Mapping[str, InstrumentKind]) -> None:
        """Every item needs a picture and true labels; with a judge also the reference explanations."""
        if "detector" in kinds.values():
            name = next(name for name, kind in kinds.items() if kind == "detector")
            raise UsageError(
                f"{name!r} detects objects; m3r's outputs are replies. Expected: a similarity such as bertscore:MODEL,"
                " a judge of explanations such as openai:MODEL, or both"
            )
        if seeing := [name for name in kinds if name.startswith(_SEEING)]:
            raise UsageError(
                f"{seeing[0]!r} measures a picture against a text; m3r compares texts. Expected: bertscore:MODEL, or"
                " sentence-encoder:MODEL where there is no such model"
            )
        for item in items:
            gold(item)
        bare = [item.id for item in items if item.image is None]
        if bare:
            raise ItemError(f"{len(bare)} items have no image, e.g. {bare[0]!r}; m3r asks about a picture with a text")
        foreign = [item for item in items if item.lang not in self.wordings["direct"]]
        if foreign:
            raise ItemError(
                f"{len(foreign)} items are in a language that m3r has no prompt in, e.g. {foreign[0].id!r}"
                f" ({foreign[0].lang}). Expected: {', '.join(LANGUAGES)}; or one for all: --option language=en"
            )
        if "judge" not in kinds.values():
            return
        for stage in STAGES:
            lacking = [i.id for i in items if (stage != "MC" or i.figures) and stage not in judging.references(i)]
            if lacking:
                raise ItemError(
                    f"{len(lacking)} items have no references.{stage}, e.g. {lacking[0]!r}; a judge has nothing to"
                    " compare explanations with. Add references, or leave the judge out"
                )

    def labels(self, items: Sequence[Item]) -> set[str]:
        """Nothing is detected."""
        return set()

    def observe(self, item: Item, output: Output, instrument: str, kind: InstrumentKind) -> Mapping[str, Request]:
        """A similarity compares target and source, each where it can earn more than 0; a judge reads explanations."""
        true = gold(item)
        if output.value is None:  # a forecast
            if kind == "judge":
                return {"explanations": Ask(None, instrument, judging.longest(item, output.key))}
            texts = {name: (output.key, getattr(true, name)) for name in OPEN} if true.is_metaphor else {}
            return _compared(output, instrument, texts)
        answer = answer_of(output.value)
        if kind == "similarity":
            return _compared(output, instrument, to_match(answer, true))
        stages = judging.stages_to_judge(item, answer)
        return {"explanations": Ask(None, instrument, judging.prompt(item, answer, stages))} if stages else {}

    def read(self, reply: str) -> Any:
        """A reply as an answer, field by field; raises `Unreadable`."""
        return read(reply)

    def score(self, study: Study) -> Scores:
        """All tables of the protocol."""
        seen = views(study, self.threshold)
        looked = sights(study, seen)
        tables = all_tables(study, seen, looked)
        tables.insert(2, comparison(study, looked))
        return Scores(self.name, study.measured_on, tables, plots(tables), self._warnings(study, seen))

    def reference(self, study: Study) -> list[Table]:
        """The paper's numbers, if these are its items."""
        return reference_tables(study)

    def highlight(self, cell: Measured) -> Mapping[str, Any]:
        """The answer beside the truth, and what each instrument said of it."""
        true, answer = gold(cell.item), answer_of(cell.output.value)
        shown: dict[str, Any] = {
            "answer": {"verdict": _told(answer) if cell.output.ok else cell.output.status},
            "truth": {"verdict": _told(true)},
        }
        for instrument, calls in cell.observations.items():
            for call, said in calls.items():
                value = said.value or {}
                numbers = value["scores"] if said.ok and "scores" in value else None
                shown[f"{instrument} {call}"] = {"verdict": said.status if numbers is None else _shown(numbers)}
        return shown

    def _warnings(self, study: Study, seen: Sequence[View]) -> list[str]:
        """What a reader must know before any number."""
        said = []
        if len(study.cells) < study.planned:
            said.append(f"The run was stopped: {len(study.cells)} of {study.planned} cells are finished.")
        failed = sum(view.statuses["failed"] for view in seen)
        if failed:
            said.append(f"{failed} replies never came (failed). They count as wrong; run again to ask for them.")
        if any(cell.item.split == "synthetic-demo" for cell in study.cells):
            said.append(
                "These items are a synthetic demonstration: they check that everything runs, and measure nothing."
            )
        kinds = [name for name, kind in study.instruments.items() if kind == "similarity"]
        if not kinds:
            said.append("No similarity instrument: target, source, JLA and the mapping explanation have no score.")
        said.extend(
            f"{name} is {NOT_BERTSCORE}: its numbers are comparable with none but its own."
            for name in kinds
            if not name.startswith("bertscore:")
        )
        return [*said, *_matched_badly(study, kinds)]


def _compared(output: Output, instrument: str, texts: Mapping[str, tuple[str, str]]) -> Mapping[str, Request]:
    return {name: Compare(output, instrument, (pair,)) for name, pair in texts.items()}


def _matched_badly(study: Study, matchers: Sequence[str]) -> Iterator[str]:
    """How many comparisons of each matcher are no measurement, or less than one, by the reason it gives."""
    for name in matchers:
        calls = [said for cell in study.cells for said in cell.observations.get(name, {}).values() if said.ok]
        reasons = Counter(
            str(why).replace("the candidate", "a text").replace("the reference", "a text")
            for said in calls
            for why in ((said.value or {}).get("reasons") or {}).values()
        )
        for why, count in reasons.most_common():
            yield f"{name}: {count} of {len(calls)} comparisons: {why}."


def _shown(numbers: Mapping[str, float] | Sequence[float | None]) -> str:
    """``0.91`` of a comparison, ``ITE 0.80, SJ 1.00`` of a judgment."""
    if isinstance(numbers, Mapping):
        return ", ".join(f"{stage} {number:.2f}" for stage, number in numbers.items())
    return ", ".join("not measured" if number is None else f"{number:.2f}" for number in numbers)


def _told(labels: Any) -> str:
    parts = (labels.metaphor, labels.target, labels.source, labels.sentiment)
    return " · ".join("?" if part is None else part for part in parts)
