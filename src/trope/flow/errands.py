"""Errands carried out: scripts that belong to no run, with the same store, budget and interpreter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trope.backend import Backend
from trope.errors import TropeError
from trope.flow.budget import Budget
from trope.flow.cell import Errand
from trope.flow.local import Interpreter
from trope.flow.tally import Tally
from trope.nouns import Status
from trope.store import Store


def carry_out(
    errands: Sequence[Errand],
    backends: Mapping[str, Backend],
    store: Store,
    *,
    budget: Budget | None = None,
    tally: Tally | None = None,
    retry: frozenset[Status] = frozenset(),
    run: str | None = None,
    watch: Callable[[Interpreter, asyncio.AbstractEventLoop], None] | None = None,
) -> list[Any]:
    """Drive every errand to its end and return what their scripts returned, in order.

    Every answer is stored under its key, so that carrying out the same errands again asks nothing.

    Parameters
    ----------
    run : a name under which costs are counted.
    watch : called once with the interpreter and its loop, e.g. to stop it on Ctrl-C.

    Raises
    ------
    TropeError : why it stopped before the last errand had ended; what was answered is stored.
    """
    budget = budget or Budget(None, {})
    budget.check(backends.values())
    results: dict[int, Any] = {}

    async def drive() -> TropeError | None:
        interpreter = Interpreter(
            store, backends, budget=budget, tally=tally or Tally(), retry=retry, run=run, save=results.update
        )
        if watch is not None:
            watch(interpreter, asyncio.get_running_loop())
        return await interpreter.run(errands)

    stopped = asyncio.run(drive())
    if stopped is not None and len(results) < len(errands):
        raise stopped
    return [results[n] for n in range(len(errands))]
