"""One picture from the web: with the site's leave, bounded, checked by its first bytes, from public addresses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from types import TracebackType

import aiohttp
from yarl import URL

from trope import __version__
from trope.build.vmetaphor.addresses import PublicResolver, Refused, web_address
from trope.build.vmetaphor.robots import AGENT, LONGEST_FILE, Robots

MOST_BYTES = 30_000_000
MOST_REDIRECTS = 5
SECONDS = 60.0  # for one request, from the look-up of the name to the last byte received
_AT_ONCE = 2  # requests to one host
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = {
    "User-Agent": f"{AGENT}/{__version__} (builds research data sets; respects robots.txt)",
    "Accept": "image/*",
    "Accept-Encoding": "identity",  # what is counted is what comes
}
# what a picture begins with, at a place; what it is called
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "jpg"), (0, b"\x89PNG\r\n\x1a\n", "png"), (0, b"GIF87a", "gif"), (0, b"GIF89a", "gif"),
    (8, b"WEBP", "webp"), (0, b"BM", "bmp"), (0, b"II*\0", "tif"), (0, b"MM\0*", "tif"), (4, b"ftypavif", "avif"),
)  # fmt: skip
_LONGEST_MAGIC = 16


@dataclass(frozen=True, slots=True)
class Fetched:
    """A picture file as it came: its bytes, its kind by its first bytes, and where it came from in the end."""

    data: bytes
    kind: str
    url: str


class Fetcher:
    """Fetches pictures, a few at a time; use it as an async context manager.

    Parameters
    ----------
    allowed : IP addresses that count as public although they are not, for tests on this machine.
    most_bytes : of one picture. seconds : for one request, of which a picture may take several.
    """

    def __init__(
        self, allowed: Collection[str] = (), *, most_bytes: int = MOST_BYTES, seconds: float = SECONDS
    ) -> None:
        self._allowed, self._most, self._seconds = frozenset(allowed), most_bytes, seconds
        self._robots = Robots(self._robots_file)
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Fetcher:
        # requests wait at our own gates, not for a free connection of the pool: there, the clock would run
        connector = aiohttp.TCPConnector(resolver=PublicResolver(self._allowed), use_dns_cache=False, limit=0)
        self._session = aiohttp.ClientSession(
            connector=connector, timeout=aiohttp.ClientTimeout(total=self._seconds, sock_connect=15, sock_read=30),
            headers=_HEADERS, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False, trust_env=False,
        )  # fmt: skip
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._session is not None
        await self._session.close()

    async def fetch(self, url: str) -> Fetched:
        """Fetch one picture.

        Raises
        ------
        Refused : robots.txt, an address that is none or not public (at any redirect), an HTTP error, too many
            bytes or redirects, too slow, no connection, or something that is no picture.
        """
        place = web_address(url, self._allowed)
        for _ in range(MOST_REDIRECTS + 1):
            status, found, data = await self._asked(place)
            if status == 200:
                return Fetched(data, found, str(place))
            place = self._next(place, found)
        raise Refused("redirects", f"more than {MOST_REDIRECTS} redirects")

    def _next(self, place: URL, target: str) -> URL:
        """Where a redirect goes, checked as the first address was."""
        try:
            return web_address(str(place.join(URL(target))), self._allowed)
        except ValueError as error:
            raise Refused("redirects", f"a redirect to what is no address: {error}") from None
        except Refused as refused:
            raise Refused(refused.reason, f"redirects to {target[:200]!r}: {refused}") from None

    async def _asked(self, url: URL) -> tuple[int, str, bytes]:
        """Status; kind of the picture, or where to go on; the bytes."""
        try:
            if not await self._robots.permits(url):
                raise Refused("robots", f"robots.txt of {url.host} does not permit it, or cannot be had")
            await self._robots.wait_turn(url)
            gate = self._gates.setdefault(str(url.origin()), asyncio.Semaphore(_AT_ONCE))
            async with gate, self._open(url) as response:
                if response.status in _REDIRECTS:
                    return response.status, _target(response), b""
                if response.status != 200:
                    raise Refused("http", f"HTTP {response.status} {response.reason or ''}".strip())
                return 200, *await _picture(response, self._most)
        except Refused:
            raise
        except TimeoutError:
            raise Refused("timeout", f"took longer than {self._seconds:g} s, or said nothing for 30 s") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            refused = _cause(error)
            if refused is not None:
                raise refused from None
            raise Refused("connection", f"{type(error).__name__}: {error}"[:300]) from None

    def _open(self, url: URL) -> aiohttp.client._RequestContextManager:
        assert self._session is not None, "use `async with`"
        return self._session.get(url, allow_redirects=False)

    async def _robots_file(self, url: URL) -> tuple[int, bytes]:
        place = url
        for _ in range(MOST_REDIRECTS + 1):
            async with self._open(place) as response:
                if response.status not in _REDIRECTS:
                    _require_plain(response)
                    body = bytearray()
                    async for chunk in response.content.iter_chunked(65_536):
                        body += chunk
                        if len(body) > LONGEST_FILE:
                            break
                    return response.status, bytes(body)
                place = self._next(place, _target(response))
        return 404, b""  # RFC 9309: five redirects in a row may be taken for a missing file


def _target(response: aiohttp.ClientResponse) -> str:
    place = response.headers.get("Location", "")
    if not place:
        raise Refused("redirects", "a redirect that says no place")
    return place


def _require_plain(response: aiohttp.ClientResponse) -> None:
    if (encoding := response.headers.get("Content-Encoding", "")).lower() not in ("", "identity"):
        raise Refused("encoding", f"is compressed ({encoding}), which was not asked for")


async def _picture(response: aiohttp.ClientResponse, most: int) -> tuple[str, bytes]:
    """Kind and bytes of a picture; nothing is read beyond the bound, and no more than a few bytes of what is none."""
    _require_plain(response)
    if (response.content_length or 0) > most:
        raise Refused("too-large", f"says it has {response.content_length:,} bytes, limit {most:,}")
    data, kind = bytearray(), ""
    async for chunk in response.content.iter_chunked(65_536):
        data += chunk
        if not kind and len(data) >= _LONGEST_MAGIC:
            kind = kind_of(bytes(data[:512]), response.content_type)
        if len(data) > most:
            raise Refused("too-large", f"goes on after {most:,} bytes")
    return kind or kind_of(bytes(data), response.content_type), bytes(data)


def kind_of(head: bytes, said: str = "") -> str:
    """The kind of picture by its first bytes; what the server says it is (``said``) counts for nothing.

    Raises
    ------
    Refused : it is none that is known.
    """
    for place, magic, name in _MAGIC:
        if head[place : place + len(magic)] == magic:
            return name
    looks = head.lstrip()[:200].lower()
    what = "HTML" if looks.startswith((b"<!doctype html", b"<html", b"<head")) or b"<html" in looks else ""
    called = f", sent as {said}" if said else ""
    raise Refused("no-picture", f"is {what or 'no picture'}{called}: it begins with {head[:12]!r}")


def _cause(error: BaseException) -> Refused | None:
    """What our resolver said, however deep it lies under the client's own errors."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, Refused):
            return seen
        seen = seen.__cause__ or seen.__context__ or getattr(seen, "os_error", None)
    return None


async def fetch_all(
    urls: Collection[str], fetcher: Fetcher, keep: Callable[[str, Fetched | Refused], None], *, at_once: int = 8
) -> None:
    """Fetch several at once; ``keep`` gets each as it comes, a refusal in place of a picture."""
    gate = asyncio.Semaphore(at_once)

    async def one(url: str) -> None:
        async with gate:
            try:
                found: Fetched | Refused = await fetcher.fetch(url)
            except Refused as refused:
                found = refused
            keep(url, found)

    await asyncio.gather(*(one(url) for url in urls))
