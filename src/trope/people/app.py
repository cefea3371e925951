"""The web application of a study: pages for raters, one for the coordinator, pictures. Server-rendered, no CDN."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from trope.people.coordinator import add_coordinator
from trope.people.design import COORDINATOR
from trope.people.desk import Desk, NotAssigned, Rater, reply_of
from trope.people.entrance import add_entrance
from trope.people.guard import Guard
from trope.people.pages import Shown, blocks, name_of, take_apart
from trope.people.session import (
    Refused,
    Served,
    form_of_request,
    lang_of,
    message,
    opened,
    rater_of,
    session_of,
    signed,
    soon,
)
from trope.people.texts import texts
from trope.people.tokens import Signer
from trope.people.units import Page
from trope.requests import Unreadable


def make_app(
    desk: Desk, signer: Signer, *, open_: bool = False, hosts: frozenset[str] | None = None, origin: str | None = None
) -> Guard:
    """The application of one study.

    Parameters
    ----------
    hosts, origin : as `guard.Guard` takes them.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    served = Served(desk, signer, Shown(), open_, origin)
    _add_pages(app, served)
    add_entrance(app, served)
    add_coordinator(app, served)

    @app.exception_handler(Refused)
    async def refused(request: Request, why: Refused) -> Response:
        lang = lang_of(request, served, None)
        return message(served, lang, "refused", [texts(lang)[why.text]], status=why.status)

    @app.exception_handler(NotAssigned)
    async def not_assigned(request: Request, _: NotAssigned) -> Response:
        lang = lang_of(request, served, None)
        return message(served, lang, "refused", [texts(lang)["not_yours"]], status=404)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        lang = lang_of(request, served, None)
        return message(served, lang, "refused", [str(error.detail)], status=error.status_code)

    return Guard(app, hosts, origin)


def _add_pages(app: FastAPI, served: Served) -> None:
    desk, signer = served.desk, served.signer

    @app.get("/")
    async def home(request: Request) -> Response:
        name = session_of(served, request)
        if name == COORDINATOR:
            return RedirectResponse("/coordinator", 303)
        if name is None:
            if served.open:
                return _chooser(served, lang_of(request, served, None))
            raise Refused(403, "no_session")
        rater = desk.rater(name)
        lang = lang_of(request, served, rater)
        page = _next_open(desk, rater)
        if page is None:  # more may have been drawn since
            desk.refresh()
            page = _next_open(desk, rater)
        if page is not None:
            return RedirectResponse(f"/p/{page}", 303)
        say = texts(lang)
        return message(served, lang, "done", [say["done_how"]], undo=_undo_token(served, rater))

    @app.get("/p/{page}")
    async def show(request: Request, page: str) -> Response:
        rater = rater_of(served, request)
        return _page(served, request, rater, desk.page(rater, page))

    @app.post("/p/{page}")
    async def receive(request: Request, page: str) -> Response:
        rater = rater_of(served, request)
        return await _receive(served, request, rater, desk.page(rater, page))

    @app.get("/picture/{page}/{place}")
    async def picture(request: Request, page: str, place: str) -> Response:
        rater = rater_of(served, request)
        found = desk.page(rater, page)
        order = desk.order(rater, found)
        if not (place.isascii() and place.isdigit() and len(place) < 4 and int(place) < len(order)):
            raise NotAssigned("no such picture")
        task = found.tasks[order[int(place)]]
        if task.picture is None or "picture" not in desk.form(rater, task, "en").shows:
            raise NotAssigned("no such picture")
        return FileResponse(served.store.picture(task.picture), headers={"cache-control": "private, max-age=3600"})

    @app.post("/undo")
    async def undo(request: Request) -> Response:
        rater = rater_of(served, request)
        content = await signed(served, request, rater, "undo")
        page = desk.page(rater, content["p"])
        await desk.withdraw(rater, page, content["v"], {"taken_back": True})
        return RedirectResponse(f"/p/{page.id}", 303)

    @app.post("/break")
    async def pause(request: Request) -> Response:
        rater = rater_of(served, request)
        await signed(served, request, rater, "pause")
        desk.book.note(rater.id, "break")
        lang = lang_of(request, served, rater)
        token = signer.sign("pause", {"r": rater.id}, expires=soon())
        lines = [texts(lang)["paused_how"]]
        return message(served, lang, "paused", lines, action="/resume", button="resume", token=token)

    @app.post("/resume")
    async def resume(request: Request) -> Response:
        rater = rater_of(served, request)
        await signed(served, request, rater, "pause")
        desk.book.note(rater.id, "resume")
        return RedirectResponse("/", 303)


