"""Making a study: drawing it, assigning it, inviting its raters, drawing more of it."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from trope.errors import UsageError
from trope.items import dump_items, load_items
from trope.nouns import Item
from trope.people.assignment import CHECK, ordered, share
from trope.people.book import Book
from trope.people.design import COORDINATOR, Design, StudyFolder, person_of
from trope.people.frame import Frame, frame_of
from trope.people.sampling import Stratum, draw, neyman, proportional
from trope.people.tokens import Signer
from trope.store import Store
from trope.store.files import write_durably


def new_study(store: Store, design: Design) -> tuple[StudyFolder, list[Stratum]]:
    """Draw a study, assign it, and write it down.

    Raises
    ------
    UsageError : the study exists; the run has nothing to judge; more is to be drawn than there is.
    """
    study = StudyFolder(store, design.name)
    if study.file.exists():
        raise UsageError(f"study {design.name!r} exists. Choose another name; a study is never overwritten")
    study.folder.mkdir(parents=True, exist_ok=True)
    for left in study.folder.glob("study.sqlite*"):
        left.unlink()  # of a study whose making was interrupted
    if design.kind == "verify":
        _copy_items(study, design)
    if design.kind == "adjudicate":
        _copy_queue(study, design)
    frame = frame_of(study, design)
    book = Book(study.book)
    try:
        strata = {unit.id: unit.stratum for unit in frame.units.values()}
        book.keep_frame(strata)
        sizes = Counter(strata.values())
        counts = proportional(sizes, design.n) if design.method == "stratified" and design.n else dict(sizes)
        for rater in design.raters:
            book.add_rater(rater, design.seed_of("rater", rater))
        made = [Stratum(name, size, counts[name]) for name, size in sorted(sizes.items())]
        _draw(study, design, frame, book, counts, made)
    finally:
        book.close()
    study.write(design)
    return study, made


def draw_more(study: StudyFolder, n: int, spread: Mapping[str, float]) -> list[Stratum]:
    """Draw ``n`` more units where they narrow the interval most, and give them to the raters.

    Parameters
    ----------
    spread : standard deviation by stratum, see `sampling.neyman`.
    """
    design = study.design()
    if design.method == "convenience":
        raise UsageError("the study was drawn for convenience: more of it would be no sample. Make a stratified study")
    book = Book(study.book)
    try:
        strata = book.strata()
        counts = neyman(strata, spread, n)
        made = [Stratum(s.name, s.size, s.drawn + counts[s.name]) for s in strata]
        _draw(study, design, frame_of(study, design), book, counts, made)
    finally:
        book.close()
    return made


def invite(study: StudyFolder, rater: str, days: float, signer: Signer) -> str:
    """A token for one rater, or `COORDINATOR`, good for so many days; a new rater is added with the shared units."""
    design = study.design()
    book = Book(study.book)
    try:
        role = COORDINATOR if rater == COORDINATOR else "rater"
        if role != COORDINATOR and rater not in book.raters():
            person_of(rater)
            book.add_rater(rater, design.seed_of("rater", rater))
            shared = [unit for unit, all_ in book.drawn().items() if all_]
            if not shared:
                raise UsageError(
                    f"rater {rater!r} is new, and the study has no units for all. Add --overlap to a study"
                )
            frame = frame_of(study, design, frozenset(shared))
            _assign(design, frame, book, {rater: shared}, wave=0)
        nonce, expires = secrets.token_hex(16), time.time() + days * 86400
        book.invite(nonce, rater, role, expires)
    finally:
        book.close()
    return signer.sign("invite", {"study": study.name, "nonce": nonce}, expires=expires)


def _draw(
    study: StudyFolder, design: Design, frame: Frame, book: Book, counts: Mapping[str, int], strata: Sequence[Stratum]
) -> None:
    before = book.drawn()
    frozen = book.frame()
    rng = np.random.default_rng(design.seed_of("draw", str(len(before))))
    free: dict[str, list[str]] = {name: [] for name in counts}
    for unit, stratum in frozen.items():
        if unit not in before and stratum in free:
            free[stratum].append(unit)
    units = draw(free, counts, rng)
    gone = [unit for unit in units if unit not in frame.units]
    if gone:
        raise UsageError(f"{len(gone)} units of study {study.name!r} are no longer in its run: was the run changed?")
    raters = list(book.raters())
    wanted = max(0, design.overlap - sum(before.values())) if before else design.overlap
    if design.per_unit >= len(raters):
        wanted = len(units)
    shared = [str(u) for u in rng.permutation(np.array(units, dtype=str))[:wanted]]
    wave = book.keep_draw(units, shared, strata)
    _assign(design, frame, book, share(units, shared, raters, min(design.per_unit, len(raters)), rng), wave)


def _assign(design: Design, frame: Frame, book: Book, given: Mapping[str, Sequence[str]], wave: int) -> None:
    for rater, units in given.items():
        rng = np.random.default_rng([book.raters()[rater], wave])
        first = 1 + sum(page.startswith(CHECK) for page in book.assigned(rater))
        book.assign(rater, ordered(units, frame.units, rng, design.checks, first))


def _copy_items(study: StudyFolder, design: Design) -> None:
    """Freeze items and proposals in the study's folder; their pictures go into the store."""
    if not design.items:
        raise UsageError("items: a verification needs items. Expected: --items FILE")
    sources = [(study.items, load_items(design.items, pictured=True))]
    names = [study.folder / f"proposals-{n:02}.jsonl" for n in range(len(design.proposals))]
    sources += [
        (path, load_items([source], pictured=True)) for path, source in zip(names, design.proposals, strict=True)
    ]
    for path, items in sources:
        write_durably(path, dump_items([_stored(study, item) for item in items]).encode("utf-8"))


def _copy_queue(study: StudyFolder, design: Design) -> None:
    from trope.people.adjudication import freeze
    from trope.people.desk import Desk

    with contextlib.closing(Desk(StudyFolder.find(study.store, str(design.of)))) as desk:
        freeze(study, desk)


def _stored(study: StudyFolder, item: Item) -> Item:
    path = Path(item.image) if item.image and not item.image.startswith("sha256:") else None
    if path is None or not path.is_file():
        return item
    return item.model_copy(update={"image": "sha256:" + study.store.adopt(path)})
