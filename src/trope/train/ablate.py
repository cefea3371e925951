"""The recipes with parts taken away, each evaluated by `trope run m3r`, and one table of it all.

Source of the variants: m3r, table 4. What variants share is trained once: every GRPO variant starts from the same
curriculum adapter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from trope.errors import UnknownName, UsageError
from trope.judges.adapters import folder_digest
from trope.train import curriculum, grpo
from trope.train.config import STAGES, TrainConfig, parse_config
from trope.train.rewards import Scorer, matcher_of
from trope.train.stages import Tell

if TYPE_CHECKING:
    from trope.protocols import Scores, Table
    from trope.protocols.tables import Value
    from trope.store import Store


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the table: what is changed in the configuration, and whether GRPO follows.

    ``start`` names the variant whose adapter GRPO starts from; None for supervised training alone.
    """

    what: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    start: str | None = None
    trained: bool = True


# what a row says holds whatever the configuration says
_WHOLE: Final[Mapping[str, Any]] = {"sft": {"explanations": True, "stages": list(STAGES)}}
VARIANTS: Final[Mapping[str, Variant]] = {
    "base": Variant("the base model, not trained", trained=False),
    "labels": Variant("curriculum, labels without explanations",
                      {"sft": {"explanations": False, "stages": list(STAGES)}}),
    "no-curriculum": Variant("explanations without a curriculum: C3 from the base",
                             {"sft": {"explanations": True, "stages": ["C3"]}}),
    "curriculum": Variant("explanations and curriculum", _WHOLE),
    "grpo": Variant("curriculum, then GRPO with every reward", start="curriculum"),
    "grpo-no-ts": Variant("without the rewards of target and source", {"rewards": {"target": 0.0, "source": 0.0}},
                          start="curriculum"),
    "grpo-no-e": Variant("without the reward of sentiment", {"rewards": {"sentiment": 0.0}}, start="curriculum"),
}  # fmt: skip


def ablate(
    config: TrainConfig, corpus: Path, out: Path, names: Sequence[str] = tuple(VARIANTS), *, tell: Tell = print,
    scorer: Scorer | None = None,
) -> dict[str, Path | None]:  # fmt: skip
    """Train the variants.

    Parameters
    ----------
    names : keys of `VARIANTS`; what they start from is trained too.

    Returns
    -------
    Variant -> its last adapter, None for the base itself. What was done before is not done again.

    Raises
    ------
    UsageError : no such variant, or a reward that the configuration leaves out already.
    """
    for name in names:
        if name not in VARIANTS:
            raise UnknownName("variant", name, VARIANTS)
    weights = config.rewards.weights()
    missing = [reward for reward in weights if weights[reward] == 0 and reward != "format"]  # which is ours
    if missing and any(VARIANTS[name].start for name in names):
        raise UsageError(
            f"rewards.{missing[0]} is 0: no variant would have every reward. Give it a weight, or leave GRPO out"
        )
    made: dict[str, Path | None] = {}
    for name in names:
        tell(f"== {name}: {VARIANTS[name].what}")
        made[name] = _train(name, config, corpus, out, scorer, tell)
    return made


def _train(
    name: str, config: TrainConfig, corpus: Path, out: Path, scorer: Scorer | None, tell: Tell
) -> Path | None:  # fmt: skip
    variant = VARIANTS[name]
    if not variant.trained:
        return None
    changed = changed_config(config, variant.changes)
    if variant.start is None:
        curriculum.train(changed, corpus, out / name, tell=tell)
        return out / name / changed.sft.stages[-1] / "adapter"
    start = _train(variant.start, config, corpus, out, scorer, tell)
    assert start is not None
    marks = scorer or Scorer(*matcher_of(changed.rewards.matcher))
    grpo.train(changed, corpus, start, out / name, scorer=marks, tell=tell)
    return out / name / grpo.STAGE / "adapter"


def changed_config(config: TrainConfig, changes: Mapping[str, Any]) -> TrainConfig:
    """The configuration with some fields of some tables changed."""
    table = config.model_dump(mode="json", exclude_none=True)
    for part, fields in changes.items():
        table[part] = {**table[part], **fields}
    return parse_config(table, "ablation")


