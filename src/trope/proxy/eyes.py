"""Who can say whether a vehicle is drawn: a detector that knows its class, else a judge, else nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from trope.backend import Backend
from trope.detectors import DETECTORS, Detector
from trope.errors import UnknownName
from trope.judges import JUDGES
from trope.nouns import Figure, Item, Lang
from trope.protocols.simile.question import prompt
from trope.proxy.makers import NOT_NOW
from trope.registry import parse_spec
from trope.requests import Prompt
from trope.strategies.guard.checked import Sought
from trope.strategies.guard.classes import also_in_scene, vehicle_class
from trope.strategies.guard.plan import Plan, PlannedFigure

_LONGEST_NOUN = 40  # characters of a vehicle that a judge is told; what is longer is no noun
_NO_NOUN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029.:;!?。：；！？؛؟<>(){}\[\]\"“”«»「」『』`|=]|(?:\S+\s+){4}")


def instrument(spec: str) -> Backend:
    """A detector or a judge by its spec; raises `UnknownName`."""
    name = parse_spec(spec).backend
    known = [each for each in (*DETECTORS.names(), *JUDGES.names()) if each not in NOT_NOW]
    if name not in known:
        raise UnknownName("instrument", name, known)
    return DETECTORS.create(spec) if name in DETECTORS else JUDGES.create(spec)


def sought(plan: Plan, instruments: Sequence[Backend]) -> list[Sought]:
    """Every vehicle that is not to be drawn, once, with the first instrument that can say whether it is."""
    found = {plan.quote(figure.vehicle): _one(plan, figure, instruments) for figure in plan.unseen}
    return list(found.values())


def named(vehicle: str, plan: Plan, instruments: Sequence[Backend]) -> Sought:
    """A vehicle that a person names, whatever the plan says of it."""
    start = max(plan.text.find(vehicle), 0)
    span = (start, start + len(vehicle)) if plan.text[start:].startswith(vehicle) else None
    if span is None:  # a word that is not in the text: there is nothing around it to mistake it for
        plan, span = Plan(vehicle, plan.lang, plan.maker, ()), (0, len(vehicle))
    figure = PlannedFigure(
        marker=span, vehicle=span, phrase=span, whole=span, replacement=None, qualities=(), why="named by hand"
    )
    return _one(plan, figure, instruments)


def _one(plan: Plan, figure: PlannedFigure, instruments: Sequence[Backend]) -> Sought:
    vehicle, name = plan.quote(figure.vehicle) or "", vehicle_class(plan, figure)
    reason = "no-instrument"
    for backend in instruments:
        if not isinstance(backend, Detector):
            if figure.also_there:
                return Sought(vehicle, reason="in-scene")  # finding one proves nothing, whoever finds it
            if not vehicle or len(vehicle) > _LONGEST_NOUN or _NO_NOUN.search(vehicle):
                return Sought(vehicle, reason="no-plain-noun")  # a judge is told no sentence of the prompt
            return Sought(vehicle, backend.name, vehicle, _question(plan, vehicle))
        label = vehicle if backend.classes is None else name
        if label is None or (backend.classes is not None and label not in backend.classes):
            reason = "unknown-class"
        elif figure.also_there or (name is not None and also_in_scene(plan, figure, name)):
            reason = "in-scene"
        else:
            return Sought(vehicle, backend.name, label)
    return Sought(vehicle, reason=reason)


def _question(plan: Plan, vehicle: str) -> Prompt:
    lang = cast(Lang, plan.lang if plan.lang in ("zh", "ja", "ar") else "en")
    return prompt(Item(id="guard", lang=lang, text=plan.text, figures=(Figure(vehicle=vehicle),)))
