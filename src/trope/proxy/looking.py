"""Is the vehicle drawn? One picture, one text, and who said what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.proxy.eyes import named, sought
from trope.proxy.makers import maker
from trope.proxy.panel import Panel, drive
from trope.records import DETECTION_THRESHOLD, Output, Record
from trope.requests import Generate, Request
from trope.store import canonical_picture
from trope.strategies.guard.checked import Look, Sought, checked

# Why nobody can say, for a person. The proxy's headers and the ledger hold the word alone.
REASONS = {
    "no-figure": "no figure was found (the rules know explicit similes alone); name the vehicle: --vehicle cat",
    "no-instrument": "there is no instrument; name one: --instrument ssd,openai:MODEL",
    "unknown-class": "no detector here knows this vehicle; add a judge: --instrument ssd,openai:MODEL",
    "in-scene": "the text puts one of its kind into the scene, so that finding one proves nothing",
    "no-plain-noun": "the vehicle is no plain noun, and a judge is told no sentence of the prompt",
    "not-told": "the instrument looked and could not tell",
    "blank": "the picture is blank",
}


async def look(
    picture: Path,
    text: str,
    instruments: Sequence[Backend],
    *,
    model: Backend | None = None,
    lang: str | None = None,
    context: str | None = None,
    vehicles: Sequence[str] = (),
) -> dict[str, Any]:
    """Look for the vehicles of a text in a picture.

    Parameters
    ----------
    instruments : in the order in which they are asked. model : makes the plan; None for the rules.
    vehicles : words to look for instead of those of the plan.

    Returns
    -------
    ``answer`` is `shown`, `absent` or `cannot-say`; ``vehicles`` says of each who said so, with boxes.

    Raises
    ------
    PictureError : the picture cannot be read. BackendError : an instrument or the model cannot work.
    """
    seen = canonical_picture(picture)
    async with Panel({b.name: b for b in (model, *instruments) if b is not None}).open() as panel:
        plan = await maker(model, panel).plan(text, lang, context)
        wanted = [named(v, plan, instruments) for v in vehicles] if vehicles else sought(plan, instruments)
        output = Output("given", "given", "blank" if seen.blank else "ok", picture=seen.sha)

        async def records(requests: Sequence[Request]) -> Sequence[Record]:
            if isinstance(requests[0], Generate):
                return [output]
            return await panel.answers(requests, {seen.sha: seen})

        (made,) = await drive(checked(lambda attempt: (Generate(text, attempt),), wanted, 1), records)
    looks = {look.sought: look for look in made.looks}
    said = [_said(one, looks.get(one), seen.image.size, seen.blank) for one in wanted]
    shown = [one["shown"] for one in said]
    answer = "shown" if True in shown else "absent" if said and None not in shown else "cannot-say"
    reason = "no-figure" if not said else next((one["reason"] for one in said if one["shown"] is None), "")
    return {
        "answer": answer, "reason": reason if answer == "cannot-say" else "", "picture": seen.sha,
        "size": list(seen.image.size), "lang": plan.lang, "maker": plan.maker, "vehicles": said,
    }  # fmt: skip


def _said(one: Sought, look: Look | None, size: tuple[int, int], blank: bool) -> dict[str, Any]:
    reason = one.reason or ("blank" if blank else "")
    if look is not None and look.shown is None:
        reason = look.seen.reason or ("not-told" if look.seen.ok else look.seen.status)
    return {
        "vehicle": one.vehicle, "shown": None if look is None else look.shown, "instrument": one.instrument,
        "looked_for": one.label or None, "reason": reason, "boxes": _boxes(one, look, size),
    }  # fmt: skip


def _boxes(one: Sought, look: Look | None, size: tuple[int, int]) -> list[dict[str, Any]]:
    if look is None or one.prompt is not None:
        return []
    boxes = []
    for found in look.seen.detections:  # type: ignore[attr-defined]  # a detector's record is an Observation
        if found.label == one.label and found.score >= DETECTION_THRESHOLD:
            pixels = [round(value * size[n % 2]) for n, value in enumerate(found.box)]
            boxes.append({"label": found.label, "score": found.score, "box": list(found.box), "pixels": pixels})
    return boxes


def told(said: dict[str, Any]) -> str:
    """What `look` returned, for a person at a terminal."""
    from trope.proxy.advice import visible

    lines = []
    for one in said["vehicles"]:
        who = f" ({one['instrument']}, looking for {visible(one['looked_for'])!r})" if one["instrument"] else ""
        state = {True: "is drawn", False: "is not drawn", None: "cannot say"}[one["shown"]]
        why = f": {REASONS.get(one['reason'], visible(one['reason']))}" if one["shown"] is None else ""
        lines.append(f"“{visible(one['vehicle'])}”: {state}{who}{why}")
        for box in one["boxes"]:
            x0, y0, x1, y1 = box["pixels"]
            lines.append(f"   {box['label']} {box['score']:.2f} at x {x0}..{x1}, y {y0}..{y1} of {said['size']} pixels")
    if not lines:
        lines.append(f"cannot say: {REASONS['no-figure']}")
    return "\n".join(lines)
