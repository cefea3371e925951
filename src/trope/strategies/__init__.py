"""Strategies: how an item becomes requests. They yield requests and receive records; they do no I/O."""

from trope.strategies.options import Context, Strategy
from trope.strategies.table import STRATEGIES, strategies

__all__ = ["STRATEGIES", "Context", "Strategy", "strategies"]
