"""Tiny pipelines of every family, saved and loaded once a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CAT = "a photo of a cat sitting on a red mat"
DOGS = "two dogs playing in the green park at night, a blue car next to a tall house"
OPTIONS = {
    "pixart": "&max_tokens=32",
    "flux": "&max_tokens=32",
    "sd3": "&max_tokens=32",
    "z-image": "&max_tokens=64",
    "flux2": "&max_tokens=128&text_layers=1-2-3",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of a tiny pipeline; made when first asked for."""
    pytest.importorskip("diffusers")
    from trope.testing.tiny_pipelines import tiny_pipeline

    root, made = tmp_path_factory.mktemp("pipelines"), {}

    def of(family: str, **parts: Any) -> Path:
        name = family + "".join(f"-{key}-{value}" for key, value in parts.items())
        if name not in made:
            made[name] = tiny_pipeline(family, root / name, **parts)
        return made[name]

    return of


@pytest.fixture(scope="session")
def loaded(folder: Callable[..., Path]) -> Callable[..., Any]:
    """A generator of a tiny pipeline, loaded; two steps of a 64 x 64 picture."""
    from trope.generators import GENERATORS

    made: dict[str, Any] = {}

    def of(family: str) -> Any:
        if family not in made:
            made[family] = GENERATORS.create(f"diffusers:{folder(family)}?steps=2&size=64{OPTIONS.get(family, '')}")
            made[family].painter()
        return made[family]

    return of


@pytest.fixture
def painter(loaded: Callable[..., Any]) -> Callable[..., Any]:
    """A painter that has read nothing yet, of a loaded pipeline; what it tells the user is in ``painter.told``."""
    from trope.generators.diffusers.painter import Painter

    def of(family: str, batch: int = 64) -> Any:
        generator, told = loaded(family), []
        made = Painter(
            generator.painter().pipeline, generator.family, generator.settings, batch, generator.name, told.append
        )
        made.told = told
        return made

    return of
