"""Pace: how many requests may be under way at one endpoint, learned from how it answers.

Grows by one for every full round of successes, halves when the server says it is busy, and honors the wait
it asks for. Additive increase, multiplicative decrease.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Pace:
    """Admission to one endpoint.

    Parameters
    ----------
    most : requests under way at once, at most.
    """

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self.limit = float(min(self._most, 8))
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = 0.0
        self._halved_at = -1e9

    async def __aenter__(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn  # whoever admits us has counted us in
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def succeeded(self) -> None:
        """An answer came."""
        self.limit = min(self._most, self.limit + 1 / max(1.0, self.limit))
        self._admit()

    def busy(self, retry_after: float | None) -> None:
        """The server wants less; once a second is enough, since one jam answers many requests."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now - self._halved_at > 1.0:
            self._halved_at = now
            self.limit = max(1.0, self.limit / 2)
        if retry_after and now + retry_after > self._not_before:
            self._not_before = now + retry_after
            loop.call_at(self._not_before, self._admit)

    def hurry(self) -> None:
        """Admit whoever waits for a time: the run is stopping, and they will give up by themselves."""
        self._not_before = 0.0
        self._admit()

    def _leave(self) -> None:
        self._under_way -= 1
        self._admit()

    def _admit(self) -> None:
        if self._waiting and asyncio.get_running_loop().time() < self._not_before:
            return
        while self._waiting and self._under_way < int(self.limit):
            turn = self._waiting.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)
