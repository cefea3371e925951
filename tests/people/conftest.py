"""One run for all tests of people; each test gets a copy of its store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.people.served import copy_of, make_run

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="session")
def made_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people-run")
    make_run(folder)
    return folder


@pytest.fixture
def folder(made_run: Path, tmp_path: Path) -> Path:
    return copy_of(made_run, tmp_path)
