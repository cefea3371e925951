"""The nouns every room shares: items, the requests a strategy yields, and the records they lead to.

An item is what is asked; an output is what a subject made of it; an observation is what an instrument
says of one output. All are frozen. A status stands where a value would have to be invented.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Lang = Literal["en", "zh", "ja", "ar"]
Form = Literal["simile", "metaphor", "substitutive_metaphor", "idiom"]
Mechanism = Literal["semantic_shift", "perceptual_resemblance", "cross_modal_mapping", "idiomaticity"]
Structure = Literal["fusion", "replacement", "juxtaposition"]
Presence = Literal["depicted", "implied", "characterizes"]
Status = Literal["ok", "unparsed", "refused", "failed", "blank", "not_applicable"]

Name = Annotated[str, Field(min_length=1)]
Span = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ElementMapping(_Frozen):
    """One correspondence of a metaphor: an element of the vehicle and what it stands for in the tenor."""

    vehicle: Name
    tenor: Name


class Spans(_Frozen):
    """Where the parts of a figure stand in the text: ``[start, end)`` in code points, or None if unsaid."""

    tenor: Span | None = None
    vehicle: Span | None = None
    marker: Span | None = None


class FigurePresence(_Frozen):
    """How each domain should be present in the picture.

    ``depicted``: seen as itself. ``implied``: absent, inferred from what is around. ``characterizes``:
    never seen, its qualities are carried by the other.
    """

    tenor: Presence = "depicted"
    vehicle: Presence = "characterizes"


class Figure(_Frozen):
    """One figure of speech: what is talked about, what it is likened to, and what carries over."""

    tenor: str | None = None
    vehicle: Name
    vehicle_class: str | None = None
    ground: str | None = None
    form: Form | None = None
    mechanism: Mechanism | None = None
    structure: Structure | None = None
    mappings: tuple[ElementMapping, ...] = ()
    spans: Spans = Spans()
    presence: FigurePresence = FigurePresence()


class Question(_Frozen):
    """A multiple-choice question as it is stored; protocols decide the order in which options are shown.

    ``answer`` is the index of the right option; ``scores`` one number an option where options are ranked.
    """

    id: Name
    axis: Name
    stem: Name
    options: Annotated[tuple[Name, ...], Field(min_length=2)]
    answer: Annotated[int, Field(ge=0)] | None = None
    scores: tuple[float, ...] | None = None


class Twins(_Frozen):
    """The same text with the figure removed, and with the vehicle really there."""

    deleted: str | None = None
    literal: str | None = None


class Item(_Frozen):
    """A text with zero, one or more figures, and all that a protocol needs to ask about it."""

    id: Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    lang: Lang
    text: Name
    figures: tuple[Figure, ...] = ()
    context: str | None = None
    image: str | None = None
    cluster: Mapping[str, str] = Field(default_factory=dict)
    labels: Mapping[str, str] = Field(default_factory=dict)
    class_may_be_in_scene: bool | None = None
    twins: Twins = Twins()
    gloss: str | None = None
    reason: str | None = None
    questions: tuple[Question, ...] = ()
    prompts: Mapping[str, str] = Field(default_factory=dict)
    references: Mapping[str, str] = Field(default_factory=dict)
    split: str | None = None
    held_out: bool = False
    verified_by: tuple[str, ...] = ()

    @property
    def figure(self) -> Figure | None:
        """The first figure: the one that protocols with one figure an item ask about."""
        return self.figures[0] if self.figures else None
