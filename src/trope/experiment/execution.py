"""Execution: a plan is frozen as a run, driven through the flow, and its cells saved as they end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from trope.errors import TropeError
from trope.experiment.planning import Plan
from trope.flow import Budget, Interpreter, Tally
from trope.items import dump_items
from trope.nouns import Status
from trope.store import CellRow, RunFolder, Store

Watch = Callable[[Interpreter, asyncio.AbstractEventLoop], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an execution ended: the run, what was done, and why it stopped early, if it did."""

    run: RunFolder
    tally: Tally
    finished: int
    planned: int
    stopped: TropeError | None
    run_spent: float


def execute(
    plan: Plan,
    store: Store,
    *,
    budget: Budget | None = None,
    retry: frozenset[Status] = frozenset(),
    tally: Tally | None = None,
    watch: Watch | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Run a plan to its end, or as far as it gets.

    Parameters
    ----------
    budget : its limit is over the whole run, earlier sessions included.
    retry : statuses asked again although an answer is stored, of ``refused`` and ``unparsed``.
    tally : filled while the run goes on, for whoever shows progress.
    watch : called once with the interpreter and its loop before anything is asked, e.g. to stop it on Ctrl-C.
    tell : called with what a user should know, a line each.

    Raises
    ------
    UsageError : a run of that name asked something else.
    BudgetError : a limit without the prices it needs.
    """
    budget, tally = budget or Budget(None, {}), tally or Tally()
    budget.check(plan.backends.values())
    plan, notices = plan.prepare(store.adopt)
    for line in notices:
        tell(line)
    run = freeze(plan, store, notices)
    saved: list[Future[Any]] = []

    def save(ended: list[tuple[int, CellRow]]) -> None:
        saved.append(run.save_cells(ended))

    async def drive() -> TropeError | None:
        interpreter = Interpreter(
            store, plan.backends, budget=budget, tally=tally, retry=retry, run=run.name, save=save
        )
        if watch is not None:
            watch(interpreter, asyncio.get_running_loop())
        return await interpreter.run(plan.cells)

    def waiting() -> None:
        tell(f"another process is working on run {run.name!r}; waiting for it")

    with run.working(waiting):
        budget.spent = run.spent(strict=budget.limit is not None)
        try:
            stopped = asyncio.run(drive())
        finally:
            for future in saved:
                future.result()
    return Outcome(run, tally, tally.cells_done, len(plan.cells), stopped, budget.spent)


def freeze(plan: Plan, store: Store, notices: Sequence[str] = ()) -> RunFolder:
    """Write the run's folder; paths become absolute, so that it can be taken up from anywhere."""
    run = RunFolder(store, plan.run_name)
    asked = plan.experiment.model_dump(mode="json", exclude_none=True)
    asked = {k: v for k, v in asked.items() if v not in ([], {})}
    asked |= {"name": run.name, "items": _absolute(asked["items"])}
    asked |= {role: _absolute_specs(asked[role]) for role in ("subjects", "instruments", "models") if role in asked}
    resolved = {**plan.resolved(), "notices": list(notices)}
    text = tomli_w.dumps({**asked, "resolved": resolved})
    run.freeze(text, dump_items(plan.items), resolved["sha256"], resolved["items_sha256"])
    return run


def _absolute(sources: Sequence[str]) -> list[str]:
    return [str(path.resolve()) if (path := Path(source)).is_file() else source for source in sources]


def _absolute_specs(specs: Sequence[str]) -> list[str]:
    """Backends named by a path here; one that is a bare word is a path only for backends that are files."""
    made = []
    for spec in specs:
        backend, _, rest = spec.partition(":")
        model, mark, options = rest.partition("?")
        is_path = model != "" and Path(model).exists() and (backend in ("folder", "predictions") or "/" in model)
        made.append(f"{backend}:{Path(model).resolve()}{mark}{options}" if is_path else spec)
    return made
