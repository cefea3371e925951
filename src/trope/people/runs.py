"""Runs as people's studies see them: cells as read today, and what people said of them."""

from __future__ import annotations

from collections.abc import Sequence

from trope.experiment.scoring import load
from trope.people.design import StudyFolder
from trope.protocols import Measured, Protocol
from trope.store import RunFolder, Store


def load_run(store: Store, name: str) -> tuple[Sequence[Measured], Protocol]:
    """The cells of a run and its protocol; raises `UnknownName`, `StoreError`."""
    study, protocol = load(RunFolder.find(store, name))
    return study.cells, protocol


def people_of(store: Store, run: str) -> list[str]:
    """The person instruments of all studies of a run, e.g. ``person:anna``."""
    found: dict[str, None] = {}
    for name in StudyFolder.names(store):
        design = StudyFolder(store, name).design()
        if design.run == run:
            found |= dict.fromkeys(design.person(rater).name for rater in design.raters)
    return list(found)
