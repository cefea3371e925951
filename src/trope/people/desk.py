"""The desk of a study: what each rater is shown next, and how an answer becomes an observation.

Every answer is one record in the store, under the key that scoring looks up. A changed answer is a further
record that supersedes the earlier one; a taken-back answer is a record that says so. Nothing is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from trope.errors import TropeError
from trope.judges.person import Person
from trope.people.assignment import CHECK
from trope.people.book import Book
from trope.people.design import StudyFolder
from trope.people.frame import Frame, frame_of
from trope.people.texts import texts
from trope.people.units import Page, Task, check_task
from trope.protocols.forms import Field, Form, Option
from trope.records import Observation
from trope.requests import Unreadable
from trope.store import Entry

WITHDRAWN = "withdrawn by the rater"
_CHUNK = 2000
Outcome = Literal["stored", "same", "conflict"]


class NotAssigned(TropeError):
    """A page that is not this rater's, or is no page at all: the same words for both."""


@dataclass
class Rater:
    """One rater at work.

    Attributes
    ----------
    queue : the pages, in the rater's order.
    done : page to the number of its last answer in the store; newest last.
    """

    id: str
    person: Person
    queue: list[str]
    lang: str
    done: dict[str, int] = field(default_factory=dict)
    keys: dict[str, list[str]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    place: int = 0  # no page before this one is open

    def next(self) -> str | None:
        """The first page without an answer; None when all are answered."""
        while self.place < len(self.queue) and self.queue[self.place] in self.done:
            self.place += 1
        return self.queue[self.place] if self.place < len(self.queue) else None


@dataclass(frozen=True)
class Standing:
    """What the store holds of a page: the raw answer of each task (None: none stands), and how many records."""

    answers: tuple[str | None, ...]
    revision: int
    withdrawn: bool
    last: tuple[str | None, ...]  # the newest answers, even if they were taken back
    seq: int


class Desk:
    """All raters of a study, answering.

    Parameters
    ----------
    study : where it lies; only the units that were drawn are loaded.
    """

    def __init__(self, study: StudyFolder) -> None:
        self.study, self.store = study, study.store
        self.design = study.design()
        self.book = Book(study.book)
        self.frame: Frame = Frame({})
        self._pages: dict[str, Page] = {}
        self.raters: dict[str, Rater] = {}
        self.refresh()

    def close(self) -> None:
        """Let go of the book."""
        self.book.close()

    def refresh(self) -> None:
        """Look at the book again: raters, units and pages that came since."""
        drawn = frozenset(self.book.drawn())
        if drawn - self.frame.units.keys():
            self.frame = frame_of(self.study, self.design, drawn)
            self._pages = self.frame.pages()
        for name in self.book.raters():
            queue = self.book.assigned(name)
            known = self.raters.get(name)
            if known is None or known.queue != queue:
                self._take_in(name, queue)

    def rater(self, name: str) -> Rater:
        """A rater by name; raises `NotAssigned`."""
        if name not in self.raters:
            self.refresh()
        if name not in self.raters:
            raise NotAssigned("no such rater")
        return self.raters[name]

    def page(self, rater: Rater, page: str) -> Page:
        """A page of this rater; raises `NotAssigned` for anybody else's."""
        if page not in rater.keys:
            raise NotAssigned("no such page for this rater")
        return self._check_page(rater, page) if page.startswith(CHECK) else self._pages[page]

    def order(self, rater: Rater, page: Page) -> list[int]:
        """The order in which this rater sees the tasks of a page (and the proposals of a task)."""
        return self._order(rater, page.id, len(page.tasks))

    def proposal_order(self, rater: Rater, page: Page, count: int) -> list[int]:
        """The order in which this rater sees the proposals of a page's task."""
        return self._order(rater, f"{page.id} proposals", count)

    def form(self, rater: Rater, task: Task, lang: str) -> Form:
        """The form of a task."""
        return task.form(lang)

    def standing(self, rater: Rater, page: str) -> Standing:
        """What is stored of a page."""
        keys = rater.keys[page]
        marks = ",".join("?" * len(keys))
        sql = f"SELECT key, status, raw, seq FROM records WHERE key IN ({marks}) ORDER BY seq"
        stands: dict[str, tuple[str, str | None]] = {}
        last: dict[str, str] = {}
        rows = self.store.database.query(sql, keys)
        for key, status, raw, _ in rows:
            if status != "failed" or key not in stands:
                stands[key] = (status, raw)
            if status == "ok" and raw is not None:
                last[key] = raw
        said = [stands.get(key, ("", None)) for key in keys]
        answers = tuple(raw if status == "ok" else None for status, raw in said)
        withdrawn = any(status == "not_applicable" for status, _ in said)
        seq = max((int(row[3]) for row in rows), default=0)
        return Standing(answers, len(rows), withdrawn, tuple(last.get(key) for key in keys), seq)

    async def answer(
        self, rater: Rater, page: Page, replies: Sequence[str], revision: int, provenance: Mapping[str, Any]
    ) -> Outcome:
        """Store the answers of a page that do not stand already, in one transaction.

        Parameters
        ----------
        replies : the raw reply of each task, as its own reader accepts it.
        revision : how many records the page had when its form was made.

        Returns
        -------
        ``stored``; ``same`` if exactly this stands already (a second click, a request sent again); ``conflict``
        if something else was stored since the form was made: nothing is then written.

        Raises
        ------
        Unreadable : a reply that its reader does not accept.
        """
        for task, raw in zip(page.tasks, replies, strict=True):
            task.request.prompt.read(raw)
        async with rater.lock:
            stands = self.standing(rater, page.id)
            if stands.answers == tuple(replies):
                self._note(rater, page.id, stands)
                return "same"
            if stands.revision != revision:
                return "conflict"
            entries = [
                self._entry(rater, page, n, Observation(key, rater.person.name, "ok", raw=raw), provenance)
                for n, (key, raw) in enumerate(zip(rater.keys[page.id], replies, strict=True))
                if stands.answers[n] != raw
            ]
            await self.store.add(entries)
            self._note(rater, page.id, self.standing(rater, page.id))
            return "stored"

    async def withdraw(self, rater: Rater, page: Page, revision: int, provenance: Mapping[str, Any]) -> bool:
        """Take a page's answer back; False if it is no longer what it was."""
        async with rater.lock:
            stands = self.standing(rater, page.id)
            if stands.revision != revision or None in stands.answers:
                return False
            gone = [
                Observation(key, rater.person.name, "not_applicable", reason=WITHDRAWN) for key in rater.keys[page.id]
            ]
            await self.store.add([self._entry(rater, page, n, record, provenance) for n, record in enumerate(gone)])
            rater.done.pop(page.id, None)
            rater.place = 0
            return True

    def look(self, rater: Rater, page: str) -> Standing:
        """What is stored of a page, and note it: another process may have stored it."""
        stands = self.standing(rater, page)
        if None not in stands.answers and page not in rater.done:
            self._note(rater, page, stands)
        return stands

    # --- inside ---

    def _note(self, rater: Rater, page: str, stands: Standing) -> None:
        rater.done.pop(page, None)
        rater.done[page] = stands.seq

    def _entry(self, rater: Rater, page: Page, n: int, record: Observation, provenance: Mapping[str, Any]) -> Entry:
        task = page.tasks[n]
        request = [*task.request.material(), {"seed": 0, "item": task.item.id}]
        kept = {"study": self.design.name, "rater": rater.id, "page": page.id, "task": task.id, **provenance}
        return Entry(record, request, rater.person.known_identity, kept)

    def _take_in(self, name: str, queue: list[str]) -> None:
        known = self.raters.get(name)
        rater = known or Rater(name, self.design.person(name), queue, self.book.lang(name) or self.design.lang)
        rater.queue = queue
        rater.keys = {page: self._keys(rater, page) for page in queue}
        self.raters[name] = rater
        wanted = [key for keys in rater.keys.values() for key in keys]
        newest: dict[str, tuple[str, int]] = {}
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            sql = f"SELECT key, status, seq FROM records WHERE key IN ({','.join('?' * len(chunk))}) ORDER BY seq"
            newest |= {k: (status, int(seq)) for k, status, seq in self.store.database.query(sql, chunk)}
        done = {
            page: max(newest[key][1] for key in keys)
            for page, keys in rater.keys.items()
            if all(newest.get(key, ("", 0))[0] == "ok" for key in keys)
        }
        rater.done = dict(sorted(done.items(), key=lambda pair: pair[1]))
        rater.place = 0

    def _keys(self, rater: Rater, page: str) -> list[str]:
        tasks = (self._check_page(rater, page) if page.startswith(CHECK) else self._pages[page]).tasks
        return [rater.person.key(task.request, 0, task.item.id) for task in tasks]

    def _order(self, rater: Rater, place: str, count: int) -> list[int]:
        rng = np.random.default_rng(self.design.seed_of("labels", rater.id, place))
        return [int(n) for n in rng.permutation(count)]

    def _check_page(self, rater: Rater, page: str) -> Page:
        number = int(page.removeprefix(CHECK))
        options = ("A", "B", "C", "D")
        wanted = options[self.design.seed_of("check", rater.id, page) % len(options)]
        request = check_task(f"{number} of study {self.design.name}", options, wanted)
        task = Task(page, CHECK, _NO_ITEM, request, _checking(options, wanted))
        return Page(page, page, CHECK, (task,))

    def check_answer(self, rater: Rater, page: str) -> str:
        """What a careful rater answers on an attention check."""
        return ("A", "B", "C", "D")[self.design.seed_of("check", rater.id, page) % 4]


def _checking(options: Sequence[str], wanted: str) -> Callable[[str], Form]:
    def form(lang: str) -> Form:
        stem = texts(lang)["check"].format(answer=wanted)
        field_ = Field("check", "letters", stem, tuple(Option(o, o) for o in options), nominal=True)
        return Form((field_,), lang, shows=frozenset())

    return form


def reply_of(form: Form, filled: Mapping[str, str]) -> str:
    """The raw reply of a filled form; raises `Unreadable` with what is missing first."""
    missing = [f.name for f in form.fields if not f.optional and not filled.get(f.name, "").strip()]
    if missing:
        raise Unreadable("missing: " + ", ".join(missing))
    return form.reply(filled)


def _no_item() -> Any:
    from trope.nouns import Item

    return Item(id="check", lang="en", text="attention check")


_NO_ITEM = _no_item()
