"""The judge of explanations: sees true and given labels and both texts, no picture, and scores each stage in [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from string import Template
from typing import Any, Final

from trope.nouns import Item
from trope.protocols.m3r.labels import NONE, Labels, gold
from trope.protocols.m3r.marks import to_match
from trope.protocols.m3r.reading import STAGES, Answer
from trope.requests import Prompt
from trope.wire import read_object

MAX_BYTES: Final = 4096  # of one explanation, in a forecast of cost
_TITLES: Final = {
    "ITE": "evidence in picture and text",
    "MC": "mapping from source to target",
    "SJ": "reason for the sentiment",
}


def references(item: Item) -> dict[str, str]:
    """The reference explanation of each stage that has one; a non-metaphor has none for MC."""
    found = {stage: item.references.get(stage, "").strip() for stage in STAGES}
    return {stage: text for stage, text in found.items() if text and (stage != "MC" or item.figures)}


def stages_to_judge(item: Item, answer: Answer) -> list[str]:
    """The stages whose explanation may score more than 0, as far as labels alone tell.

    ITE behind the metaphor label, SJ behind the sentiment, MC behind a found metaphor with both fields filled:
    whether these reach the threshold is known when all is scored.
    """
    true = gold(item)
    open_ = {"ITE": answer.metaphor == true.metaphor, "MC": len(to_match(answer, true)) == 2,
             "SJ": answer.sentiment == true.sentiment}  # fmt: skip
    return [stage for stage in references(item) if open_[stage] and answer.explained(stage)]


def prompt(item: Item, answer: Answer, stages: Sequence[str]) -> Prompt:
    """One question about the named stages."""
    reference = references(item)
    parts = [
        f"Stage {stage}, {_TITLES[stage]}\nReference: {reference[stage]}\nModel: {answer.explained(stage)}\n"
        for stage in stages
    ]
    text = _template().substitute(
        gold=_told(gold(item)), said=_told(answer), stages="\n".join(parts), keys=", ".join(stages)
    )
    return Prompt(text, partial(read, stages=tuple(stages)), max_tokens=128)


def longest(item: Item, reply: str) -> Prompt:
    """As long as the question about a reply that nobody has made yet can be, in bytes; for forecasts."""
    words = sum(len(text.encode()) for text in references(item).values()) + len(STAGES) * MAX_BYTES
    return Prompt(f"{reply} {'x' * (len(_template().template) + words)}", partial(read, stages=()), max_tokens=128)


def read(reply: str, *, stages: Sequence[str]) -> dict[str, Any]:
    """``{"ITE": 0.8}`` -> ``{"scores": {"ITE": 0.8}, "problems": {}}``; a stage without a valid number is a problem.

    Raises
    ------
    Unreadable : not one JSON object, or not one valid number in it.
    """
    said = read_object(reply)
    scores: dict[str, float] = {}
    problems: dict[str, str] = {}
    for stage in stages:
        number = said.get(stage)
        if isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1:
            scores[stage] = float(number)
        else:
            problems[stage] = f"invalid: {number!r}"[:60] if stage in said else "missing"
    return {"scores": scores, "problems": problems}


def judged(value: Mapping[str, Any] | None, stage: str) -> float | None:
    """The score a judge gave a stage; None where there is none."""
    found = (value or {}).get("scores", {}).get(stage)
    return None if found is None or math.isnan(found) else float(found)


def _told(labels: Labels | Answer) -> str:
    parts = {"metaphor": labels.metaphor, "target": labels.target, "source": labels.source,
             "sentiment": labels.sentiment}  # fmt: skip
    return "; ".join(f"{name}: {'(none given)' if said is None else said or NONE}" for name, said in parts.items())


@cache
def _template() -> Template:
    return Template((Path(__file__).with_name("prompts") / "judge.txt").read_text("utf-8"))
