from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.train import recipes, world
from tests.train.recipes import Taught


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tiny base of every family, made once."""
    pytest.importorskip("trl")
    from trope.testing.tiny_models import FAMILIES, tiny_model

    folder = tmp_path_factory.mktemp("bases")
    return {family: tiny_model(family, folder / family, words=world.vocabulary()) for family in FAMILIES}


@pytest.fixture(scope="session")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus folder of eight examples."""
    folder = tmp_path_factory.mktemp("eight")
    return world.corpus(world.items(8, folder / "made"), folder / "corpus")


@pytest.fixture(scope="session")
def taught(bases: dict[str, Path], eight: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Taught]:
    """Three stages and GRPO on a family, trained once: enough for replies that can be read."""
    made: dict[str, Taught] = {}

    def teach(family: str) -> Taught:
        if family not in made:
            made[family] = recipes.teach(bases[family], eight, tmp_path_factory.mktemp(family) / "out")
        return made[family]

    return teach


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """One thread: small tensors on a shared machine."""
    try:
        import torch
    except ImportError:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
