"""vista: is a figurative vehicle drawn when it should only describe? See README.md in this folder."""

from trope.protocols.vista.protocol import Vista

__all__ = ["Vista"]
