"""The strategies by name. A factory is called as ``make(spec, context)`` and loaded when its name is used."""

from __future__ import annotations

from importlib import import_module

from trope.errors import UnknownName
from trope.registry import parse_spec
from trope.strategies.options import Context, Strategy

STRATEGIES = {
    "base": "trope.strategies.prompts:make",
    "human": "trope.strategies.prompts:make",
    "anti_hallucination": "trope.strategies.prompts:make",
    "deleted": "trope.strategies.twins:make",
    "literal": "trope.strategies.twins:make",
    "random": "trope.strategies.search:make",
    "layer": "trope.strategies.layers:make",
    "lens": "trope.strategies.lens:make",
    "guard": "trope.strategies.guard.strategy:make",
    "conceptual": "trope.strategies.kinds:make",
    "descriptive": "trope.strategies.kinds:make",
    "composite": "trope.strategies.kinds:make_composite",
    "realise": "trope.strategies.realise:make",
    "direct": "trope.protocols.m3r.prompting:make",
    "definitions": "trope.protocols.m3r.prompting:make",
    "evidence": "trope.protocols.m3r.prompting:make",
    "given": "trope.protocols.m3r.prompting:make",
}


def strategies(text: str, context: Context) -> list[Strategy]:
    """Resolve ``name:variant?option=value``; mostly to one strategy, for a lens to one a layer.

    Raises
    ------
    UnknownName : no such strategy. UsageError : an option it does not have, or of the wrong kind.
    """
    spec = parse_spec(text)
    if spec.backend not in STRATEGIES:
        raise UnknownName("strategy", spec.backend, STRATEGIES)
    module, _, attribute = STRATEGIES[spec.backend].partition(":")
    made: list[Strategy] = getattr(import_module(module), attribute)(spec, context)
    return made
