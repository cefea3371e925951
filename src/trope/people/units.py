"""What a study asks: units, their pages, and the requests behind them.

A unit is what is drawn: one output, or one item where its outputs stand together or no output is asked about.
A page is what a rater fills in at once: one call of a unit. A task is one request: one answer in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trope.nouns import Item
from trope.protocols.forms import Form
from trope.requests import Ask, Prompt, Unreadable

VERIFY = "verify"
SOMEBODY = "person:somebody"  # requests are the same whoever is asked
Place = tuple[str, str, int]  # subject, strategy, seed


@dataclass(frozen=True)
class Task:
    """One request, and the cells it belongs to; the same question about the same picture is asked once."""

    id: str
    call: str
    item: Item
    request: Ask
    form: Callable[[str], Form]
    places: list[Place] = field(default_factory=list)

    @property
    def picture(self) -> str | None:
        """SHA-256 of the picture that is shown, or None."""
        return self.request.shown


@dataclass(frozen=True)
class Page:
    """What a rater fills in at once."""

    id: str
    unit: str
    call: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Unit:
    """What is drawn."""

    id: str
    stratum: str
    pages: tuple[Page, ...]


def check_task(which: str, options: Sequence[str], answer: str) -> Ask:
    """An attention check as a request; ``which`` names the study too, since a check of another one tells nothing."""

    def read(raw: str) -> dict[str, str]:
        name, _, said = raw.partition(":")
        if name.strip() != "check" or said.strip() not in options:
            raise Unreadable("expected check: and one of the options")
        return {"check": said.strip()}

    asked = f"Attention check {which}. Options: {', '.join(options)}. Choose {answer}. Reply: check: <option>"
    return Ask(None, SOMEBODY, Prompt(asked, read, max_tokens=16))
