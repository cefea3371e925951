"""Which items the protocol can ask about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trope.errors import ItemError
from trope.nouns import Item, Question
from trope.protocols.base import InstrumentKind
from trope.protocols.vista.questions import AXES, CONTROL, FIGURE, asked


def is_figurative(item: Item) -> bool:
    """Whether a vehicle of it is to be kept out of the picture; every other item is a literal control."""
    return any(figure.presence.vehicle == "characterizes" for figure in item.figures)


def check_items(items: Sequence[Item], kinds: Collection[InstrumentKind]) -> None:
    """Raise `ItemError` if an instrument would have nothing, or nothing sound, to ask.

    Items without a figure whose vehicle is to stay unseen are literal controls: they may lack questions.
    """
    if "judge" in kinds:
        wrong = [(item.id, why) for item in items if (why := _fault(item))]
        if wrong:
            more = f" ({len(wrong)} items in all)" if len(wrong) > 1 else ""
            raise ItemError(
                f"item {wrong[0][0]!r}: {wrong[0][1]}{more}. `trope items draft` writes questions for a person to edit"
            )
        if not any(asked(item, FIGURE) for item in items):
            raise ItemError("no item has the questions Q1 to Q4: a judge would have nothing to answer")
    elif "detector" in kinds and not any(item.figure and item.figure.vehicle_class for item in items):
        raise ItemError(
            "no item has figures[0].vehicle_class: a detector cannot look for their vehicles. Add the classes, or use"
            " a judge"
        )


def _fault(item: Item) -> str | None:
    ids = [question.id for question in item.questions]
    twice = next((name for n, name in enumerate(ids) if name in ids[:n]), None)
    if twice:
        return f"two questions are called {twice!r}"
    if is_figurative(item) and not asked(item, FIGURE):
        lacking = [name for name in FIGURE if name not in ids]
        return f"has no question {', '.join(lacking)}; vista asks Q1 (tenor), Q2 (vehicle), Q3 (scene), Q4 (meaning)"
    for question in asked(item, FIGURE):
        if (why := _ranked(question)) is not None:
            return why
    for question in asked(item, CONTROL):
        if len(question.options) != 4 or question.answer is None or not question.answer < 4:
            return f"{question.id}: a control question has four options and one answer"
    return None


def _ranked(question: Question) -> str | None:
    if question.axis != AXES[question.id]:
        return f"{question.id} is on the axis {question.axis!r}. Expected: {AXES[question.id]!r}"
    if len(question.options) != 4:
        return f"{question.id} has {len(question.options)} options. Expected: four"
    if question.scores is None or sorted(question.scores) != [0, 1, 2, 3]:
        return f"{question.id} has the scores {question.scores}. Expected: 3, 2, 1 and 0, one an option"
    return None