def evaluate(
    config: TrainConfig, adapters: Mapping[str, Path | None], items: Sequence[str], similarity: str,
    store: Store, *, strategy: str = "direct", name: str | None = None, options: str = "", limit: int | None = None,
    run: Callable[..., Any] | None = None,
) -> tuple[Scores, dict[str, str]]:  # fmt: skip
    """Put every adapter through `trope run m3r`, all in one run.

    Parameters
    ----------
    similarity : what compares target and source, e.g. ``bertscore:FOLDER?layer=9``.
    options : further options of the subjects, e.g. ``max_tokens=256``.
    run : carries out the plan, as `trope.experiment.execute` does; default that.

    Returns
    -------
    scores : of the run; its tables have a row a subject.
    subjects : variant -> its subject in the tables; variants that learned nothing apart share one.
    """
    from trope.experiment import Experiment, execute, plan, score

    digests = {variant: folder_digest(folder) if folder else None for variant, folder in adapters.items()}
    first = {digest: adapters[variant] for variant, digest in reversed(digests.items())}
    subjects = {variant: subject_of(config, first[digest], options) for variant, digest in digests.items()}
    asked = Experiment(
        protocol="m3r", subjects=tuple(dict.fromkeys(subjects.values())), strategies=(strategy,),
        instruments=(similarity,), items=tuple(items), limit=limit, name=name,
    )  # fmt: skip
    planned = plan(asked)
    outcome = (run or execute)(planned, store)
    if outcome.stopped is not None:
        raise outcome.stopped
    _, scores = score(outcome.run)
    by_spec = dict(zip(asked.subjects, planned.subjects, strict=True))
    return scores, {variant: by_spec[spec] for variant, spec in subjects.items()}


def subject_of(config: TrainConfig, adapter: Path | None, options: str = "") -> str:
    """The base model, with an adapter on it, as `trope run m3r --subject` names it."""
    parts = [
        f"adapter={quote(str(adapter))}" if adapter else "",
        f"revision={config.revision}" if config.revision else "",
        options,
    ]
    query = "&".join(part for part in parts if part)
    return f"transformers:{config.base}" + (f"?{query}" if query else "")


COLUMNS: Final = (("labels", "MD macro-F1"), ("mapping", "TP"), ("mapping", "SP"), ("labels", "SC macro-F1"),
                  ("mapping", "JLA"))  # fmt: skip


def table(scores: Scores, subjects: Mapping[str, str], adapters: Mapping[str, Path | None]) -> Table:
    """The ablation table: a row a variant, columns as in the paper's table 4, and the adapter's hash."""
    from trope.protocols import Table

    found = {table.name: table for table in scores.tables}
    cells: dict[str, list[Value]] = {subject: [] for subject in subjects.values()}
    for name, column in COLUMNS:
        at = list(found[name].columns).index(column)
        for row in found[name].rows:
            cells[str(row[0])].append(row[at])
    rows = [
        [name, VARIANTS[name].what, *cells[subjects[name]], "none" if folder is None else folder_digest(folder)[:12]]
        for name, folder in adapters.items()
    ]
    columns = ("variant", "what", *(column.removesuffix(" macro-F1") for _, column in COLUMNS), "adapter")
    notes = (
        f"Measured on {scores.measured_on}. MD and SC are macro-F1, 0 to 100.",
        *dict.fromkeys(note for name in ("labels", "mapping") for note in found[name].notes),
        *scores.warnings,
    )
    return Table("ablation", "The reasoner with parts taken away", columns, rows, notes)


def write_table(scores: Scores, subjects: Mapping[str, str], adapters: Mapping[str, Path | None], out: Path) -> str:
    """Write the table as ``ablation.md`` and ``ablation.json``, and return its text."""
    from trope.protocols.tables import plain
    from trope.store.files import write_durably

    made = table(scores, subjects, adapters)
    lines = [
        f"# {made.title}\n",
        "| " + " | ".join(made.columns) + " |",
        "|" + "---|" * len(made.columns),
        *("| " + " | ".join(plain(cell, 1) for cell in row) + " |" for row in made.rows),
        "",
        *(f"- {note}" for note in made.notes),
    ]
    text = "\n".join(lines) + "\n"
    write_durably(out / "ablation.md", text.encode("utf-8"))
    write_durably(out / "ablation.json", json.dumps(made.as_json(), indent=2, ensure_ascii=False).encode("utf-8"))
    return text
