"""English figures of the rule guard."""

from trope.strategies.guard.english.figures import figures

__all__ = ["figures"]
