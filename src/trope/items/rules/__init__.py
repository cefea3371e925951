"""Rules by the set they belong to. Each set keeps the common rules and its own.

::

    base.py        Rule, Fault, Problem
    shape.py       common: white space, questions, twins, classes, cells that hold several things
    scripts.py     common: the script of each language, bidi marks, broken characters; strict: punctuation
    spans.py       common: spans that match the text, markers; strict: order and number of spans
    duplicates.py  common: exact and near duplicates, by character TF-IDF
    twins.py       twins that differ by the figure
    templates.py   the fourteen English templates, with a real inflection table
    options.py     questions and options: wording, length, position
    blind.py       the blind battery: what a guesser gets who never sees a picture
    trained.py     the guesser of it that has studied
    balance.py     halves, cells, counts
    simile.py literal.py vista.py passages.py vmetaphor.py m3r.py   one file a set
    questions.py   anybody's sentences with vista's questions, as drafted or edited
    wordnet.py     optional: needs WordNet's files
"""

from __future__ import annotations

from importlib import import_module

from trope.errors import UnknownName
from trope.items.rules.base import Fault, Problem, Rule

__all__ = ["KINDS", "Fault", "Problem", "Rule", "across", "rules_for"]

_COMMON = ("shape", "scripts", "spans", "duplicates")
KINDS: dict[str, tuple[str, ...]] = {
    "common": _COMMON,
    "simile": (*_COMMON, "simile"),
    "literal": (*_COMMON, "literal"),
    "vista": (*_COMMON, "vista"),
    "passages": (*_COMMON, "passages"),
    "vmetaphor": (*_COMMON, "vmetaphor"),
    "questions": (*_COMMON, "questions"),
    "m3r": (*_COMMON, "m3r"),
}


def rules_for(kind: str) -> tuple[Rule, ...]:
    """The rules of ``common`` or of a set, in order; names are unique."""
    if kind not in KINDS:
        raise UnknownName("rules", kind, KINDS)
    modules = (import_module(f"trope.items.rules.{module}") for module in KINDS[kind])
    return tuple(rule for module in modules for rule in module.RULES)


def across() -> tuple[Rule, ...]:
    """The rules that also hold over several sources together."""
    from trope.items.rules import duplicates, m3r

    return (*duplicates.RULES, *(rule for rule in m3r.RULES if rule.name == "swapped-languages"))
