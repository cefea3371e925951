"""Answers that come from elsewhere: checked as a filled form is, all of them before any is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trope.errors import ItemError
from trope.people.desk import Desk, reply_of
from trope.people.units import Page, Task
from trope.records import Observation
from trope.requests import Unreadable
from trope.store import Entry

MOST_SHOWN = 10


@dataclass(frozen=True)
class Incoming:
    """One answer from a file: ``where`` it stands, whose, of which task, and what its fields say."""

    where: str
    rater: str
    task: str
    filled: Mapping[str, str]
    seconds: float | None = None


def take_in(desk: Desk, answers: Sequence[Incoming], source: str) -> tuple[int, int]:
    """Store answers from a file, in one transaction.

    Parameters
    ----------
    source : noted beside each answer.

    Returns
    -------
    stored, same : how many were new or changed, and how many were stored already, word for word. A row in which no
    required field is filled in is passed over.

    Raises
    ------
    ItemError : a rater or task the study does not have, a task of somebody else, an answer that cannot be read,
        two answers of one rater to one task. Nothing is then stored.
    """
    tasks = {t.id: (page, n) for page in desk.frame.pages().values() for n, t in enumerate(page.tasks)}
    wrong: list[str] = []
    entries: list[Entry] = []
    seen: set[tuple[str, str]] = set()
    same = 0
    for answer in answers:
        if answer.task in tasks and _empty(tasks[answer.task], answer):
            continue
        try:
            entry = _entry(desk, answer, tasks, seen, source)
        except (Unreadable, ItemError) as why:
            wrong.append(f"{answer.where}: {why}")
            continue
        if entry is None:
            same += 1
        else:
            entries.append(entry)
    if wrong:
        more = f"\n  and {len(wrong) - MOST_SHOWN} more" if len(wrong) > MOST_SHOWN else ""
        listed = "\n  ".join(wrong[:MOST_SHOWN])
        raise ItemError(f"{len(wrong)} answers cannot be taken in; nothing was stored\n  {listed}{more}")
    if entries:
        desk.store.database.add(entries).result()
    return len(entries), same


def _empty(place: tuple[Page, int], answer: Incoming) -> bool:
    page, n = place
    required = [f.name for f in page.tasks[n].form("en").fields if not f.optional]
    return not any(answer.filled.get(name, "").strip() for name in required)


def _entry(
    desk: Desk, answer: Incoming, tasks: Mapping[str, tuple[Page, int]], seen: set[tuple[str, str]], source: str
) -> Entry | None:
    if answer.rater not in desk.raters:
        raise ItemError(f"no rater {answer.rater[:64]!r}. Raters: {', '.join(desk.raters)}")
    if answer.task not in tasks:
        raise ItemError(f"no task {answer.task[:64]!r} in study {desk.design.name!r}")
    if (answer.rater, answer.task) in seen:
        raise ItemError(f"rater {answer.rater!r} answers task {answer.task!r} twice")
    seen.add((answer.rater, answer.task))
    rater = desk.raters[answer.rater]
    page, n = tasks[answer.task]
    if page.id not in rater.keys:
        raise ItemError(f"task {answer.task!r} was not given to rater {answer.rater!r}")
    task: Task = page.tasks[n]
    raw = reply_of(task.form("en"), answer.filled)
    task.request.prompt.read(raw)
    key = rater.keys[page.id][n]
    known = desk.store.records([key]).get(key)
    if known is not None and known.ok and known.raw == raw:
        return None
    kept = {
        "study": desk.design.name, "rater": rater.id, "page": page.id, "task": task.id, "source": source,
        "seconds": answer.seconds,
    }  # fmt: skip
    request = [*task.request.material(), {"seed": 0, "item": task.item.id}]
    return Entry(Observation(key, rater.person.name, "ok", raw=raw), request, rater.person.known_identity, kept)
