"""What stands before every page: limits of size, one origin, one host, and headers that forbid what is not ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

LARGEST = 256 * 1024  # bytes of a form; the longest honest one, all fields of an item, is far below
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

        await self._app(scope, body, send_on)

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and (urlsplit(f"//{host}").hostname or "") not in self._hosts:
            return 421, "this server is not called by that name"
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return 405, "only GET and POST"
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
        own = urlsplit(self._origin).netloc if self._origin else host
        if origin is not None and urlsplit(origin.decode("latin-1")).netloc != own:
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
    """Counts what arrives of a body that did not say how long it is."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._seen = receive, 0

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > LARGEST:
            raise HTTPException(413, f"a form of more than {LARGEST:,} bytes is refused; nothing was stored")
        return message


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
