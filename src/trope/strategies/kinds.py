"""Kinds of prompt that items bring along: `conceptual` and `descriptive`, each with the item's style suffix.

``composite`` is for `collage` alone: it says outright which two things are to be put together and how, so that a
picture with a known answer comes out.
"""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

from trope.errors import ItemError, UnknownName, UsageError
from trope.nouns import Item, Structure
from trope.registry import Spec
from trope.requests import Generate
from trope.strategies.options import Context, Strategy, Wordings, full_name, only
from trope.strategies.prompts import worded

KINDS = ("conceptual", "descriptive")
STRUCTURES: tuple[str, ...] = get_args(Structure)


def styled(item: Item, kind: str, text: str, wordings: Wordings) -> str:
    """A prompt in the wording of its kind, with the item's style suffix if it has one."""
    prompt = worded(wordings, kind, item.lang, text)
    style = item.prompts.get("style", "").strip().rstrip(".。")
    if not style:
        return prompt
    return wordings["style"][item.lang].replace("{style}", style).replace("{text}", prompt)


def prompt_of(item: Item, kind: str) -> str:
    """The item's prompt of one kind; the conceptual one is the text where none is given.

    Raises
    ------
    ItemError : there is no descriptive prompt.
    """
    text = item.prompts.get(kind) or (item.text if kind == "conceptual" else "")
    if not text.strip():
        raise ItemError(f"item {item.id!r}: prompts.{kind} is missing; leave the strategy {kind!r} out, or write it")
    return text


def of_kind(item: Item, *, kind: str, wordings: Wordings) -> Any:
    """Ask once, with the item's own prompt of that kind."""
    return (yield Generate(styled(item, kind, prompt_of(item, kind), wordings), variant=kind))


def composite(item: Item, *, structure: str | None) -> Any:
    """Ask for a composite in the words that `collage` takes: ``fusion: book + refrigerator``.

    Classes are named where the item names them, else tenor and vehicle, which `collage` will not know.
    """
    figure = item.figure
    if figure is None or not figure.tenor:
        raise ItemError(f"item {item.id!r}: a composite needs a tenor and a vehicle")
    made = structure or figure.structure
    tenor, vehicle = item.labels.get("target_class", figure.tenor), item.labels.get("source_class", figure.vehicle)
    if made == "replacement":
        there, absent = (vehicle, tenor) if figure.presence.tenor == "implied" else (tenor, vehicle)
        return (yield Generate(f"replacement: {there} instead of {absent}", variant="composite"))
    return (yield Generate(f"{made}: {tenor} + {vehicle}", variant="composite"))


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``conceptual``, ``descriptive``; raises `UsageError` where the protocol has no such wording."""
    only(spec, ())
    name = spec.backend
    missing = [part for part in (name, "style") if part not in context.wordings]
    if missing:
        raise UsageError(f"this protocol has no wording {missing[0]!r}. Its wordings: {', '.join(context.wordings)}")
    return [Strategy(name, partial(of_kind, kind=name, wordings=context.wordings))]


def make_composite(spec: Spec, context: Context) -> list[Strategy]:
    """``composite``, as the item says, or ``composite?structure=fusion``, the same for all."""
    only(spec, ("structure",))
    structure = spec.options.get("structure")
    if structure is not None and structure not in STRUCTURES:
        raise UnknownName("structure", structure, STRUCTURES)
    strangers = [name for name, subject in context.subjects.items() if not hasattr(subject, "composes")]
    if strangers:
        raise UsageError(
            f"strategy 'composite' is for generators that know what they draw (collage), not {strangers[0]!r}"
        )
    name = full_name("composite", {"structure": (structure, None)})
    return [Strategy(name, partial(composite, structure=structure))]
