"""Who is asking: sessions, the signed forms of their pages, and what they are told when something is refused."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from trope.people.design import COORDINATOR
from trope.people.desk import Desk, Rater
from trope.people.pages import Shown
from trope.people.texts import LANGS, texts
from trope.people.tokens import Signer, TokenError
from trope.store import Store

FORM_DAYS = 7.0


@dataclass
class Served:
    """One study as it is served.

    Attributes
    ----------
    open : no tokens; for one person on their own machine.
    origin : where raters reach the pages, e.g. ``https://study.example.org``; None: at whatever address they used.
    """

    desk: Desk
    signer: Signer
    shown: Shown
    open: bool = False
    origin: str | None = None

    @property
    def store(self) -> Store:
        """The store of the study."""
        return self.desk.store

    @property
    def secure(self) -> bool:
        """Whether cookies only travel over https."""
        return bool(self.origin and self.origin.startswith("https:"))

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; studies on one machine must not share it."""
        return f"trope-{self.desk.design.name}"


class Refused(Exception):
    """A request that gets a page saying why not; ``text`` is a key of the texts."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


def cookie_of(served: Served, request: Request) -> dict[str, Any]:
    """What the session's cookie holds; nothing if there is none, or none of ours."""
    token = request.cookies.get(served.cookie)
    if not token:
        return {}
    try:
        return served.signer.open("session", token)
    except TokenError:
        return {}


def session_of(served: Served, request: Request) -> str | None:
    """Whose session this is: a rater, `COORDINATOR`, or None. A withdrawn invitation ends its sessions."""
    content = cookie_of(served, request)
    if served.open and "r" in content:
        return str(content["r"])
    if "n" not in content:
        return None
    invite = served.desk.book.invited(str(content["n"]))
    if invite is None or invite.revoked or invite.session != content.get("s"):
        return None
    return COORDINATOR if invite.role == "coordinator" else invite.rater


def rater_of(served: Served, request: Request) -> Rater:
    """The rater whose session this is; `Refused` if it is nobody's, or the coordinator's."""
    name = session_of(served, request)
    if name is None or name == COORDINATOR:
        raise Refused(403, "no_session")
    return served.desk.rater(name)


def lang_of(request: Request, served: Served, rater: Rater | None) -> str:
    """The language of a page: the rater's, else what this browser chose, else the study's."""
    chosen = request.cookies.get("trope-lang", "")
    if rater is not None:
        return rater.lang
    return chosen if chosen in LANGS else served.desk.design.lang


async def form_of_request(request: Request) -> dict[str, str]:
    """A form as names and values; anything that is no plain form is refused."""
    try:
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=2000)
    except ValueError:
        raise HTTPException(400, "this is no form; nothing was stored") from None
    if len(dict(pairs)) < len(pairs):
        raise HTTPException(400, "a field was sent twice; nothing was stored")
    return dict(pairs)


async def signed(served: Served, request: Request, rater: Rater, kind: str) -> dict[str, Any]:
    """What the token of a form holds that has nothing else in it."""
    return opened(served, await form_of_request(request), rater, kind)


def opened(served: Served, sent: Mapping[str, str], rater: Rater, kind: str) -> dict[str, Any]:
    """What a sent form's token holds; `Refused` unless it was made for this rater."""
    try:
        content = served.signer.open(kind, sent.get("form", ""))
    except TokenError:
        raise Refused(403, "stale") from None
    if content.get("r") != rater.id:
        raise Refused(403, "stale")
    return content


def message(
    served: Served, lang: str, heading: str, lines: list[str], *, status: int = 200, action: str = "",
    button: str = "continue", token: str = "", undo: str = "", back: str = "/", names: tuple[str, ...] = (),
) -> Response:  # fmt: skip
    """A page that says something, with a button or none."""
    say = texts(lang)
    body = served.shown.render(
        "message.html", lang, heading=say[heading], lines=lines, action=action, button=say[button], token=token,
        undo=undo, back=back, names=names,
    )  # fmt: skip
    return HTMLResponse(body, status)


def soon() -> float:
    """When a form that is made now stops being good."""
    return time.time() + FORM_DAYS * 86400
