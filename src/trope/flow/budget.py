"""Money: the worst case is reserved before a request is sent, and settled when its cost is known."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.errors import BudgetError, UsageError
from trope.records import Result

FIELDS = ("image", "input", "output", "image_tokens")


class Budget:
    """A limit in US dollars over one run, whatever number of sessions it takes.

    HTTP 429 and 5xx are taken to be free. A timeout or a cut connection may have been billed: under a limit it
    is not tried again in silence, and counts at its worst case.

    Parameters
    ----------
    limit : the most that may be spent; None for no limit.
    prices : ``{model spec without options: {field: usd}}`` with ``image`` (one picture), ``input`` and
        ``output`` (a million tokens), ``image_tokens`` (the most tokens one picture counts as).
    """

    def __init__(self, limit: float | None, prices: Mapping[str, Mapping[str, float]]) -> None:
        self.limit, self.prices = limit, prices
        self._reserved = 0.0
        self.spent = 0.0

    def check(self, backends: Iterable[Backend]) -> None:
        """Under a limit, every remote backend needs a price with all its fields; raises `BudgetError`."""
        for backend in backends:
            backend.cautious = self.limit is not None
            if self.limit is None or not backend.remote:
                continue
            missing = [f for f in backend.price_fields if f not in self.price(backend)]
            if missing:
                name = _priced(backend)
                raise BudgetError(
                    f"--max-usd {self.limit:g} is set, but the price of {name!r} lacks {', '.join(missing)}."
                    f" Add a table [{name!r}] to the price file (trope doctor says where), or leave --max-usd out"
                )

    def price(self, backend: Backend) -> Mapping[str, float]:
        """What is stated of a backend's price; empty if nothing is."""
        return self.prices.get(_priced(backend), {})

    def worst(self, backend: Backend, request: Any) -> float | None:
        """The most one request can cost; None where the price does not say."""
        if not backend.remote:
            return 0.0
        price = self.price(backend)
        return backend.worst_case_usd(request, price) if all(f in price for f in backend.price_fields) else None

    def reserve(self, backend: Backend, request: Any) -> float | None:
        """Set aside the worst case of one request; None if the limit would be passed."""
        worst = self.worst(backend, request) or 0.0
        if self.limit is not None and self.spent + self._reserved + worst > self.limit + 1e-9:
            return None
        self._reserved += worst
        return worst

    def settle(self, backend: Backend, reserved: float, result: Result) -> float | None:
        """Replace what was set aside by what it cost.

        Returns
        -------
        US dollars: 0 for what was not billed, the worst case where the result does not tell, None where no
        price is stated.
        """
        self._reserved -= reserved
        price = self.price(backend)
        cost: float | None
        if not backend.remote or not result.billed:
            cost = 0.0
        elif not price:
            cost = None
        else:
            known = backend.cost_usd(result, price)
            cost = reserved if known is None else known
        self.spent += cost or 0.0
        return cost


def _priced(backend: Backend) -> str:
    return (backend.spec or backend.name).partition("?")[0]


def read_prices(path: Path, *, required: bool = False) -> dict[str, dict[str, float]]:
    """Read a price file (TOML, one table a model); a missing one states no prices unless it is ``required``."""
    if not path.exists():
        if required:
            raise UsageError(f"no price file at {str(path)!r}")
        return {}
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"price file {str(path)!r}: {error}") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise UsageError(f"price file {str(path)!r}: {name!r} is not a table. Expected: [{name!r}]")
        for field, usd in table.items():
            number = isinstance(usd, int | float) and not isinstance(usd, bool)
            if field not in FIELDS or not number or not math.isfinite(usd) or usd < 0:
                raise UsageError(
                    f"price file {str(path)!r}: [{name!r}] {field} = {usd!r}. Expected: one of"
                    f" {', '.join(FIELDS)}, in US dollars (tokens: a million), finite and not negative"
                )
    return tables
