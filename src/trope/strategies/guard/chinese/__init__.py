"""Chinese figures of the rule guard."""

from trope.strategies.guard.chinese.figures import figures

__all__ = ["figures"]
