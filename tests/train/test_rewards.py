"""Rewards are the marks of `trope run m3r`, whatever a model writes."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trope.errors import BackendError, UnknownName, UsageError
from trope.protocols.m3r import field_scores, read_answer, to_match
from trope.protocols.m3r.labels import NONE, Labels
from trope.requests import Unreadable
from trope.train.config import read_config
from trope.train.rewards import REWARDS, Scorer, char_similarity, matcher_of, reward_functions

METAPHOR = Labels("Yes", "car", "panther", "Positive")
OTHER = Labels("No", NONE, NONE, "Neutral")
FULL = {
    "evidence": "a black car crouches", "mapping": "the car is as lithe as a panther", "justification": "it admires",
    "metaphor": "Yes", "target": "car", "source": "panther", "sentiment": "Positive",
}  # fmt: skip
PLAIN = {**FULL, "mapping": None, "metaphor": "No", "target": "None", "source": "None", "sentiment": "Neutral"}


def earned(reply: str, labels: Labels = METAPHOR, matcher: str = "chars") -> dict[str, float]:
    functions, _ = reward_functions(dict.fromkeys(REWARDS, 1.0), Scorer(*matcher_of(matcher)))
    columns = {name: [getattr(labels, name)] for name in ("metaphor", "target", "source", "sentiment")}
    message = [[{"role": "assistant", "content": reply}]]
    return {function.__name__: function(completions=message, prompts=[None], **columns)[0] for function in functions}


ALL, NOTHING = dict.fromkeys(REWARDS, 1.0), dict.fromkeys(REWARDS, 0.0)


def test_the_right_reply_earns_everything() -> None:
    assert earned(json.dumps(FULL)) == ALL
    assert earned(json.dumps(PLAIN), OTHER) == ALL


def test_hand_worked_partial_replies() -> None:
    # "sports car" against "car": pairs sp po or rt ts "s " " c" ca ar (9) and ca ar (2): 2 x 2 / 11
    assert earned(json.dumps({**FULL, "target": "sports car"}))["target"] == pytest.approx(4 / 11)
    assert earned(json.dumps({**FULL, "sentiment": "Negative"})) == {**ALL, "sentiment": 0.0}
    # a missed metaphor: 0 for m, TP and SP; the sentiment stands alone; the format is kept
    assert earned(json.dumps({**PLAIN, "sentiment": "Positive"})) == {**NOTHING, "sentiment": 1.0, "format": 1.0}
    # a metaphor seen where there is none: no None, so nothing for target and source
    assert earned(json.dumps({**FULL, "sentiment": "Neutral"}), OTHER) == {**NOTHING, "sentiment": 1.0, "format": 1.0}


@pytest.mark.parametrize("reply", [
    "", " ", "\n\n\n", "null", "[]", "Yes", "Yes No Positive Neutral Negative", "{" * 5000, "[" * 100_000,
    "metaphor: Yes\nsentiment: Positive", json.dumps(FULL) * 2, json.dumps(FULL) + "\n" + json.dumps(PLAIN),
    '{"metaphor": "Yes", "metaphor": "No", "sentiment": "Positive"}', "x" * 100_000, json.dumps(FULL) + "x" * 100_000,
    "Sure! Here is the answer:\n" + json.dumps(FULL), json.dumps({**FULL, "evidence": "e" * 100_000}),
    "\ud800", "\x00", "{}" * 10_000, '{"a":' * 3000 + "1" + "}" * 3000,
])  # fmt: skip
def test_what_is_no_reply_earns_nothing(reply: str) -> None:
    assert earned(reply) == NOTHING
    assert earned(reply, OTHER) == NOTHING


def test_newlines_and_a_code_fence_cost_nothing() -> None:
    pretty = json.dumps(FULL, indent=2)
    for reply in (pretty, f"\n{pretty}\n\n", f"```json\n{pretty}\n```", pretty.replace("\n", "\r\n")):
        assert earned(reply) == ALL


def test_repeating_all_labels_earns_nothing() -> None:
    for metaphor, sentiment in product(
        ("Yes, No", "Yes No", "Yes/No", ["Yes", "No"], {"Yes": "No"}),
        ("Positive, Neutral, Negative", "Positive Neutral Negative", ["Positive", "Negative"], "positive or negative"),
    ):
        for labels in (METAPHOR, OTHER):
            got = earned(json.dumps({**FULL, "metaphor": metaphor, "sentiment": sentiment}), labels)
            assert (got["m"], got["sentiment"], got["format"]) == (0.0, 0.0, 0.0)
    # hedging in the open fields: listing everything is far from the truth, and None beside it is no None
    listed = "car, panther, shoe, flower, phone, wave, None"
    got = earned(json.dumps({**FULL, "target": listed, "source": listed}))
    assert got["target"] < 0.25 and got["source"] < 0.3
    assert earned(json.dumps({**PLAIN, "target": listed, "source": "None, wave"}), OTHER)["target"] == 0.0


@pytest.mark.parametrize(("change", "formal"), [
    ({}, 1.0), ({"evidence": ""}, 0.0), ({"evidence": None}, 0.0), ({"mapping": None}, 0.0), ({"more": "words"}, 0.0),
    ({"target": "None"}, 0.0), ({"target": "None", "source": None}, 0.0), ({"sentiment": "glad"}, 0.0),
    ({"metaphor": "No"}, 0.0), ({"metaphor": "No", "target": None, "source": "none", "mapping": None}, 1.0),
])  # fmt: skip
def test_the_format_is_exactly_what_was_asked_for(change: dict, formal: float) -> None:
    assert earned(json.dumps({**FULL, **change}))["format"] == formal


values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.just("Yes"),
                   st.sampled_from(["No", " yes ", "None", "n/a", "car", "Panther", "positive", "Negative"]),
                   st.lists(st.text(max_size=3), max_size=2))  # fmt: skip
replies = st.one_of(
    st.text(max_size=80),
    st.dictionaries(st.sampled_from([*FULL, "extra"]), values).map(json.dumps),
    st.dictionaries(st.sampled_from(list(FULL)), values).map(lambda d: f"```json\n{json.dumps(d)}\n```"),
)


@settings(max_examples=150, deadline=None)
@given(replies, st.sampled_from([METAPHOR, OTHER]))
def test_rewards_equal_the_scoring_of_the_protocol(reply: str, labels: Labels) -> None:
    """An oracle that goes the way of `trope run m3r`: read, match, mark."""
    got = earned(reply, labels)
    assert set(got) == set(REWARDS) and all(0.0 <= value <= 1.0 for value in got.values())
    try:
        answer = read_answer(reply)
    except Unreadable:
        assert got == NOTHING
        return
    matches = {name: char_similarity(*pair) for name, pair in to_match(answer, labels).items()}
    marks = field_scores(answer, labels, matches)
    assert got["m"] == float(marks.metaphor) and got["sentiment"] == float(marks.sentiment)
    if labels.is_metaphor:
        assert (got["target"], got["source"]) == (marks.target, marks.source)
    else:
        assert marks.target is None and marks.source is None
        everything = got["m"] and got["target"] and got["source"] and got["sentiment"]
        assert float(everything) == marks.joint


def test_a_batch_is_what_its_replies_are_one_by_one() -> None:
    rng = np.random.default_rng(3)
    pool = [
        json.dumps({**FULL, "target": t, "sentiment": s}) for t in ("car", "cat", "None") for s in ("Positive", "x")
    ]
    chosen = [pool[n] for n in rng.integers(0, len(pool), 40)] + ["", "{"]
    labels = [METAPHOR, OTHER] * 21
    functions, _ = reward_functions(dict.fromkeys(REWARDS, 1.0), Scorer(*matcher_of("chars")))
    columns = {name: [getattr(one, name) for one in labels] for name in ("metaphor", "target", "source", "sentiment")}
    for function in functions:
        whole = function(completions=chosen, **columns)
        assert whole == [earned(reply, true)[function.__name__] for reply, true in zip(chosen, labels, strict=True)]


def test_each_reply_is_compared_once() -> None:
    asked = []

    def counting(pairs):
        asked.extend(pairs)
        return [1.0] * len(pairs)

    functions, _ = reward_functions(dict.fromkeys(REWARDS, 1.0), Scorer(counting, "counting"))
    columns = {name: [getattr(METAPHOR, name)] * 3 for name in ("metaphor", "target", "source", "sentiment")}
    for function in functions:
        function(completions=[json.dumps(FULL)] * 3, **columns)
    assert asked == [("car", "car"), ("panther", "panther")]


def test_switches_leave_rewards_out() -> None:
    weights = read_config("m3r", ["rewards.target=0", "rewards.source=0"]).rewards.weights()
    functions, kept = reward_functions(weights, Scorer(*matcher_of("exact")))
    assert [function.__name__ for function in functions] == ["m", "sentiment", "format"]
    assert kept == [1.0, 1.0, 0.5]


def test_matchers() -> None:
    assert matcher_of("exact")[0]([(" Car", "car"), ("cars", "car")]) == [1.0, 0.0]
    assert (
        char_similarity("", "") == 0.0
        and char_similarity("猫", "猫") == 1.0
        and char_similarity("ＣＡＲ", "car") == 1.0
    )
    with pytest.raises(UnknownName, match="no matcher 'berscore:x'"):
        matcher_of("berscore:x")
    with pytest.raises(UsageError, match="does not compare texts"):
        matcher_of("clipscore:x")


def test_a_matcher_that_cannot_be_loaded_says_so_at_once(tmp_path: Path) -> None:
    """Not after the model is loaded and the first replies are sampled."""
    pytest.importorskip("transformers")
    with pytest.raises(BackendError, match="cannot be loaded"):
        matcher_of(f"bertscore:{tmp_path}?layer=2")
