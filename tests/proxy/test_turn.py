"""One request at a time, in this process but over real HTTP: retries and their limits, faults, bytes."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.proxy.helpers import CAT, REWRITTEN
from tests.proxy.here import SHOWS, SSD, post, serving
from trope.flow import Budget
from trope.proxy.eyes import instrument
from trope.proxy.ledger import Ledger
from trope.proxy.makers import Maker
from trope.records import Result
from trope.strategies.guard import Plan, plan_by_rules
from trope.testing import FakeServer


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeServer]:
    with FakeServer() as started:
        yield started


@pytest.fixture
def behave(fake: FakeServer) -> Callable[..., None]:
    fake.forget()
    fake.behave()
    return fake.behave


@pytest.fixture(scope="module")
def looking(fake: FakeServer) -> Iterator[str]:
    """A proxy that draws up to three times."""
    with serving(fake.url, tries=3) as url:
        yield url


# --- draw again ---


def test_it_draws_again_until_the_vehicle_is_gone(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat", "a cat", "a bench"], **SHOWS)
    ((status, said, _),) = post(looking)
    assert (status, said["check"], said["shown"], said["tries"]) == (200, "absent", "0/1", "3")
    assert "stopped" not in said and len(fake.log()) == 3
    assert {entry["sha"] for entry in fake.log()} == {fake.log()[0]["sha"]}, "each draw is asked in the same bytes"


def test_when_every_draw_shows_it_the_first_is_kept(behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat"], **SHOWS)
    ((_, said, _),) = post(looking)
    assert (said["check"], said["shown"], said["tries"], said["stopped"]) == ("shown", "1/1", "3", "tries")


def test_a_server_that_draws_the_same_again_is_not_asked_on(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    judge = instrument(f"vllm:judge?base_url={fake.url}")  # the fake answers A: it is there
    with serving(fake.url, tries=5, eyes=[judge]) as url:
        ((_, said, _),) = post(url)
    assert (said["tries"], said["stopped"], said["shown"]) == ("2", "same-picture-again", "1/1")


def test_the_draw_with_the_fewest_is_kept(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat", "a bench", "a cat"], **SHOWS)
    ((_, said, _),) = post(looking, n=2)
    assert said["shown"] == "0/2" and said["tries"] == "2"
    assert [entry["body"]["n"] for entry in fake.log()] == [2, 2]


@pytest.mark.parametrize("trouble", ["busy", "error", "refuse", "reset", "malformed", "cut"])
def test_when_a_further_draw_fails_the_first_answer_stands(
    fake: FakeServer, behave: Callable[..., None], looking: str, trouble: str
) -> None:
    behave(sequence=["ok", trouble], shows=["a cat"], **SHOWS)
    ((status, said, body),) = post(looking)
    assert (status, said["check"], said["tries"]) == (200, "shown", "2") and len(fake.log()) == 2
    why = {"busy": "upstream-429", "error": "upstream-500", "refuse": "upstream-400", "malformed": "other-answer"}
    assert said["stopped"] == why.get(trouble, "broken-off") and json.loads(body)["data"][0]["b64_json"]


def test_a_fixed_seed_is_drawn_once(fake: FakeServer, behave: Callable[..., None], looking: str) -> None:
    behave(shows=["a cat"], **SHOWS)
    ((_, said, _),) = post(looking, seed=7)
    assert (said["tries"], said["stopped"]) == ("1", "seed-is-fixed") and len(fake.log()) == 1


def test_seconds_are_a_limit(behave: Callable[..., None], fake: FakeServer) -> None:
    behave(shows=["a cat"], latency=0.4, **SHOWS)
    with serving(fake.url, tries=20, seconds=1.0) as url:
        began = time.monotonic()
        ((_, said, _),) = post(url)
    assert said["stopped"] == "seconds" and int(said["tries"]) < 4 and time.monotonic() - began < 5


def test_money_is_a_limit_over_all_requests(behave: Callable[..., None], fake: FakeServer) -> None:
    behave(shows=["a cat"], **SHOWS)
    budget = Budget(0.10, {"openai-images:fake": {"image": 0.04}})
    with Ledger(None) as ledger, serving(fake.url, tries=9, budget=budget, ledger=ledger) as url:
        first, second = post(url)[0][1], post(url)[0][1]
        other = post(url, model="unpriced")[0][1]
        counts = ledger.counts()
    assert (first["tries"], first["stopped"]) == ("3", "money") and budget.spent == pytest.approx(0.08)
    assert (second["tries"], second["stopped"]) == ("1", "money")
    assert (other["tries"], other["stopped"]) == ("1", "price-unknown")
    assert counts["usd_for_further_draws"] == 0.08 and counts["drawn_again"] == 1
    assert counts["pictures"] == {"looked_at": 3, "could_be_told": 3, "shown_at_first": 3, "shown_in_the_end": 3}


def test_what_is_no_picture_is_no_absence(behave: Callable[..., None], looking: str) -> None:
    for image, reason in (("broken", "picture-unreadable"), ("black", "blank")):
        behave(image=image)
        ((status, said, _),) = post(looking)
        assert (status, said["check"], said["check-reason"], said["tries"]) == (200, "cannot-say", reason, "1")


# --- faults of ours ---


FAULTS = (
    "RuntimeError",
    "RecursionError",
    "MemoryError",
    "CancelledError",
    "AttributeError",
    "another-text",
    "TypeError",
    "unsound-plan",
)


def _in_turn() -> Callable[..., Any]:
    """A maker of plans that fails in another way every time."""
    count = itertools.count()
    made = plan_by_rules(CAT).figures[0]
    odd = Plan(CAT, "en", "odd", (replace(made, whole=None),))  # type: ignore[arg-type]

    beyond = Plan(CAT, "en", "odd", (replace(made, whole=(60, 600)),))

    async def plan(text: str, lang: str | None, context: str | None) -> Any:
        kind = next(count) % 8
        if kind < 4:
            raise (RuntimeError, RecursionError, MemoryError, asyncio.CancelledError)[kind](
                f"secrets of {text}\r\nX-Evil: 1"
            )
        return (None, plan_by_rules("Another text."), odd, beyond)[kind - 4]

    return plan


async def _slow(text: str, lang: str | None, context: str | None) -> Plan:
    await asyncio.sleep(60)
    return plan_by_rules(text)


async def _nonsense(text: str, lang: str | None, context: str | None) -> Plan:
    return plan_by_rules("Quite another text, as white as snow.")


def _faults(fake: FakeServer, count: int) -> None:
    with Ledger(None) as ledger, serving(fake.url, made=Maker("broken", _in_turn()), ledger=ledger) as url:
        answers = post(url, count, at_once=32)
        counts = ledger.counts()
    assert len(answers) == count and all(status == 200 for status, _, _ in answers)
    assert all(json.loads(body)["data"][0]["b64_json"] for _, _, body in answers)
    expected = {"guard": "failed", "check": "skipped", "maker": "broken", "tries": "1"}
    assert all(expected.items() <= said.items() for _, said, _ in answers)
    assert {said["guard-reason"] for _, said, _ in answers} == set(FAULTS)
    assert counts["guard"] == {"failed": count} and counts["statuses"] == {"200": count}


def test_injected_faults_of_the_guard_cost_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave(image_side=8)
    _faults(fake, 400)


@pytest.mark.slow
def test_ten_thousand_injected_faults_give_ten_thousand_images(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave(image_side=8)
    _faults(fake, 10_000)


def test_a_guard_that_hangs_or_talks_nonsense_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, made=Maker("slow", _slow), guard_seconds=0.2) as url:
        ((status, said, _),) = post(url)
        assert (status, said["guard"], said["guard-reason"]) == (200, "failed", "timeout")
    with serving(fake.url, made=Maker("nonsense", _nonsense)) as url:
        ((status, said, _),) = post(url)
        assert (status, said["guard"], said["guard-reason"]) == (200, "failed", "another-text")
    assert [entry["body"]["prompt"] for entry in fake.log()] == [CAT, CAT]


def test_a_detector_that_raises_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    class Blind(type(SSD)):  # type: ignore[misc]
        async def perform(self, jobs: Any) -> Any:
            raise OSError("the camera fell into the sea")

    behave()
    blind = Blind()
    blind.spec = blind.name = "blind"
    with serving(fake.url, eyes=[blind]) as url:
        ((status, said, _),) = post(url)
    assert (status, said["check"], said["check-reason"], said["tries"]) == (200, "failed", "OSError", "1")
    assert fake.log()[0]["body"]["prompt"] == REWRITTEN


def test_a_detector_that_talks_nonsense_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    class Odd(type(SSD)):  # type: ignore[misc]
        async def perform(self, jobs: Any) -> Any:
            return [Result(value={"detections": [{"odd": 1}]})] * len(jobs)

    behave()
    odd = Odd()
    odd.spec = odd.name = "odd"
    with serving(fake.url, eyes=[odd]) as url:
        ((status, said, body),) = post(url)
    assert (status, said["check"], said["check-reason"]) == (200, "failed", "KeyError") and b"b64_json" in body


def test_a_guard_without_money_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave(replies=[{"contains": "", "reply": '{"figures": []}'}])
    price = {"vllm:planner": {"input": 1.0, "output": 1.0, "image_tokens": 1.0}}
    model = instrument(f"vllm:planner?base_url={fake.url}")
    reasons = []
    with serving(fake.url, model=model, eyes=(), budget=Budget(0.01, price)) as url:
        for _ in range(60):
            ((status, said, _),) = post(url)
            assert status == 200
            reasons.append((said["guard"], said["guard-reason"]))
    assert set(reasons) == {("unchanged", "no-figure"), ("failed", "PlanError")} and reasons[-1][0] == "failed"


def test_a_ledger_that_cannot_be_written_costs_no_image(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with Ledger(None) as ledger, serving(fake.url, eyes=(), ledger=ledger) as url:
        ledger._connection.execute("DROP TABLE requests")
        answers = post(url, 3)
        ledger.flush()
        assert [status for status, _, _ in answers] == [200] * 3 and ledger.lost == 3


# --- renderers, languages, worlds ---


@pytest.mark.parametrize(
    ("renderer", "field", "value"),
    [
        ("rewrite", "prompt", REWRITTEN),
        ("negative", "negative_prompt", "blurry, cat"),
    ],
)
def test_renderers(fake: FakeServer, behave: Callable[..., None], renderer: str, field: str, value: str) -> None:
    behave()
    with serving(fake.url, renderer=renderer, eyes=()) as url:
        ((_, said, _),) = post(url, negative_prompt="blurry")
    sent = fake.log()[0]["body"]
    assert said["guard"] == "changed" and said["renderer"] == renderer and sent[field] == value
    assert set(sent) == {"model", "prompt", "negative_prompt"}


def test_a_negative_prompt_is_added_where_there_was_none(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, renderer="negative", eyes=()) as url:
        post(url)
    assert fake.log()[0]["body"] == {"model": "fake", "prompt": CAT, "negative_prompt": "cat"}


def test_what_the_story_calls_real_stays(fake: FakeServer, behave: Callable[..., None]) -> None:
    behave()
    with serving(fake.url, context="The harbor cat is real.", eyes=()) as url:
        ((_, said, _),) = post(url)
    assert said["guard"] == "unchanged" and fake.log()[0]["body"]["prompt"] == CAT
