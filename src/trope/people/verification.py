"""Verification: a person reads an item beside the proposals of others, and accepts, edits or rejects it.

The reply is one JSON object with ``decision`` (``accept``, ``take-0`` the first proposal and so on, ``edit``,
``reject``), ``edits`` (path to value, for ``edit``) and ``reason``. What stands of an image-text pair has m3r's labels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, get_args

from pydantic import ValidationError

from trope.nouns import Form as FigureForm
from trope.nouns import Item, Mechanism, Structure
from trope.people.pairs import NAMES, PATHS, as_asked, fault, is_concept, is_pair, named, said_of, tidy
from trope.people.texts import texts
from trope.protocols.forms import Field, Form, Option
from trope.requests import Prompt, Unreadable
from trope.wire import read_json

_ENUMS: dict[str, tuple[str, ...]] = {
    "form": get_args(FigureForm), "mechanism": get_args(Mechanism), "structure": get_args(Structure),
}  # fmt: skip
_FIGURE = ("tenor", "vehicle", "vehicle_class", "ground", "form", "mechanism", "structure")
_ASKED = """\
Check one item of a set of figurative language. Accept it as it stands, take one of the proposals, change fields, or
reject them all.

Item: {item}
Proposals: {proposals}

Reply with one JSON object with the keys decision (accept, take-0, take-1, ..., edit or reject), edits (an object from
field to new text, for edit) and reason (a text, empty if there is none).
"""


def verification_prompt(item: Item, proposals: Sequence[Item]) -> Prompt:
    """What is asked about an item; its reader gives the decision and the item that follows from it."""
    asked = _ASKED.format(item=_compact(item), proposals=json.dumps([_plain(p) for p in proposals], ensure_ascii=False))
    return Prompt(asked, partial(read_decision, *as_asked(item, proposals)), max_tokens=4096)


def verification_form(item: Item, proposals: Sequence[Item], lang: str) -> Form:
    """All fields of the item, the decision, and the proposals field by field."""
    say = texts(lang)
    item, proposals = as_asked(item, proposals)
    pair = is_pair(item)
    options = [] if pair and fault(leaves(item)) else [Option("accept", say["accept"])]
    options += [Option(f"take-{n}", say["take"]) for n in range(len(proposals))]
    options += [Option("edit", say["edit"]), Option("reject", say["reject_all"])]
    fields = [
        Field(
            path, *_kind(path, say, pair), value=value, optional=True, look=_look(path), beside=True,
            nominal=path in PATHS,
        )
        for path, value in leaves(item).items()
    ]  # fmt: skip
    decision = Field("decision", "letters", say["decision"], tuple(options), nominal=True)
    reason = Field("reason", "text", say["reason"], optional=True, look="long")
    return Form(
        (*fields, decision, reason), lang, say["pair_intro" if pair else "verify_intro"], shows=frozenset({"picture"}),
        proposals=tuple(leaves(p) for p in proposals), write=partial(_write, item, proposals, say),
        parse=partial(_parse, item, proposals),
    )  # fmt: skip


def read_decision(item: Item, proposals: Sequence[Item], raw: str) -> dict[str, Any]:
    """``{"decision", "item", "reason"}``; ``item`` is the item as it then stands, None if rejected.

    Raises
    ------
    Unreadable : no such decision or field, edits that leave no valid item, a pair whose labels do not go together.
    """
    said = read_json(raw, ("decision", "edits", "reason"))
    decision, edits, reason = said["decision"], said["edits"], said["reason"]
    known = ["accept", *(f"take-{n}" for n in range(len(proposals))), "edit", "reject"]
    if decision not in known:
        raise Unreadable(f"decision {str(decision)[:40]!r} is none of {', '.join(known)}")
    if (
        not isinstance(edits, dict)
        or not all(isinstance(v, str) for v in edits.values())
        or not isinstance(reason, str)
    ):
        raise Unreadable("edits: expected an object of texts, and a reason that is a text")
    if edits and decision != "edit":
        raise Unreadable(f"edits belong to the decision 'edit', not to {decision!r}")
    if why := _fault(item, proposals, decision, edits):
        raise Unreadable(texts("en")[why])
    result: Item | None = item
    if decision == "reject":
        result = None
    elif decision.startswith("take-"):
        result = proposals[int(decision.removeprefix("take-"))]
    elif decision == "edit":
        result = edited(item, edits)
    if result is not None and is_pair(result):
        result = edited(result, {})
    return {"decision": decision, "item": None if result is None else _plain(result), "reason": reason}


def leaves(item: Item) -> dict[str, str]:
    """What of an item a person can edit, path to text; None is an empty text.

    Of a pair: its labels, target and source and explanations, and of the rest only what is there.
    """
    pair = is_pair(item)
    told = said_of(item) if pair else {}
    found = {"text": item.text} | {path: text for path, text in told.items() if path == "labels.metaphor"}
    for n, figure in enumerate(item.figures):
        every = {f"figures.{n}.{name}": getattr(figure, name) or "" for name in _FIGURE}
        found |= {path: text for path, text in every.items() if text or not pair or is_concept(path)}
        for m, mapping in enumerate(figure.mappings):
            found |= {f"figures.{n}.mappings.{m}.{name}": getattr(mapping, name) for name in ("vehicle", "tenor")}
    if pair and not item.figures:
        found |= {f"figures.0.{name}": "" for name in NAMES}
    found |= told
    found |= {f"prompts.{name}": text for name, text in item.prompts.items()}
    for n, question in enumerate(item.questions):
        found[f"questions.{n}.stem"] = question.stem
        found |= {f"questions.{n}.options.{m}": text for m, text in enumerate(question.options)}
        found[f"questions.{n}.answer"] = "" if question.answer is None else str(question.answer)
    more = {name: getattr(item, name) or "" for name in ("gloss", "context")}
    return found | {name: text for name, text in more.items() if text or not pair}


def edited(item: Item, edits: Mapping[str, str]) -> Item:
    """The item with some of its leaves replaced. Spans that no longer stand where they said are found again or dropped.

    Raises
    ------
    Unreadable : a path the item does not have, or a value it cannot take.
    """
    known = leaves(item)
    table: Any = item.model_dump(mode="json")
    pair = is_pair(item)
    if pair and not item.figures:
        table["figures"] = [{}]
    for path, text in edits.items():
        if path not in known:
            raise Unreadable(f"{path[:60]!r} is no field of item {item.id!r}")
        *way, last = path.split(".")
        place = table
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place[step]
        value: Any = named(text) if pair and is_concept(path) else text.strip() or None
        if last == "answer" and value is not None:
            value = int(value) if value.isascii() and value.isdigit() else value
        place[int(last) if isinstance(place, list) else last] = value
    _respan(table, item)
    if pair:
        tidy(table)
    try:
        return Item.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Unreadable(f"{'.'.join(map(str, first['loc']))}: {str(first['msg']).lower()}") from None


def _respan(table: Any, item: Item) -> None:
    text = table["text"] or ""
    for figure, before in zip(table["figures"], item.figures, strict=False):
        for role in ("tenor", "vehicle", "marker"):
            span = getattr(before.spans, role)
            if span is None:
                continue
            words = item.text[span[0] : span[1]]
            if role != "marker" and figure[role] != getattr(before, role):
                words = figure[role] or ""
            if text[span[0] : span[1]] != words or not words:
                once = bool(words) and text.count(words) == 1
                start = text.index(words) if once else 0
                figure["spans"][role] = [start, start + len(words)] if once else None


def _kind(path: str, say: Mapping[str, str], pair: bool) -> tuple[Any, str, tuple[Option, ...]]:
    last = path.rpartition(".")[2]
    title = _title(path, say, pair)
    if path in PATHS:
        return "letters", title, (Option("", "–"), *(Option(v, say[f"pair_{v}"]) for v in PATHS[path]))
    if last in _ENUMS and path.startswith("figures."):
        return "letters", title, (Option("", "–"), *(Option(v, say[f"item_{v}"]) for v in _ENUMS[last]))
    return "text", title, ()


def _title(path: str, say: Mapping[str, str], pair: bool) -> str:
    """What a leaf is called, e.g. ``mapping 2: vehicle``."""
    steps = path.split(".")
    if pair and (is_concept(path) or steps[0] in ("labels", "references")):
        number = f" ({int(steps[1]) + 1})" if steps[0] == "figures" and steps[1] != "0" else ""
        return say[f"pair_{NAMES.get(steps[-1], steps[-1])}"] + number
    if steps[0] == "figures":
        steps = steps[2:] if steps[1] == "0" else [*steps[2:], f"({int(steps[1]) + 1})"]
    if steps[0] == "mappings":
        number = say["item_mappings"].format(n=int(steps[1]) + 1)
        return f"{number}: {say[f'item_{steps[2]}']}"
    if steps[0] == "questions":
        stem = say["item_stem"].format(n=int(steps[1]) + 1)
        if steps[2] == "options":
            return f"{stem}, {say['item_options'].format(n=int(steps[3]) + 1)}"
        return stem if steps[2] == "stem" else f"{stem}: {say['item_answer']}"
    if steps[0] == "prompts":
        return f"{say['item_prompts']}: {'.'.join(steps[1:])}"
    return " ".join([say[f"item_{steps[0]}"], *steps[1:]])


def _look(path: str) -> Any:
    last = path.rpartition(".")[2]
    if path in PATHS or (last in _ENUMS and path.startswith("figures.")):
        return "select"
    is_long = last in ("text", "ground", "context", "gloss") or path.startswith(("prompts.", "references."))
    return "long" if is_long else ""


def _write(item: Item, proposals: Sequence[Item], say: Mapping[str, str], answers: Mapping[str, str]) -> str:
    known, decision = leaves(item), answers["decision"]
    edits = {p: answers[p] for p in known if p in answers and answers[p].strip() != known[p].strip()}
    taken = leaves(proposals[int(decision.removeprefix("take-"))]) if decision.startswith("take-") else {}
    strange = [p for p, text in edits.items() if text.strip() != taken.get(p, "").strip()]
    if decision in ("edit", "reject"):
        strange = []
    if strange:
        raise Unreadable(say["unsaved"].format(field=_title(strange[0], say, is_pair(item))))
    edits = edits if decision == "edit" else {}
    if why := _fault(item, proposals, decision, edits):
        raise Unreadable(say[why])
    said = {"decision": decision, "edits": edits, "reason": answers.get("reason", "")}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _parse(item: Item, proposals: Sequence[Item], raw: str) -> dict[str, str]:
    """What was filled in; of a pair every field as it then stands, so that agreement on labels can be counted."""
    said = json.loads(raw)
    decision, edits = said["decision"], said["edits"]
    stands = _stands(item, proposals, decision, edits) if is_pair(item) and decision != "reject" else edits
    return {**stands, "decision": decision, "reason": said["reason"]}


def _fault(item: Item, proposals: Sequence[Item], decision: str, edits: Mapping[str, str]) -> str | None:
    """Why what a decision leaves of a pair cannot stand, as a key of `texts`."""
    return fault(_stands(item, proposals, decision, edits)) if is_pair(item) and decision != "reject" else None


def _stands(item: Item, proposals: Sequence[Item], decision: str, edits: Mapping[str, str]) -> dict[str, str]:
    taken = proposals[int(decision.removeprefix("take-"))] if decision.startswith("take-") else item
    return leaves(taken) | dict(edits)


def _plain(item: Item) -> dict[str, Any]:
    return item.model_dump(mode="json", exclude_defaults=True)


def _compact(item: Item) -> str:
    return json.dumps(_plain(item), ensure_ascii=False, sort_keys=True)
