"""The store of a workspace: one object through which rooms read and write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trope.errors import PictureError, StoreError
from trope.records import Observation, Output
from trope.store.database import Database, Entry
from trope.store.location import require_local
from trope.store.pictures import CanonicalPicture, PictureFolder, canonical_picture

DEFAULT_FOLDER = Path("trope-store")


class Store:
    """Append-only store in a local folder; several processes may use one at a time.

    Parameters
    ----------
    folder : where it lives; made if missing.

    Raises
    ------
    StoreLocationError : the folder is not writable or on a network file system.
    StoreError : the folder holds something else, or a store of a newer Trope.
    """

    def __init__(self, folder: Path | str = DEFAULT_FOLDER) -> None:
        self.folder = Path(folder)
        require_local(self.folder)
        self.database = Database(self.folder / "observations.sqlite")
        self.pictures = PictureFolder(self.folder)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is queued and let go of the files."""
        self.database.close()

    def records(self, keys: Iterable[str]) -> dict[str, Output | Observation]:
        """The standing record of each key that has one."""
        return self.database.records(keys)

    async def add(self, entries: Sequence[Entry]) -> int:
        """Append records; returns once they are on the disk, with how many another process had meanwhile."""
        return await asyncio.wrap_future(self.database.add(entries))

    def keep_picture(self, picture: CanonicalPicture) -> tuple[str, int, int, bool]:
        """Write a picture for good and return its row for `Entry.picture`."""
        self.pictures.add(picture)
        return picture.sha, picture.image.width, picture.image.height, picture.blank

    def picture(self, sha: str) -> Path:
        """The file of a picture by its SHA-256; raises `StoreError` if it is gone."""
        path = self.pictures.find(sha)
        if path is None:
            raise StoreError(f"picture {sha[:12]}… is not in {str(self.folder)!r}: was images/ moved or emptied?")
        return path

    def adopt(self, path: Path) -> str:
        """Take in a picture file and return its SHA-256; an unchanged file is not decoded again."""
        status = path.stat()
        place = str(path.resolve())
        state = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
        known = self.database.query("SELECT sha FROM files WHERE path = ? AND state = ?", (place, state))
        if known and self.pictures.find(known[0][0]) is not None:
            return str(known[0][0])
        picture = canonical_picture(path)
        row = self.keep_picture(picture)

        def remember(connection: Any) -> None:
            connection.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?, ?, ?)", row)
            connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (place, state, picture.sha))

        self.database.submit(remember).result()
        return picture.sha

    def is_blank(self, sha: str) -> bool:
        """Whether a stored picture is blank."""
        rows = self.database.query("SELECT blank FROM pictures WHERE sha = ?", (sha,))
        if not rows:
            raise PictureError(f"picture {sha[:12]}… is not known to the store")
        return bool(rows[0][0])
