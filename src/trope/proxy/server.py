"""The proxy: what is a request for images goes through the guard, all else goes through as it came."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from aiohttp import web
from aiohttp.http import HttpProcessingError
from yarl import URL

from trope.backend import Backend
from trope.flow import Budget
from trope.proxy.body import Body, NotReadable, read_body
from trope.proxy.draws import Draws
from trope.proxy.eyes import sought
from trope.proxy.ledger import Ledger
from trope.proxy.makers import Maker, maker
from trope.proxy.note import Note
from trope.proxy.panel import Panel
from trope.proxy.pictures import PictureReader
from trope.proxy.settings import Settings
from trope.proxy.turn import Turn
from trope.proxy.upstream import BROKEN_OFF, Unreachable, Upstream, no_answer, relay

# Wherever a product keeps it: below /v1, without it, below a deployment of its own, with a slash at the end.
IMAGES = "/{above:(?:.*/)?}images/generations{slash:/?}"
LONGEST_BODY = 4_000_000  # bytes of a request that are read for its prompt; a longer one flows by
OFF = frozenset({"off", "0", "false", "no"})


class _Wordless(logging.Filter):
    """Tells a request that cannot be read by its kind of error: the error's own text quotes it, keys included."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record; take the quotation out."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError):
            record.msg, record.args = "a request that cannot be read: %s", (type(error).__name__,)
            record.exc_info = record.exc_text = None
        return True


log = logging.getLogger("trope.proxy.server")
log.addFilter(_Wordless())


@dataclass
class Proxy:
    """A guard in front of one upstream.

    Attributes
    ----------
    model : the chat model that makes plans; None for the rules. made : a maker of plans instead of either.
    instruments : who looks at pictures, in the order in which they are asked.
    budget : its limit is over draws after the first, and over whoever is asked; first draws are the client's own.
    """

    upstream: Upstream
    settings: Settings
    ledger: Ledger
    model: Backend | None = None
    instruments: Sequence[Backend] = ()
    budget: Budget | None = None
    made: Maker | None = None

    def app(self) -> web.Application:
        """The application; run it with ``handler_cancellation``, so that a client who goes takes its request along."""
        app = web.Application(client_max_size=0)
        app.cleanup_ctx.append(self._open)
        app.router.add_get("/ledger", self._show_ledger)
        app.router.add_post(IMAGES, self._images)
        app.router.add_route("*", "/{path:.*}", self._anything)
        return app

    async def _open(self, _: web.Application) -> AsyncIterator[None]:
        self.budget = self.budget or Budget(None, {})
        backends = {b.name: b for b in (self.model, *self.instruments) if b is not None}
        await self.upstream.open()
        try:
            async with Panel(backends, self.budget).open() as self._panel:
                self._maker = self.made or maker(self.model, self._panel)
                own = URL(self.upstream.base_url)
                hosts = (f"{own.host}:{own.port}", *self.settings.picture_hosts)
                self._reader = PictureReader(self.upstream.session, hosts, self.settings.check_seconds)
                yield
        finally:
            await self.upstream.close()

    async def _anything(self, request: web.Request) -> web.StreamResponse:
        data = request.content if request.body_exists else None
        try:
            return await relay(request, await self.upstream.send(request, data), {})
        except Unreachable as error:
            return no_answer(error, {"x-trope-upstream": error.why})

    async def _show_ledger(self, _: web.Request) -> web.StreamResponse:
        return web.json_response(await asyncio.to_thread(self.ledger.counts))

    async def _images(self, request: web.Request) -> web.StreamResponse:
        began, note = time.monotonic(), Note()
        try:
            response = await self._noted(request, note)
            note.status = response.status
            if request.get(BROKEN_OFF):
                note.upstream = BROKEN_OFF
            return response
        except (asyncio.CancelledError, ConnectionError):
            note.upstream = "client-gone"
            raise
        finally:
            note.seconds = time.monotonic() - began
            self.ledger.add(note)

    async def _noted(self, request: web.Request, note: Note) -> web.StreamResponse:
        try:
            data, rest = await _beginning(request)
            body = _guardable(request, data, rest is not None, self.settings, note)
            if body is None:
                note.tries = 1
                answer = await self.upstream.send(request, data if rest is None else rest)
                return await relay(request, answer, note.headers())
            if self.ledger.keep_prompts:
                note.prompt = str(body.fields["prompt"])
            settings = self._asked(request, note)
            draws = Draws(
                request, body.fields, note, upstream=self.upstream, reader=self._reader,
                budget=self.budget or Budget(None, {}), seconds=settings.seconds,
            )  # fmt: skip
            turn = Turn(
                request, body, note, draws, settings=settings, maker=self._maker, panel=self._panel,
                look_for=partial(sought, instruments=self.instruments),
            )  # fmt: skip
            return await turn.guarded()
        except Unreachable as error:
            note.upstream = error.why
            return no_answer(error, note.headers())

    def _asked(self, request: web.Request, note: Note) -> Settings:
        if request.headers.get("x-trope-check", "").strip().lower() not in OFF or not self.settings.check:
            return self.settings
        note.check_reason = "opt-out"
        return replace(self.settings, check=False)


def _guardable(request: web.Request, data: bytes, longer: bool, settings: Settings, note: Note) -> Body | None:
    """The body, if its prompt is one to guard; else None, and the note says why not."""
    if request.headers.get("x-trope-guard", "").strip().lower() in OFF:
        note.guard_reason = "opt-out"
        return None
    if longer:
        note.guard_reason = "too-long"
        return None
    if request.headers.get("Content-Encoding"):
        note.guard_reason = "body-encoded"
        return None
    try:
        body = read_body(data)
    except NotReadable:
        note.guard_reason = "body-unreadable"
        return None
    prompt = body.fields.get("prompt")
    if body.fields.get("stream"):
        note.guard_reason = "stream"
    elif not isinstance(prompt, str) or not prompt.strip():
        note.guard_reason = "no-prompt"
    elif len(prompt) > settings.longest:
        note.guard_reason = "too-long"
    else:
        return body
    return None


async def _beginning(request: web.Request) -> tuple[bytes, AsyncIterator[bytes] | None]:
    """The body of a request; if it is too long to read, its beginning, and all of it as a stream."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > LONGEST_BODY:
            return b"", _all(chunks, request)
    return b"".join(chunks), None


async def _all(chunks: list[bytes], request: web.Request) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
    async for chunk in request.content.iter_any():
        yield chunk


async def serve(proxy: Proxy, host: str, port: int, ready: Callable[[str], Any]) -> None:
    """Serve until cancelled; ``ready`` is told the base address once requests are taken."""
    runner = web.AppRunner(
        proxy.app(), access_log=None, logger=log, handler_cancellation=True, shutdown_timeout=5.0, auto_decompress=False
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        name = f"[{host}]" if ":" in host else host
        ready(f"http://{name}:{runner.addresses[0][1]}/v1")
        await asyncio.Event().wait()
    finally:
        with contextlib.suppress(Exception):
            await runner.cleanup()
