"""What passes through: bytes, headers, paths, and where pictures are fetched from."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from tests.proxy.helpers import CAT, KEY, told
from tests.proxy.here import SHOWS, post, serving, upstream
from trope.proxy.ledger import Ledger
from trope.testing import FakeServer


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeServer]:
    with FakeServer() as started:
        yield started


@pytest.fixture
def behave(fake: FakeServer) -> Callable[..., None]:
    fake.forget()
    fake.behave()
    return fake.behave


def test_an_answer_is_the_upstreams_own_to_the_byte() -> None:
    odd = b' {"data" : [ {"url":"http://127.0.0.1:9/secret.png", "x": 1.50} ],\n "created":1e0 } '

    async def handler(request: web.Request) -> web.Response:
        await request.read()
        headers = [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Request-Id", "r-1"), ("X-Trope-Guard", "lies")]
        return web.Response(body=odd, headers=headers, content_type="application/json")  # type: ignore[arg-type]

    with upstream(handler) as behind, serving(behind) as url:
        ((_, said, body),) = post(url)
        ((_, again, _),) = post(url)

        async def cookies() -> tuple[list[str], str]:
            async with (
                aiohttp.ClientSession() as session,
                session.post(f"{url}/images/generations", json={"prompt": CAT}) as got,
            ):
                return got.headers.getall("Set-Cookie"), got.headers["X-Request-Id"]

        assert asyncio.run(cookies()) == (["a=1", "b=2"], "r-1")
    assert body == odd and said["guard"] == "changed" and again == said
    assert (said["check"], said["check-reason"]) == ("cannot-say", "url-of-another-host"), "it is not even fetched"


def test_a_compressed_answer_flows_as_it_is() -> None:
    packed = gzip.compress(b'{"data": []}')
    seen: list[str | None] = []

    async def handler(request: web.Request) -> web.Response:
        await request.read()
        seen.append(request.headers.get("Accept-Encoding"))
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        return web.Response(body=packed, headers=headers)

    with upstream(handler) as behind, serving(behind) as url:
        (looked,) = post(url)
        (unlooked,) = post(url, prompt="A teapot.")
    assert looked[2] == unlooked[2] == b'{"data": []}', "the client unpacks what the upstream packed"
    assert seen[0] == "identity" and "gzip" in str(seen[1])
    assert looked[1]["check"] == "cannot-say" and looked[1]["check-reason"] == "other-answer"


def test_an_answer_too_large_to_hold_flows_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trope.proxy.upstream.LONGEST_ANSWER", 100_000)
    large = b'{"data": [{"b64_json": "' + b"A" * 3_000_000 + b'"}]}'

    async def handler(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=large, content_type="application/json")

    with upstream(handler) as behind, serving(behind) as url:
        ((_, said, body),) = post(url)
    assert body == large and said["check-reason"] == "answer-too-large" and said["tries"] == "1"


def test_another_number_of_pictures_than_asked_for_is_said(behave: Callable[..., None], fake: FakeServer) -> None:
    async def handler(request: web.Request) -> web.Response:
        await request.read()
        async with aiohttp.ClientSession() as session:
            async with session.post(f"{fake.url}/images/generations", json={"prompt": "a bench", "n": 2}) as got:
                return web.Response(body=await got.read(), content_type="application/json")

    behave(**SHOWS)
    with upstream(handler) as behind, serving(behind) as url:
        ((_, said, body),) = post(url, n=4)
        ((_, same, _),) = post(url, n=2.0)
        ((_, odd, _),) = post(url, n=1e999)
    assert len(json.loads(body)["data"]) == 2
    assert same["shown"].endswith("/2") and odd["check-reason"] == "other-number-of-pictures"
    assert (said["check"], said["check-reason"]) == ("cannot-say", "other-number-of-pictures")


def test_paths_methods_and_bodies_pass_as_they_are() -> None:
    seen: list[tuple[str, str, bytes]] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append((request.method, request.raw_path, await request.read()))
        return web.Response(status=302, headers={"Location": "http://127.0.0.1:9/"})

    async def go(url: str) -> None:
        async with aiohttp.ClientSession() as session:
            for method, path in (("DELETE", "/v1/a%2Fb?x=%20&y"), ("PUT", "/other/c"), ("HEAD", "/v1")):
                target = URL(url.removesuffix("/v1") + path, encoded=True)
                async with session.request(method, target, data=b"\0\1" * 1000, allow_redirects=False) as got:
                    assert got.status == 302 and got.headers["Location"] == "http://127.0.0.1:9/"

    with upstream(handler) as behind, serving(behind) as url:
        asyncio.run(go(url))
    assert seen == [
        ("DELETE", "/v1/a%2Fb?x=%20&y", b"\0\1" * 1000),
        ("PUT", "/other/c", b"\0\1" * 1000),
        ("HEAD", "/v1", b"\0\1" * 1000),
    ]


def test_a_client_may_close_after_its_answer(tmp_path: Path, behave: Callable[..., None], fake: FakeServer) -> None:
    behave()
    with Ledger(tmp_path / "l.sqlite") as ledger, serving(fake.url, ledger=ledger) as url:
        for _ in range(20):
            post(url)
        assert ledger.counts()["upstream"] == {}


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("/v1/moved", "url-not-fetched"),
        ("/v1/none", "url-not-fetched"),
        ("/v1/large", "picture-too-large"),
        ("/v1/text", "picture-unreadable"),
        ("ftp://x/y", "url-unreadable"),
        ("http://[", "url-unreadable"),
        ("http://user:pw@{here}/v1/moved", "url-of-another-host"),
        ("http://localhost:{port}/v1/text", "url-of-another-host"),
        ("data:image/png;base64,AAAA", "picture-unreadable"),
        ("data:image/png;base64,????", "picture-unreadable"),
    ],
)
def test_where_a_picture_is_fetched_from(monkeypatch: pytest.MonkeyPatch, place: str, reason: str) -> None:
    monkeypatch.setattr("trope.proxy.pictures.LONGEST_PICTURE", 100_000)
    fetched: list[tuple[str, str | None]] = []

    async def handler(request: web.Request) -> web.Response:
        await request.read()
        if request.method == "POST":
            here = request.host
            url = place.replace("{here}", here).replace("{port}", here.rpartition(":")[2])
            url = f"http://{here}{url}" if url.startswith("/") else url
            return web.json_response({"data": [{"url": url}]})
        fetched.append((request.path, request.headers.get("Authorization")))
        if request.path.endswith("moved"):
            raise web.HTTPFound("/v1/text")
        if request.path.endswith("none"):
            raise web.HTTPNotFound
        return web.Response(body=b"x" * (200_000 if request.path.endswith("large") else 10))

    with upstream(handler) as behind, serving(behind) as url:
        ((status, said, _),) = post(url)
    assert (status, said["check"], said["check-reason"]) == (200, "cannot-say", reason)
    assert fetched == ([(place, None)] if place.startswith("/") else [])


def test_a_packed_request_flows_packed() -> None:
    """A body that is no plain text is not guarded, and stays what its headers say it is."""
    packed = gzip.compress(json.dumps({"prompt": CAT}).encode(), mtime=0)
    seen: list[tuple[str, str | None, bytes]] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append((request.path, request.headers.get("Content-Encoding"), await request.read()))
        return web.json_response({"data": []})

    async def go(url: str) -> list[dict[str, str]]:
        async with aiohttp.ClientSession(headers={"Content-Encoding": "gzip"}) as session:
            answers = [await session.post(f"{url}/images/{name}", data=packed) for name in ("generations", "edits")]
            return [told(answer.headers) for answer in answers]

    with upstream(handler, auto_decompress=False) as behind, serving(behind) as url:
        guarded, other = asyncio.run(go(url))
    assert seen == [("/v1/images/generations", "gzip", packed), ("/v1/images/edits", "gzip", packed)]
    assert (guarded["guard"], guarded["guard-reason"], other) == ("skipped", "body-encoded", {})


@pytest.mark.parametrize(
    "path", ["/images/generations", "/v1/images/generations/", "/openai/deployments/d/images/generations?v=1"]
)
def test_pictures_are_guarded_wherever_they_are_asked_for(path: str) -> None:
    seen: list[tuple[str, str]] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append((request.path_qs, (await request.json())["prompt"]))
        return web.json_response({"data": []})

    async def go(url: str) -> dict[str, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{url.removesuffix('/v1')}{path}", json={"prompt": CAT}) as got,
        ):
            return told(got.headers)

    with upstream(handler) as behind, serving(behind) as url:
        assert asyncio.run(go(url))["guard"] == "changed"
    assert seen and seen[0][0] == path and "cat" not in seen[0][1]


@pytest.mark.parametrize(
    "lines",
    [
        f"Authorization: Bearer {KEY}\0",
        f"Authorization: {KEY}{'a' * 9000}",
        f"Content-Length: 2\r\nTransfer-Encoding: chunked\r\nAuthorization: {KEY}",
        f"Content-Length: 2\r\nContent-Length: 3 {KEY}",
    ],
)
def test_a_request_that_cannot_be_read_goes_nowhere_and_is_not_quoted(
    lines: str, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append(request.path)
        return web.Response()

    with upstream(handler) as behind, serving(behind) as url, caplog.at_level(logging.DEBUG):
        at = URL(url)
        with socket.create_connection((at.host, at.port), timeout=10) as made:
            made.sendall(f"POST /v1/images/generations HTTP/1.1\r\nHost: x\r\n{lines}\r\n\r\n{{}}".encode())
            assert made.recv(4096).startswith(b"HTTP/1.0 400 ")
    assert seen == [] and "a request that cannot be read" in caplog.text and KEY not in caplog.text
