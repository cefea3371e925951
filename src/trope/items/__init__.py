"""Items: reading them, checking them, counting them. Sets that ship are found by name."""

from trope.items.checks import Problem, check_items
from trope.items.reading import dump_items, items_digest, read_items
from trope.items.sample import cells_of, stratified
from trope.items.sets import SETS, load_items

__all__ = [
    "SETS",
    "Problem",
    "cells_of",
    "check_items",
    "dump_items",
    "items_digest",
    "load_items",
    "read_items",
    "stratified",
]
