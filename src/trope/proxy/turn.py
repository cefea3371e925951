"""One request for images: guard, draw, look, draw again. Whatever of ours fails, the image flows and says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from aiohttp import web

from trope.proxy.body import Body
from trope.proxy.draws import Draws
from trope.proxy.makers import Maker
from trope.proxy.note import Note
from trope.proxy.panel import Panel, drive
from trope.proxy.settings import RENDERINGS, Settings
from trope.proxy.upstream import Answer, Unreachable, relay
from trope.records import Observation, Record
from trope.requests import Generate, Request
from trope.strategies.guard import Plan
from trope.strategies.guard.checked import Sought, Try, best, checked


class Turn:
    """The way of one request.

    Parameters
    ----------
    body : of a request that has a prompt.
    look_for : the vehicles of a plan, with who can look for each.
    """

    def __init__(
        self,
        request: web.Request,
        body: Body,
        note: Note,
        draws: Draws,
        *,
        settings: Settings,
        maker: Maker,
        panel: Panel,
        look_for: Callable[[Plan], list[Sought]],
    ) -> None:
        self._request, self._body, self._note, self._draws = request, body, note, draws
        self._settings, self._maker, self._panel, self._look_for = settings, maker, panel, look_for
        self._text = str(body.fields["prompt"])

    async def guarded(self) -> web.StreamResponse:
        """The upstream's answer to the guarded prompt, after a look at it."""
        plan = await self._planned()
        prompt, negative = self._rendered(plan)
        if self._note.prompt is not None:
            self._note.sent = prompt
        fields = {} if prompt == self._text else {"prompt": prompt}
        if negative:
            fields["negative_prompt"] = self._joined(negative)
        self._draws.body = self._body.with_fields(fields) if fields else self._body.text.encode()
        sought = self._to_look_for(plan)
        try:
            if any(one.instrument for one in sought):
                answer = await self._chosen(partial(self._requests, prompt, negative), sought)
            else:
                if sought:
                    self._note.check, self._note.check_reason = "cannot-say", sought[0].reason
                answer = await self._draws.unlooked()
            return await relay(self._request, answer, self._note.headers())
        finally:  # the client may have gone while an answer was under way
            self._draws.drop()

    # --- guard ---

    async def _planned(self) -> Plan | None:
        note, settings = self._note, self._settings
        note.maker, note.renderer = self._maker.name, settings.renderer
        try:
            async with asyncio.timeout(settings.guard_seconds):
                plan = await self._maker.plan(self._text, settings.lang, settings.context)
            note.guard_reason = "another-text" if plan.text != self._text else "" if _sound(plan) else "unsound-plan"
            lang, figures = plan.lang, len(plan.unseen)
        except BaseException as error:  # the guard is down: the image flows all the same
            note.guard_reason = _why(error)
        else:
            if not note.guard_reason:
                note.lang, note.figures = lang, figures
                return plan
        note.guard = "failed"
        return None

    def _rendered(self, plan: Plan | None) -> tuple[str, str | None]:
        note = self._note
        if plan is None:
            return self._text, None
        try:
            prompt, negative = RENDERINGS[self._settings.renderer](plan)
        except Exception as error:  # a plan that cannot be rendered is a guard that is down
            note.guard, note.guard_reason = "failed", _why(error)
            return self._text, None
        note.guard = "changed" if prompt != self._text or negative else "unchanged"
        if note.guard == "unchanged":
            note.guard_reason = "nothing-known-instead" if plan.unseen else "no-figure"
        return prompt, negative

    def _joined(self, negative: str) -> str:
        there = self._body.fields.get("negative_prompt")
        return f"{there}, {negative}" if isinstance(there, str) and there else negative

    def _to_look_for(self, plan: Plan | None) -> list[Sought]:
        if plan is None or not plan.unseen or not self._settings.check or self._note.guard == "failed":
            return []
        try:
            return self._look_for(plan)
        except Exception as error:
            self._note.check, self._note.check_reason = "failed", _why(error)
            return []

    # --- draw and look ---

    async def _chosen(self, draw: Callable[[int], tuple[Generate, ...]], sought: Sequence[Sought]) -> Answer:
        """The answer to pass on, out of all that were drawn."""
        try:
            tries: list[Try] = await drive(checked(draw, sought, self._settings.tries), self._records)
            return self._kept(tries, sought)
        except Exception as error:  # a fault of ours: the first answer, if it has come, is as good as without us
            if isinstance(error, Unreachable) or not self._draws.came(0):
                raise
            self._note.check, self._note.check_reason = "failed", _why(error)
            return self._draws.answer(0)

    def _requests(self, prompt: str, negative: str | None, attempt: int) -> tuple[Generate, ...]:
        return (Generate(prompt, attempt, f"guard:{self._settings.renderer}", negative),) * self._draws.n

    async def _records(self, requests: Sequence[Request]) -> Sequence[Record]:
        if isinstance(requests[0], Generate):
            return await self._draws.draw(requests[0].attempt)
        shown = {request.shown for request in requests if not isinstance(request, Generate)}
        pictures = {sha: picture for sha, picture in self._draws.pictures.items() if sha in shown}
        try:
            async with asyncio.timeout(self._settings.check_seconds):
                return await self._panel.answers(requests, pictures)
        except BaseException as error:  # the check is down: the image flows all the same
            reason = _why(error)
        return [Observation("", "", "failed", reason=reason) for _ in requests]

    def _kept(self, tries: Sequence[Try], sought: Sequence[Sought]) -> Answer:
        kept, note = best(tries), self._note
        answer = self._draws.answer(kept.attempt)
        if answer.status == 200:
            note.pictures, note.shown_first = kept.drawn, tries[0].shown
            note.check, note.check_reason = self._said(kept, sought)
            note.shown = kept.shown if note.check in ("absent", "shown") else None
            note.instruments = ",".join(dict.fromkeys(str(s.instrument) for s in sought if s.instrument))
            if note.shown and not note.stopped:
                note.stopped = "tries"
        return answer

    def _said(self, kept: Try, sought: Sequence[Sought]) -> tuple[str, str]:
        """What all looks at one draw come to, the worst first."""
        if kept.shown:
            return "shown", ""
        if kept.attempt in self._draws.odd:
            return "cannot-say", self._draws.odd[kept.attempt]
        for look in kept.looks:
            if look.shown is None:
                ours = look.seen.reason if look.seen.key == "" else ""  # a word of ours, no error's text
                reason = ours or ("not-told" if look.seen.ok else look.seen.status)
                return ("failed" if look.seen.status == "failed" else "cannot-say"), reason
        unseen = [one.reason for one in sought if one.instrument is None]
        return ("cannot-say", unseen[0]) if unseen else ("absent", "")


def _sound(plan: Plan) -> bool:
    """Whether every span lies in the text and what a rewrite takes out is in order, so that nothing else changes."""
    end = 0
    for figure in plan.figures:
        spans = [figure.marker, figure.vehicle, figure.phrase, figure.whole, *([figure.tenor] if figure.tenor else [])]
        if not all(0 <= start <= stop <= len(plan.text) for start, stop in spans):
            return False
        if figure.rewritable and figure.whole[0] < end:
            return False
        end = figure.whole[1] if figure.rewritable else end
    return True


def _why(error: BaseException) -> str:
    """What went wrong, in a word; raises again what is no fault: that the client is gone, that the proxy stops."""
    if isinstance(error, TimeoutError):
        return "timeout"
    task = asyncio.current_task()
    cancelled = isinstance(error, asyncio.CancelledError) and task is not None and not task.cancelling()
    if not cancelled and not isinstance(error, Exception):
        raise error
    return type(error).__name__
