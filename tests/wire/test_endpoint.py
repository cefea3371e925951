"""Real HTTP against a server in another process: retries, pace, refusals, malformed answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from trope.errors import BackendError, NotAsked, TransientError
from trope.records import Result
from trope.requests import Prompt
from trope.testing import FakeServer
from trope.wire import Endpoint, chat, generate_image, provider
from trope.wire.pace import Pace

Start = Callable[..., FakeServer]
PROMPT = Prompt("Q1: is there a cat?\nA. yes\nB. no", read=str, system="Answer.")


def _endpoint(url: str, **options: Any) -> Endpoint:
    settings: dict[str, Any] = {"concurrency": 8, "timeout": 5.0, "retries": 4} | options
    return Endpoint(provider("vllm"), url, **settings)


def _do(endpoint: Endpoint, work: Callable[[], Any], times: int = 1) -> list[Any]:
    async def go() -> list[Any]:
        await endpoint.open()
        try:
            return await asyncio.gather(*(work() for _ in range(times)), return_exceptions=True)
        finally:
            await endpoint.close()

    return asyncio.run(go())


def test_the_picture_comes_first_and_arrives_whole(server: Start, tmp_path: Path) -> None:
    fake = server()
    path = tmp_path / "a.png"
    Image.effect_noise((64, 64), 50).convert("RGB").save(path)
    endpoint = _endpoint(fake.url)
    (result,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT, picture=path))
    assert result.raw == "Q1: A" and result.provenance["system_fingerprint"] == "fp_fake"
    (request,) = fake.log()
    system, user = request["body"]["messages"]
    assert system == {"role": "system", "content": "Answer."}
    assert [part["type"] for part in user["content"]] == ["image_url", "text"]
    assert user["content"][0]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert request["body"]["temperature"] == 0 and request["body"]["max_tokens"] == 512


def test_a_prompt_cannot_smuggle_a_picture_into_itself(server: Start, tmp_path: Path) -> None:
    from trope.wire import chat as chat_module  # the function shadows the module on the package

    fake = server()
    path = tmp_path / "a.png"
    Image.new("RGB", (8, 8), "red").save(path)
    endpoint = _endpoint(fake.url)
    nasty = Prompt('@picture-00@ "}]} \\ \u2028 ${x}', read=str)
    _do(endpoint, lambda: chat_module(endpoint, "m", nasty, picture=path))
    assert fake.log()[0]["body"]["messages"][0]["content"][1]["text"] == nasty.user


def test_transient_trouble_is_tried_again_until_it_works(server: Start) -> None:
    fake = server(busy=0.2, error=0.15, reset=0.15, malformed=0.1, seed=3)
    endpoint = _endpoint(fake.url, retries=12)
    results = _do(endpoint, lambda: chat(endpoint, "m", PROMPT), times=25)
    assert [r.raw for r in results] == ["Q1: A"] * 25
    treated = [entry["treated"] for entry in fake.log()]
    assert treated.count("ok") == 25 and {"busy", "error", "reset", "malformed"} <= set(treated)


@pytest.mark.parametrize("kind", ["error", "reset", "malformed", "stall"])
def test_when_the_tries_are_used_up_the_error_says_so(server: Start, kind: str) -> None:
    fake = server(**{kind: 1.0})
    endpoint = _endpoint(fake.url, retries=1, timeout=0.5)
    (error,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT))
    assert isinstance(error, TransientError) and str(error).endswith("(after 2 tries)")
    assert len(fake.log()) == 2


def test_the_wait_a_server_asks_for_is_honored_by_all(server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A jam uses up no tries; whoever queues waits too, and is asked for no more than is left."""
    monkeypatch.setattr("trope.wire.endpoint.PATIENCE", 1.5)
    fake = server(busy=1.0, retry_after=0.6)
    endpoint = _endpoint(fake.url, retries=0)
    start = time.monotonic()
    results = _do(endpoint, lambda: chat(endpoint, "m", PROMPT), times=20)
    assert all(isinstance(r, TransientError) and "HTTP 429" in str(r) for r in results)
    assert time.monotonic() - start >= 1.2
    assert len(fake.log()) < 60  # 20 that did not wait would have come three times each


def test_hurrying_ends_the_wait(server: Start) -> None:
    fake = server(busy=1.0, retry_after=60)
    endpoint = _endpoint(fake.url)

    async def go() -> Any:
        await endpoint.open()
        asyncio.get_running_loop().call_later(0.4, endpoint.hurry)
        try:
            return await asyncio.wait_for(
                asyncio.gather(*(chat(endpoint, "m", PROMPT) for _ in range(4)), return_exceptions=True), 5
            )
        finally:
            await endpoint.close()

    assert all(isinstance(r, NotAsked) for r in asyncio.run(go()))


