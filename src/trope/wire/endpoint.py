"""One endpoint: connections, pace, retries. Knows HTTP, not what is said over it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from trope.errors import BackendError, NotAsked, TransientError, UsageError
from trope.records import Result
from trope.wire.pace import Pace
from trope.wire.providers import Provider

if TYPE_CHECKING:
    import aiohttp  # a quarter of a second to import: only where something is really asked

T = TypeVar("T")
BUSY = frozenset({429, 529})  # and 503, if it says how long
PATIENCE = 300.0  # seconds for which being told to slow down is not taken for a failure
TRANSIENT = frozenset({408, 409, 425, 500, 502, 503, 504, 520, 522, 524}) | BUSY
LONGEST_REPLY = 128_000_000  # bytes
LONGEST_WAIT = 120.0  # seconds we let a server ask for


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: status, headers we keep, decoded JSON."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def error(self) -> tuple[str, str]:
        """Code and message of an error body, as far as it has them."""
        error = self.body.get("error") if isinstance(self.body, dict) else None
        if isinstance(error, dict):
            return str(error.get("code") or error.get("type") or ""), str(error.get("message") or "")
        return "", str(error or self.body)[:300]


class Endpoint:
    """A server and how to reach it.

    Parameters
    ----------
    concurrency : requests under way at once, at most. timeout : seconds for one. retries : further tries after
        a transient failure; being asked to slow down uses up none, for at most five minutes.
    """

    def __init__(
        self, provider: Provider, base_url: str | None, concurrency: int, timeout: float, retries: int
    ) -> None:
        self.provider = provider
        self.base_url = (provider.base_url if base_url is None else base_url).rstrip("/")
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"base_url={self.base_url!r}. Expected: http://HOST:PORT/v1")
        for name, value, low in (("concurrency", concurrency, 1), ("timeout", timeout, 0.01), ("retries", retries, 0)):
            if not low <= value <= 100_000:
                raise UsageError(f"{name}={value}. Expected: at least {low}")
        self._timeout, self._retries, self._concurrency = timeout, retries, concurrency
        self._cautious = False
        self._session: aiohttp.ClientSession | None = None

    async def open(self, *, cautious: bool = False) -> None:
        """Open the connection pool; a hosted provider without its key is an error.

        ``cautious``: what may have been billed is never sent again in silence.
        """
        import aiohttp

        headers = {"Content-Type": "application/json"}
        key = os.environ.get(self.provider.key) if self.provider.key else None
        if key:
            headers["Authorization"] = f"Bearer {key}"
        elif self.provider.key and self.base_url == self.provider.base_url:
            raise BackendError(
                f"{self.provider.name} needs a key: set the environment variable {self.provider.key},"
                " or name your own server with ?base_url=http://…/v1"
            )
        self._cautious = cautious
        self._pace = Pace(self._concurrency)
        self._hurry = asyncio.Event()
        self._headers = headers
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._concurrency),
            timeout=aiohttp.ClientTimeout(total=self._timeout),
        )

    async def close(self) -> None:
        """Close the connection pool."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def hurry(self) -> None:
        """Wait and retry no more: what is under way ends, what waits gives up."""
        if self._session is not None:
            self._hurry.set()
            self._pace.hurry()

    async def answer(self, asking: Awaitable[Result]) -> Result:
        """The result of a request, or a `failed` one that says why there is none."""
        try:
            return await asking
        except TransientError as error:
            return Result(status="failed", reason=str(error), billed=error.billed)

    async def post(self, path: str, body: bytes) -> Reply:
        """POST a JSON body and return the answer, trying again after transient failures.

        Raises
        ------
        TransientError : the retries are used up, or the run is stopping.
        BackendError : what no retry can mend (a wrong key, an unknown model).
        """
        return await self._again_and_again(lambda: self._once(path, body), paced=True)

    async def fetch(self, url: str) -> bytes:
        """GET a picture the server points to; sends no key."""
        return await self._again_and_again(lambda: self._get(url), paced=False)

    async def _again_and_again(self, once: Callable[[], Awaitable[T]], *, paced: bool) -> T:
        loop = asyncio.get_running_loop()
        failures, busies, patience_ends, billed = 0, 0, loop.time() + PATIENCE, False
        while True:
            try:
                async with self._pace if paced else contextlib.nullcontext():
                    if self._hurry.is_set():
                        raise NotAsked(f"{self.base_url}: the run is stopping; not asked")
                    answer = await once()
                    self._pace.succeeded()
                    return answer
            except TransientError as error:
                billed = billed or error.billed
                failures, busies = failures + (not error.busy), busies + error.busy
                tired = failures > self._retries or (error.busy and loop.time() > patience_ends)
                if self._hurry.is_set() and not billed:
                    raise NotAsked(f"{error}; the run is stopping") from None
                if tired or self._hurry.is_set() or (self._cautious and error.billed):
                    tries = "1 try" if failures <= 1 else f"{failures} tries"
                    raise TransientError(f"{error} (after {tries})", billed=billed) from None
                backoff = min(30.0, 0.5 * 2 ** min(failures + busies - 1, 6)) * random.uniform(0.5, 1.0)
                wait = (error.retry_after or backoff) if error.busy else max(backoff, error.retry_after or 0.0)
                if error.busy:
                    self._pace.busy(wait)
                await self._sleep(wait)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), seconds)

    async def _get(self, url: str) -> bytes:
        import aiohttp

        assert self._session is not None, "open() first"
        try:
            async with self._session.get(url) as response:
                if response.status != 200:
                    raise TransientError(f"GET {_short(url)}: HTTP {response.status}")
                return await _bounded(response)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise TransientError(f"GET {_short(url)}: {type(error).__name__}") from None

    async def _once(self, path: str, body: bytes) -> Reply:
        import aiohttp

        assert self._session is not None, "open() first"
        where = f"{self.base_url}{path}"
        try:
            async with self._session.post(where, data=body, headers=self._headers) as response:
                data = await _bounded(response)
                status, headers = response.status, response.headers
        except TimeoutError:
            raise TransientError(f"{where}: no answer within {self._timeout:g} s", billed=True) from None
        except aiohttp.ClientConnectorError as error:
            why = error.strerror or type(error.os_error).__name__
            raise TransientError(f"{where}: cannot connect: {why}") from None
        except aiohttp.ClientError as error:
            raise TransientError(f"{where}: {error or type(error).__name__}", billed=True) from None
        if status != 200:
            data = self._without_key(data)
        try:
            decoded = _decoded(data)
        except (ValueError, RecursionError):
            decoded = data[:300].decode("utf-8", "replace")
            if status == 200:
                raise TransientError(f"{where}: the answer is not JSON: {decoded[:80]!r}", billed=True) from None
        reply = Reply(status, {k.lower(): v for k, v in headers.items()}, decoded)
        code, message = reply.error
        if status in TRANSIENT and code != "insufficient_quota":
            wait = _retry_after(reply.headers)
            busy = status in BUSY or (status == 503 and wait is not None)
            raise TransientError(f"{where}: HTTP {status} {message[:200]}", retry_after=wait, busy=busy)
        if code == "insufficient_quota" or (status in (401, 403, 404) and not is_refusal(code, message)):
            raise BackendError(f"{where}: HTTP {status} {message[:300]}")
        return reply

    def _without_key(self, data: bytes) -> bytes:
        """An error's text without our key: some servers quote it, and errors are stored and printed."""
        key = self._headers.get("Authorization", "").removeprefix("Bearer ").encode()
        return data.replace(key, b"(the key)") if len(key) >= 8 else data


def is_refusal(code: str, message: str) -> bool:
    """Whether an error says that policy, not machinery, stopped the request."""
    known = ("content_policy_violation", "moderation", "content_filter", "safety")
    return any(k in code.lower() for k in known) or any(k in message.lower() for k in ("safety system", "moderation"))


def _decoded(data: bytes) -> Any:
    """The answer; half a surrogate pair, which an escape can say and no text can hold, becomes a question mark."""
    decoded = json.loads(data)
    if b"\\ud" in data or b"\\uD" in data:
        return json.loads(json.dumps(decoded, ensure_ascii=False).encode("utf-8", "replace"))
    return decoded


async def _bounded(response: aiohttp.ClientResponse) -> bytes:
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > LONGEST_REPLY:
            raise TransientError(f"{response.url}: the answer is over {LONGEST_REPLY // 1_000_000} MB")
        chunks.append(chunk)
    return b"".join(chunks)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return min(LONGEST_WAIT, max(0.0, seconds))


def _short(url: str) -> str:
    return url if len(url) <= 120 else url[:117] + "…"
