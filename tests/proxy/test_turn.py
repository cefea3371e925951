"""One request at a time, in this process but over real HTTP: retries and their limits, faults, bytes."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from tests.proxy.helpers import CAT, REWRITTEN, told
from trope.backend import Backend
from trope.flow import Budget
from trope.proxy.eyes import instrument
from trope.proxy.ledger import Ledger
from trope.proxy.makers import Maker
from trope.proxy.server import Proxy, serve
from trope.proxy.settings import Settings
from trope.proxy.upstream import Upstream
from trope.records import Result
from trope.strategies.guard import Plan, plan_by_rules
from trope.testing import FakeServer

SSD = instrument("ssd")
SHOWS = {"image": "collage", "image_side": 256}


@contextmanager
def serving(
    upstream: str,
    *,
    made: Maker | None = None,
    model: Backend | None = None,
    eyes: Sequence[Backend] = (SSD,),
    budget: Budget | None = None,
    ledger: Ledger | None = None,
    **settings: Any,
) -> Iterator[str]:
    """A proxy in a thread of its own; yields its base address."""
    address: list[str] = []
    begun, loop = threading.Event(), asyncio.new_event_loop()
    kept = ledger or Ledger(None)
    proxy = Proxy(Upstream(upstream), Settings(**settings), kept, model, eyes, budget=budget, made=made)

    def ready(url: str) -> None:
        address.append(url)
        begun.set()

    task = loop.create_task(serve(proxy, "127.0.0.1", 0, ready))

    def run() -> None:
        try:
            loop.run_until_complete(asyncio.wait([task]))
        finally:
            begun.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    try:
        yield address[0] if address else str(task.exception())
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
        if ledger is None:
            kept.close()


def post(url: str, count: int = 1, at_once: int = 1, **fields: Any) -> list[tuple[int, dict[str, str], bytes]]:
    """So many requests, so many at once: status, our headers, body."""

    async def go() -> list[tuple[int, dict[str, str], bytes]]:
        gate = asyncio.Semaphore(at_once)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def one() -> tuple[int, dict[str, str], bytes]:
                body = {"model": "fake", "prompt": CAT} | fields
                async with gate, session.post(f"{url}/images/generations", json=body) as response:
                    return response.status, told(response.headers), await response.read()

            return list(await asyncio.gather(*(one() for _ in range(count))))

    return asyncio.run(go())


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeServer]:
    with FakeServer() as started:
        yield started


@pytest.fixture
def behave(fake: FakeServer) -> Callable[..., None]:
    fake.forget()
    fake.behave()
    return fake.behave


@pytest.fixture(scope="module")
def looking(fake: FakeServer) -> Iterator[str]:
    """A proxy that draws up to three times."""
    with serving(fake.url, tries=3) as url:
        yield url


# --- draw again ---


def test_it_draws_again_until_the_vehicle_is_gone(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat", "a cat", "a bench"], **SHOWS)
    ((status, said, _),) = post(looking)
    assert (status, said["check"], said["shown"], said["tries"]) == (200, "absent", "0/1", "3")
    assert "stopped" not in said and len(fake.log()) == 3
    assert {entry["sha"] for entry in fake.log()} == {fake.log()[0]["sha"]}, "each draw is asked in the same bytes"


def test_when_every_draw_shows_it_the_first_is_kept(behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat"], **SHOWS)
    ((_, said, _),) = post(looking)
    assert (said["check"], said["shown"], said["tries"], said["stopped"]) == ("shown", "1/1", "3", "tries")


def test_a_server_that_draws_the_same_again_is_not_asked_on(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    judge = instrument(f"vllm:judge?base_url={fake.url}")  # the fake answers A: it is there
    with serving(fake.url, tries=5, eyes=[judge]) as url:
        ((_, said, _),) = post(url)
    assert (said["tries"], said["stopped"], said["shown"]) == ("2", "same-picture-again", "1/1")


def test_the_draw_with_the_fewest_is_kept(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat", "a bench", "a cat"], **SHOWS)
    ((_, said, _),) = post(looking, n=2)
    assert said["shown"] == "0/2" and said["tries"] == "2"
    assert [entry["body"]["n"] for entry in fake.log()] == [2, 2]


@pytest.mark.parametrize("trouble", ["busy", "error", "refuse", "reset", "malformed", "cut"])
def test_when_a_further_draw_fails_the_first_answer_stands(
    fake: FakeServer, behave: Callable[..., None], looking: str, trouble: str
) -> None:
    behave(sequence=["ok", trouble], shows=["a cat"], **SHOWS)
    ((status, said, body),) = post(looking)
    assert (status, said["check"], said["tries"]) == (200, "shown", "2") and len(fake.log()) == 2
    why = {"busy": "upstream-429", "error": "upstream-500", "refuse": "upstream-400", "malformed": "other-answer"}
    assert said["stopped"] == why.get(trouble, "broken-off") and json.loads(body)["data"][0]["b64_json"]


def test_a_fixed_seed_is_drawn_once(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat"], **SHOWS)
    ((_, said, _),) = post(looking, seed=7)
    assert (said["tries"], said["stopped"]) == ("1", "seed-is-fixed") and len(fake.log()) == 1


def test_seconds_are_a_limit(behave: Callable[..., None], fake: FakeServer) -> None:
    behave(shows=["a cat"], latency=0.4, **SHOWS)
    with serving(fake.url, tries=20, seconds=1.0) as url:
        began = time.monotonic()
        ((_, said, _),) = post(url)
    assert said["stopped"] == "seconds" and int(said["tries"]) < 4 and time.monotonic() - began < 5


def test_money_is_a_limit_over_all_requests(behave: Callable[..., None], fake: FakeServer) -> None:
    behave(shows=["a cat"], **SHOWS)
    budget = Budget(0.10, {"openai-images:fake": {"image": 0.04}})
    with Ledger(None) as ledger, serving(fake.url, tries=9, budget=budget, ledger=ledger) as url:
        first, second = post(url)[0][1], post(url)[0][1]
        other = post(url, model="unpriced")[0][1]
        counts = ledger.counts()
    assert (first["tries"], first["stopped"]) == ("3", "money") and budget.spent == pytest.approx(0.08)
    assert (second["tries"], second["stopped"]) == ("1", "money")
    assert (other["tries"], other["stopped"]) == ("1", "price-unknown")
    assert counts["usd_for_further_draws"] == 0.08 and counts["drawn_again"] == 1
    assert counts["pictures"] == {"looked_at": 3, "could_be_told": 3, "shown_at_first": 3, "shown_in_the_end": 3}


def test_what_is_no_picture_is_no_absence(behave: Callable[..., None], looking: str) -> None:
    for image, reason in (("broken", "picture-unreadable"), ("black", "blank")):
        behave(image=image)
        ((status, said, _),) = post(looking)
        assert (status, said["check"], said["check-reason"], said["tries"]) == (200, "cannot-say", reason, "1")


# --- faults of ours ---


FAULTS = (
    "RuntimeError",
    "RecursionError",
    "MemoryError",
    "CancelledError",
    "AttributeError",
    "another-text",
    "TypeError",
    "unsound-plan",
)


def _in_turn() -> Callable[..., Any]:
    """A maker of plans that fails in another way every time."""
    count = itertools.count()
    made = plan_by_rules(CAT).figures[0]
    odd = Plan(CAT, "en", "odd", (replace(made, whole=None),))  # type: ignore[arg-type]

    beyond = Plan(CAT, "en", "odd", (replace(made, whole=(60, 600)),))

    async def plan(text: str, lang: str | None, context: str | None) -> Any:
        kind = next(count) % 8
        if kind < 4:
            raise (RuntimeError, RecursionError, MemoryError, asyncio.CancelledError)[kind](
                f"secrets of {text}\r\nX-Evil: 1"
            )
        return (None, plan_by_rules("Another text."), odd, beyond)[kind - 4]

    return plan


async def _slow(text: str, lang: str | None, context: str | None) -> Plan:
    await asyncio.sleep(60)
    return plan_by_rules(text)


async def _nonsense(text: str, lang: str | None, context: str | None) -> Plan:
    return plan_by_rules("Quite another text, as white as snow.")


def _faults(fake: FakeServer, count: int) -> None:
    with Ledger(None) as ledger, serving(fake.url, made=Maker("broken", _in_turn()), ledger=ledger) as url:
        answers = post(url, count, at_once=32)
        counts = ledger.counts()
    assert len(answers) == count and all(status == 200 for status, _, _ in answers)
    assert all(json.loads(body)["data"][0]["b64_json"] for _, _, body in answers)
    expected = {"guard": "failed", "check": "skipped", "maker": "broken", "tries": "1"}
    assert all(expected.items() <= said.items() for _, said, _ in answers)
    assert {said["guard-reason"] for _, said, _ in answers} == set(FAULTS)
    assert counts["guard"] == {"failed": count} and counts["statuses"] == {"200": count}


def test_injected_faults_of_the_guard_cost_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    _faults(fake, 1_000)


@pytest.mark.slow
def test_ten_thousand_injected_faults_give_ten_thousand_images(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave(image_side=8)
    _faults(fake, 10_000)


def test_a_guard_that_hangs_or_talks_nonsense_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, made=Maker("slow", _slow), guard_seconds=0.2) as url:
        ((status, said, _),) = post(url)
        assert (status, said["guard"], said["guard-reason"]) == (200, "failed", "timeout")
    with serving(fake.url, made=Maker("nonsense", _nonsense)) as url:
        ((status, said, _),) = post(url)
        assert (status, said["guard"], said["guard-reason"]) == (200, "failed", "another-text")
    assert [entry["body"]["prompt"] for entry in fake.log()] == [CAT, CAT]


def test_a_detector_that_raises_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    class Blind(type(SSD)):  # type: ignore[misc]
        async def perform(self, jobs: Any) -> Any:
            raise OSError("the camera fell into the sea")

    behave()
    blind = Blind()
    blind.spec = blind.name = "blind"
    with serving(fake.url, eyes=[blind]) as url:
        ((status, said, _),) = post(url)
    assert (status, said["check"], said["check-reason"], said["tries"]) == (200, "failed", "OSError", "1")
    assert fake.log()[0]["body"]["prompt"] == REWRITTEN


def test_a_detector_that_talks_nonsense_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    class Odd(type(SSD)):  # type: ignore[misc]
        async def perform(self, jobs: Any) -> Any:
            return [Result(value={"detections": [{"odd": 1}]})] * len(jobs)

    behave()
    odd = Odd()
    odd.spec = odd.name = "odd"
    with serving(fake.url, eyes=[odd]) as url:
        ((status, said, body),) = post(url)
    assert (status, said["check"], said["check-reason"]) == (200, "failed", "KeyError") and b"b64_json" in body


def test_a_guard_without_money_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave(replies=[{"contains": "", "reply": '{"figures": []}'}])
    price = {"vllm:planner": {"input": 1.0, "output": 1.0, "image_tokens": 1.0}}
    model = instrument(f"vllm:planner?base_url={fake.url}")
    reasons = []
    with serving(fake.url, model=model, eyes=(), budget=Budget(0.01, price)) as url:
        for _ in range(60):
            ((status, said, _),) = post(url)
            assert status == 200
            reasons.append((said["guard"], said["guard-reason"]))
    assert set(reasons) == {("unchanged", "no-figure"), ("failed", "PlanError")} and reasons[-1][0] == "failed"


def test_a_ledger_that_cannot_be_written_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with Ledger(None) as ledger, serving(fake.url, eyes=(), ledger=ledger) as url:
        ledger._connection.execute("DROP TABLE requests")
        answers = post(url, 3)
        ledger.flush()
        assert [status for status, _, _ in answers] == [200] * 3 and ledger.lost == 3


# --- renderers, languages, worlds ---


@pytest.mark.parametrize(
    ("renderer", "field", "value"),
    [
        ("rewrite", "prompt", REWRITTEN),
        ("negative", "negative_prompt", "blurry, cat"),
    ],
)
def test_renderers(fake: FakeServer, behave: Callable[..., None], renderer: str, field: str, value: str) -> None:
    behave()
    with serving(fake.url, renderer=renderer, eyes=()) as url:
        ((_, said, _),) = post(url, negative_prompt="blurry")
    sent = fake.log()[0]["body"]
    assert said["guard"] == "changed" and said["renderer"] == renderer and sent[field] == value
    assert set(sent) == {"model", "prompt", "negative_prompt"}


def test_a_negative_prompt_is_added_where_there_was_none(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, renderer="negative", eyes=()) as url:
        post(url)
    assert fake.log()[0]["body"] == {"model": "fake", "prompt": CAT, "negative_prompt": "cat"}


def test_what_the_story_calls_real_stays(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, context="The harbor cat is real.", eyes=()) as url:
        ((_, said, _),) = post(url)
    assert said["guard"] == "unchanged" and fake.log()[0]["body"]["prompt"] == CAT


# --- bytes ---


@contextmanager
def upstream(handler: Callable[[web.Request], Any]) -> Iterator[str]:
    """A server that answers everything with one handler."""
    loop, address, begun, stop = asyncio.new_event_loop(), [""], threading.Event(), asyncio.Event()

    async def main() -> None:
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address[0] = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        begun.set()
        await stop.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(main()))
    thread.start()
    begun.wait()
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


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
    assert len(json.loads(body)["data"]) == 2
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
