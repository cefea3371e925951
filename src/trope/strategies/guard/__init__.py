"""The guard: from the raw prompt alone, find figures whose vehicle must not be seen, and say so otherwise."""

from trope.strategies.guard.plan import Plan, PlannedFigure
from trope.strategies.guard.renderers import RENDERERS, negative
from trope.strategies.guard.rules import plan_by_rules
from trope.strategies.guard.strategy import guarded

__all__ = ["RENDERERS", "Plan", "PlannedFigure", "guarded", "negative", "plan_by_rules"]