def _next_open(desk: Desk, rater: Rater) -> str | None:
    """The next page without an answer, even if another process has stored some meanwhile."""
    while (page := rater.next()) is not None:
        desk.look(rater, page)
        if page not in rater.done:
            return page
    return None


def _page(
    served: Served, request: Request, rater: Rater, page: Page, *,
    filled: Mapping[str, str] | None = None, errors: list[str] | None = None, heading: str = "missing",
    status: int = 200,
) -> Response:  # fmt: skip
    desk, lang = served.desk, lang_of(request, served, rater)
    stands = desk.look(rater, page.id)
    made = blocks(desk, rater, page, lang, stands, filled)
    item = page.tasks[0].item
    say = texts(lang)
    answered = None not in stands.answers
    notice = say["withdrawn"] if stands.withdrawn else say["answered_before"] if answered else ""
    text_shown = any("text" in desk.form(rater, task, lang).shows for task in page.tasks)
    expires = soon()
    token = served.signer.sign(
        "form", {"r": rater.id, "p": page.id, "v": stands.revision, "t": round(time.time(), 3), "l": lang},
        expires=expires,
    )  # fmt: skip
    body = served.shown.render(
        "page.html", lang, back=f"/p/{page.id}", page=page.id, token=token, blocks=made, notice=notice,
        errors=errors or [], error_heading=say[heading], done=len(rater.done), total=len(rater.queue),
        sentence=item.text if text_shown else "", sentence_lang=item.lang,
        draft=f"{desk.design.name} {rater.id} {page.id} {stands.revision}",
        pause=served.signer.sign("pause", {"r": rater.id}, expires=expires), undo=_undo_token(served, rater),
    )  # fmt: skip
    return HTMLResponse(body, status)


async def _receive(served: Served, request: Request, rater: Rater, page: Page) -> Response:
    desk = served.desk
    sent = await form_of_request(request)
    content = opened(served, sent, rater, "form")
    if content.get("p") != page.id:
        raise Refused(403, "stale")
    lang = lang_of(request, served, rater)
    order = desk.order(rater, page)
    filled = take_apart(sent, page, order, desk, rater, content["l"])
    known = {name_of(place, f.name) for place, n in enumerate(order) for f in filled[n][0].fields}
    if sent.keys() - known - {"form", "active"}:
        raise Refused(400, "stale")
    missing = [
        _short(f.stem or f.name)
        for form, answers in filled
        for f in form.fields
        if not f.optional and not answers[f.name].strip()
    ]
    if missing:
        return _page(served, request, rater, page, filled=sent, errors=missing, status=422)
    since = max(0.0, time.time() - content["t"])  # a clock may be set back
    provenance = {
        "seconds": round(since, 3), "active": _seconds(sent.get("active", "")), "lang": lang,
        "order": order, "position": 1 + rater.queue.index(page.id), "revision": content["v"],
    }  # fmt: skip
    try:
        replies = [reply_of(form, answers) for form, answers in filled]
        outcome = await desk.answer(rater, page, replies, content["v"], provenance)
    except Unreadable as why:
        return _page(
            served, request, rater, page, filled=sent, errors=[str(why)], heading="unreadable", status=422
        )  # fmt: skip
    if outcome == "conflict":
        return _conflict(served, rater, page, lang, sent, replies, content)
    if request.headers.get("accept", "").startswith("application/json"):
        following = _next_open(desk, rater)
        return JSONResponse({"next": f"/p/{following}" if following else "/"})
    return RedirectResponse("/", 303)


def _conflict(
    served: Served, rater: Rater, page: Page, lang: str, sent: Mapping[str, str], replies: list[str],
    content: Mapping[str, Any],
) -> Response:  # fmt: skip
    stands = served.desk.standing(rater, page.id)
    token = served.signer.sign(
        "form", {**content, "v": stands.revision}, expires=soon()
    )  # fmt: skip
    again = {name: value for name, value in sent.items() if name not in ("form", "active")}
    body = served.shown.render(
        "conflict.html", lang, back=f"/p/{page.id}", page=page.id, token=token, again=again,
        stored=[raw or "–" for raw in stands.answers], sent=replies,
    )  # fmt: skip
    return HTMLResponse(body, 409)


def _undo_token(served: Served, rater: Rater) -> str:
    """A form token that takes back the last answer, or an empty text if there is none."""
    last = next(reversed(rater.done), None)
    if last is None:
        return ""
    revision = served.desk.standing(rater, last).revision
    content = {"r": rater.id, "p": last, "v": revision}
    return served.signer.sign("undo", content, expires=soon())


def _chooser(served: Served, lang: str) -> Response:
    return message(served, lang, "title", [texts(lang)["welcome"]], names=(*served.desk.raters, COORDINATOR))


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return round(value, 1) if 0 <= value < 1e7 else None


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
