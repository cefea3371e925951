"""JLA, TP, SP and the gates against a slow, obvious reference that shares no code with them, on 10,000 random cases."""

from __future__ import annotations

import json
import math
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from trope.protocols.m3r.labels import NONE, Labels
from trope.protocols.m3r.marks import field_scores, gates, stage_score, to_match
from trope.protocols.m3r.reading import NOTHING, STAGES, read_answer
from trope.requests import Unreadable

MISSING = object()
NONES = ["none", "null", "nil", "n/a", "na", "无", "無", "没有", "沒有"]


def reference(
    reply: str | None, truth: dict[str, str], f1: dict[str, float], judged: dict[str, Any], cut: float
) -> dict[str, Any]:
    """Written from the rules in words, statement by statement."""
    fields = None
    if reply is not None:
        try:
            fields = json.loads(reply)
        except ValueError:
            fields = None
        if not isinstance(fields, dict):
            fields = None

    def label(name: str, allowed: list[str]) -> str | None:
        if fields is None or name not in fields or not isinstance(fields[name], str):
            return None
        spelled = fields[name].strip().lower()
        for one in allowed:
            if spelled == one.lower():
                return one
        return None

    def concept(name: str) -> tuple[str, str | None]:
        if fields is None or name not in fields:
            return "invalid", None
        value = fields[name]
        if value is None:
            return "none", None
        if not isinstance(value, str):
            return "invalid", None
        if value.strip().casefold() in NONES:
            return "none", None
        if value.strip() == "":
            return "invalid", None
        return "text", value.strip().casefold()

    m, e = label("metaphor", ["Yes", "No"]), label("sentiment", ["Positive", "Neutral", "Negative"])
    kinds = {"target": concept("target")[0], "source": concept("source")[0]}
    md, sc = m == truth["metaphor"], e == truth["sentiment"]
    result: dict[str, Any] = {"MD": md, "SC": sc}
    if truth["metaphor"] == "Yes":
        for name, score in (("target", "TP"), ("source", "SP")):
            result[score] = f1[name] if m == "Yes" and kinds[name] == "text" else 0.0
        matched = result["TP"] >= cut and result["SP"] >= cut
        result["JLA"] = 1.0 if md and sc and matched else 0.0
    else:
        result["TP"] = result["SP"] = None
        matched = False
        result["JLA"] = 1.0 if md and sc and kinds["target"] == "none" and kinds["source"] == "none" else 0.0
    for stage, opened in (("ITE", md), ("MC", matched), ("SJ", sc)):
        if stage == "MC" and truth["metaphor"] == "No":
            result["MC"] = None
            continue
        words = None if fields is None else fields.get(STAGES[stage])
        explained = isinstance(words, str) and words.strip() != ""
        result[stage] = judged[stage] if opened and explained and judged[stage] is not None else 0.0
    return result


VALUES = [
    MISSING,
    None,
    "",
    " ",
    "None",
    " NONE",
    "n/a",
    "无",
    "solar farm",
    " Solar FARM ",
    "river",
    "河流",
    3,
    True,
    [],
    "-",
]
LABELS = [MISSING, None, "Yes", "Yes", " yes", "NO", "no ", "maybe", True, 1, ""]
FEELINGS = [MISSING, None, "positive", "Positive", " Neutral", "NEGATIVE", "mixed", 0, ["Positive"]]
WORDS = [MISSING, None, "", "  ", "because", "because", 7]
SHAPES = ["object"] * 6 + ["garbage", "array", "no reply"]
UNIT = [0.0, 0.3, 0.7499, 0.75, 0.7501, 0.9, 1.0]
POOLS: dict[str, list[Any]] = {
    "metaphor": LABELS, "target": VALUES, "source": VALUES, "sentiment": FEELINGS, "evidence": WORDS,
    "mapping": WORDS, "justification": WORDS,
}  # fmt: skip
TRUTHS = [(m, e) for m in ("Yes", "Yes", "No") for e in ("Positive", "Neutral", "Negative")]


def agree(
    fields: dict[str, Any], shape: str, true: tuple[str, str], f1: dict[str, float], judged: dict[str, Any], cut: float
) -> None:
    """One case through both."""
    told = {name: value for name, value in fields.items() if value is not MISSING}
    text = json.dumps(told, ensure_ascii=False)
    reply = {"object": text, "garbage": f"Sure! {text}", "array": f"[{text}]", "no reply": None}[shape]
    yes = true[0] == "Yes"
    truth = Labels(true[0], "solar farm" if yes else NONE, "river" if yes else NONE, true[1])
    expected = reference(reply, {"metaphor": true[0], "sentiment": true[1]}, f1, judged, cut)

    try:
        answer = NOTHING if reply is None else read_answer(reply)
    except Unreadable:
        answer = NOTHING
    asked = to_match(answer, truth)
    marks = field_scores(answer, truth, {name: f1[name] for name in asked}, cut)  # only what was asked is known
    opened = gates(marks, truth, cut)
    found: dict[str, Any] = {
        "MD": marks.metaphor, "SC": marks.sentiment, "TP": marks.target, "SP": marks.source, "JLA": marks.joint,
        **{s: stage_score(opened[s], answer.explained(s), judged[s]) if s in opened else None for s in STAGES},
    }  # fmt: skip
    assert found == expected, (reply, true, f1, judged, cut)
    assert not any(isinstance(value, float) and math.isnan(value) for value in found.values())


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**63))
def test_ten_thousand_random_cases(seed: int) -> None:
    """Twenty cases an example: drawn by a seed, they cost hypothesis nothing."""
    draw = random.Random(seed)
    for _ in range(20):
        number = {"ITE": draw.random(), "MC": draw.random(), "SJ": draw.random()}
        agree(
            {name: draw.choice(pool) for name, pool in POOLS.items()}, draw.choice(SHAPES), draw.choice(TRUTHS),
            {"target": draw.choice(UNIT), "source": draw.choice(UNIT)},
            {stage: value if draw.random() < 0.8 else None for stage, value in number.items()},
            draw.choice([0.75, 0.75, 0.7, 0.9]),
        )  # fmt: skip


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    st.fixed_dictionaries({name: st.sampled_from(pool) | st.text(max_size=8) for name, pool in POOLS.items()}),
    st.sampled_from(SHAPES), st.sampled_from(TRUTHS), st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.floats(0.05, 1),
)  # fmt: skip
def test_cases_that_hypothesis_can_shrink(
    fields: dict[str, Any], shape: str, true: tuple[str, str], f1: tuple[float, float], cut: float
) -> None:
    agree(fields, shape, true, {"target": f1[0], "source": f1[1]}, dict.fromkeys(STAGES, 0.5), cut)
