"""Renderers: a plan becomes a prompt. Whatever is no part of a figure stays byte-identical."""

from __future__ import annotations

from collections.abc import Callable

from trope.strategies.guard.plan import Plan, PlannedFigure

_COPULAS = frozenset(
    "look looks looked looking seem seems seemed appear appears appeared is are was were be been being"
    " feel feels felt stay stays stayed remain remains remained".split()
)


def rewrite(plan: Plan) -> str:
    """Take the vehicle's noun out and let its qualities stay, for encoders that draw whatever is named."""
    text = plan.text
    for figure in sorted(plan.figures, key=lambda f: f.whole, reverse=True):
        if figure.acted_on:
            text = _replaced(text, figure)
    return text


def _replaced(text: str, figure: PlannedFigure) -> str:
    """``as white as a sheep`` -> ``white``; ``looks like a bed`` -> ``looks wide``; else set off by commas."""
    start, end = figure.whole
    head, tail = text[:start], text[end:]
    words = figure.qualities
    qualities = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    last = head.rstrip().rpartition(" ")[2].lower()
    if not head.strip():
        return head + qualities[0].upper() + qualities[1:] + tail
    if last in _COPULAS:
        return head + qualities + tail
    comma_before = "" if head.rstrip().endswith((",", ";", ":", "(", "—", "–")) else ","
    comma_after = "," if tail[:1] == " " else ""
    return f"{head.rstrip()}{comma_before} {qualities}{comma_after}{tail}"


RENDERERS: dict[str, Callable[[Plan], str]] = {"rewrite": rewrite}
