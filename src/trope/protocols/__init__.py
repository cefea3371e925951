"""Protocols: strategies, questions, scores and tables that belong together."""

from collections.abc import Mapping
from importlib import import_module

from trope.errors import UnknownName
from trope.protocols.base import Measured, Protocol, Scores, Study
from trope.protocols.tables import Table, Value

PROTOCOLS = {
    "simile": "trope.protocols.simile:Simile",
    "m3r": "trope.protocols.m3r:M3R",
    "vista": "trope.protocols.vista:Vista",
    "vmetaphor": "trope.protocols.vmetaphor:VMetaphor",
}

__all__ = ["PROTOCOLS", "Measured", "Protocol", "Scores", "Study", "Table", "Value", "protocol"]


def protocol(name: str, options: Mapping[str, str] | None = None) -> Protocol:
    """The protocol of that name with the options given; raises `UnknownName`, or `UsageError` for an option."""
    if name not in PROTOCOLS:
        raise UnknownName("protocol", name, PROTOCOLS)
    module, _, attribute = PROTOCOLS[name].partition(":")
    made: Protocol = getattr(import_module(module), attribute)(**(options or {}))
    return made
