"""Strategies by name: their wordings, their options, the requests they share. The guard's rules have tests of their own."""

from __future__ import annotations

import pytest

from tests.conftest import simile
from trope.errors import UnknownName, UsageError
from trope.nouns import Item
from trope.protocols import protocol
from trope.requests import Generate
from trope.strategies import STRATEGIES, Context, Strategy, strategies

WORDINGS = protocol("simile").wordings


def strategy(text: str, gates: tuple[str, ...] = ()) -> Strategy:
    (made,) = strategies(text, Context(WORDINGS, gates))
    return made


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar"])
@pytest.mark.parametrize("name", ["base", "human", "anti_hallucination"])
def test_prompts_exist_in_every_language_and_hold_the_sentence(name: str, lang: str) -> None:
    item = Item(id="x", lang=lang, text="{weird} 文 نص")  # type: ignore[arg-type]
    script = strategy(name).start(item)
    request = next(script)
    assert isinstance(request, Generate) and "{weird} 文 نص" in request.text
    assert (request.text == item.text) == (name == "base")


def test_guarded_sentences_share_the_request_of_base_where_nothing_changes() -> None:
    item = simile(text="The cloud sleeps as if a cat had yawned, not like a cat would", vehicle="cat")
    base = next(strategy("base").start(item))
    guarded = next(strategy("guard:rewrite").start(item))
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
        strategy(text)


def test_a_strategy_has_one_full_name() -> None:
    assert strategy("random", gates=("ssd",)).name == "random?gate=ssd"
    assert strategy("random?tries=5&gate=ssd").name == "random?gate=ssd"
    assert strategy("random?gate=ssd&tries=3").name == "random?gate=ssd&tries=3"
    assert "random" in STRATEGIES


def test_every_renderer_has_a_strategy() -> None:
    from trope.strategies.guard import RENDERERS

    for name in RENDERERS:
        assert strategy(f"guard:{name}").name == f"guard:{name}"
