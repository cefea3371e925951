"""Pictures of a build taken into the store: read from a folder, or fetched once and kept beside the stage files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from trope.build.drops import Drop
from trope.build.vmetaphor.addresses import Refused
from trope.build.vmetaphor.fetch import Fetched, Fetcher, fetch_all
from trope.build.vmetaphor.sources import Source
from trope.errors import PictureError
from trope.store import Store
from trope.store.files import write_durably


def take_pictures(
    sources: Sequence[Source],
    folder: Path,
    store: Store,
    *,
    allowed: Collection[str] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> tuple[dict[str, tuple[Source, str]], list[Drop]]:
    """Get every picture, and say which cannot be had.

    Fetched files lie in ``folder/pictures`` under their source's id; what lies there is not fetched again.

    Returns
    -------
    Source and SHA-256 of its canonical picture by id, in order; and what was dropped: refused, unreadable, blank, or
    the picture of an earlier source.
    """
    refused: dict[str, Refused] = {}
    files = {source.id: source.path or _fetched(folder, source) for source in sources}
    wanted = {source.place: source.id for source in sources if files[source.id] is None}
    if wanted:
        tell(f"fetching {len(wanted)} pictures")
        asyncio.run(_fetch(wanted, folder, refused, allowed))
        files = {source.id: files[source.id] or _fetched(folder, source) for source in sources}
    taken: dict[str, tuple[Source, str]] = {}
    drops: list[Drop] = []
    first: dict[str, str] = {}
    for source in sources:
        path = files[source.id]
        if path is None:
            why = refused[source.id]
            drops.append(Drop(source.id, "picture", why.reason, str(why), {"place": source.place}))
            continue
        try:
            sha = store.adopt(path)
        except PictureError as error:
            drops.append(Drop(source.id, "picture", "unreadable", str(error), {"place": source.place}))
            continue
        if store.is_blank(sha):
            drops.append(Drop(source.id, "picture", "blank", "is of one color", {"place": source.place}))
        elif (other := first.setdefault(sha, source.id)) != source.id:
            why_ = f"is pixel by pixel the picture of {other}"
            drops.append(Drop(source.id, "picture", "duplicate", why_, {"place": source.place}))
        else:
            taken[source.id] = (source, sha)
    return taken, drops


def _fetched(folder: Path, source: Source) -> Path | None:
    return next(iter(sorted((folder / "pictures").glob(f"{source.id}.*"))), None)


async def _fetch(wanted: dict[str, str], folder: Path, refused: dict[str, Refused], allowed: Collection[str]) -> None:
    def keep(place: str, found: Fetched | Refused) -> None:
        if isinstance(found, Refused):
            refused[wanted[place]] = found
        else:
            write_durably(folder / "pictures" / f"{wanted[place]}.{found.kind}", found.data)

    async with Fetcher(allowed) as fetcher:
        await fetch_all(list(wanted), fetcher, keep)
