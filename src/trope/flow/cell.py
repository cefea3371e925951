"""What the flow drives: cells of a run, and errands that belong to none. Both are walks over requests."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from trope.nouns import Item
from trope.records import Output, Record, reread
from trope.requests import Ask, Reply, Request, ToSubject
from trope.store import CellRow

Script = Generator[Request | tuple[Request, ...], Any, Any]
Walk = Generator[Sequence[Request], Sequence[Record], Any]


class Task(Protocol):
    """Anything the flow can drive to its end."""

    @property
    def id(self) -> str:
        """The item's, or the errand's own."""

    @property
    def seed(self) -> int:
        """The seed of what is asked."""

    def asked_of(self, request: Request) -> str:
        """The backend a request goes to."""

    def walk(self) -> Walk:
        """Yields what is to be asked, several requests at once, and receives the answers in order."""


def as_read(record: Record, request: Request) -> Record:
    """A stored record as its request reads it: a reply in words is parsed anew, by today's reader."""
    return reread(record, request.prompt.read) if isinstance(request, Ask | Reply) else record


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell of a run asks: one item, one subject, one strategy, one seed.

    ``start`` begins the strategy on the item; ``observe`` gives the requests that put the finished output to
    one of ``instruments``, by the name of the call. ``picture`` is the SHA-256 of the item's own picture.
    """

    item: Item
    subject: str
    strategy: str
    seed: int
    instruments: tuple[str, ...]
    start: Callable[[Item], Script]
    observe: Callable[[Item, Output, str], Mapping[str, Request]]
    picture: str | None = None

    @property
    def id(self) -> str:
        """The item's."""
        return self.item.id

    def asked_of(self, request: Request) -> str:
        """The subject draws and replies; an instrument is asked by name."""
        return self.subject if isinstance(request, ToSubject) else request.instrument

    def walk(self) -> Walk:
        """The strategy to its end, then all instruments at once.

        Only an ``ok`` output is observed: a blank, refused or failed one has nothing in it to judge.
        """
        trail: list[str] = []
        gates: set[str] = set()

        def note(request: Request, record: Record) -> None:
            trail.append(record.key)
            if not isinstance(request, ToSubject) and request.shown is not None:
                gates.add(request.instrument)  # it looked at a picture before the strategy chose

        output = yield from follow(self.start(self.item), note, self.picture)
        calls = self._calls(output) if output.ok else []
        answers = (yield tuple(request for _, _, request in calls)) if calls else ()
        observations: dict[str, dict[str, str]] = {}
        for (instrument, call, _), record in zip(calls, answers, strict=True):
            observations.setdefault(instrument, {})[call] = record.key
        return CellRow(
            self.item.id, self.subject, self.strategy, self.seed,
            output.key, tuple(trail), tuple(sorted(gates)), observations,
        )  # fmt: skip

    def _calls(self, output: Output) -> list[tuple[str, str, Request]]:
        return [
            (instrument, call, request)
            for instrument in self.instruments
            for call, request in self.observe(self.item, output, instrument).items()
        ]


@dataclass(frozen=True, slots=True)
class Errand:
    """A script that is no cell of a run: building items, annotating, drafting. It asks instruments only.

    Whatever the script returns is the errand's result.
    """

    id: str
    script: Callable[[], Script]
    seed: int = 0

    def asked_of(self, request: Request) -> str:
        """The instrument, by name."""
        assert not isinstance(request, ToSubject), "an errand has no subject: it yields Ask, Detect, Measure, Compare"
        return request.instrument

    def walk(self) -> Walk:
        """The script to its end."""
        return (yield from follow(self.script(), lambda *_: None))


def follow(
    script: Script, note: Callable[[Request, Record], None], picture: str | None = None
) -> Generator[Sequence[Request], Sequence[Record], Any]:
    """Drive a script, which yields a request and gets a record, or a tuple of them and gets a list.

    ``note`` is told of every request and its record; ``picture`` is put into a `Reply` that names none.
    """
    answer: Any = None
    while True:
        try:
            wanted = script.send(answer)
        except StopIteration as stop:
            return stop.value
        requests = wanted if isinstance(wanted, tuple) else (wanted,)
        requests = tuple(_pictured(request, picture) for request in requests)
        records = (yield requests) if requests else ()
        for request, record in zip(requests, records, strict=True):
            note(request, record)
        read = [as_read(record, request) for request, record in zip(requests, records, strict=True)]
        answer = read if isinstance(wanted, tuple) else read[0]


def _pictured(request: Request, picture: str | None) -> Request:
    return replace(request, picture=picture) if isinstance(request, Reply) and request.picture is None else request
