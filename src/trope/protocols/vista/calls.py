"""The calls an instrument gets, by name. A name says all that decides what is shown: the kind, the order, the shuffle.

::

    published          Q1-Q4, options in the order of the file (best first): as in the paper
    permuted-0         Q1-Q4, options shuffled with 0
    control-0          C1-C5, options shuffled with 0;  control: in the order of the file
    blind-permuted-0   Q1-Q4 as in permuted-0, without the picture
    vehicle            a detector looks for the vehicle's class
    sentence           a similarity compares picture and sentence
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.nouns import Item
from trope.protocols.vista.questions import CONTROL, FIGURE, PERMUTED, PUBLISHED, asked, orders, prompt
from trope.requests import Prompt

VEHICLE, SENTENCE = "vehicle", "sentence"
ORDERS = {PUBLISHED: (PUBLISHED,), PERMUTED: (PERMUTED,), "both": (PUBLISHED, PERMUTED)}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a judge: about the figure or the control, in which order, with or without the picture."""

    control: bool
    order: str
    shuffle: str
    blind: bool = False

    @property
    def name(self) -> str:
        """The name it is stored under."""
        shuffled = f"-{self.shuffle}" if self.order == PERMUTED else ""
        if self.control:
            return f"control{shuffled}"
        return ("blind-" if self.blind else "") + self.order + shuffled

    @property
    def ids(self) -> Sequence[str]:
        """The questions it puts."""
        return CONTROL if self.control else FIGURE

    def prompt(self, item: Item) -> Prompt | None:
        """What is said; None for an item without these questions."""
        questions = asked(item, self.ids)
        if not questions:
            return None
        shown = orders(item, questions, self.order, self.shuffle)
        return prompt(item, questions, shown, "control" if self.control else "figure")


def parse_call(name: str) -> Call:
    """The call of a name; raises `ValueError` for a name that no judge's call has."""
    blind, rest = name.startswith("blind-"), name.removeprefix("blind-")
    kind, dash, shuffle = rest.partition("-")
    if kind == "control" and not blind:
        return Call(True, PERMUTED if dash else PUBLISHED, shuffle)
    if kind == (PERMUTED if dash else PUBLISHED):
        return Call(False, kind, shuffle, blind)
    raise ValueError(f"{name!r} is no call of a judge")


def judge_calls(order: str, shuffle: str, *, control: bool, blind: bool) -> list[Call]:
    """The calls that options of the protocol ask for, in the order they are made."""
    figure = [Call(False, name, shuffle if name == PERMUTED else "") for name in ORDERS[order]]
    made = [*figure, *([Call(False, c.order, c.shuffle, True) for c in figure] if blind else [])]
    if control:
        last = figure[-1]
        made.append(Call(True, last.order, last.shuffle))
    return made
