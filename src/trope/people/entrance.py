"""The entrance: invitation links, each for one browser; the language of the pages; style and script."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from trope.people.design import COORDINATOR
from trope.people.pages import TEMPLATES
from trope.people.session import Refused, Served, cookie_of, form_of_request, lang_of, message, session_of
from trope.people.texts import LANGS, texts
from trope.people.tokens import TokenError

SESSION_DAYS = 60.0
_ASSETS = {
    "style.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def add_entrance(app: FastAPI, served: Served) -> None:
    """Add what can be reached without a session."""
    desk, signer = served.desk, served.signer

    @app.get("/i/{token}")
    async def invited(request: Request, token: str) -> Response:
        rater, _ = _invitation(served, request, token)
        lang = lang_of(request, served, None)
        say = texts(lang)
        lines = [say["welcome"], say["welcome_how"].format(rater=rater), say["welcome_once"]]
        return message(served, lang, "title", lines, action=f"/i/{token}", button="start", back=f"/i/{token}")

    @app.post("/i/{token}")
    async def claim(request: Request, token: str) -> Response:
        rater, nonce = _invitation(served, request, token)
        session = cookie_of(served, request).get("s") or secrets.token_hex(16)
        if not desk.book.claim(nonce, session):
            raise Refused(403, "used_token")
        desk.book.note(rater, "start", agent=request.headers.get("user-agent", "")[:200])
        chosen = request.cookies.get("trope-lang", "")
        if chosen in LANGS:
            desk.book.set_lang(rater, chosen)  # of a rater who came since, too
            if rater in desk.raters:
                desk.raters[rater].lang = chosen
        return _let_in(served, {"n": nonce, "s": session}, _invite_role(served, nonce))

    @app.post("/as")
    async def without_token(request: Request) -> Response:
        rater = (await form_of_request(request)).get("rater", "")
        if not served.open or rater not in (*desk.raters, COORDINATOR):
            raise Refused(403, "no_session")
        return _let_in(served, {"r": rater}, "coordinator" if rater == COORDINATOR else "rater")

    @app.post("/lang")
    async def choose(request: Request) -> Response:
        sent = await form_of_request(request)
        lang, back = sent.get("lang", ""), sent.get("back", "/")
        if lang not in LANGS:
            raise Refused(400, "stale")
        answer = RedirectResponse(back if back.startswith("/") and back[1:2] not in ("/", "\\") else "/", 303)
        answer.set_cookie("trope-lang", lang, max_age=31_536_000, httponly=True, samesite="strict")
        name = session_of(served, request)
        if name in desk.raters:
            desk.raters[name].lang = lang
            desk.book.set_lang(name, lang)
        return answer

    @app.get("/static/{name}")
    async def asset(name: str) -> Response:
        if name not in _ASSETS:
            raise HTTPException(404, "no such file")
        return FileResponse(TEMPLATES / name, media_type=_ASSETS[name], headers={"cache-control": "max-age=3600"})

    def _let_in(served: Served, content: Mapping[str, Any], role: str) -> Response:
        answer = RedirectResponse("/coordinator" if role == "coordinator" else "/", 303)
        token = signer.sign("session", content, expires=time.time() + SESSION_DAYS * 86400)
        answer.set_cookie(
            served.cookie, token, max_age=int(SESSION_DAYS * 86400), httponly=True, samesite="strict",
            secure=served.secure,
        )  # fmt: skip
        return answer


def _invitation(served: Served, request: Request, token: str) -> tuple[str, str]:
    """Rater and number of an invitation; `Refused` if it is forged, expired, withdrawn or used elsewhere."""
    book = served.desk.book
    try:
        content = served.signer.open("invite", token)
        invite = book.invited(str(content["nonce"]))
    except TokenError as bad:
        raise Refused(403, "expired_token" if str(bad) == "expired" else "bad_token") from None
    if invite is None:
        raise Refused(403, "bad_token")
    if invite.revoked:
        raise Refused(403, "revoked_token")
    if invite.expires is not None and time.time() >= invite.expires:
        raise Refused(403, "expired_token")
    if request.method == "GET" and request.headers.get("cookie") and invite.session is not None:
        known = cookie_of(served, request).get("s")
        if known is not None and known != invite.session:
            raise Refused(403, "used_token")
    return invite.rater, invite.nonce


def _invite_role(served: Served, nonce: str) -> str:
    invite = served.desk.book.invited(nonce)
    return invite.role if invite else "rater"
