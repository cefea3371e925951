"""Trope: how image models handle figurative language, measured, explained and mended.

Nothing is loaded until it is asked for: ``import trope`` costs a few milliseconds, and the names below
resolve on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trope.errors import TropeError as TropeError
    from trope.experiment import Experiment as Experiment
    from trope.experiment import execute as execute
    from trope.experiment import plan as plan
    from trope.experiment import score as score
    from trope.nouns import Figure as Figure
    from trope.nouns import Item as Item
    from trope.store import Store as Store

__version__ = "0.1.0"

_HOMES = {
    "Experiment": "trope.experiment",
    "Figure": "trope.nouns",
    "Item": "trope.nouns",
    "Store": "trope.store",
    "TropeError": "trope.errors",
    "execute": "trope.experiment",
    "plan": "trope.experiment",
    "score": "trope.experiment",
}
__all__ = ["Experiment", "Figure", "Item", "Store", "TropeError", "__version__", "execute", "plan", "score"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'trope' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
