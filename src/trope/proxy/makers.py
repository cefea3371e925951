"""Who makes the plan, while somebody waits: the rules, or a chat model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from trope.backend import Backend
from trope.errors import UsageError
from trope.judges import JUDGES
from trope.proxy.panel import Panel, drive
from trope.registry import parse_spec
from trope.strategies.guard import Plan, plan_by_rules

Planning = Callable[[str, str | None, str | None], Awaitable[Plan]]  # text, language, context

NOT_NOW = ("person", "predictions", "truth")  # who cannot be asked while somebody waits
_AT_ONCE = 1_000  # characters that the rules read in a few milliseconds; more is read in a thread


@dataclass(frozen=True, slots=True)
class Maker:
    """A maker of plans: its name, and what is asked of whom."""

    name: str
    plan: Planning


def model_of(by: str) -> Backend | None:
    """The chat model that ``--by`` names: None for ``rules``, a judge for ``llm:PROVIDER:MODEL``.

    Raises
    ------
    UsageError : it is neither.
    """
    if by == "rules":
        return None
    kind, _, spec = by.partition(":")
    if kind != "llm" or not spec or parse_spec(spec).backend in NOT_NOW:
        raise UsageError(f"--by {by!r}. Expected: rules, or llm:PROVIDER:MODEL, e.g. llm:openai:gpt-5-mini")
    return JUDGES.create(spec)


def maker(model: Backend | None, panel: Panel) -> Maker:
    """The maker that asks this model of the panel, or the rules."""
    if model is None:
        return Maker("rules", by_rules)
    name = model.name

    async def by_model(text: str, lang: str | None, context: str | None) -> Plan:
        from trope.strategies.guard.model import plan_by_model

        plan: Plan = await drive(plan_by_model(text, lang, context, model=name), panel.answers)
        return plan

    return Maker(f"llm:{name}", by_model)


async def by_rules(text: str, lang: str | None, context: str | None) -> Plan:
    """The rules; a long text is read in a thread, so that others do not wait for it."""
    if len(text) + len(context or "") <= _AT_ONCE:
        return plan_by_rules(text, lang, context)
    return await asyncio.to_thread(plan_by_rules, text, lang, context)
