"""A proxy in a thread of this process, and servers behind it, over real HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import aiohttp
from aiohttp import web

from tests.proxy.helpers import CAT, told
from trope.backend import Backend
from trope.flow import Budget
from trope.proxy.eyes import instrument
from trope.proxy.ledger import Ledger
from trope.proxy.makers import Maker
from trope.proxy.server import Proxy, serve
from trope.proxy.settings import Settings
from trope.proxy.upstream import Upstream

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


@contextmanager
def upstream(handler: Callable[[web.Request], Any], **options: Any) -> Iterator[str]:
    """A server that answers everything with one handler; ``options`` are the runner's."""
    loop, address, begun, stop = asyncio.new_event_loop(), [""], threading.Event(), asyncio.Event()

    async def main() -> None:
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, access_log=None, **options)
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
