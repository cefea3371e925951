"""Marks of one answer against the truth: fields, the joint label, the gates of the explanations.

Pure functions. Source: m3r, sections 3 and D.2. A mark is never dropped: what is missing or malformed is wrong,
and stays in the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trope.protocols.m3r.labels import NONE, Labels
from trope.protocols.m3r.reading import STAGES, Answer

THRESHOLD: Final = 0.75  # BERTScore F1 from which two concepts count as one; calibrated in the paper, section B.3
Matches = Mapping[str, float | None]  # "target", "source" -> F1 against the truth; None or NaN: not measured

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Marks:
    """What one answer earns.

    Attributes
    ----------
    metaphor, sentiment : whether the label is the true one.
    target, source : F1 in the fixed set of true metaphors, 0 where the metaphor was missed or the field is no
        value; None for a true non-metaphor (not in the set); NaN where it should have been measured and was not.
    joint : whether all four fields are right (1 or 0); NaN where that hangs on what was not measured.
    """

    metaphor: bool
    sentiment: bool
    target: float | None
    source: float | None
    joint: float


def to_match(answer: Answer, gold: Labels) -> dict[str, tuple[str, str]]:
    """The texts to compare: field -> (answer, truth), for fields that can earn more than 0.

    Only a true metaphor that was found, and only fields that hold a valid text.
    """
    if not gold.is_metaphor or answer.metaphor != gold.metaphor:
        return {}
    pairs = {"target": (answer.target, gold.target), "source": (answer.source, gold.source)}
    return {name: (said, true) for name, (said, true) in pairs.items() if said is not None and said != NONE}


def field_scores(answer: Answer, gold: Labels, matches: Matches, threshold: float = THRESHOLD) -> Marks:
    """The marks of one answer.

    Parameters
    ----------
    matches : F1 of every field that `to_match` names; a field it does not name is never looked up.
    threshold : F1 from which a field is right in the joint label.
    """
    metaphor, sentiment = answer.metaphor == gold.metaphor, answer.sentiment == gold.sentiment
    if not gold.is_metaphor:
        all_right = metaphor and sentiment and answer.target == NONE and answer.source == NONE
        return Marks(metaphor, sentiment, None, None, float(all_right))
    asked = to_match(answer, gold)
    target, source = (_measured(matches, name) if name in asked else 0.0 for name in ("target", "source"))
    joint = both_right(target, source, threshold) if metaphor and sentiment else 0.0
    return Marks(metaphor, sentiment, target, source, joint)


def both_right(target: float | None, source: float | None, threshold: float = THRESHOLD) -> float:
    """1 if both fields reach the threshold, 0 if one does not, NaN where that is not known."""
    known = [f1 for f1 in (target, source) if f1 is not None and not math.isnan(f1)]
    if any(f1 < threshold for f1 in known):
        return 0.0
    return 1.0 if len(known) == 2 else NAN


def gates(marks: Marks, gold: Labels, threshold: float = THRESHOLD) -> dict[str, float]:
    """Whether each stage's explanation may score: 1, 0, or NaN where that hangs on what was not measured.

    ITE needs the metaphor label, MC target and source (true metaphors only: otherwise it is not there), SJ the
    sentiment.
    """
    found = {"ITE": float(marks.metaphor), "SJ": float(marks.sentiment)}
    if gold.is_metaphor:
        found["MC"] = both_right(marks.target, marks.source, threshold)
    return {stage: found[stage] for stage in STAGES if stage in found}


def stage_score(gate: float, explained: str | None, judged: float | None) -> float:
    """The score of one stage, in [0, 1]: 0 behind a closed gate, without an explanation, or without a valid judgment.

    ``judged`` is None if the judge failed or left the stage out; that is 0 here, and counted where it is shown.
    """
    if gate == 0.0 or explained is None or judged is None:
        return 0.0
    return gate * judged  # NaN where the gate is not known


def _measured(matches: Matches, name: str) -> float:
    found = matches.get(name)
    return NAN if found is None else float(found)
