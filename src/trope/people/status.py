"""How a study stands: rater by rater, for the coordinator and for `trope study status`."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from trope.people.answers import Answer, answers_of
from trope.people.desk import Desk


@dataclass(frozen=True)
class Progress:
    """One rater's: pages done of how many, checks, pace, changes of mind, breaks."""

    rater: str
    done: int
    total: int
    checks_passed: int
    checks_seen: int
    seconds: float | None
    changed: int
    withdrawn: int
    breaks: int
    last: str


def progress(desk: Desk) -> list[Progress]:
    """A row a rater."""
    desk.refresh()
    by_rater: dict[str, list[Answer]] = {name: [] for name in desk.raters}
    for answer in answers_of(desk):
        by_rater[answer.rater].append(answer)
    breaks = [rater for rater, what, _, _ in desk.book.events() if what == "break"]
    return [_row(desk, name, answers, breaks.count(name)) for name, answers in by_rater.items()]


def careless(desk: Desk, answers: list[Answer]) -> dict[str, tuple[int, int]]:
    """Attention checks by rater: passed, seen."""
    found: dict[str, tuple[int, int]] = {}
    for answer in answers:
        if answer.is_check and answer.raw is not None:
            rater = desk.raters[answer.rater]
            passed, seen = found.get(answer.rater, (0, 0))
            right = answer.raw == f"check: {desk.check_answer(rater, answer.page.id)}"
            found[answer.rater] = (passed + right, seen + 1)
    return found


def _row(desk: Desk, name: str, answers: list[Answer], breaks: int) -> Progress:
    rater = desk.raters[name]
    passed, seen = careless(desk, answers).get(name, (0, 0))
    times = {a.page.id: a.seconds for a in answers if a.raw is not None and a.seconds is not None}
    return Progress(
        name, len(rater.done), len(rater.queue), passed, seen,
        median(times.values()) if times else None,
        sum(a.changes for a in answers), sum(a.withdrawn for a in answers), breaks,
        max((a.at for a in answers), default=""),
    )  # fmt: skip
