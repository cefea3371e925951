"""The adjudication queue: what the raters of a study did not agree on, put to one more person with their answers.

The adjudicator is an instrument of their own (``person:ID?role=adjudicator``): having seen what others say is part
of what can change an answer.
"""

from __future__ import annotations

import contextlib
import json

from trope.errors import UsageError
from trope.nouns import Item
from trope.people.answers import Answer, answers_of
from trope.people.design import StudyFolder
from trope.people.desk import Desk
from trope.people.queue import write_queue


def disagreements(desk: Desk) -> dict[str, list[str]]:
    """Task to the differing raw answers of its raters; only tasks that two raters or more have answered."""
    said: dict[str, list[Answer]] = {}
    for answer in answers_of(desk):
        if answer.raw is not None and not answer.is_check:
            said.setdefault(answer.task.id, []).append(answer)
    return {
        task: [str(a.raw) for a in answers]
        for task, answers in said.items()
        if len(answers) > 1 and len({_decided(a) for a in answers}) > 1
    }


def freeze(study: StudyFolder, desk: Desk) -> int:
    """Write the queue of an adjudication beside its design; returns how many tasks it has."""
    found = disagreements(desk)
    if not found:
        raise UsageError(f"the raters of {desk.design.name!r} agree on everything that two of them answered")
    write_queue(study, found)
    return len(found)


def _decided(answer: Answer) -> str:
    """What an answer comes to: for a verification the item that follows from it, else the reply."""
    raw = str(answer.raw)
    value = answer.task.request.prompt.read(raw)
    if isinstance(value, dict) and "decision" in value:
        return json.dumps(value["item"], sort_keys=True)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def resulting_items(desk: Desk) -> tuple[list[Item], list[str]]:
    """Items of a verification as its raters leave them, and the ids of those they do not agree on.

    An item stands if all who answered it come to the same, or as its adjudicators decide who all come to the same;
    rejected items are left out. ``verified_by`` names those who decided.
    """
    said = _by_item(desk)
    for name in StudyFolder.names(desk.store):
        study = StudyFolder(desk.store, name)
        if study.design().of == desk.design.name:
            with contextlib.closing(Desk(study)) as above:
                said |= _by_item(above)
    items, open_ = [], []
    for item_id, answers in said.items():
        if len({_decided(a) for a in answers}) > 1:
            open_.append(item_id)
            continue
        table = answers[0].task.request.prompt.read(str(answers[0].raw))["item"]
        if table is not None:
            who = tuple(dict.fromkeys([*table.get("verified_by", ()), *(a.rater for a in answers)]))
            items.append(Item.model_validate({**table, "verified_by": who}))
    return items, open_


def _by_item(desk: Desk) -> dict[str, list[Answer]]:
    """Standing answers by item."""
    said: dict[str, list[Answer]] = {}
    for answer in answers_of(desk):
        if answer.raw is not None and not answer.is_check:
            said.setdefault(answer.task.item.id, []).append(answer)
    return said
