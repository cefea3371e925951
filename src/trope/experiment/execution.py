"""Execution: a plan is frozen as a run, driven through the flow, and its cells saved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import tomli_w

from trope.errors import TropeError, UsageError
from trope.experiment.asked import read_experiment
from trope.experiment.planning import Plan
from trope.flow import Budget, Interpreter, Tally
from trope.items import dump_items
from trope.nouns import Status
from trope.store import RunFolder, Store


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an execution ended: the run, what was done, and why it stopped early, if it did."""

    run: RunFolder
    tally: Tally
    finished: int
    planned: int
    stopped: TropeError | None


def execute(
    plan: Plan,
    store: Store,
    *,
    budget: Budget | None = None,
    retry: frozenset[Status] = frozenset(),
    tally: Tally | None = None,
    watch: Callable[[Interpreter, asyncio.AbstractEventLoop], None] | None = None,
) -> Outcome:
    """Run a plan to its end, or as far as it gets.

    Parameters
    ----------
    retry : statuses asked again although an answer is stored, of ``refused`` and ``unparsed``.
    tally : filled while the run goes on, for whoever shows progress.
    watch : called once with the interpreter and its loop before anything is asked, e.g. to stop it on Ctrl-C.

    Raises
    ------
    UsageError : a run of that name asked something else.
    """
    run = freeze(plan, store)
    tally = tally or Tally()
    interpreter = Interpreter(store, plan.backends, budget=budget or Budget(None, {}), tally=tally, retry=retry)

    async def drive() -> tuple[int, TropeError | None]:
        if watch is not None:
            watch(interpreter, asyncio.get_running_loop())
        rows, stopped = await interpreter.run(plan.cells)
        finished = [row for row in rows if row is not None]
        run.save_cells(finished)
        return len(finished), stopped

    finished, stopped = asyncio.run(drive())
    return Outcome(run, tally, finished, len(plan.cells), stopped)


def freeze(plan: Plan, store: Store) -> RunFolder:
    """Write the run's folder, or find it unchanged."""
    run = RunFolder(store, plan.experiment.run_name)
    asked = plan.experiment.model_dump(mode="json", exclude_none=True)
    asked["name"] = run.name
    text = tomli_w.dumps({**asked, "resolved": plan.resolved()})
    items = dump_items(plan.items)
    if run.asked.exists():
        before, resolved = read_experiment(run.asked)
        same = before.question() == plan.experiment.question()
        if not same or resolved.get("items_sha256") != plan.resolved()["items_sha256"]:
            raise UsageError(
                f"run {run.name!r} exists and asked something else. Choose another --name; answers already stored"
                " are used again whatever the run is called"
            )
    run.freeze(text, items)
    return run
