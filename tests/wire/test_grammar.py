"""Only an answer in the place its format names is an answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trope.requests import Unreadable
from trope.wire import read_json, read_letters, read_ratings

OPTIONS = {"Q1": "ABCD", "Q2": "AB"}


@pytest.mark.parametrize(
    "reply", ["Q1: A\nQ2: B", "Q2: B\nQ1: A", "  Q1 :a\n\nQ2: b\n", "Q1: A.\r\nQ2: B)", "Q1:A\nQ2:B"]
)
def test_letters_are_read(reply: str) -> None:
    assert read_letters(reply, OPTIONS) == {"Q1": "A", "Q2": "B"}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "no answer to Q1, Q2"),
        ("Q1: A", "no answer to Q2"),
        ("Q1: A\nQ2: C", "'C' is none of A/B"),
        ("Q1: A\nQ2: B\nQ3: A", "'Q3' was not asked"),
        ("Q1: A\nQ1: B\nQ2: B", "'Q1' is answered twice"),
        ("Q1: A or B\nQ2: B", "not 'name: answer'"),
        ("Q1: A (the best one)\nQ2: B", "not 'name: answer'"),
        ("Sure! Q1: A\nQ2: B", "not 'name: answer'"),
        ("Q1: A\nQ2: B\nI hope this helps.", "not 'name: answer'"),
        ("Q1: Ａ\nQ2: B", "not 'name: answer'"),
        ("Q1: أ\nQ2: B", "not 'name: answer'"),
        ("A\nB", "not 'name: answer'"),
        ("Q1: AB\nQ2: B", "not 'name: answer'"),
        ("Q1: A, Q2: B", "not 'name: answer'"),
        ("x" * 200_000, "characters long"),
    ],
)
def test_everything_else_is_unreadable(reply: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why.replace("(", r"\(")):
        read_letters(reply, OPTIONS)


@given(st.text(max_size=200))
def test_no_text_ever_breaks_the_reader(text: str) -> None:
    try:
        read = read_letters(text, OPTIONS)
    except Unreadable:
        return
    assert set(read) == set(OPTIONS) and all(read[q] in OPTIONS[q] for q in read)


def test_ratings() -> None:
    assert read_ratings("harmony: 4\nlogic: 1", ["logic", "harmony"]) == {"harmony": 4, "logic": 1}
    for reply in (
        "harmony: 6\nlogic: 1",
        "harmony: 4.5\nlogic: 1",
        "Score: 0. Criterion 1 is not met",
        "harmony: ٤\nlogic: 1",
    ):
        with pytest.raises(Unreadable):
            read_ratings(reply, ["logic", "harmony"])


def test_json() -> None:
    assert read_json('{"a": 1, "b": [2]}', ["a", "b"]) == {"a": 1, "b": [2]}
    assert read_json('```json\n{"a": 1}\n```', ["a"]) == {"a": 1}


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": 1} and so on', 'Here: {"a": 1}', '{"a": 1}{"a": 2}', '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": Infinity}',
        '{"a": 1, "c": 2}', "{}", "[1]", "1", '{"a": 1', "```\n{\"a\": 1}\n```\nbye", '{"a": ' + "[" * 5000, "", r'{"a": "\ud800"}',
        '{"a": ' + "9" * 5000 + "}",
    ],
)  # fmt: skip
def test_json_that_is_not_exactly_the_object_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_json(reply, ["a"])


@given(st.dictionaries(st.sampled_from(["a", "b"]), st.integers() | st.text(), min_size=2))
def test_what_is_written_is_read(value: dict[str, object]) -> None:
    assert read_json(json.dumps(value), ["a", "b"]) == value
