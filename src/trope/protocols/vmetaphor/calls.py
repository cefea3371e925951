"""What a judge is asked: three calls that know nothing of one another.

``questions``   target, source, structure, meaning; sees their options and nothing else of the item
``mappings``    one question a mapping; is told tenor and vehicle, since the stems give the vehicle away
``dimensions``  three ratings; is shown the annotation, and no question or option
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from trope.nouns import Figure, Item
from trope.protocols.vmetaphor.questions import Shown
from trope.requests import Prompt
from trope.wire import read_letters, read_ratings

DIMENSIONS = ("metaphoric_efficacy", "metaphor_logic", "perceptual_harmony")
_FOLDER = Path(__file__).with_name("judge")


@dataclass(frozen=True, slots=True)
class Letters:
    """Reads ``Q1: B`` lines; an answer is the option, not its letter."""

    asked: tuple[Shown, ...]

    def __call__(self, reply: str) -> dict[str, str]:
        """Question id to the option that was chosen; raises `Unreadable` for anything but one letter a question."""
        letters = read_letters(reply, {question.id: question.letters for question in self.asked})
        return {q.id: q.recorded[q.letters.index(letters[q.id])] for q in self.asked}


def read_dimensions(reply: str) -> dict[str, int]:
    """``metaphor_logic: 4`` lines, one a dimension; raises `Unreadable` for anything else."""
    return read_ratings(reply, DIMENSIONS)


def questions_prompt(asked: tuple[Shown, ...]) -> Prompt:
    """The questions that are answered from the picture alone."""
    return _letters("questions.txt", asked)


def mappings_prompt(asked: tuple[Shown, ...], figure: Figure) -> Prompt:
    """The questions about mappings, with tenor and vehicle said."""
    return _letters("mappings.txt", asked, tenor=str(figure.tenor), vehicle=figure.vehicle)


def dimensions_prompt(item: Item) -> Prompt:
    """The three ratings, with the whole annotation said."""
    assert item.figure is not None
    told = "\n".join(f"- {name}: {said}" for name, said in annotation(item.figure))
    lines = "\n".join(f"{name}: <1-5>" for name in DIMENSIONS)
    text = _template("dimensions.txt").substitute(annotation=told, rubrics=_rubrics(), format=lines)
    return Prompt(text, read_dimensions, max_tokens=64)


def annotation(figure: Figure) -> list[tuple[str, str]]:
    """A figure in words, name by name; for a replacement, which of the two is absent and has to be inferred."""
    lines = [
        ("Subject, what it is about", str(figure.tenor)),
        ("Likeness, what the subject is likened to", figure.vehicle),
        ("How they are brought together", _together(figure)),
        ("What it says", str(figure.ground)),
    ]
    if figure.mappings:
        lines.append(("What stands for what", "; ".join(f"{m.vehicle} -> {m.tenor}" for m in figure.mappings)))
    return lines


def _together(figure: Figure) -> str:
    if figure.structure == "fusion":
        return "fusion, both joined into one impossible object"
    if figure.structure == "juxtaposition":
        return "juxtaposition, both whole and apart in one scene"
    absent, there = figure.tenor, figure.vehicle
    if figure.presence.vehicle == "implied":
        absent, there = there, str(absent)
    return f"replacement, {there} where {absent} should be; {absent} is absent and only the surroundings imply it"


def _letters(name: str, asked: tuple[Shown, ...], **told: str) -> Prompt:
    text = _template(name).substitute(
        told,
        format="\n".join(f"{question.id}: <letter>" for question in asked),
        questions="\n\n".join(question.text() for question in asked),
    )
    return Prompt(text, Letters(asked), max_tokens=32 + 16 * len(asked))


@cache
def _template(name: str) -> Template:
    return Template(_FOLDER.joinpath(name).read_text("utf-8").rstrip("\n"))


@cache
def rubrics() -> dict[str, dict[str, str]]:
    """Dimension to its question and its anchors "1" to "5"."""
    return tomllib.loads(_FOLDER.joinpath("rubrics.toml").read_text("utf-8"))


@cache
def _rubrics() -> str:
    parts = []
    for name in DIMENSIONS:
        anchors = "\n".join(f"{score} - {rubrics()[name][str(score)]}" for score in range(5, 0, -1))
        parts.append(f"{name}\n{rubrics()[name]['question']}\n{anchors}")
    return "\n\n".join(parts)
