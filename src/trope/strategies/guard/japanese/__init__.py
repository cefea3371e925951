"""Japanese figures of the rule guard."""

from trope.strategies.guard.japanese.figures import figures

__all__ = ["figures"]
