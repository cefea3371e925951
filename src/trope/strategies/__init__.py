"""Strategies: how an item becomes requests. Each is a generator function that yields requests and does no I/O."""

from trope.strategies.table import NAMES, Strategy, strategy

__all__ = ["NAMES", "Strategy", "strategy"]
