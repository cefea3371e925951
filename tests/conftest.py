"""Fixtures for every room. Nothing here reaches beyond this machine, and no real model is ever loaded from a hub."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trope.nouns import Figure, Item
from trope.store import Store
from trope.testing import FakeServer

DATA = Path(__file__).parent / "data"
os.environ["HF_HUB_OFFLINE"] = "1"
for name in [n for n in os.environ if n.endswith("_API_KEY")]:
    del os.environ[name]


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store") as opened:
        yield opened


@pytest.fixture(scope="session")
def resting() -> Iterator[list[FakeServer]]:
    """Fake servers that run and that no test uses: starting one takes a second."""
    servers: list[FakeServer] = []
    yield servers
    for made in servers:
        made.__exit__(None, None, None)


@pytest.fixture
def server(resting: list[FakeServer]) -> Iterator[Callable[..., FakeServer]]:
    """Lend fake servers, each as if just started; they rest when the test ends."""
    lent: list[FakeServer] = []

    def start(**behavior: Any) -> FakeServer:
        if resting:
            made = resting.pop()
            made.behave(**behavior)
            made.forget()
        else:
            made = FakeServer(**behavior)
            made.__enter__()
        lent.append(made)
        return made

    yield start
    resting.extend(lent)


def simile(id: str = "a", vehicle: str = "cat", **fields: Any) -> Item:
    """A small item about a vehicle of a COCO class."""
    text = fields.pop("text", f"The cloud over the hill curls like a {vehicle}.")
    start = text.index(vehicle)
    figure = Figure.model_validate({
        "tenor": "cloud", "vehicle": vehicle, "vehicle_class": vehicle, "form": "simile",
        "spans": {"vehicle": [start, start + len(vehicle)], "marker": [start - 7, start - 3]},
    })  # fmt: skip
    fields.setdefault("cluster", {"vehicle": vehicle, "template": "like-s"})
    fields.setdefault("class_may_be_in_scene", False)
    return Item(id=id, lang="en", text=text, figures=(figure,), **fields)


def trope(*arguments: str, cwd: Path, check: bool = True, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "trope", *arguments], cwd=cwd, capture_output=True, text=True, timeout=240, **options
    )
    if check and done.returncode:
        raise AssertionError(f"trope {' '.join(arguments)} ended {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done
