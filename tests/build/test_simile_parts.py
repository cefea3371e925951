from __future__ import annotations

from collections import Counter

import pytest

from tests.build.writing_server import sentence
from trope.build.simile.conformity import Nonconforming, conform
from trope.build.simile.groups import group_of
from trope.build.simile.phrases import PAIRS, Pair, many_of, one_of, phrase
from trope.build.simile.prompts import judge, read_yes_no, write
from trope.build.simile.surface import sentence_of
from trope.items import check_rules
from trope.nouns import Item
from trope.requests import Unreadable


def test_every_pair_has_a_phrase_of_its_own_and_irregular_nouns_have_their_forms() -> None:
    assert len(PAIRS) == len({phrase(pair) for pair in PAIRS}) == 1120
    forms = {name: (one_of(name), many_of(name)) for name in ("scissors", "skis", "knife", "mouse", "sheep", "person")}
    assert forms == {
        "scissors": ("a pair of scissors", "scissors"), "skis": ("a pair of skis", "skis"),
        "knife": ("a knife", "knives"), "mouse": ("a mouse", "mice"), "sheep": ("a sheep", "sheep"),
        "person": ("a person", "people"),
    }  # fmt: skip
    assert [one_of(name) for name in ("tv", "orange", "umbrella", "oven")] == [
        "a tv", "an orange", "an umbrella", "an oven",
    ]  # fmt: skip
    assert phrase(Pair("knife", "as_as-p")) == "as [adjective] as knives"
    assert phrase(Pair("orange", "looks_like-s")) == "looks like an orange"


def test_good_sentences_about_every_pair_conform_and_make_valid_items() -> None:
    made = [conform(sentence_of(sentence(phrase(pair), str(pair))), pair) for pair in PAIRS]
    wrong = [found for found in made if not isinstance(found, Item)]
    assert not wrong
    items = [item for item in made if isinstance(item, Item)]
    assert len({item.id for item in items}) == 1120
    found = check_rules(items, "common")
    assert {name: len(problems) for name, problems in found.items() if problems and name != "near-duplicate"} == {}


BAD = [
    ("like-s", "The boulder on the wet hill is very round.", "simile"),
    ("like-s", "A car shines like a lantern on the dark hill.", "vehicle-after-marker"),
    ("like-s", "The boulder gleams like cars on the dark hill.", "template"),
    ("like-p", "The boulder gleams like a car on the dark hill.", "template"),
    ("like-s", "The boulder gleams just like a car on the dark hill.", "template"),
    ("like-s", "The boulder gleams like a lantern on the dark hill.", "vehicle-named"),
    ("like-s", "The car gleams like a car on the dark hill.", "vehicle-after-marker"),
    ("like-s", "The boulder gleams like a car beside a car at dawn.", "vehicle-after-marker"),
    ("like-s", "The boulder gleams like a car, as if rain were falling.", "one-marker"),
    ("like-s", "The boulder gleams like an car on the dark hill.", "template"),
    ("like-s", "The boulder gleams like a very old and quite rusty car.", "template"),
    ("like-s", "It gleams like a car on the dark hill.", "pronoun"),
    ("like-s", "The happiness gleams like a car on the dark hill.", "concrete"),
    ("like-s", "Gleams like a car.", "word-limit"),
    ("like-s", "The boulder " + "very " * 16 + "bright gleams like a car.", "word-limit"),
    ("as_if-s", "The boulder gleams like a car on the dark hill.", "template"),
]


@pytest.mark.parametrize(("template", "text", "rule"), BAD)
def test_what_does_not_conform_is_dropped_by_its_rule(template: str, text: str, rule: str) -> None:
    found = conform(text, Pair("car", template))
    assert isinstance(found, Nonconforming)
    assert found.rule == rule
    assert found.why


def test_longer_words_for_a_class_are_found_whole() -> None:
    item = conform("The twin peaks stand like a pair of scissors over the valley.", Pair("scissors", "like-s"))
    assert isinstance(item, Item) and item.figure is not None
    assert item.figure.vehicle == "pair of scissors"
    assert not isinstance(conform("The peaks stand like a scissors over the valley.", Pair("scissors", "like-s")), Item)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("  the rope bends like a cat.  ", "The rope bends like a cat."),
        ("“The rope bends like a cat.”", "The rope bends like a cat."),
        ("**The rope bends like a cat**", "The rope bends like a cat."),
        ("The farmer’s rope bends\u00a0like a cat", "The farmer's rope bends like a cat."),
        ("The rope bends like a cat!\n", "The rope bends like a cat!"),
    ],
)
def test_surface_is_one_spelling(reply: str, said: str) -> None:
    assert sentence_of(reply) == said
    assert sentence_of(said) == said


@pytest.mark.parametrize(
    "reply", ["", "  ", '""', "One.\nTwo.", "The rope bends. The cat sleeps.", "Sure! The rope bends like a cat.",
              "Here is a sentence: the rope bends like a cat."],
)  # fmt: skip
def test_a_reply_that_is_not_one_sentence_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        sentence_of(reply)


@pytest.mark.parametrize(("reply", "said"), [("yes", True), (" Yes.\n", True), ("NO", False), ("no.", False)])
def test_yes_and_no_are_read(reply: str, said: bool) -> None:
    assert read_yes_no(reply) is said


@pytest.mark.parametrize(
    "reply", ["yes, because it has a marker", "Yes!", "yes no", "Answer: yes", "y", "", "yes..", "**yes**", "yeso", "1"]
)
def test_anything_but_yes_or_no_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_yes_no(reply)


def test_groups_are_the_published_ones_for_three_judges() -> None:
    groups = [group_of(points, 12) for points in range(13)]
    assert groups == [None] * 3 + ["G1"] * 4 + ["G2"] * 2 + ["G3"] * 2 + ["G4", "G5"]


@pytest.mark.parametrize("most", [4, 8, 16, 20])
def test_with_other_judges_the_best_group_is_every_point(most: int) -> None:
    groups = [group_of(points, most) for points in range(most + 1)]
    assert [n for n, name in enumerate(groups) if name == "G5"] == [most]
    assert groups[0] is None
    assert Counter(groups)["G1"] >= 1
    with pytest.raises(ValueError, match="Expected: 0 to"):
        group_of(most + 1, most)


def test_requests_carry_the_published_settings() -> None:
    asked = write(Pair("mouse", "as_if-p"), "w", 7)
    prompt = asked.prompt
    assert (prompt.max_tokens, prompt.temperature, prompt.top_p, asked.attempt) == (40, 0.4, 0.9, 7)
    assert "\nas if mice\n" in prompt.user
    assert write(Pair("mouse", "as_if-p"), "w", 8).material() != asked.material()
    answered = judge("A {vehicle} sentence.", Pair("scissors", "like-s"), "vehicle", "w")
    assert (answered.prompt.temperature, answered.attempt) == (0.0, 0)
    assert '"pair of scissors"' in answered.prompt.user
    assert "A {vehicle} sentence." in answered.prompt.user  # a sentence's own braces are left alone
