"""The guard by itself: forms that take too long to arrive, and addresses compared as browsers write them."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from fastapi import FastAPI, Request

from trope.errors import UsageError
from trope.people import guard

FORM = (b"content-type", b"application/x-www-form-urlencoded")


def ask(*headers: tuple[bytes, bytes], body: tuple[bytes, ...] = (b"a=1",), origin: str | None = None) -> int:
    """The status of a form that comes in pieces; one that does not end waits until it is cut off."""
    app = FastAPI()

    @app.post("/")
    async def take(request: Request) -> str:
        return (await request.body()).decode("ascii")

    async def go() -> int:
        pieces = list(body)
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            if not pieces:
                await asyncio.Event().wait()
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces) or piece == b""}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [FORM, *headers]}
        await guard.Guard(app, None, origin)(scope, receive, send)
        return int(sent[0]["status"])

    return asyncio.run(go())


def test_a_form_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE", 0.05)
    assert ask(body=(b"a", b"=", b"1")) == 200
    assert ask(body=(b"a", b"")) == 408


def test_origins_are_compared_as_browsers_write_them() -> None:
    host = (b"host", b"Study.example.org")
    own, other = (b"origin", b"https://study.example.org"), (b"origin", b"https://study.example.org.evil")
    assert ask(host, own) == ask(host, own, origin="https://study.example.org") == 200
    assert ask(host, other) == ask(host, other, origin="https://study.example.org") == 403


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("HTTPS://Study.Example.org/", "https://study.example.org"),
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765"),
        ("https://x.org:443", "https://x.org"),
        ("http://[::1]:80", "http://[::1]"),
        ("x.org", None),
        ("javascript://x.org", None),
        ("https://x.org/study", None),
        ("https://a@x.org", None),
        ("http://x.org:port", None),
    ],
)
def test_addresses_of_a_server(given: str, kept: str | None) -> None:
    from trope.cli.study import _address

    if kept is None:
        with pytest.raises(UsageError, match="scheme and host"):
            _address(given)
    else:
        assert _address(given) == kept
