"""Arabic figures of the rule guard."""

from trope.strategies.guard.arabic.figures import figures

__all__ = ["figures"]
