"""What a site lets a program fetch: its robots.txt, read once a host, and the pause it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from urllib.robotparser import RobotFileParser

from yarl import URL

from trope.build.vmetaphor.addresses import Refused

AGENT = "trope"
LONGEST_PAUSE = 60.0  # seconds; a longer Crawl-delay means: do not come
LONGEST_FILE = 512_000  # bytes, of which no more is read (RFC 9309 asks for at least 500 KiB)


class Robots:
    """Permission by host, after RFC 9309.

    A site without the file (4xx) permits everything; one whose file cannot be had (5xx, no connection) permits
    nothing.

    Parameters
    ----------
    get : fetches an address and returns status and body, following redirects; raises for everything else.
    """

    def __init__(self, get: Callable[[URL], Awaitable[tuple[int, bytes]]]) -> None:
        self._get = get
        self._rules: dict[str, RobotFileParser] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._next: dict[str, float] = {}

    async def permits(self, url: URL) -> bool:
        """Whether ``url`` may be fetched; the file of its host is read the first time."""
        rules = await self._of(url)
        pause = rules.crawl_delay(AGENT)
        return rules.can_fetch(AGENT, str(url)) and (pause is None or float(pause) <= LONGEST_PAUSE)

    async def wait_turn(self, url: URL) -> None:
        """Wait as long as the host asks between two requests (``Crawl-delay``)."""
        pause = float((await self._of(url)).crawl_delay(AGENT) or 0.0)
        if pause:
            loop, host = asyncio.get_running_loop(), str(url.origin())
            turn = max(loop.time(), self._next.get(host, 0.0))
            self._next[host] = turn + pause
            await asyncio.sleep(turn - loop.time())

    async def _of(self, url: URL) -> RobotFileParser:
        origin = str(url.origin())
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin not in self._rules:
                self._rules[origin] = await self._read(origin)
        return self._rules[origin]

    async def _read(self, origin: str) -> RobotFileParser:
        rules = RobotFileParser()
        try:
            status, body = await self._get(URL(origin) / "robots.txt")
        except Exception as error:  # whatever it was: unreachable means no
            if isinstance(error, Refused) and error.reason == "private-address":
                raise
            status, body = 503, b""
        if status == 200:
            rules.parse(body[:LONGEST_FILE].decode("utf-8-sig", "replace").splitlines())
        elif 400 <= status < 500:
            rules.parse([])
        else:
            rules.parse(["User-agent: *", "Disallow: /"])
        return rules
