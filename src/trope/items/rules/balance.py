"""Counts that a set must have: complete cells, halves, labels of a closed list."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from trope.items.rules.base import WHOLE_SET, Fault, Rule, each
from trope.nouns import Item

Cell = Callable[[Item], str]


def halves(cell: Cell, cells: str) -> Rule:
    """Half of a set is held out, and half of each cell, give or take the odd one."""

    def find(items: Sequence[Item]) -> Iterator[Fault]:
        held = Counter(cell(item) for item in items if item.held_out)
        for name, count in sorted(Counter(cell(item) for item in items).items()):
            if abs(2 * held[name] - count) > 1:
                yield Fault("held_out", f"{held[name]} of {count}", f"cell {name!r} is not halved")
        for lang, count in sorted(Counter(item.lang for item in items).items()):
            out = sum(item.held_out for item in items if item.lang == lang)
            if abs(2 * out - count) > 1:
                yield Fault("held_out", f"{out} of {count}", f"the {lang} items are not halved")

    return Rule("held-out-half", f"half of each {cells} is held out, give or take one", find)


def counted(name: str, what: str, cell: Cell, expected: Mapping[str, int | tuple[int, int]]) -> Rule:
    """Every cell has the number it should (or one between two), and there are no other cells."""

    def find(items: Sequence[Item]) -> Iterator[Fault]:
        found = Counter(cell(item) for item in items)
        for key in sorted({*found, *expected}):
            wanted = expected.get(key, 0)
            low, high = wanted if isinstance(wanted, tuple) else (wanted, wanted)
            if not low <= found[key] <= high:
                said = f"{low} to {high}" if low != high else str(low)
                yield Fault(WHOLE_SET, str(found[key]), f"cell {key!r} has {found[key]} items, expected {said}")

    return Rule(name, what, find)


def no_more_than(name: str, what: str, keys: Callable[[Item], Sequence[str]], limit: int) -> Rule:
    """Nothing that ``keys`` gives occurs in more than ``limit`` items; the items beyond are named."""

    def find(items: Sequence[Item]) -> Iterator[Fault]:
        owners: dict[str, list[str]] = defaultdict(list)
        for item in items:
            for key in dict.fromkeys(keys(item)):
                owners[key].append(item.id)
        for key, of in owners.items():
            for item_id in of[limit:]:
                yield Fault(name, key, f"is used by {len(of)} items, limit {limit}; the first is {of[0]}", item_id)

    return Rule(name, what, find)


def core(prefix: str) -> tuple[Rule, ...]:
    """What every item of the shipped sets has: its id's form, its split, nobody's name who did not verify it."""

    def find(item: Item) -> Iterator[Fault]:
        if not item.id.startswith(prefix):
            yield Fault("id", item.id, f"expected it to begin with {prefix!r}")
        if item.split != "core-1":
            yield Fault("split", str(item.split), "expected 'core-1'")

    return (each("core", f"ids begin with {prefix!r}, the split is core-1", find),)
