"""The blind battery, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from trope.items import load_set
from trope.items.rules.blind import GUESSERS, Guess, battery, best_of, near_chance, shown_order
from trope.nouns import Item, Question
from trope.stats import Estimate


def asked(id: str, text: str, options: list[str], **fields: object) -> Item:
    question = {"id": "Q1", "axis": "x", "stem": "What?", "options": options} | fields
    return Item.model_validate({"id": id, "lang": "en", "text": text, "questions": [question]})


def test_guessers_by_hand() -> None:
    """Item a: right is the longest and shares `lamp`; item b: two options tie as longest, one of them right."""
    items = [
        asked("a", "A lamp on the pier.", ["a burning lamp", "a dog", "a cat"], answer=0),
        asked("b", "Rain on a roof.", ["cat", "dog", "it"], scores=[3, 2, 1]),
    ]
    found = {guess.guesser: guess for guess in battery(items, lambda item, question: "all")}
    assert found["longest"].right.value == pytest.approx((1 + 1 / 2) / 2)
    assert found["most overlap"].right.value == pytest.approx((1 + 1 / 3) / 2)
    assert found["least overlap"].right.value == pytest.approx((0 + 1 / 3) / 2)
    assert found["shortest"].right.value == pytest.approx((0 + 0) / 2)
    assert all(guess.chance == pytest.approx(1 / 3) for guess in found.values())
    assert found["longest"].right.n_clusters == 2


def test_what_is_best() -> None:
    ask = {"id": "Q", "axis": "x", "stem": "?", "options": ["a", "b", "c"]}
    assert best_of(Question.model_validate(ask | {"answer": 2})) == 2
    assert best_of(Question.model_validate(ask | {"scores": [1, 3, 2]})) == 1


def test_the_first_shown_is_right_as_often_as_chance_says() -> None:
    item = asked("a", "A lamp.", ["a", "b", "c", "d"], answer=0)
    orders = [shown_order(item, item.questions[0], seed) for seed in range(4000)]
    firsts = np.bincount([order[0] for order in orders], minlength=4) / 4000
    assert abs(firsts - 0.25).max() < 0.03  # four standard errors
    assert shown_order(item, item.questions[0]) == shown_order(item, item.questions[0])
    assert sorted(orders[0]) == [0, 1, 2, 3]


def test_above_chance_means_the_whole_interval_and_more_than_a_trifle() -> None:
    def guess(low: float) -> Guess:
        return Guess("x", "longest", Estimate(low + 0.05, low, low + 0.1, 100, 100, "wilson"), 0.25)

    assert not guess(0.24).above_chance
    assert not guess(0.27).above_chance
    assert guess(0.29).above_chance


def test_a_set_whose_longest_option_is_right_is_rejected() -> None:
    items = [asked(f"i{n}", f"Number {n}.", ["a long and winding answer", "no", "so"], answer=0) for n in range(40)]
    found = [fault.why for fault in near_chance(lambda item, question: "all").find(items)]
    assert found == ["all: the guesser 'longest' is above chance (33.3%)"]


def test_levels_can_be_left_out() -> None:
    items = [asked("a", "A lamp.", ["a", "b"], answer=0)]
    assert battery(items, lambda item, question: None) == []


def test_the_shipped_sets_use_every_guesser() -> None:
    from trope.items.rules.vmetaphor import level

    found = battery(load_set("vmetaphor")[:30], level)
    assert len(found) == 5 * (len(GUESSERS) + 1)


def test_a_trained_guesser_learns_how_right_options_are_worded() -> None:
    """Right options say `lit`, wrong ones `dim`; of forty items every one is told by the other thirty-six."""
    items = [asked(f"i{n}", "x", [f"dim {n}", f"lit {n}", f"dim {n + 1}"], answer=1) for n in range(40)]
    found = {g.guesser: g.right.value for g in battery(items, lambda item, question: "all")}
    assert found["trained"] == 1.0
    shuffled = [asked(f"i{n}", "x", [f"a{n}", f"b{n}", f"c{n}"], answer=1) for n in range(40)]
    found = {g.guesser: g.right.value for g in battery(shuffled, lambda item, question: "all", ["trained"])}
    assert found == {"trained": pytest.approx(1 / 3)}


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "There isn't one"), ("zh", "没有人"), ("ja", "誰もいない"), ("ar", "لا أحد هناك")]
)
def test_negations_in_four_languages(lang: str, text: str) -> None:
    plain = {"en": "A notable knot", "zh": "一个人", "ja": "人がいる", "ar": "ماء وملاءة"}[lang]
    item = asked("a", "x", [text, plain], answer=0).model_copy(update={"lang": lang})
    found = {g.guesser: g.right.value for g in battery([item], lambda item, question: "all")}
    assert (found["negation"], found["no negation"]) == (1.0, 0.0)
