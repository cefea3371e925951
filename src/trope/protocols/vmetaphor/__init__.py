"""vmetaphor: can a model paint a metaphor on purpose? See README.md in this folder."""

from trope.protocols.vmetaphor.protocol import VMetaphor

__all__ = ["VMetaphor"]
