"""Renderers: a plan becomes a prompt. Whatever is no part of a figure stays byte-identical."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from trope.strategies.guard.plan import Plan, PlannedFigure


@cache
def _roles(lang: str) -> dict[str, str]:
    return dict(tomllib.loads(Path(__file__).with_name("roles.toml").read_text("utf-8"))[lang])


def rewrite(plan: Plan) -> str:
    """Take the vehicle's noun out and let its qualities stay, for encoders that draw whatever is named."""
    parts, done = [], 0
    for figure in plan.figures:
        if figure.rewritable:
            parts += [plan.text[done : figure.whole[0]], figure.replacement or ""]
            done = figure.whole[1]
    return "".join([*parts, plan.text[done:]])


def instruct(plan: Plan) -> str:
    """Keep the prompt as it is and state the roles after it, in its language: for models that can be told."""
    if plan.abstains:
        return plan.text
    roles = _roles(plan.lang)
    lines = dict.fromkeys(_role(plan, figure, roles) for figure in plan.unseen)
    return "\n\n".join((plan.text, "\n".join((roles["opening"], *lines))))


def _role(plan: Plan, figure: PlannedFigure, roles: dict[str, str]) -> str:
    """One figure's line: what is shown, what only describes it, what is not to be drawn, how it shows instead."""
    said = roles["role" if figure.tenor else "role_unnamed"]
    said += roles["also" if figure.also_there else "hidden"]
    said += roles["show" if figure.qualities else "show_unnamed"]
    return said.format(
        tenor=plan.quote(figure.tenor), phrase=plan.quote(figure.phrase), vehicle=plan.quote(figure.vehicle),
        qualities=roles["comma"].join(figure.qualities),
    )  # fmt: skip


def negative(plan: Plan) -> tuple[str, str]:
    """The prompt as it is, and a negative prompt that names each vehicle once, for pipelines that take one.

    A vehicle that is named elsewhere in the prompt or its context is left out: one of it belongs in the picture.
    """
    banned = dict.fromkeys(str(plan.quote(f.vehicle)) for f in plan.unseen if not f.also_there)
    return plan.text, (_roles(plan.lang)["comma"] if banned else "").join(banned)


RENDERERS: dict[str, Callable[[Plan], str]] = {"instruct": instruct, "rewrite": rewrite}
