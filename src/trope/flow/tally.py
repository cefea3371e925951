"""What a run has done so far: counts for progress, for the closing line, and for the record."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from trope.records import Record


@dataclass
class Tally:
    """Counts by backend; filled by the flow, read by whoever shows progress."""

    cells: int = 0
    cells_done: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    twice: int = 0
    usd: float = 0.0
    usd_unknown: int = 0
    started: float = field(default_factory=time.monotonic)

    def hit(self, backend: str) -> None:
        """An answer that was already stored."""
        self.hits[backend] += 1

    def answered(self, backend: str, record: Record, usd: float | None) -> None:
        """An answer that was asked for now, as it is read; ``usd`` None where its cost is unknown."""
        self.asked[backend] += 1
        self.statuses[backend, record.status] += 1
        if record.status != "ok" and record.reason:
            self.reasons.setdefault((backend, record.status), record.reason)
        if usd is None:
            self.usd_unknown += 1
        else:
            self.usd += usd

    @property
    def troubles(self) -> int:
        """How many answers of this session are not ``ok``."""
        return sum(n for (_, status), n in self.statuses.items() if status != "ok")

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Answers asked for, per second."""
        return sum(self.asked.values()) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """At the pace of the cells so far; None before the first is done."""
        if not self.cells_done:
            return None
        return self.seconds / self.cells_done * (self.cells - self.cells_done)