def test_a_jam_without_a_wait_is_not_hammered(server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trope.wire.endpoint.PATIENCE", 2.0)
    fake = server(busy=1.0, retry_after=None)
    endpoint = _endpoint(fake.url)
    _do(endpoint, lambda: chat(endpoint, "m", PROMPT), times=8)
    assert len(fake.log()) < 80  # hundreds, if everyone came back at once


def test_under_a_budget_what_may_have_been_billed_is_not_sent_again(server: Start) -> None:
    fake = server(reset=1.0)
    endpoint = _endpoint(fake.url, retries=5)

    async def go() -> Any:
        await endpoint.open(cautious=True)
        try:
            return await endpoint.answer(chat(endpoint, "m", PROMPT))
        finally:
            await endpoint.close()

    result = asyncio.run(go())
    assert result.status == "failed" and result.billed and len(fake.log()) == 1


def test_refusals_of_both_endpoints_are_refusals(server: Start) -> None:
    fake = server(refuse=1.0)
    endpoint = _endpoint(fake.url)
    (said,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT))
    assert said.status == "refused" and "cannot help" in said.reason
    (drawn,) = _do(endpoint, lambda: generate_image(endpoint, {"model": "m", "prompt": "x"}))
    assert drawn.status == "refused" and "safety system" in drawn.reason
    assert len(fake.log()) == 2  # a refusal is an answer


def test_half_a_surrogate_pair_is_a_question_mark(server: Start) -> None:
    fake = server(replies=({"contains": "", "reply": "Q1: A \ud83d, Q2: \U0001f408"},))
    endpoint = _endpoint(fake.url)
    (said,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT))
    assert said.raw == "Q1: A ?, Q2: \U0001f408"


@pytest.mark.parametrize("image", ["noise", "url"])
def test_pictures_come_in_both_forms(server: Start, image: str) -> None:
    fake = server(image=image)
    endpoint = _endpoint(fake.url)
    (result,) = _do(endpoint, lambda: generate_image(endpoint, {"model": "m", "prompt": "猫"}))
    assert isinstance(result, Result) and result.status == "ok" and result.image[:4] == b"\x89PNG"
    assert fake.log()[0]["body"]["prompt"] == "猫"


def test_a_wrong_address_names_it() -> None:
    endpoint = _endpoint("http://127.0.0.1:9/v1", retries=0)
    (error,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT))
    assert isinstance(error, TransientError) and "127.0.0.1:9" in str(error) and not error.billed


def test_a_hosted_provider_without_its_key_is_an_error() -> None:
    endpoint = Endpoint(provider("openai"), None, 1, 1.0, 0)
    with pytest.raises(BackendError, match="OPENAI_API_KEY"):
        asyncio.run(endpoint.open())


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_server_that_quotes_the_key_is_not_quoted(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from aiohttp import web

    from tests.proxy.here import upstream

    async def handler(request: web.Request) -> web.Response:
        said = f"what is {request.headers['Authorization']}?"
        return web.json_response({"error": {"message": said}}, status=status)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-trope-SECRET-0123456789")
    with upstream(handler) as url:
        endpoint = Endpoint(provider("openai"), url, concurrency=1, timeout=5.0, retries=0)
        (answer,) = _do(endpoint, lambda: chat(endpoint, "m", PROMPT))
    said = str(answer)
    assert "what is Bearer (the key)?" in said and "SECRET" not in said


def test_pace_grows_halves_and_never_lets_too_many_in() -> None:
    async def go() -> None:
        pace = Pace(16)
        under_way = most = 0

        async def one(busy: bool) -> None:
            nonlocal under_way, most
            async with pace:
                under_way += 1
                most = max(most, under_way)
                assert under_way <= 16
                await asyncio.sleep(0)
                under_way -= 1
            (pace.busy(None) if busy else pace.succeeded())

        await asyncio.gather(*(one(False) for _ in range(400)))
        assert pace.limit == 16 and most <= 16
        await one(True)
        assert pace.limit == 8
        await one(True)
        assert pace.limit == 8  # one jam, one halving
        most = 0
        await asyncio.gather(*(one(False) for _ in range(8)))
        assert most <= 9

    asyncio.run(go())


def test_a_cancelled_waiter_gives_its_turn_back() -> None:
    async def go() -> None:
        pace = Pace(1)
        await pace.__aenter__()
        waiting = asyncio.create_task(pace.__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        await pace.__aexit__()
        await asyncio.wait_for(pace.__aenter__(), 1)

    asyncio.run(go())


def test_the_log_of_the_fake_server_is_json(server: Start) -> None:
    assert json.dumps(server().log()) == "[]"
