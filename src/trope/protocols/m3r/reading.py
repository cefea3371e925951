"""A model's reply to answers, field by field: what is missing or malformed is invalid, and says why.

A reply that is not one JSON object is unreadable as a whole. Inside one, each field stands alone: an invalid
sentiment does not spoil a valid target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from trope.protocols.m3r.labels import CATEGORICAL, FIELDS, OPEN, categorical, open_text
from trope.wire import read_object

# stage -> the reply's field that explains it
STAGES: Final[Mapping[str, str]] = {"ITE": "evidence", "MC": "mapping", "SJ": "justification"}
EXPLANATIONS: Final = tuple(STAGES.values())


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    Attributes
    ----------
    metaphor, sentiment : a label; None if missing or invalid.
    target, source : folded text, or `labels.NONE`; None if missing or invalid.
    evidence, mapping, justification : the explanation of each stage; None if missing, empty or no text.
    problems : field -> why it is None; ``missing`` where the reply does not have it.
    """

    metaphor: str | None = None
    target: str | None = None
    source: str | None = None
    sentiment: str | None = None
    evidence: str | None = None
    mapping: str | None = None
    justification: str | None = None
    problems: Mapping[str, str] = field(default_factory=dict)

    def explained(self, stage: str) -> str | None:
        """The explanation of ``ITE``, ``MC`` or ``SJ``."""
        said: str | None = getattr(self, STAGES[stage])
        return said


NOTHING: Final = Answer(problems=dict.fromkeys((*FIELDS, *EXPLANATIONS), "no readable reply"))


def read_answer(reply: str) -> Answer:
    """Read one reply.

    Fields: ``metaphor`` (Yes, No), ``target``, ``source`` (text, or None), ``sentiment`` (Positive, Neutral,
    Negative), ``evidence``, ``mapping``, ``justification`` (text). Other fields are ignored.

    Raises
    ------
    Unreadable : not one JSON object, alone or in one code fence; a field twice.
    """
    said = read_object(reply)
    values: dict[str, str | None] = {}
    problems: dict[str, str] = {}
    for name in (*FIELDS, *EXPLANATIONS):
        values[name] = _value(name, said[name]) if name in said else None
        if values[name] is None:
            problems[name] = f"invalid: {_shown(said[name])}" if name in said else "missing"
    return Answer(**values, problems=problems)


def as_value(answer: Answer) -> dict[str, Any]:
    """An answer as JSON holds it; `answer_of` is the way back."""
    return {**asdict(answer), "problems": dict(answer.problems)}


def answer_of(value: Mapping[str, Any] | None) -> Answer:
    """The answer behind a stored value; `NOTHING` where there is none."""
    return NOTHING if value is None else Answer(**value)


def _value(name: str, said: object) -> str | None:
    if name in CATEGORICAL:
        return categorical(name, said)
    if name in OPEN:
        return open_text(said)
    return said.strip() or None if isinstance(said, str) else None


def _shown(said: object) -> str:
    text = repr(said)
    return text if len(text) <= 60 else f"{text[:57]}..."
