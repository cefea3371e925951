"""Checking items: the rules that hold for all, and the rules of a set that ships."""

from __future__ import annotations

from collections.abc import Iterable

from trope.items.rules.base import Problem, Rule
from trope.nouns import Item

__all__ = ["Problem", "Rule", "check_items", "check_rules"]


def check_items(items: Iterable[Item], rules: str = "common") -> list[Problem]:
    """Every broken rule of every item.

    Parameters
    ----------
    items : the items, in any order; rules about duplicates and balance look at all of them together.
    rules : ``common`` (what any set must keep), or a set that ships, whose own rules are added to these.

    Raises
    ------
    UnknownName : no rules are kept under that name.
    """
    return [problem for found in check_rules(items, rules).values() for problem in found]


def check_rules(items: Iterable[Item], rules: str = "common") -> dict[str, list[Problem]]:
    """The same by rule, in the order of the rules, with an empty list for a rule that nothing breaks."""
    from trope.items.rules import rules_for

    listed = list(items)
    return {rule.name: rule.problems(listed) for rule in rules_for(rules)}
