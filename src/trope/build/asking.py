"""Errands of a build: carried out through the store, under a budget that may end in the middle of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trope.backend import Backend
from trope.errors import BudgetError
from trope.flow import Budget, Errand, Tally, carry_out
from trope.store import Store


class Lots(Tally):
    """A tally of errands that come in lots: what is left is known of the lot alone, so no time is foretold."""

    @property
    def seconds_left(self) -> None:
        """Nobody knows."""
        return None


class Asker:
    """Carries out errands and remembers whether the money ended.

    Parameters
    ----------
    backends : by the name that requests use.
    options : further options of `trope.flow.carry_out`: ``retry``, ``run``, ``watch``.

    Attributes
    ----------
    stopped : why nothing more may be asked; None while it may.
    """

    def __init__(
        self, backends: Mapping[str, Backend], store: Store, *, budget: Budget | None = None,
        tally: Tally | None = None, **options: Any,
    ) -> None:  # fmt: skip
        self.backends, self.store = backends, store
        self.budget = budget or Budget(None, {})
        self.tally = tally or Lots()
        self.stopped: BudgetError | None = None
        self._options = options
        for backend in backends.values():
            if hasattr(backend, "stay_loaded"):  # weights in this process: errands come in many small lots
                backend.stay_loaded = True

    def __call__(self, errands: Sequence[Errand]) -> list[Any]:
        """What each errand returned, in order; None for those that the budget did not reach.

        Raises
        ------
        TropeError : why it stopped, unless that was the budget.
        """
        if not errands:
            return []
        if self.stopped is None:
            try:
                return self._carry_out(errands, self.budget)
            except BudgetError as error:
                if self.budget.limit is None:
                    raise
                self.stopped = error
        return [self._if_stored(errand) for errand in errands]

    def _if_stored(self, errand: Errand) -> Any:
        """What an errand returns without spending anything; None if it cannot."""
        try:
            return self._carry_out([errand], Budget(0.0, self.budget.prices))[0]
        except BudgetError:
            return None

    def _carry_out(self, errands: Sequence[Errand], budget: Budget) -> list[Any]:
        self.tally.cells_done = 0
        return carry_out(errands, self.backends, self.store, budget=budget, tally=self.tally, **self._options)


def one(errand_id: str, request: Callable[[], Any]) -> Errand:
    """An errand that asks one thing and returns its record."""

    def script() -> Any:
        record = yield request()
        return record

    return Errand(errand_id, script)


def several(errand_id: str, requests: Callable[[], Sequence[Any]]) -> Errand:
    """An errand that asks several things at once and returns their records, in order."""

    def script() -> Any:
        records: list[Any] = yield tuple(requests())
        return records

    return Errand(errand_id, script)
