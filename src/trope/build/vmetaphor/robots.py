"""What a site lets a program fetch: its robots.txt, read once a host, and the pause it asks for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

from yarl import URL

from trope.build.vmetaphor.addresses import Refused

AGENT = "trope"
LONGEST_PAUSE = 60.0  # seconds; a longer Crawl-delay means: do not come
LONGEST_FILE = 512_000  # bytes, of which no more is read (RFC 9309 asks for at least 500 KiB)
_TOO_OFTEN = 429
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


@dataclass(frozen=True, slots=True)
class Rules:
    """What one robots.txt says to us.

    ``rules`` holds patterns of paths, and whether each permits; ``pause`` is in seconds.
    """

    rules: tuple[tuple[str, bool], ...] = ()
    pause: float = 0.0

    def permit(self, path: str) -> bool:
        """The longest pattern that matches decides; of two equally long ones the one that permits."""
        asked = _canonical(path)
        found = [(len(pattern), permits) for pattern, permits in self.rules if _matches(pattern, asked)]
        return max(found, default=(0, True))[1] and self.pause <= LONGEST_PAUSE


NOTHING = Rules((("/", False),))


def read_robots(text: str, agent: str = AGENT) -> Rules:
    """The rules for ``agent``: of all groups that name it, else of those for everybody (RFC 9309, section 2.2)."""
    groups: dict[str, list[tuple[str, str]]] = {}
    names: list[str] = []
    open_for_names = True
    for line in text.splitlines():
        key, colon, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if not colon:
            continue
        if (key := key.lower()) == "user-agent":
            if not open_for_names:
                names, open_for_names = [], True
            names.append("*" if value == "*" else re.match(r"[A-Za-z_-]*", value)[0].lower())  # type: ignore[index]
            groups.setdefault(names[-1], [])
        elif key in ("allow", "disallow", "crawl-delay"):
            open_for_names = False
            for name in names:
                groups[name].append((key, value))
    ours = groups.get(agent.lower(), groups.get("*", []))
    rules = [(_canonical(value), key == "allow") for key, value in ours if key != "crawl-delay" and value]
    pauses = [float(value) for key, value in ours if key == "crawl-delay" and re.fullmatch(r"\d+(\.\d+)?", value)]
    return Rules(tuple(rules), max(pauses, default=0.0))


def _canonical(path: str) -> str:
    """A path in one spelling: what need not be percent-encoded is not, all else is."""

    def plain(mark: re.Match[str]) -> str:
        char = chr(int(mark[1], 16))
        return char if _UNRESERVED.fullmatch(char) else mark[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", plain, quote(path, safe="%/?:@!$&'()*+,;=~[]#"))


def _matches(pattern: str, path: str) -> bool:
    """``*`` stands for anything, a last ``$`` for the end; without it, a beginning is enough. Takes linear steps."""
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for n, part in enumerate(rest):
        if n == len(rest) - 1 and pattern.endswith("$"):
            return len(path) - len(part) >= at and path.endswith(part)
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return bool(rest) or not pattern.endswith("$") or at == len(path)


class Robots:
    """Permission by host, after RFC 9309.

    A site without the file (4xx) permits everything; one whose file cannot be had (5xx, 429, no connection) permits
    nothing.

    Parameters
    ----------
    get : fetches an address and returns status and body, following redirects; raises for everything else.
    """

    def __init__(self, get: Callable[[URL], Awaitable[tuple[int, bytes]]]) -> None:
        self._get = get
        self._rules: dict[str, Rules] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._next: dict[str, float] = {}

    async def permits(self, url: URL) -> bool:
        """Whether ``url`` may be fetched; the file of its host is read the first time."""
        return (await self._of(url)).permit(url.raw_path_qs)

    async def wait_turn(self, url: URL) -> None:
        """Wait as long as the host asks between two requests (``Crawl-delay``)."""
        pause = (await self._of(url)).pause
        if pause:
            loop, host = asyncio.get_running_loop(), str(url.origin())
            turn = max(loop.time(), self._next.get(host, 0.0))
            self._next[host] = turn + pause
            await asyncio.sleep(turn - loop.time())

    async def _of(self, url: URL) -> Rules:
        origin = str(url.origin())
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin not in self._rules:
                self._rules[origin] = await self._read(origin)
        return self._rules[origin]

    async def _read(self, origin: str) -> Rules:
        try:
            status, body = await self._get(URL(origin) / "robots.txt")
        except Exception as error:  # whatever it was: unreachable means no
            if isinstance(error, Refused) and error.reason == "private-address":
                raise
            return NOTHING
        if status == 200:
            return read_robots(body[:LONGEST_FILE].decode("utf-8-sig", "replace"))
        return Rules() if 400 <= status < 500 and status != _TOO_OFTEN else NOTHING
