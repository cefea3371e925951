"""Protocols: strategies, questions, scores and tables that belong together."""

from importlib import import_module

from trope.errors import UnknownName
from trope.protocols.base import Measured, Protocol, Scores, Study
from trope.protocols.tables import Table, Value

PROTOCOLS = {"simile": "trope.protocols.simile:Simile"}

__all__ = ["PROTOCOLS", "Measured", "Protocol", "Scores", "Study", "Table", "Value", "protocol"]


def protocol(name: str) -> Protocol:
    """The protocol of that name; raises `UnknownName`."""
    if name not in PROTOCOLS:
        raise UnknownName("protocol", name, PROTOCOLS)
    module, _, attribute = PROTOCOLS[name].partition(":")
    made: Protocol = getattr(import_module(module), attribute)()
    return made
