"""What a person accepts: drafted questions, edited or not, that the rules have nothing against."""

from __future__ import annotations

from collections.abc import Sequence

from trope.build.draft.drafting import DRAFT, DRAFTED_BY, fingerprint
from trope.errors import ItemError, UsageError
from trope.items import Problem, check_items
from trope.items.rules.base import WHOLE_SET
from trope.nouns import Item

EDITED = "edited"


def accept(items: Sequence[Item], by: str) -> list[Item]:
    """Mark items as verified by a person.

    The label `draft` becomes `edited`, which says whether the questions still are the model's, word for word.

    Parameters
    ----------
    by : who read every question; stands in `verified_by`.

    Raises
    ------
    ItemError : the rules find something in an item; every fault is listed, and nothing is accepted.
    UsageError : an empty name.
    """
    if not by.strip():
        raise UsageError("accepting needs a name: who read the questions?")
    problems = [problem for problem in check_items(items, "questions") if problem.item != WHOLE_SET]
    if problems:
        listed = "\n  ".join(str(problem) for problem in problems[:20])
        more = f"\n  and {len(problems) - 20} more" if len(problems) > 20 else ""
        raise ItemError(f"{len(problems)} faults; nothing is accepted. Edit the file, then accept it\n  {listed}{more}")
    return [_accepted(item, by.strip()) for item in items]


def of_the_set(items: Sequence[Item]) -> list[Problem]:
    """What the rules find in the set as a whole, which no single item can be blamed for: to be told, not refused."""
    return [problem for problem in check_items(items, "questions") if problem.item == WHOLE_SET]


def _accepted(item: Item, by: str) -> Item:
    labels = dict(item.labels)
    if DRAFTED_BY in labels and DRAFT in labels:
        labels[EDITED] = "no" if labels.pop(DRAFT) == fingerprint(item) else "yes"
    verified = item.verified_by if by in item.verified_by else (*item.verified_by, by)
    return item.model_copy(update={"labels": labels, "verified_by": verified})
