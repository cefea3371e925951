"""The rule guard: explicit English similes, and nothing unless sure. What is no part of a figure stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import simile
from trope.data.coco import CLASSES, mentions
from trope.errors import UnknownName, UsageError
from trope.nouns import Item
from trope.protocols import protocol
from trope.requests import Generate
from trope.strategies import NAMES, strategy
from trope.strategies.guard import RENDERERS, plan_by_rules
from trope.strategies.guard.rules import qualities

WORDINGS = protocol("simile").wordings
REWRITTEN = {
    "The fog rolls over the harbor like a train.": "The fog rolls over the harbor, long and unbroken.",
    "The moon looks like a banana above the roofs.": "The moon looks curved and yellow.",
    "Snow as white as a sheep covers the roof.": "Snow, white, covers the roof.",
    "The snow is as white as a sheep.": "The snow is white.",
    "Like a kite in a storm, the flag tears at the pole.": "Light and wind-tossed, the flag tears at the pole.",
    "The hills lie just like sleeping elephants in the haze": "The hills lie, huge and gray",
    "(masterpiece:1.2), a tower like a giraffe, <lora:style:0.8>, 8k": (
        "(masterpiece:1.2), a tower, tall and long-necked, <lora:style:0.8>, 8k"
    ),
}
LEFT_ALONE = [
    "a teapot shaped like a cat",
    "The boy would like a pizza",
    "People like dogs and cats",
    "a logo of a mountain that looks like a bear",
    "A dog that barks like a big dog",
    "Leaves scatter across the yard as if a cat had pounced on them.",
    "The rocks look like loaves of bread",
    "a cat on a mat",
    "like",
    "as white as",
    "Le brouillard est comme un train",
    "",
]


@pytest.mark.parametrize(("text", "expected"), list(REWRITTEN.items()))
def test_explicit_similes_lose_the_noun_and_keep_its_qualities(text: str, expected: str) -> None:
    plan = plan_by_rules(text, "en")
    assert RENDERERS["rewrite"](plan) == expected
    (figure,) = [f for f in plan.figures if f.acted_on]
    assert mentions(text[slice(*figure.vehicle)]) or text[slice(*figure.vehicle)]
    assert not [m for m in mentions(expected) if m[2] in {n for *_, n in mentions(text[slice(*figure.whole)])}]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_sure_simile_stays_byte_identical(text: str) -> None:
    plan = plan_by_rules(text, "en")
    assert plan.abstains and RENDERERS["rewrite"](plan) == text


def test_other_languages_are_left_alone() -> None:
    assert plan_by_rules("云像猫一样", "zh").abstains


@given(st.text(max_size=120))
def test_no_text_breaks_the_guard_and_nothing_but_figures_changes(text: str) -> None:
    plan = plan_by_rules(text, "en")
    written = RENDERERS["rewrite"](plan)
    if plan.abstains:
        assert written == text
    else:
        first = min(f.whole[0] for f in plan.figures if f.acted_on)
        assert written[: len(text[:first].rstrip())] == text[:first].rstrip()


def test_a_long_text_is_quick_and_unchanged() -> None:
    text = "like a cat " * 10_000
    assert plan_by_rules(text, "en").abstains


def test_every_class_has_qualities_and_no_class_among_them() -> None:
    assert set(qualities()) == set(CLASSES)
    for adjectives in qualities().values():
        assert adjectives and not [m for word in adjectives for m in mentions(f"a {word}") if m[2] not in ("orange",)]


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar"])
@pytest.mark.parametrize("name", ["base", "human", "anti_hallucination"])
def test_prompts_exist_in_every_language_and_hold_the_sentence(name: str, lang: str) -> None:
    item = Item(id="x", lang=lang, text="{weird} 文 نص")  # type: ignore[arg-type]
    script = strategy(name, wordings=WORDINGS).start(item)
    request = next(script)
    assert isinstance(request, Generate) and "{weird} 文 نص" in request.text
    assert (request.text == item.text) == (name == "base")


def test_guarded_sentences_share_the_request_of_base_where_nothing_changes() -> None:
    item = simile(text="The cloud sleeps as if a cat had yawned, not like a cat would", vehicle="cat")
    base = next(strategy("base", wordings=WORDINGS).start(item))
    guarded = next(strategy("guard:rewrite", wordings=WORDINGS).start(item))
    assert base.material() == guarded.material() or guarded.text != base.text


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("bsae", UnknownName, "Did you mean 'base'"),
        ("base?tries=2", UsageError, "has no option 'tries'"),
        ("random", UsageError, r"needs a gate.*random\?gate=ssd"),
        ("random?gate=ssd&tries=0", UsageError, "tries='0'. Expected: a number from 1 to 100"),
        ("random?gate=ssd&tires=3", UsageError, "Did you mean 'tries'"),
        ("guard:nothing", UnknownName, "guard:rewrite"),
    ],
)
def test_wrong_names_and_options_are_explained(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        strategy(text, wordings=WORDINGS)


def test_a_strategy_has_one_full_name() -> None:
    assert strategy("random", wordings=WORDINGS, gates=["ssd"]).name == "random?gate=ssd"
    assert strategy("random?tries=5&gate=ssd", wordings=WORDINGS).name == "random?gate=ssd"
    assert strategy("random?gate=ssd&tries=3", wordings=WORDINGS).name == "random?gate=ssd&tries=3"
    assert "random" in NAMES
