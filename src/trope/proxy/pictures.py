"""The pictures in an answer of ``/images/generations``, for the check: inline, or fetched from where we may."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from trope.errors import PictureError
from trope.store import CanonicalPicture, canonical_picture

LONGEST_PICTURE = 32_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Seen:
    """One picture of an answer, or why it cannot be looked at, in a word."""

    picture: CanonicalPicture | None
    reason: str = ""


class PictureReader:
    """Reads the pictures of answers.

    Parameters
    ----------
    session : for pictures that the answer only points to; no key is sent along.
    hosts : ``host`` or ``host:port`` that pictures may be fetched from.
    """

    def __init__(self, session: aiohttp.ClientSession, hosts: Collection[str], seconds: float) -> None:
        self._session, self._hosts, self._seconds = session, frozenset(h.lower() for h in hosts), seconds

    async def read(self, body: bytes) -> list[Seen]:
        """Every picture of an answer, in order; a list of none where the answer is of another kind."""
        entries = await asyncio.to_thread(_entries, body)
        return list(await asyncio.gather(*(self._one(entry) for entry in entries)))

    async def _one(self, entry: Any) -> Seen:
        encoded = entry.get("b64_json") if isinstance(entry, dict) else None
        url = entry.get("url") if isinstance(entry, dict) else None
        if isinstance(encoded, str) and encoded:
            return await asyncio.to_thread(_decoded, encoded)
        if not isinstance(url, str):
            return Seen(None, "no-picture")
        if url.startswith("data:"):
            return await asyncio.to_thread(_decoded, url.partition(",")[2])
        return await self._fetched(url)

    async def _fetched(self, url: str) -> Seen:
        try:
            parts = urlsplit(url)
            known = {str(parts.hostname), f"{parts.hostname}:{parts.port or {'https': 443, 'http': 80}[parts.scheme]}"}
        except (ValueError, KeyError):
            return Seen(None, "url-unreadable")
        if not known & self._hosts or parts.username:
            return Seen(None, "url-of-another-host")
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._session.get(url, allow_redirects=False, headers={"Accept-Encoding": "identity"}) as response,
            ):
                if response.status != 200:
                    return Seen(None, "url-not-fetched")
                data = bytearray()
                async for chunk in response.content.iter_any():
                    data += chunk
                    if len(data) > LONGEST_PICTURE:
                        return Seen(None, "picture-too-large")
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return Seen(None, "url-not-fetched")
        return await asyncio.to_thread(_canonical, bytes(data))


def _entries(body: bytes) -> list[Any]:
    try:
        data = json.loads(body)["data"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return data if isinstance(data, list) else []


def _decoded(encoded: str) -> Seen:
    if len(encoded) > LONGEST_PICTURE * 4 // 3 + 4:
        return Seen(None, "picture-too-large")
    try:
        return _canonical(base64.b64decode(encoded, validate=True))
    except (binascii.Error, ValueError):
        return Seen(None, "picture-unreadable")


def _canonical(data: bytes) -> Seen:
    try:
        return Seen(canonical_picture(data, name="the upstream's picture"))
    except PictureError:
        return Seen(None, "picture-unreadable")
