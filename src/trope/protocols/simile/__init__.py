"""simile: how often is a figurative vehicle drawn literally? See README.md in this folder."""

from trope.protocols.simile.protocol import Simile

__all__ = ["Simile"]
