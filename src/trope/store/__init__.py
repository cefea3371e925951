"""The store: everything anyone said, every picture by its content, runs and bundles."""

from trope.store.bundles import Bundle, open_bundle, restore, write_bundle
from trope.store.database import SCHEMA_VERSION, Entry
from trope.store.pictures import CanonicalPicture, canonical_picture
from trope.store.runs import CellRow, RunFolder
from trope.store.store import Store

__all__ = [
    "SCHEMA_VERSION",
    "Bundle",
    "CanonicalPicture",
    "CellRow",
    "Entry",
    "RunFolder",
    "Store",
    "canonical_picture",
    "open_bundle",
    "restore",
    "write_bundle",
]
