"""English compounds that compare: `a heron-like neck`, `ghostlike`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trope.strategies.guard.english.carried import known
from trope.strategies.guard.english.kinds import is_animate, is_unmade, sibling
from trope.strategies.guard.english.orders import DESIGN
from trope.strategies.guard.english.words import Token
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import PlannedFigure, Span

_COMPOUND = re.compile(r"(?P<noun>[a-z]{3,}(?:-[a-z]+)*?)(?P<marker>-?like|-esque)")
_COMPARES = "a compound that compares: the vehicle only says what something is like"


def compounds(text: str, line: Sequence[Token], told: bool) -> Iterator[PlannedFigure]:
    """The compounds with `-like` of a sentence."""
    for n, token in enumerate(line):
        match = _COMPOUND.fullmatch(token.word)
        if match is None or token.text[1:] != token.text[1:].lower():
            continue
        if token.word.endswith("alike"):
            continue
        if token.text[0].isupper() and (n or not _common(match["noun"])):
            continue  # a name
        noun = match["noun"]
        if (
            noun in words("en", "unlike_nouns")
            or noun in words("en", "styles")
            or token.word in words("en", "like_words")
        ):
            continue
        yield _figure(text, line, n, noun, match["marker"], told)


def _figure(text: str, line: Sequence[Token], n: int, noun: str, marker: str, told: bool) -> PlannedFigure:
    token = line[n]
    vehicle = (token.start, token.start + len(noun))
    following = line[n + 1] if n + 1 < len(line) and line[n + 1].is_word else None
    head = following
    for after in line[n + 2 : n + 5]:
        if head is None or not after.is_word or after.word in words("en", "stops") | words("en", "prepositions"):
            break
        head = after
    why = _design(text, line, noun, head, told)
    said = {before.word for before in line[max(0, n - 3) : n]}
    qualities = tuple(quality for quality in known(noun.replace("-", " ")) if quality not in said)
    before = line[n - 1] if n else None
    whole, replacement = _rewritten(text, token, before, following, qualities)
    return PlannedFigure(
        marker=(vehicle[1], vehicle[1] + len(marker)), vehicle=vehicle, phrase=(token.start, token.end), whole=whole,
        replacement=None if why else replacement, qualities=qualities, seen=why is not None, why=why or _COMPARES,
        tenor=None if head is None else (head.start, head.end), confidence=0.8,
    )  # fmt: skip


def _common(noun: str) -> bool:
    """Whether a noun with a capital at the beginning of a line is surely no name."""
    names = (
        "animals",
        "natural",
        "body",
        "foods",
        "clothes",
        "furniture",
        "vessels",
        "vehicles",
        "buildings",
        "plants",
    )
    return bool(known(noun)) or any(noun in words("en", name) for name in names)


def _rewritten(
    text: str, token: Token, before: Token | None, following: Token | None, qualities: tuple[str, ...]
) -> tuple[Span, str | None]:
    """The compound goes, or its quality stands for it; an article before it is made to fit."""
    attribute = following is not None and following.word not in words("en", "stops") | words("en", "prepositions")
    if before is not None and before.word in words("en", "softeners"):
        return (token.start, token.end), None
    if following is None or not attribute:
        if before is not None and before.text == "," and not qualities:
            return (before.start, token.end), ""
        quality = qualities[0] if qualities else None
        return (token.start, token.end), quality.capitalize() if quality and token.text[0].isupper() else quality
    said = f"{qualities[0]} " if qualities else ""
    if before is None:
        first = said or text[following.start]
        first = first.capitalize() if token.text[0].isupper() else first
        return (token.start, following.start + (not said)), first
    if before.word in ("a", "an"):
        article = "an" if (said or following.word)[0] in "aeiou" else "a"
        article = article.capitalize() if before.text[0].isupper() else article
        return (before.start, following.start), f"{article} {said}"
    return (token.start, following.start), said


def _design(text: str, line: Sequence[Token], noun: str, head: Token | None, told: bool) -> str | None:
    if any(token.word in words("en", "designs") for token in line):
        return DESIGN
    if head is not None and head.word in words("en", "kinds_of_things"):
        return "two of a kind"
    if not told and head is not None and head.word in words("en", "forms") | words("en", "finishes"):
        return DESIGN
    if not told and any(token.word in words("en", "made_like") for token in line):
        return DESIGN
    if noun in words("en", "animals") and any(token.word in words("en", "fantastic") for token in line):
        return "a creature that is to be drawn as such"
    if not told and any(token.word in words("en", "machines") for token in line):
        return DESIGN
    if re.compile(rf"\b(?:was|is|were|are) (?:an? )?{re.escape(noun)}(?![-\w])", re.IGNORECASE).search(
        text, line[0].start, line[-1].end
    ):
        return "it is one"
    if head is not None and head.word in words("en", "designs_listed"):
        return DESIGN
    material = noun in words("en", "materials") and not (head is not None and is_unmade(head.word))
    if material and not told:
        return "a material that is wanted"
    if head is not None and sibling(noun, head.word):
        return "two of a kind"
    creature = head is not None and is_animate(head.word) and not is_unmade(head.word)
    return None if told or not creature else "a creature that is to be drawn as such"
