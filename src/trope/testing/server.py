"""A fake OpenAI-compatible server in a process of its own: chat, images, models, and every kind of trouble.

::

    with FakeServer(latency=0.01, busy=0.1) as server:
        subprocess.run(["trope", "run", ..., f"--subject=openai-images:fake?base_url={server.url}"])
        assert len(server.log()) == 40
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Behavior:
    """How the server behaves. Rates are shares of requests in [0, 1], drawn from ``seed`` in order of arrival.

    Attributes
    ----------
    latency : seconds before an answer.
    busy : HTTP 429, with ``Retry-After: retry_after`` seconds (None: without).
    error : HTTP 500. reset : the connection is cut. stall : no answer at all.
    malformed : HTTP 200 whose body is not JSON. refuse : a policy refusal, in the endpoint's own way.
    garbage : a chat reply that keeps no format.
    replies : ``[{"contains": text, "reply": text}, ...]``: the first whose text is in the request replies;
        otherwise every ``Qn:`` of the prompt is answered with `letter`.
    image : ``noise`` (drawn from prompt and seed), ``collage`` (every noun of the prompt that `collage` knows, by
        chance of arrival), ``black``, ``broken`` (no picture) or ``url``; a request's ``response_format`` comes first.
    sequence : how the first image requests are treated, in order of arrival: ``ok``, ``busy``, ``error``, ``reset``,
        ``stall``, ``malformed``, ``refuse``, ``cut`` (half a body); after them the rates hold.
    shows : what `collage` draws instead of the prompt, in order of arrival; the last for all further ones.
    """

    latency: float = 0.0
    busy: float = 0.0
    retry_after: float | None = 0.05
    error: float = 0.0
    reset: float = 0.0
    stall: float = 0.0
    malformed: float = 0.0
    refuse: float = 0.0
    garbage: float = 0.0
    letter: str = "A"
    replies: tuple[Mapping[str, str], ...] = ()
    image: str = "noise"
    image_side: int = 64
    seed: int = 0
    sequence: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()


@dataclass
class FakeServer:
    """The server as a context manager: it runs in its own process and stops when the block ends.

    Keyword arguments are those of `Behavior`.
    """

    behavior: Behavior = field(default_factory=Behavior)
    url: str = ""

    def __init__(self, **behavior: Any) -> None:
        self.behavior = Behavior(**behavior)
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> FakeServer:
        command = [
            sys.executable,
            "-m",
            "trope.testing",
            "--behavior",
            json.dumps(asdict(self.behavior)),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("http"):
            raise RuntimeError("the fake server did not start")
        self.url = line.strip()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=10)

    def log(self) -> list[dict[str, Any]]:
        """Every request so far: path, SHA-256 of its body, headers, how it was treated, and the decoded body.

        ``gone`` is there where the client did not wait for the answer.
        """
        with urllib.request.urlopen(f"{self.url.removesuffix('/v1')}/log") as response:
            log: list[dict[str, Any]] = json.load(response)
        return log

    def forget(self) -> None:
        """Empty the log."""
        request = urllib.request.Request(f"{self.url.removesuffix('/v1')}/log", method="DELETE")
        urllib.request.urlopen(request).close()

    def behave(self, **behavior: Any) -> None:
        """Behave like this from now on, as if just started; the log stays."""
        self.behavior = Behavior(**behavior)
        request = urllib.request.Request(
            f"{self.url.removesuffix('/v1')}/behavior", json.dumps(asdict(self.behavior)).encode(), method="PUT"
        )
        urllib.request.urlopen(request).close()


class _Server:
    def __init__(self, behavior: Behavior) -> None:
        self._log: list[dict[str, Any]] = []
        self._pictures: dict[str, bytes] = {}
        self._behave(behavior)

    def _behave(self, behavior: Behavior) -> None:
        self._behavior = behavior
        self._random = random.Random(behavior.seed)
        self._images = 0

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/images/generations", self._image)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/picture/{name}", self._picture)
        app.router.add_get("/log", self._show_log)
        app.router.add_delete("/log", self._drop_log)
        app.router.add_put("/behavior", self._change)
        return app

    async def _trouble(self, request: web.Request) -> tuple[Any, web.StreamResponse | None]:
        data = await request.read()
        entry: dict[str, Any] = {
            "path": request.path,
            "sha": hashlib.sha256(data).hexdigest(),
            "treated": "ok",
            "headers": {name.lower(): value for name, value in request.headers.items()},
        }
        self._log.append(entry)
        try:
            body = json.loads(data)
        except ValueError:
            entry["treated"] = "bad request"
            return None, _error(400, "invalid_json", "the body is not JSON")
        entry["body"] = _short(body)
        try:
            await asyncio.sleep(self._behavior.latency)
            return body, await self._treated(request, entry)
        except asyncio.CancelledError:
            entry["gone"] = True  # the client did not wait
            raise

    async def _treated(self, request: web.Request, entry: dict[str, Any]) -> web.StreamResponse | None:
        planned = ""
        if request.path.endswith("/images/generations"):
            self._images = request["nth"] = self._images + 1
            planned = "".join(self._behavior.sequence[self._images - 1 : self._images])
        if planned:
            entry["treated"] = planned
            return None if planned == "ok" else await self._treat(request, planned)
        drawn = self._random.random()
        for name in ("busy", "error", "reset", "stall", "malformed"):
            share = getattr(self._behavior, name)
            if drawn < share:
                entry["treated"] = name
                return await self._treat(request, name)
            drawn -= share
        return None

    async def _treat(self, request: web.Request, name: str) -> web.StreamResponse:
        if name == "busy":
            wait = self._behavior.retry_after
            headers = {} if wait is None else {"Retry-After": str(wait)}
            return _error(429, "rate_limit_exceeded", "slow down", headers)
        if name == "error":
            return _error(500, "server_error", "something broke")
        if name == "refuse":
            return _refusal()
        if name == "stall":
            await asyncio.sleep(3600)
        if name == "cut":
            response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
            await response.prepare(request)
            await response.write(b'{"created": 1, "data": [')
        if name in ("reset", "cut"):
            assert request.transport is not None
            request.transport.abort()
            await asyncio.sleep(0)
        return web.Response(text="<html>not JSON</html>", content_type="text/html")

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body, trouble = await self._trouble(request)
        if trouble is not None:
            return trouble
        text = _words(body)
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant"}}
        if self._random.random() < self._behavior.refuse:
            choice["message"] |= {"content": None, "refusal": "I cannot help with that."}
        elif self._random.random() < self._behavior.garbage:
            choice["message"]["content"] = "Well, it is hard to say, maybe A or B?"
        else:
            choice["message"]["content"] = self._reply(text)
        answer = {
            "id": "chatcmpl-fake", "object": "chat.completion", "created": int(time.time()), "model": body.get("model"),
            "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            "system_fingerprint": "fp_fake",
        }  # fmt: skip
        return web.json_response(answer)

    def _reply(self, text: str) -> str:
        for rule in self._behavior.replies:
            if rule["contains"] in text:
                return rule["reply"]
        asked = dict.fromkeys(re.findall(r"^(Q\d+(?:_\d+)?):", text, re.MULTILINE))
        return "\n".join(f"{name}: {self._behavior.letter}" for name in asked) or "ok"

    async def _image(self, request: web.Request) -> web.StreamResponse:
        body, trouble = await self._trouble(request)
        if trouble is not None:
            return trouble
        if self._random.random() < self._behavior.refuse:
            return _refusal()
        prompt, count = str(body.get("prompt", "")), int(body.get("n") or 1)
        if self._behavior.image == "collage":
            shows = self._behavior.shows
            text = shows[min(request["nth"], len(shows)) - 1] if shows else prompt
            made = [_collage(text, 1000 * request["nth"] + n, self._behavior) for n in range(count)]
        else:
            made = [_draw(f"{prompt}\0{body.get('seed')}\0{n}", self._behavior) for n in range(count)]
        if body.get("stream"):
            return await _streamed(request, made)
        if (body.get("response_format") or self._behavior.image) == "url":
            places = [hashlib.sha256(m).hexdigest() for m in made]
            self._pictures.update(zip(places, made, strict=True))
            data = [{"url": f"http://{request.host}/picture/{place}"} for place in places]
        else:
            data = [{"b64_json": base64.b64encode(m).decode(), "revised_prompt": prompt[:80]} for m in made]
        return web.json_response({"created": int(time.time()), "data": data})

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["name"] not in self._pictures:
            raise web.HTTPNotFound
        return web.Response(body=self._pictures[request.match_info["name"]], content_type="image/png")

    async def _models(self, _: web.Request) -> web.StreamResponse:
        return web.json_response({"object": "list", "data": [{"id": "fake", "object": "model"}]})

    async def _change(self, request: web.Request) -> web.StreamResponse:
        self._behave(Behavior(**await request.json()))
        return web.Response()

    async def _show_log(self, _: web.Request) -> web.StreamResponse:
        return web.json_response(self._log)

    async def _drop_log(self, _: web.Request) -> web.StreamResponse:
        self._log.clear()
        return web.Response()


def _draw(material: str, behavior: Behavior) -> bytes:
    from PIL import Image

    if behavior.image == "broken":
        return b"this is no picture"
    side = behavior.image_side
    if behavior.image == "black":
        image = Image.new("RGB", (side, side))
    else:
        drawn = random.Random(material).randbytes(3 * 8 * 8)
        image = Image.frombytes("RGB", (8, 8), drawn).resize((side, side), Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _collage(text: str, seed: int, behavior: Behavior) -> bytes:
    from trope.generators.collage import Collage

    image = Collage(size=max(128, behavior.image_side)).draw(text, seed).image
    buffer = io.BytesIO()
    image.save(buffer, "PNG")  # type: ignore[union-attr]  # a collage is a PIL image
    return buffer.getvalue()


async def _streamed(request: web.Request, made: list[bytes]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for n, data in enumerate(made):
        for kind in ("image_generation.partial_image", "image_generation.completed"):
            event = {"type": kind, "b64_json": base64.b64encode(data).decode(), "partial_image_index": n}
            await response.write(f"event: {kind}\ndata: {json.dumps(event)}\n\n".encode())
    await response.write_eof()
    return response


def _refusal() -> web.Response:
    return _error(400, "content_policy_violation", "Your request was rejected by our safety system.")


def _words(body: Mapping[str, Any]) -> str:
    words = []
    for message in body.get("messages", []):
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        words += [part.get("text", "") for part in parts if part.get("type") == "text"]
    return "\n".join(words)


def _short(body: Any) -> Any:
    """The body without the bytes of its pictures."""
    return json.loads(re.sub(r'(;base64,[^"]{0,24})[^"]*"', r'\1…"', json.dumps(body)))


def _error(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"code": code, "message": message}}, status=status, headers=headers)


async def _serve(behavior: Behavior, port: int) -> None:
    runner = web.AppRunner(_Server(behavior).app(), access_log=None, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


def main(argv: list[str] | None = None) -> None:
    """``python -m trope.testing [--port N] [--behavior JSON]``; prints its base URL."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server for tests.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--behavior", default="{}", help="JSON with the fields of trope.testing.Behavior")
    given = parser.parse_args(argv)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(Behavior(**json.loads(given.behavior)), given.port))
