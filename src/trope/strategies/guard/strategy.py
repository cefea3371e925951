"""The guard as a strategy: plan, render, ask once."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from trope.errors import PlanError, UnknownName, UsageError
from trope.generators import Generator
from trope.nouns import Item
from trope.registry import Spec
from trope.requests import Generate
from trope.strategies.guard.checked import redrawn
from trope.strategies.guard.model import plan_by_model
from trope.strategies.guard.plan import Plan
from trope.strategies.guard.renderers import RENDERERS, negative
from trope.strategies.guard.rules import plan_by_rules
from trope.strategies.options import Context, Strategy, Wordings, full_name, number, only
from trope.strategies.prompts import worded

NEGATIVE: Final = "negative"
RULES, MODEL = "rules", "llm"
TRIES = 2


def make(spec: Spec, context: Context) -> list[Strategy]:
    """``guard:RENDERER?by=llm&model=NAME``, else by the rules; `guard:negative` is for subjects that take one.

    With ``gate=ssd&tries=2`` a detector looks, and draws again while it finds a vehicle: what `trope guard serve` does.
    """
    only(spec, ("by", "model", "gate", "tries"))
    names = [*RENDERERS, NEGATIVE]
    if spec.model not in names:
        raise UnknownName("strategy", spec.text, [f"guard:{name}" for name in names])
    by = spec.options.get("by", RULES)
    if by not in (RULES, MODEL) or (by == RULES and "model" in spec.options):
        raise UsageError(f"strategy {spec.text!r}: by={by!r}. Expected: {RULES}, or {MODEL} with a chat model")
    model = context.model(spec) if by == MODEL else None
    subjects = _taking_negatives(spec, context) if spec.model == NEGATIVE else None
    gate = context.gate(spec) if "gate" in spec.options or "tries" in spec.options else None
    tries = int(number(spec, "tries", TRIES, 1, 20))
    name = full_name(
        f"guard:{spec.model}",
        {"by": (by, RULES), "model": (model, None), "gate": (gate, None), "tries": (tries, TRIES)},
    )
    script = partial(guarded, wordings=context.wordings, renderer=spec.model, model=model, gate=gate, tries=tries)
    return [Strategy(name, script, (gate,) if gate else (), subjects)]


def guarded(
    item: Item,
    *,
    wordings: Wordings,
    renderer: str,
    model: str | None = None,
    gate: str | None = None,
    tries: int = TRIES,
) -> Any:
    """Guard the bare sentence (never the annotation), then word it as `base` does.

    The item's context, e.g. a story bible that says the dragon is real, is the guard's to know. Where no plan can be
    made the prompt goes on as it is.
    """
    if model is None:
        plan = plan_by_rules(item.text, item.lang, item.context)
    else:
        try:
            plan = yield from plan_by_model(item.text, item.lang, item.context, model=model)
        except PlanError:
            plan = Plan(item.text, item.lang, "none", ())
    text, banned = negative(plan) if renderer == NEGATIVE else (RENDERERS[renderer](plan), "")
    prompt, variant = worded(wordings, "base", item.lang, text), f"guard:{renderer}"
    if gate is not None:
        return (yield from redrawn(plan, prompt, gate=gate, tries=tries, variant=variant, negative=banned or None))
    return (yield Generate(prompt, variant=variant, negative=banned or None))


def _taking_negatives(spec: Spec, context: Context) -> tuple[str, ...] | None:
    """The subjects that take a negative prompt; None where all do, or none is known yet."""
    taking = tuple(
        name for name, subject in context.subjects.items() if isinstance(subject, Generator) and subject.takes_negative
    )
    if context.subjects and not taking:
        raise UsageError(
            f"strategy {spec.text!r} needs a subject that takes a negative prompt, e.g. a diffusers pipeline with"
            f" guidance. Subjects of this run: {', '.join(context.subjects)}"
        )
    return None if len(taking) == len(context.subjects) else taking
