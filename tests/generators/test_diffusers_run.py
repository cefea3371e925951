"""A study of a pipeline from end to end: base, lens, layer and random regeneration, scored by the embedded detector."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("diffusers")

from tests.conftest import simile
from trope.errors import UsageError
from trope.experiment import Experiment, execute, plan, score
from trope.items import dump_items
from trope.store import Store

WORDS = ("cat", "dog", "bus")


@pytest.fixture
def planned(folder: Callable[..., Path], tmp_path: Path) -> Callable[..., Any]:
    items = tmp_path / "items.jsonl"
    items.write_text(dump_items(simile(f"i-{word}", word) for word in WORDS), "utf-8")

    def of(subject: str, *how: str, **fields: Any) -> Any:
        return plan(Experiment(
            protocol="simile", subjects=(subject,), strategies=how, instruments=("ssd",), items=(str(items),), **fields
        ))  # fmt: skip

    return of


def test_a_lens_reads_each_text_once_and_a_second_run_asks_nothing(
    planned: Any, folder: Callable[..., Path], store: Store
) -> None:
    subject = f"diffusers:{folder('sd')}?steps=2&size=64&batch=4"
    how = ("base", "lens", "layer?branch=clip&gate=ssd", "random?gate=ssd")
    made = planned(subject, *how, name="lens")
    (backend,) = (made.backends[name] for name in made.subjects)
    encoder, passes = backend.painter().pipeline.text_encoder, []
    encoder.register_forward_pre_hook(lambda *_: passes.append(1))
    outcome = execute(made, store)
    assert (outcome.finished, outcome.stopped) == (3 * 9, None)
    assert len(passes) == 3 + 1  # three texts, one negative prompt
    assert outcome.tally.asked[backend.name] == 3 * 5  # the normal layer is the plain picture, and so is attempt 0
    study, scores = score(outcome.run)
    cells = {(cell.item.id, cell.strategy): cell for cell in study.cells}
    final, last, base = (cells["i-cat", name].output for name in ("lens:clip@final", "lens:clip@05", "base"))
    assert final.key == last.key == base.key
    assert len({cells["i-cat", f"lens:clip@{n:02}"].output.picture for n in range(1, 6)}) == 5
    assert base.value["tokens"]["clip"] > 10
    tables = {table.name: table for table in scores.tables}
    assert len(tables["lens_layers"].rows) == 6
    again = planned(subject, *how, name="lens")
    assert sum(execute(again, store).tally.asked.values()) == 0


def test_what_is_kept_with_a_picture(planned: Any, folder: Callable[..., Path], store: Store) -> None:
    made = planned(f"diffusers:{folder('flux')}?steps=1&size=64&max_tokens=16", "base", name="kept", limit=1)
    execute(made, store)
    identity = next(iter(made.backends.values())).known_identity
    assert identity["settings"]["max_tokens"] == 16
    assert identity["pipeline"] == "FluxPipeline"


def test_a_branch_that_is_not_there_is_said_before_anything_is_loaded(
    planned: Any, folder: Callable[..., Path]
) -> None:
    with pytest.raises(UsageError, match=r"no subject has a branch 't5'. Branches: clip"):
        planned(f"diffusers:{folder('sd')}?steps=2&size=64", "lens?branch=t5")
