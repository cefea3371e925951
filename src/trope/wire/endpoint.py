"""One endpoint: connections, pace, retries. Knows HTTP, not what is said over it."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from trope.errors import BackendError, TransientError
from trope.wire.pace import Pace
from trope.wire.providers import Provider

BUSY = frozenset({429, 529})
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

    Raises `TransientError` once the retries are used up, `BackendError` for what no retry can mend (a wrong
    key, an unknown model).
    """

    def __init__(
        self, provider: Provider, base_url: str | None, concurrency: int, timeout: float, retries: int
    ) -> None:
        self.provider = provider
        self.base_url = (base_url or provider.base_url).rstrip("/")
        self._timeout, self._retries, self._concurrency = timeout, retries, concurrency
        self._pace = Pace(concurrency)
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Open the connection pool; a hosted provider without its key is an error."""
        headers = {"Content-Type": "application/json"}
        key = os.environ.get(self.provider.key) if self.provider.key else None
        if key:
            headers["Authorization"] = f"Bearer {key}"
        elif self.provider.key and self.base_url == self.provider.base_url:
            raise BackendError(
                f"{self.provider.name} needs a key: set the environment variable {self.provider.key},"
                " or name your own server with ?base_url=http://…/v1"
            )
        self._session = aiohttp.ClientSession(
            headers=headers,
            connector=aiohttp.TCPConnector(limit=self._concurrency),
            timeout=aiohttp.ClientTimeout(total=self._timeout),
        )

    async def close(self) -> None:
        """Close the connection pool."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def post(self, path: str, body: bytes) -> Reply:
        """POST a JSON body and return the answer, trying again after transient failures."""
        for attempt in range(self._retries + 1):
            try:
                async with self._pace:
                    reply = await self._once(path, body)
                    self._pace.succeeded()
                    return reply
            except TransientError as error:
                if error.busy:
                    self._pace.busy(error.retry_after)
                if attempt == self._retries:
                    tries = "try" if attempt == 0 else "tries"
                    raise TransientError(f"{error} (after {attempt + 1} {tries})") from None
                backoff = min(30.0, 0.5 * 2**attempt) * random.uniform(0.5, 1.0)
                await asyncio.sleep(backoff if error.retry_after is None else error.retry_after)
        raise AssertionError("the last attempt returns or raises")

    async def fetch(self, url: str) -> bytes:
        """GET a picture the server points to."""
        assert self._session is not None, "open() first"
        try:
            async with self._session.get(url, headers={"Authorization": ""}) as response:
                if response.status != 200:
                    raise TransientError(f"GET {_short(url)}: HTTP {response.status}")
                return await _bounded(response)
        except (TimeoutError, aiohttp.ClientError) as error:
            raise TransientError(f"GET {_short(url)}: {type(error).__name__}") from None

    async def _once(self, path: str, body: bytes) -> Reply:
        assert self._session is not None, "open() first"
        where = f"{self.base_url}{path}"
        try:
            async with self._session.post(where, data=body) as response:
                data = await _bounded(response)
                status, headers = response.status, response.headers
        except TimeoutError:
            raise TransientError(f"{where}: no answer within {self._timeout:g} s") from None
        except aiohttp.ClientError as error:
            raise TransientError(f"{where}: {error or type(error).__name__}") from None
        try:
            decoded = json.loads(data)
        except ValueError:
            decoded = data[:300].decode("utf-8", "replace")
            if status == 200:
                raise TransientError(f"{where}: the answer is not JSON: {decoded[:80]!r}") from None
        reply = Reply(status, {k.lower(): v for k, v in headers.items()}, decoded)
        if status in TRANSIENT and reply.error[0] != "insufficient_quota":
            raise TransientError(
                f"{where}: HTTP {status} {reply.error[1][:200]}",
                retry_after=_retry_after(reply.headers), busy=status in BUSY or status == 503,
            )  # fmt: skip
        if status in (401, 403, 404) or reply.error[0] == "insufficient_quota":
            raise BackendError(f"{where}: HTTP {status} {reply.error[1][:300]}")
        return reply


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
            from datetime import UTC, datetime

            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return min(LONGEST_WAIT, max(0.0, seconds))


def _short(url: str) -> str:
    return url if len(url) <= 120 else url[:117] + "…"
