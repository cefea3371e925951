"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    Path, typer.Option("--store", help="Folder of the store.", envvar="TROPE_STORE", show_default=True)
]
DEFAULT_STORE = Path("trope-store")


def split(values: Iterable[str] | None) -> tuple[str, ...]:
    """``["a,b", "c"]`` -> ``("a", "b", "c")``."""
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())
