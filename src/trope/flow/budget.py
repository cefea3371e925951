"""Money: the worst case is reserved before a request is sent, and settled when its cost is known."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.errors import BudgetError, UsageError

FIELDS = ("image", "input", "output", "image_tokens")


class Budget:
    """A limit in US dollars over one run.

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

    def price(self, backend: Backend) -> Mapping[str, float]:
        """The price of a remote backend; an unknown price under a limit is an error."""
        name = backend.spec.partition("?")[0]
        if name in self.prices:
            return self.prices[name]
        if self.limit is not None and backend.remote:
            raise BudgetError(
                f"no price for {name!r}, and --max-usd {self.limit:g} is set. Add a table [{name!r}] to the price"
                " file (trope doctor says where), or leave --max-usd out"
            )
        return {}

    def reserve(self, backend: Backend, request: Any) -> float | None:
        """Set aside the worst case of one request; None if the limit would be passed."""
        if self.limit is None or not backend.remote:
            return 0.0
        worst = backend.worst_case_usd(request, self.price(backend))
        if self.spent + self._reserved + worst > self.limit + 1e-12:
            return None
        self._reserved += worst
        return worst

    def settle(self, reserved: float, usd: float | None) -> None:
        """Replace what was set aside by what it cost (the worst case where the cost is unknown)."""
        self._reserved -= reserved
        self.spent += reserved if usd is None else usd


def read_prices(path: Path) -> dict[str, dict[str, float]]:
    """Read a price file (TOML, one table a model); a missing file states no prices."""
    if not path.exists():
        return {}
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"price file {str(path)!r}: {error}") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise UsageError(f"price file {str(path)!r}: {name!r} is not a table. Expected: [{name!r}]")
        for field, usd in table.items():
            if field not in FIELDS or not isinstance(usd, int | float) or usd < 0:
                raise UsageError(
                    f"price file {str(path)!r}: [{name!r}] {field} = {usd!r}. Expected: one of"
                    f" {', '.join(FIELDS)}, in US dollars (tokens: a million), not negative"
                )
    return tables
