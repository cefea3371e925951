"""What stands before every page: limits of size, one origin, one host, and headers that forbid what is not ours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

LARGEST = 256 * 1024  # bytes of a form; the longest honest one, all fields of an item, is far below
PATIENCE = 30.0  # seconds that a form may take to arrive
HEADERS = (
    (b"content-security-policy", b"default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self';"
     b" connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)  # fmt: skip

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Guard:
    """An ASGI application around another.

    Parameters
    ----------
    hosts : names the server may be called by (against DNS rebinding); None allows any.
    origin : where pages are served from, e.g. ``https://study.example.org``; None: whatever the Host header says.
    """

    def __init__(self, app: Any, hosts: frozenset[str] | None, origin: str | None = None) -> None:
        self._app, self._hosts, self._origin = app, hosts, origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with headers added to what comes back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if refused is not None:
            await _say(send, *refused)
            return
        body = _Body(receive)

        async def send_on(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                kept = {name for name, _ in given}
                message["headers"] = [*given, *HEADERS]
                if b"cache-control" not in kept:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        try:
            await self._app(scope, body, send_on)
        except ClientDisconnect:
            pass  # gone before the form was whole: there is nobody to tell

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and _split(f"//{host}")[1] not in self._hosts:
            return 421, "this server is not called by that name"
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return 405, "only GET and POST"
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
        own = _split(self._origin)[0] if self._origin else host.lower()
        if origin is not None and _split(origin.decode("latin-1"))[0] != own:
            return 403, "a form of another site is refused; nothing was stored"
        if origin is None and site is not None and site not in (b"same-origin", b"none"):
            return 403, "a form of another site is refused; nothing was stored"
        kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        if kind != b"application/x-www-form-urlencoded":
            return 415, "only application/x-www-form-urlencoded; nothing was stored"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > LARGEST:
            return 413, f"a form of more than {LARGEST:,} bytes is refused; nothing was stored"
        return None


class _Body:
    """Counts what arrives of a body, which may not have said how long it is, and does not wait for it forever."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._seen, self._whole = receive, 0, False
        self._until = asyncio.get_running_loop().time() + PATIENCE

    async def __call__(self) -> MutableMapping[str, Any]:
        try:
            async with asyncio.timeout_at(None if self._whole else self._until):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the form took too long to arrive; nothing was stored") from None
        self._whole = not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > LARGEST:
            raise HTTPException(413, f"a form of more than {LARGEST:,} bytes is refused; nothing was stored")
        return message


def _split(url: str) -> tuple[str, str]:
    """Host with port, and host alone, of an address, in small letters; empty if it is none."""
    try:
        parts = urlsplit(url)
        return parts.netloc.lower(), parts.hostname or ""
    except ValueError:
        return "", ""


async def _say(send: Send, status: int, text: str) -> None:
    body = text.encode("utf-8")
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
