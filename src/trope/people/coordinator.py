"""The coordinator's page: who has answered how much, how fast and how carefully, agreement so far, links, export."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from trope.people.design import COORDINATOR
from trope.people.making import invite
from trope.people.session import Refused, Served, form_of_request, session_of
from trope.people.status import progress
from trope.people.tokens import TokenError


def add_coordinator(app: FastAPI, served: Served) -> None:
    """Add the coordinator's routes; every one asks for the coordinator's own session."""

    def only(request: Request) -> None:
        if session_of(served, request) != COORDINATOR:
            raise Refused(403, "no_session")

    async def shown(link: str = "", rater: str = "") -> Response:
        desk = served.desk
        desk.refresh()
        rows = await asyncio.to_thread(progress, desk)
        tables = await asyncio.to_thread(_agreement, desk)
        token = served.signer.sign("coordinator", {}, expires=time.time() + 86400)
        body = served.shown.render(
            "coordinator.html", "en", back="/coordinator", study=desk.design, rows=rows, tables=tables,
            invites=desk.book.invites(), strata=desk.book.strata(), token=token, link=link, rater=rater,
        )  # fmt: skip
        return HTMLResponse(body)

    async def signed(request: Request) -> dict[str, str]:
        only(request)
        sent = await form_of_request(request)
        try:
            served.signer.open("coordinator", sent.get("form", ""))
        except TokenError:
            raise Refused(403, "stale") from None
        return sent

    @app.get("/coordinator")
    async def overview(request: Request) -> Response:
        only(request)
        return await shown()

    @app.post("/coordinator/invite")
    async def another_link(request: Request) -> Response:
        sent = await signed(request)
        rater = sent.get("rater", "")
        if rater not in served.desk.raters:
            raise Refused(404, "not_yours")
        token = invite(served.desk.study, rater, 30.0, served.signer)
        base = served.origin or str(request.base_url).rstrip("/")
        return await shown(f"{base}/i/{token}", rater)

    @app.post("/coordinator/revoke")
    async def revoke(request: Request) -> Response:
        sent = await signed(request)
        served.desk.book.revoke(sent.get("rater", ""))
        return await shown()

    @app.get("/coordinator/answers.csv")
    async def answers(request: Request) -> Response:
        only(request)
        from trope.people.interchange.table import answers_csv

        text = await asyncio.to_thread(answers_csv, served.desk)
        name = f"{served.desk.design.name}-answers.csv"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


def _agreement(desk: Any) -> list[Any]:
    from trope.people.agreement import agreement_tables

    return agreement_tables(desk)
