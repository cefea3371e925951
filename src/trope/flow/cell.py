"""A cell: one item, one subject, one strategy, one seed, and the walk from its request to its observations."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from trope.nouns import Item
from trope.records import Observation, Output, Record, reread
from trope.requests import Ask, Generate, Request
from trope.store import CellRow

Script = Generator[Request, Any, Output]
Walk = Generator[Sequence[Request], Sequence[Record], CellRow]


def as_read(record: Record, request: Request) -> Record:
    """A stored record as its request reads it: a judge's reply is parsed anew, by today's reader."""
    if isinstance(request, Ask) and isinstance(record, Observation):
        return reread(record, request.prompt.read)
    return record


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell of a run asks.

    ``start`` begins the strategy on the item; ``observe`` is the request that puts the finished output to
    one of ``instruments``.
    """

    item: Item
    subject: str
    strategy: str
    seed: int
    instruments: tuple[str, ...]
    start: Callable[[Item], Script]
    observe: Callable[[Item, Output, str], Request]

    def asked_of(self, request: Request) -> str:
        """The backend a request of this cell goes to."""
        return self.subject if isinstance(request, Generate) else request.instrument


def walk(cell: Cell) -> Walk:
    """Drive a cell: its strategy one request at a time, then all its instruments at once.

    Yields what is to be asked and receives the answers in order. Only an ``ok`` output is observed: a
    blank, refused or failed picture has nothing in it to judge.
    """
    script = cell.start(cell.item)
    trail: list[str] = []
    gates: set[str] = set()
    answer: Record | None = None
    while True:
        try:
            request = script.send(answer)
        except StopIteration as stop:
            output: Output = stop.value
            break
        if not isinstance(request, Generate):
            gates.add(request.instrument)
        (stored,) = yield (request,)
        trail.append(stored.key)
        answer = as_read(stored, request)
    observations: dict[str, str] = {}
    if output.ok and cell.instruments:
        answers = yield tuple(cell.observe(cell.item, output, name) for name in cell.instruments)
        observations = {name: record.key for name, record in zip(cell.instruments, answers, strict=True)}
    return CellRow(
        cell.item.id, cell.subject, cell.strategy, cell.seed,
        output.key, tuple(trail), tuple(sorted(gates)), observations,
    )  # fmt: skip
