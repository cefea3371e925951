"""The draws of one request: what is asked of the upstream, what came, and why no more is asked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from aiohttp import web

from trope.backend import Backend
from trope.flow import Budget
from trope.proxy.note import Note
from trope.proxy.pictures import PictureReader, Seen
from trope.proxy.upstream import Answer, Unreachable, Upstream
from trope.records import Output, Result, key_of
from trope.store import CanonicalPicture

MOST = 16  # pictures a request that are looked at; servers allow ten


class Painter(Backend):
    """The upstream as a budget sees it: further draws of ``n`` pictures by the model of a request."""

    remote = True
    price_fields = ("image",)

    def __init__(self, model: str, n: int) -> None:
        self.spec = self.name = f"openai-images:{model}"
        self._n = n

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """Every picture costs what the price file says an ``image`` costs."""
        return self._n * price["image"]

    def cost_usd(self, result: Result, price: Mapping[str, float]) -> float | None:
        """As planned for pictures; an error answer is free."""
        return None if "image" not in price else self._n * price["image"] if result.status == "ok" else 0.0


class Draws:
    """The draws of one request, from the first to the last.

    Parameters
    ----------
    fields : of the request's body, as the client sent it.
    seconds : from now on; after them no further draw begins.
    """

    def __init__(
        self,
        request: web.Request,
        fields: Mapping[str, Any],
        note: Note,
        *,
        upstream: Upstream,
        reader: PictureReader,
        budget: Budget,
        seconds: float,
    ) -> None:
        self._request, self._note, self._upstream = request, note, upstream
        self._reader, self._budget, self._seconds = reader, budget, seconds
        self._began = self._last = time.monotonic()
        self._answers: dict[int, Answer] = {}
        self._failures: dict[int, Unreachable] = {}
        self._before: set[str | None] = set()
        self._fixed = fields.get("seed") is not None
        n = fields.get("n")
        count = int(min(n, 10_000)) if isinstance(n, int | float) and n >= 1 else 1  # JSON may say 4.0
        self.n = min(count, MOST)
        self._painter = Painter(str(fields.get("model", "")), count)
        self.body = b""
        self.pictures: dict[str, CanonicalPicture] = {}
        self.odd: dict[int, str] = {}  # attempt -> why a picture of it cannot be looked at

    async def unlooked(self) -> Answer:
        """One draw, passed on as it comes; raises `Unreachable`."""
        self._note.tries = 1
        answer = await self._upstream.send(self._request, self.body)
        self._note.status = answer.status
        return answer

    async def draw(self, attempt: int) -> list[Output]:
        """An output for each picture that was asked for; all `failed` where no further draw may begin."""
        note, reserved = self._note, 0.0
        if attempt:
            note.stopped = note.stopped or self._no_more()
            set_aside = None if note.stopped else self._budget.reserve(self._painter, None)
            if set_aside is None:
                note.stopped = note.stopped or "money"
                return self._outputs(attempt, [])
            reserved = set_aside
        result = Result(status="failed")  # until an answer has come, it may have been billed
        note.tries += 1
        self._last = time.monotonic()
        try:
            answer = await self._upstream.send(self._request, self.body, plain=True)
            result = Result(status="ok" if answer.status == 200 else "failed", billed=answer.status == 200)
            return await self._taken(attempt, answer)
        except Unreachable as error:
            note.stopped, self._failures[attempt] = error.why, error
            return self._outputs(attempt, [])
        finally:
            if attempt:
                spent = self._budget.settle(self._painter, reserved, result)
                note.usd = None if spent is None or note.usd is None else note.usd + spent

    def came(self, attempt: int) -> bool:
        """Whether there is an answer to pass on."""
        return attempt in self._answers and attempt not in self._failures

    def answer(self, attempt: int) -> Answer:
        """The answer of a draw; raises `Unreachable` where none came whole."""
        if attempt in self._failures:
            raise self._failures[attempt]
        self._note.status = self._answers[attempt].status
        return self._answers[attempt]

    def drop(self) -> None:
        """Nobody waits any more: whatever is still under way is given up."""
        for answer in self._answers.values():
            answer.drop()

    async def _taken(self, attempt: int, answer: Answer) -> list[Output]:
        kind = answer.response.content_type
        if answer.status != 200 or kind != "application/json" or answer.response.headers.get("Content-Encoding"):
            self._note.stopped = "other-answer" if answer.status == 200 else f"upstream-{answer.status}"
            self.odd[attempt] = "other-answer"
            if attempt:
                answer.drop()  # an earlier draw is kept
            else:
                self._answers[attempt] = answer
            return self._outputs(attempt, [])
        self._answers[attempt] = answer
        await answer.hold()
        if answer.held is None:
            self._note.stopped = self.odd[attempt] = "answer-too-large"
            return self._outputs(attempt, [])
        outputs = self._outputs(attempt, await self._reader.read(answer.held))
        drawn = {output.picture for output in outputs}
        if attempt and drawn == self._before:
            self._note.stopped = "same-picture-again"
        self._before = drawn
        return outputs

    def _outputs(self, attempt: int, seen: Sequence[Seen]) -> list[Output]:
        outputs = []
        for n in range(self.n):
            one = seen[n] if n < len(seen) else Seen(None, "no-picture")
            reason = "blank" if one.picture is not None and one.picture.blank else one.reason
            if reason:
                self.odd.setdefault(attempt, reason)
            if one.picture is None:
                outputs.append(Output(key_of(attempt, n), "upstream", "failed", reason=reason))
                continue
            self.pictures[one.picture.sha] = one.picture
            status = "blank" if one.picture.blank else "ok"
            outputs.append(Output(key_of(attempt, n), "upstream", status, picture=one.picture.sha))  # type: ignore[arg-type]
        if seen and len(seen) != self.n:
            self.odd[attempt] = "other-number-of-pictures"
        if not any(output.ok for output in outputs):
            self._note.stopped = self._note.stopped or "no-picture-to-look-at"
        return outputs

    def _no_more(self) -> str:
        """Why no further draw may begin; empty if one may, money permitting."""
        now = time.monotonic()
        if self._fixed:
            return "seed-is-fixed"  # the same picture would come again
        if now + (now - self._last) - self._began > self._seconds:
            return "seconds"
        if self._budget.limit is not None and self._budget.worst(self._painter, None) is None:
            return "price-unknown"
        return ""
