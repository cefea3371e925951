"""The server behind the proxy: requests go there as they came, answers come back as they were made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from trope.errors import UsageError

BROKEN_OFF = "broken-off"  # set on a request whose answer was cut off, as the upstream cut it
OURS = "x-trope-"  # what we say and are told; never forwarded in either direction
LONGEST_ANSWER = 64_000_000  # bytes held for a look at the pictures; a longer answer flows by unseen
_SHORT = 65_536  # bytes of a body that is sent together with its headers
_HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade", "expect",
})  # fmt: skip
_NOT_ADDED = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")  # by the client library, if not sent


class Unreachable(Exception):
    """No answer came at all: ``why`` in a word, and what a client is to be told."""

    def __init__(self, why: str, status: int, message: str) -> None:
        super().__init__(message)
        self.why, self.status = why, status


@dataclass(slots=True)
class Answer:
    """An answer whose status and headers have come; ``held`` is its body if it was short enough to hold."""

    response: aiohttp.ClientResponse
    held: bytes | None = None
    head: tuple[bytes, ...] = ()

    @property
    def status(self) -> int:
        """The upstream's HTTP status."""
        return self.response.status

    async def hold(self) -> None:
        """Read the body whole, unless it is too long: then what was read flows on first.

        Raises
        ------
        Unreachable : it broke off.
        """
        chunks, size = [], 0
        try:
            async for chunk in self.response.content.iter_any():
                chunks.append(chunk)
                size += len(chunk)
                if size > LONGEST_ANSWER:
                    self.head = tuple(chunks)
                    return
        except (aiohttp.ClientError, TimeoutError):
            raise Unreachable("broken-off", 502, "the upstream's answer broke off") from None
        self.held = b"".join(chunks)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, as it comes."""
        if self.held is not None:
            yield self.held
            return
        for chunk in self.head:
            yield chunk
        async for chunk in self.response.content.iter_any():
            yield chunk

    def drop(self) -> None:
        """Nobody wants the rest: the connection is closed, which tells the upstream."""
        self.response.close()


class Upstream:
    """One OpenAI-compatible server.

    Parameters
    ----------
    base_url : what a client would be given, e.g. ``https://api.openai.com/v1``.
    timeout : seconds until an answer must have come whole; None leaves that to the client, as without a proxy.
    """

    def __init__(self, base_url: str, timeout: float | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"--upstream {base_url!r}. Expected: http://HOST:PORT/v1 or https://HOST/v1")
        if parts.username or parts.password:
            raise UsageError("--upstream holds a user or password; a key comes with each request and is only forwarded")
        self._timeout = timeout
        self.session: aiohttp.ClientSession

    async def open(self) -> None:
        """Open the connection pool: no cookies are kept, nothing is unpacked, no redirect is followed."""
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=4.0),  # shorter than servers wait
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=30.0),
            auto_decompress=False,
        )

    async def close(self) -> None:
        """Close the connection pool."""
        await self.session.close()

    def is_at(self, host: str, port: int) -> bool:
        """Whether it is what listens at this address of this machine."""
        here = {"127.0.0.1", "localhost", "::1", "0.0.0.0", "::"}
        own = URL(self.base_url)
        return own.port == port and (own.host == host or {own.host, host} <= here)

    def target(self, request: web.Request) -> URL:
        """Where a request goes: ``/v1/…`` under the base address, anything else beside it."""
        path = request.rel_url.raw_path_qs
        if path == "/v1" or path.startswith(("/v1/", "/v1?")):
            return URL(self.base_url + path[3:], encoded=True)
        return URL(self.base_url.removesuffix("/v1") + path, encoded=True)

    async def send(self, request: web.Request, data: Any, *, plain: bool = False) -> Answer:
        """Send a request on with this body; ``plain`` asks for an answer that is not compressed.

        Raises
        ------
        Unreachable : there is no answer to pass on.
        """
        headers = _passed(request.headers, ("host", "content-length") if isinstance(data, bytes) else ("host",))
        if plain:
            headers["Accept-Encoding"] = "identity"
        try:
            response = await self.session.request(
                request.method, self.target(request), data=data, headers=headers, allow_redirects=False,
                skip_auto_headers=_NOT_ADDED,
            )  # fmt: skip
        except TimeoutError:  # before ClientError: aiohttp's is both
            raise Unreachable("timeout", 504, "the upstream did not answer in time") from None
        except aiohttp.ClientConnectorError as error:
            raise Unreachable("unreachable", 502, f"cannot connect to the upstream: {type(error).__name__}") from None
        except aiohttp.ClientError as error:
            raise Unreachable("broken-off", 502, f"the upstream broke off: {type(error).__name__}") from None
        return Answer(response)


async def relay(request: web.Request, answer: Answer, told: Mapping[str, str]) -> web.StreamResponse:
    """Pass an answer on as it comes, with what we have to say in headers of our own.

    An answer that breaks off breaks off for the client too: nobody may take half a picture for a whole one.
    """
    headers = _passed(answer.response.headers, ())
    headers.update(told)
    if answer.held is not None:
        headers.popall("Content-Length", None)
        return web.Response(body=answer.held, status=answer.status, reason=answer.response.reason, headers=headers)
    response = web.StreamResponse(status=answer.status, reason=answer.response.reason, headers=headers)
    try:
        if (answer.response.content_length or _SHORT + 1) <= _SHORT and request.method != "HEAD":
            body = b"".join([chunk async for chunk in answer.chunks()])
            return web.Response(body=body, status=answer.status, reason=answer.response.reason, headers=headers)
        await response.prepare(request)
        async for chunk in answer.chunks():
            await response.write(chunk)
        await response.write_eof()
    except (aiohttp.ClientError, TimeoutError):
        request[BROKEN_OFF] = True
        if request.transport is not None:
            request.transport.abort()
    finally:
        answer.response.release() if answer.response.content.at_eof() else answer.drop()
    return response


def no_answer(error: Unreachable, told: Mapping[str, str]) -> web.Response:
    """An error in the form that clients of such servers read; it says that it is ours."""
    body = {"error": {"message": f"trope proxy: {error}", "type": "upstream_error", "code": error.why, "param": None}}
    return web.json_response(body, status=error.status, headers=told)


def _passed(headers: Mapping[str, str], drop: Iterable[str]) -> CIMultiDict[str]:
    """The headers that are meant for the other end."""
    items = list(headers.items())
    named = {n.strip().lower() for k, v in items if k.lower() == "connection" for n in v.split(",")}
    gone = _HOP_BY_HOP | named | set(drop)
    return CIMultiDict((k, v) for k, v in items if k.lower() not in gone and not k.lower().startswith(OURS))
