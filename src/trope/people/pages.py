"""What a template needs to draw a page: plain dictionaries, made from a page, its forms and what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trope.people.desk import Desk, Rater, Standing
from trope.people.texts import LANGS, direction, texts
from trope.people.units import Page
from trope.protocols.forms import Field, Form, Option
from trope.protocols.tables import plain
from trope.records import digest

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TEMPLATES = Path(__file__).parent / "templates"


class Shown:
    """Renders templates; one a server."""

    def __init__(self) -> None:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        self._environment = made = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            auto_reload=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.filters["plain"] = plain

    def render(self, template: str, lang: str, **context: Any) -> str:
        """A page in a language."""
        found = self._environment.get_template(template)
        return found.render(
            say=texts(lang), lang=lang, dir=direction(lang), langs=LANGS, direction=direction, **context
        )


def label(place: int) -> str:
    """A, B, C, ... Z, AA: the blind name of what stands at a place."""
    return _LETTERS[place] if place < 26 else _LETTERS[place // 26 - 1] + _LETTERS[place % 26]


def blocks(
    desk: Desk, rater: Rater, page: Page, lang: str, stands: Standing, filled: Mapping[str, str] | None
) -> list[dict[str, Any]]:
    """The tasks of a page in this rater's order, each with its fields filled in as far as known.

    ``filled`` is what was just sent, by the names the fields have in the page; else what is stored, or was.
    """
    made = []
    order = desk.order(rater, page)
    whose = digest([rater.id])[:8]  # the same place shows another picture to another rater: no cache may mix them up
    for place, n in enumerate(order):
        task = page.tasks[n]
        form = desk.form(rater, task, lang)
        raw = stands.answers[n] or stands.last[n]
        known: Mapping[str, str] = form.answers(raw) if raw is not None else {}
        many = len(order) > 1
        fields = [_field(place, field, known, filled) for field in form.fields if not field.beside]
        for field in fields:
            field["options"] = _takes(desk, rater, page, form, field["options"], texts(lang))
        made.append({
            "place": place,
            "label": label(place) if many else "",
            "picture": f"/picture/{page.id}/{place}?of={whose}" if task.picture and "picture" in form.shows else None,
            "fields": fields,
            "rows": _rows(desk, rater, page, place, form, known, filled),
            "said": _said(desk, rater, page, form),
            "lang": form.lang,
            "intro": form.intro,
            "facts": form.facts,
        })  # fmt: skip
    for place, block in enumerate(made):
        block["same_intro"] = place > 0 and block["intro"] == made[0]["intro"]
    return made


def proposals(desk: Desk, rater: Rater, page: Page, form: Form) -> list[tuple[int, str]]:
    """Number and blind label of each proposal, in this rater's order."""
    order = desk.proposal_order(rater, page, len(form.proposals))
    return [(n, label(place)) for place, n in enumerate(order)]


def name_of(place: int, field: str) -> str:
    """What a field is called in the page."""
    return f"{place}.{field}"


def take_apart(sent: Mapping[str, str], page: Page, order: list[int], desk: Desk, rater: Rater, lang: str) -> Any:
    """What was sent, by task of the page: a list of forms and of their answers, in the order of the tasks."""
    forms = {n: desk.form(rater, page.tasks[n], lang) for n in order}
    answers: dict[int, dict[str, str]] = {
        n: {f.name: sent.get(name_of(place, f.name), "") for f in forms[n].fields} for place, n in enumerate(order)
    }
    return [(forms[n], answers[n]) for n in range(len(page.tasks))]


def _field(place: int, field: Field, known: Mapping[str, str], filled: Mapping[str, str] | None) -> dict[str, Any]:
    name = name_of(place, field.name)
    value = filled.get(name, "") if filled is not None else known.get(field.name, field.value)
    return {
        "name": name, "id": name.replace(".", "-"), "path": field.name, "kind": field.kind, "stem": field.stem,
        "options": field.options, "value": value, "hint": field.hint, "optional": field.optional, "look": field.look,
        "scale": field.kind == "ratings" and not any(o.text for o in field.options[1:-1]),
    }  # fmt: skip


def _rows(
    desk: Desk, rater: Rater, page: Page, place: int, form: Form, known: Mapping[str, str],
    filled: Mapping[str, str] | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Fields with the proposals beside them."""
    shown = proposals(desk, rater, page, form)
    stands = any(option.value == "accept" for field in form.fields for option in field.options)
    rows = []
    for field in form.fields:
        if not field.beside:
            continue
        row = _field(place, field, known, filled)
        row["proposals"] = [(n, tag, form.proposals[n].get(field.name, "")) for n, tag in shown]
        row["names"] = {o.value: o.text for o in field.options}
        said = [text for _, _, text in row["proposals"]] + [field.value] * stands  # a blank item says nothing
        row["differs"] = len({text.strip() for text in said}) > 1
        rows.append(row)
    return rows


def _said(desk: Desk, rater: Rater, page: Page, form: Form) -> list[tuple[str, list[tuple[str, str]]]]:
    """What others answered, without names, where fields are no texts to edit: label, then stem and answer a field."""
    if any(field.beside for field in form.fields):
        return []
    return [
        (tag, [(f.stem or f.name, form.proposals[n].get(f.name, "")) for f in form.fields])
        for n, tag in proposals(desk, rater, page, form)
    ]


def _takes(
    desk: Desk, rater: Rater, page: Page, form: Form, options: tuple[Option, ...], say: Mapping[str, str]
) -> list[Option]:
    """Options with those that take a proposal in this rater's order, under its blind label."""
    tags = [(f"take-{n}", tag) for n, tag in proposals(desk, rater, page, form)]
    taking = [Option(value, say["take_of"].format(label=tag)) for value, tag in tags]
    places = [n for n, option in enumerate(options) if option.value.startswith("take-")]
    if not places:
        return list(options)
    return [*options[: places[0]], *taking, *options[places[-1] + 1 :]]
