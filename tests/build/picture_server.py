"""A web server of pictures and of what is none; in a thread of this process, with a log of paths."""

from __future__ import annotations

import asyncio
import io
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web
from PIL import Image


def picture(color: str = "red", kind: str = "PNG", side: int = 64) -> bytes:
    image = Image.new("RGB", (side, side), color)
    image.paste("white", (8, 8, 24, 24))
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def bomb() -> bytes:
    """A file of a hundred bytes that says it is a picture of 2.5 billion pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + bytes(64)


class PictureServer:
    def __init__(self, robots: str = "", robots_status: int = 200, encoding: str | None = None) -> None:
        self.robots, self.robots_status, self.encoding = robots, robots_status, encoding
        self.paths: list[str] = []
        self.agents: set[str] = set()
        self.url = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        path = request.path
        self.paths.append(path)
        self.agents.add(request.headers.get("User-Agent", ""))
        if path == "/robots.txt":
            headers = {"Content-Encoding": self.encoding} if self.encoding else {}
            return web.Response(body=self.robots.encode("latin-1"), status=self.robots_status, headers=headers)
        if path.startswith("/to/"):
            raise web.HTTPFound(request.query["place"])
        if path == "/loop":
            raise web.HTTPFound("/loop")
        if path == "/page.jpg":
            return web.Response(text="<!DOCTYPE html><html><body>no</body></html>", content_type="image/jpeg")
        if path == "/large.png":
            return web.Response(body=picture() + bytes(60_000_000), content_type="image/png")
        if path == "/endless.png":
            return await self._endless(request)
        if path == "/slow.png":
            await asyncio.sleep(5)
        if path.startswith("/late/"):
            await asyncio.sleep(0.3)
            return web.Response(body=picture())
        if path == "/bomb.png":
            return web.Response(body=bomb())
        if path == "/zipped.png":
            return web.Response(body=picture(), headers={"Content-Encoding": "gzip"})
        if path == "/broken.png":
            return web.Response(body=picture()[:60], content_type="image/png")
        color, _, kind = path.strip("/").partition(".")
        kinds = {"png": "PNG", "jpg": "JPEG", "gif": "GIF", "webp": "WEBP"}
        if kind not in kinds or color == "gone":
            raise web.HTTPNotFound
        return web.Response(body=picture(color, kinds[kind]), content_type="application/octet-stream")

    async def _endless(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "image/png"})
        await response.prepare(request)
        await response.write(picture())
        for _ in range(200):
            await response.write(bytes(1_000_000))
        return response


@contextmanager
def pictures_at(robots: str = "", robots_status: int = 200, encoding: str | None = None) -> Iterator[PictureServer]:
    server = PictureServer(robots, robots_status, encoding)
    ready = threading.Event()
    place: dict[str, Any] = {}

    async def serve() -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", server.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        place["loop"], place["end"] = asyncio.get_running_loop(), asyncio.Event()
        ready.set()
        await place["end"].wait()
        await runner.cleanup()
        await asyncio.sleep(0.05)  # transports close in the loop's next turns

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        place["loop"].call_soon_threadsafe(place["end"].set)
        thread.join(10)
