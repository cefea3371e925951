"""Label Studio: the same tasks as a project (a configuration, tasks, pictures), and its results back in.

Forms with the same fields go into one project. Stems and options are data of the task, so that each may have its
own; the alias of an option is what our replies say. A field that an annotator leaves alone
stands as it was. See https://labelstud.io/tags/choices (dynamic choices).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from trope.errors import ItemError
from trope.people.desk import Desk
from trope.people.interchange.incoming import Incoming
from trope.people.pages import label
from trope.people.texts import texts
from trope.people.units import Task
from trope.protocols.forms import Field, Form, Option
from trope.store.files import write_durably

LARGEST = 256 * 1024 * 1024


def export_project(desk: Desk, folder: Path, lang: str) -> list[Path]:
    """Write a project for each set of fields: ``config.xml``, ``tasks.json``, ``images/``; returns their folders.

    Pictures are named by their hashes; tasks refer to them as Label Studio's local files do
    (``/data/local-files/?d=images/...``). A task says nothing of the model or strategy behind it.
    """
    groups: dict[tuple[str, tuple[Any, ...]], list[tuple[Task, Form]]] = {}
    for page in desk.frame.pages().values():
        for task in page.tasks:
            form = task.form(lang)
            shape = (*((f.name, f.kind) for f in form.fields), tuple(sorted(form.shows)))
            groups.setdefault((task.call, shape), []).append((task, form))
    if folder.exists() and any(folder.iterdir()):
        raise ItemError(f"{str(folder)!r} is not empty. Expected: a new folder")
    made = []
    calls = [call for call, _ in groups]
    for number, ((call, _), members) in enumerate(groups.items(), 1):
        project = folder / (call if calls.count(call) == 1 else f"{call}-{number}")
        write_durably(project / "config.xml", config(members[0][1]).encode("utf-8"), sync=False)
        tasks = [_task(desk, task, form, lang) for task, form in members]
        write_durably(project / "tasks.json", _json(tasks), sync=False)
        for sha in {t.picture for t, f in members if t.picture and "picture" in f.shows}:
            source = desk.store.picture(sha)
            (project / "images").mkdir(exist_ok=True)
            shutil.copyfile(source, project / "images" / source.name)
        made.append(project)
    return made


def config(form: Form) -> str:
    """The labeling configuration of a form."""
    lines = ["<View>", '  <Header value="$about"/>', '  <Text name="text" value="$text"/>']
    if "picture" in form.shows:
        lines.append('  <Image name="image" value="$image" zoom="true"/>')
    for number, field in enumerate(form.fields):
        lines += [f'  <Header value="$stem_{number}" size="5"/>', f"  {_control(field, number)}"]
    return "\n".join([*lines, "</View>", ""])


def read_results(path: Path, raters: Mapping[str, str]) -> list[Incoming]:
    """Answers of a JSON export of Label Studio.

    Parameters
    ----------
    raters : who an annotator is: their e-mail address, or the number Label Studio gives them, to a rater.

    Raises
    ------
    ItemError : no such JSON; an annotator nobody is named for; a control of another kind.
    """
    if path.stat().st_size > LARGEST:
        raise ItemError(f"{path.name}: more than {LARGEST:,} bytes")
    try:
        tasks = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ItemError(f"{path.name}: no JSON ({error})") from None
    if not isinstance(tasks, list):
        raise ItemError(f"{path.name}: expected a list of tasks, as Label Studio's JSON export is")
    found = []
    for number, task in enumerate(tasks, 1):
        where = f"{path.name} task {number}"
        try:
            identity, annotations = str(task["data"]["trope_task"]), task["annotations"]
            for annotation in annotations:
                if annotation.get("was_cancelled"):
                    continue
                rater = _annotator(annotation, raters, where)
                stand = dict(task["data"].get("trope_fields", {}))  # what is not touched is not in the results
                filled = stand | dict(_result(r, task["data"]) for r in annotation["result"])
                lead = annotation.get("lead_time")
                seconds = float(lead) if isinstance(lead, int | float) else None
                found.append(Incoming(where, rater, identity, filled, seconds))
        except ItemError:
            raise
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            raise ItemError(f"{where}: not as Label Studio exports it ({type(error).__name__}: {error})") from None
    return found


def _task(desk: Desk, task: Task, form: Form, lang: str) -> dict[str, Any]:
    facts = [f"{name}: {text}" for name, text in form.facts]
    data: dict[str, Any] = {
        "trope_task": task.id,
        "trope_fields": {field.name: field.value for field in form.fields},
        "about": "\n".join([form.intro, *facts, *_proposed(form, lang)]).strip() or task.call,
        "text": task.item.text if "text" in form.shows else " ",
    }
    if task.picture and "picture" in form.shows:
        data["image"] = f"/data/local-files/?d=images/{desk.store.picture(task.picture).name}"
    for number, field in enumerate(form.fields):
        data[f"stem_{number}"] = field.stem or field.name
        if field.kind == "text":
            data[f"value_{number}"] = field.value
        if field.kind == "letters":
            data[f"options_{number}"] = [{"value": _told(o, form, lang), "alias": o.value} for o in field.options]
    return {"data": data}


def _told(option: Option, form: Form, lang: str) -> str:
    """The words of an option; its letter too, where it is one, and which proposal it takes."""
    if option.value.startswith("take-") and form.proposals:
        return texts(lang)["take_of"].format(label=label(int(option.value.removeprefix("take-"))))
    return f"{option.value}. {option.text}" if option.text and len(option.value) == 1 else option.text or option.value


def _proposed(form: Form, lang: str) -> Iterator[str]:
    """What others propose, where it is not what stands: a line a field."""
    say = texts(lang)
    for place, proposal in enumerate(form.proposals):
        yield f"\n{say['proposal_of'].format(label=label(place))}"
        for field in form.fields:
            text = proposal.get(field.name, "")
            if text.strip() != field.value.strip():
                name = next((o.text for o in field.options if o.value == text), text)
                yield f"{field.stem or field.name}: {name or '–'}"


def _control(field: Field, number: int) -> str:
    name = f'name={quoteattr(field.name)} toName="text"'
    required = "" if field.optional else ' required="true"'
    if field.kind == "letters":
        return f'<Choices {name} value="$options_{number}" choice="single-radio"{required}/>'
    if field.kind == "ratings":
        return f'<Rating {name} maxRating="{len(field.options)}"{required}/>'
    if field.kind == "score01":
        return f'<Number {name} min="0" max="1" step="0.01"{required}/>'
    return f'<TextArea {name} rows="3" maxSubmissions="1" editable="true" value="$value_{number}"{required}/>'


def _result(result: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[str, str]:
    name, kind, value = str(result["from_name"]), result["type"], result["value"]
    if kind == "choices":
        (chosen,) = value["choices"]
        number = list(data["trope_fields"]).index(name)
        options = {o["value"]: o["alias"] for o in data[f"options_{number}"]}
        return name, str(options.get(chosen, chosen))
    if kind == "rating":
        return name, str(value["rating"])
    if kind == "number":
        return name, str(value["number"])
    if kind == "textarea":
        text = value["text"]
        return name, "\n".join(map(str, text)) if isinstance(text, list) else str(text)
    raise ValueError(f"a control of type {str(kind)[:40]!r}")


def _annotator(annotation: Mapping[str, Any], raters: Mapping[str, str], where: str) -> str:
    by = annotation["completed_by"]
    names = [str(by.get("email", "")), str(by.get("id", ""))] if isinstance(by, Mapping) else [str(by)]
    for name in names:
        if name in raters:
            return raters[name]
    given = ", ".join(filter(None, names))
    raise ItemError(f"{where}: annotator {given} is nobody's. Expected: --annotator {given.split(', ')[0]}=RATER")


def _json(tasks: list[dict[str, Any]]) -> bytes:
    return (json.dumps(tasks, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
