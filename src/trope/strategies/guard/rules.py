"""Plans by rule, without a model: explicit English similes, and nothing unless sure.

Most ``like a ...`` in real prompts wants the thing drawn (`a teapot shaped like a cat`), so a figure is acted
on only when its vehicle is a known noun right after the marker, its qualities are known (from the text or
from `qualities.toml`), and nothing speaks for a design, a costume, a wish, or a tenor of the same kind.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from trope.data.coco import mentions, words
from trope.strategies.guard.plan import Plan, PlannedFigure

_MARKER = re.compile(
    r"""\b(?:
        as\ (?P<ground>(?:[a-z]+ly\ )?[a-z-]+)\ as            # as white as
      | as\ (?:if|though)
      | (?:just\ |exactly\ |almost\ |much\ |rather\ |quite\ )?like
    )(?=\s)""",
    re.IGNORECASE | re.VERBOSE,
)
_DETERMINER = re.compile(r"\s+(?:an?|the|two|three|four|five|six|several|many|some|a\s+pair\s+of|pairs\s+of)\b", re.I)
_PHRASE = re.compile(r"(?:\s+(?P<modifier>[\w'-]+)){0,3}?\s+(?P<noun>NOUNS)(?![\w-])", re.I)
# a word right before `like` that makes it a verb, a request for a shape, or a list of examples
_NOT_A_FIGURE = re.compile(
    r"""(?:\b(?:would|'d|should|could|do|does|don't|did|not|to|I|we|you|they|people|who|really|also|looks?\ a\ lot
      |shaped|formed|styled|dressed|designed|decorated|disguised|painted|drawn|carved|sculpted|made|built|cut|folded
      |knitted|crocheted|themed|posed|posing|costumed|made\ to\ look|something|someone|somebody|anything|nothing
      |things|stuff|animals|foods|fruits|objects|places|creatures|such|feel|feels|sounds?|smells?|tastes?|more|less)
      )\s+$""",
    re.IGNORECASE | re.VERBOSE,
)
_DESIGN = re.compile(
    r"\b(?:costume|logo|icon|sticker|tattoo|topiary|teapot|sculpture|statue|figurine|toy|plush|cosplay|disguise|hybrid"
    r"|design|emblem|mascot|cartoon|origami|balloon animal|in the style of|in the shape of|mixed with|crossed with)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s+(?:in|on|at|of|by|with|from|under|over|above|below|beneath|behind|beside|between|across|along|after|before"
    r"|against|around|into|onto|through|toward|towards|without|near|caught|left|thrown|that|which|\w+ing|\w+ed)\b[^.,;:!?()]*",
    re.IGNORECASE,
)


@cache
def qualities() -> dict[str, tuple[str, ...]]:
    """Visible qualities of each class, as adjectives that can stand where the simile stood."""
    table = tomllib.loads(Path(__file__).with_name("qualities.toml").read_text("utf-8"))
    return {name: tuple(adjectives) for name, adjectives in table["en"].items()}


@cache
def _phrase() -> re.Pattern[str]:
    nouns = "|".join(map(re.escape, sorted(words(), key=len, reverse=True)))
    return re.compile(_PHRASE.pattern.replace("NOUNS", nouns), _PHRASE.flags)


def plan_by_rules(text: str, lang: str) -> Plan:
    """Find the explicit similes of a prompt; other languages than English are left alone."""
    figures = tuple(_figures(text)) if lang == "en" and len(text) <= 20_000 else ()
    return Plan(text, lang, "rules", figures)


def _figures(text: str) -> list[PlannedFigure]:
    found: list[PlannedFigure] = []
    end = 0
    for marker in _MARKER.finditer(text):
        if marker.start() < end:
            continue
        figure = _figure(text, marker)
        if figure is not None:
            found.append(figure)
            end = figure.whole[1]
    return found


def _figure(text: str, marker: re.Match[str]) -> PlannedFigure | None:
    determiner = _DETERMINER.match(text, marker.end())
    noun = _phrase().match(text, determiner.end() if determiner else marker.end())
    if noun is None:
        return None
    name = words()[noun["noun"].lower()]
    ground = marker["ground"]
    adjectives = (ground,) if ground else qualities().get(name, ())
    rest = _GOES_ON.match(text, noun.end())
    stop = rest.end() if rest else noun.end()
    while stop > noun.end() and text[stop - 1].isspace():
        stop -= 1
    why = _reason_to_leave(text, marker, name, bare=determiner is None and noun["noun"].lower() == name)
    return PlannedFigure(
        marker.span(), noun.span("noun"), (marker.start(), stop), adjectives, why is not None,
        why or "an explicit simile whose vehicle is a known thing",
    )  # fmt: skip


def _reason_to_leave(text: str, marker: re.Match[str], name: str, *, bare: bool) -> str | None:
    before = text[: marker.start()]
    if marker.group().lower() in ("as if", "as though"):
        return "a hypothetical clause: what carries over is not in the noun"
    if bare:
        return "a bare singular noun after the marker is rarely a comparison"
    if _NOT_A_FIGURE.search(before) and "as" not in marker.group().lower().split():
        return "the word before makes it a wish, a shape to be made or a list of examples"
    if _DESIGN.search(text):
        return "a design request: both things are meant to be seen"
    if any(other == name for _, _, other in mentions(before)):
        return "the thing compared is of the same kind"
    return None
