"""What is put to an adjudicator: tasks that raters did not agree on, with their answers beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from trope.nouns import Item
from trope.people.design import StudyFolder
from trope.people.texts import texts
from trope.people.units import VERIFY, Page, Task, Unit
from trope.people.verification import verification_form, verification_prompt
from trope.protocols.forms import Form
from trope.records import digest
from trope.store.files import write_durably


def write_queue(study: StudyFolder, found: Mapping[str, Sequence[str]]) -> None:
    """Keep the queue of an adjudication beside its design: task to the answers that differ."""
    write_durably(study.folder / "queue.json", json.dumps(found, ensure_ascii=False, indent=1).encode("utf-8"))


def queue_of(study: StudyFolder) -> dict[str, list[str]]:
    """Task to the answers that differ."""
    found: dict[str, list[str]] = json.loads((study.folder / "queue.json").read_text("utf-8"))
    return found


def asked_again(study: StudyFolder, of: Iterable[Unit]) -> dict[str, Unit]:
    """Units for what the queue holds of the units of the study that is adjudicated, by id; each form shows what the
    raters said.
    """
    queue = queue_of(study)
    units = {}
    for unit in of:
        for page in unit.pages:
            for task in page.tasks:
                if task.id in queue:
                    name = digest(["adjudicate", task.id])[:16]
                    seen = _seen(task, queue[task.id])
                    units[name] = Unit(name, unit.stratum, (Page(name, name, page.call, (seen,)),))
    return units


def _seen(task: Task, answers: Sequence[str]) -> Task:
    """The task with the raters' answers beside it; those of a verification are items that can be taken."""
    if task.call != VERIFY:
        return replace(task, form=_forms(task, answers))
    results = [task.request.prompt.read(raw)["item"] for raw in answers]
    items = list(dict.fromkeys(json.dumps(r, sort_keys=True, ensure_ascii=False) for r in results if r is not None))
    proposals = [Item.model_validate_json(text) for text in items]
    request = replace(task.request, prompt=verification_prompt(task.item, proposals))

    def form(lang: str) -> Form:
        return verification_form(task.item, proposals, lang)

    return replace(task, request=request, form=form)


def _forms(task: Task, answers: Sequence[str]) -> Callable[[str], Form]:
    def form(lang: str) -> Form:
        made = task.form(lang)
        said = [_readable(made, made.answers(raw)) for raw in answers]
        intro = f"{texts(lang)['adjudicate_intro']}\n\n{made.intro}"
        return replace(made, intro=intro, proposals=tuple(said))

    return form


def _readable(form: Form, said: Mapping[str, str]) -> dict[str, str]:
    shown = {}
    for field in form.fields:
        answer = said.get(field.name, "")
        option = next((o for o in field.options if o.value == answer), None)
        shown[field.name] = f"{answer}. {option.text}" if option and option.text and option.text != answer else answer
    return shown
