"""Plans by rule, without a model: explicit similes in English, Chinese, Japanese and Arabic.

A word of comparison with a noun is a figure, whatever the noun, unless a named reason speaks against it: it is ordered
or designed (`a teapot shaped like a cat`), a disguise, one of a kind, kin, a list, a guess, denied, a purpose, a style.
Where the reason says that the thing is wanted in the picture it is in the plan as ``seen``; what is no comparison at
all is not in it.

Each language has a folder, and what is the same thing is the same module in each: `figures` (where to begin),
`markers` (what compares), `candidates` (a comparison, as reasons look at it), `reasons` (in order; `literal`, `orders`,
`resemblances` hold them by what they say), `tenors` (what is likened), `carried` (which qualities stay) and `rewrites`.
What else is there is the language's own: how its words, phrases and clauses are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from trope.strategies.guard import arabic, chinese, english, japanese
from trope.strategies.guard.plan import Plan, PlannedFigure
from trope.strategies.guard.scene import Protected, World, infer_language, protected
from trope.strategies.guard.wrapped import unwrapped

_FIGURES: dict[str, Callable[[str], Iterator[PlannedFigure]]] = {
    "en": english.figures,
    "zh": chinese.figures,
    "ja": japanese.figures,
    "ar": arabic.figures,
}


def plan_by_rules(text: str, lang: str | None = None, context: str | None = None) -> Plan:
    """Find the explicit similes of a prompt.

    Parameters
    ----------
    text : one prompt or a passage with many figures, of any length; time grows with the length, not faster.
    lang : `en`, `zh`, `ja`, `ar`; None: by its script. Any other language is left alone.
    context : what holds in the world of the text (a story bible): what it calls real is meant to be seen.

    Returns
    -------
    Plan : maker `rules`; figures in the order of the text, none of them overlapping another or a part that
        prompts write for a machine (`<lora:name:0.8>`, `(word:1.3)`, quoted text to be rendered).
    """
    lang = lang or infer_language(text)
    find = _FIGURES.get(lang)
    if find is None:
        return Plan(text, lang, "rules", ())
    hands_off: Protected | None = None
    read = unwrapped(text, lang)
    world = World(text, context or "", lang)
    figures: list[PlannedFigure] = []
    for figure in map(read.back, find(read.text)):
        if hands_off is None:
            hands_off = protected(text)
        start, end = min(figure.whole[0], figure.marker[0]), max(figure.whole[1], figure.phrase[1])
        if figures and start < figures[-1].whole[1]:
            continue
        if _accent(text[start : start + 1]) or _accent(text[end : end + 1]):
            continue
        if not hands_off.touches(start, end):
            figures.append(_in_its_world(figure, read.quote(text[slice(*figure.vehicle)]), world))
    return Plan(text, lang, "rules", tuple(figures))


def _accent(mark: str) -> bool:
    """Whether a character is a mark that belongs to the letter before it, where no span may end."""
    return "\u0300" <= mark <= "\u036f" or mark in ("\u3099", "\u309a")


def _in_its_world(figure: PlannedFigure, noun: str, world: World) -> PlannedFigure:
    if not figure.seen and world.real(noun):
        return replace(figure, seen=True, replacement=None, why=f"the context says that {noun!r} is real")
    if not figure.seen and world.taken_up(noun, figure.phrase[1]):
        return replace(figure, seen=True, replacement=None, why=f"the text goes on to speak of {noun!r} as there")
    return replace(figure, also_there=True) if world.elsewhere(noun, figure.phrase) else figure
