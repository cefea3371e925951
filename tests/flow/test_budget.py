"""Money: nothing is spent that was not reserved, and a price that cannot be meant is not a price."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import simile
from trope.errors import BudgetError, UsageError
from trope.experiment import Experiment, execute, plan
from trope.flow import Budget
from trope.flow.budget import read_prices
from trope.generators import GENERATORS
from trope.items import dump_items
from trope.judges import JUDGES
from trope.records import Output, Result
from trope.requests import Ask, Prompt
from trope.store import Store
from trope.testing import FakeServer

PRICES = {"openai-images:m": {"image": 0.04}, "vllm:j": {"input": 1.0, "output": 4.0, "image_tokens": 1000.0}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\nimage = nan", "finite"),
        ("[a]\nimage = inf", "finite"),
        ("[a]\nimage = -1", "not negative"),
        ("[a]\nimage = true", "True"),
        ("[a]\npicture = 1", "picture"),
        ("image = 1", "is not a table"),
        ("[a", "price file"),
    ],
)
def test_a_price_that_cannot_be_meant_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_prices(tmp_path / "p.toml")


def test_a_price_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    assert read_prices(tmp_path / "none.toml") == {}
    with pytest.raises(UsageError, match="no price file"):
        read_prices(tmp_path / "none.toml", required=True)


def test_costs_by_hand() -> None:
    judge = JUDGES.create("vllm:j?max_tokens=100&base_url=http://127.0.0.1:1/v1")
    budget = Budget(1.0, PRICES)
    ask = Ask(Output("k", "m", "ok", picture="p"), "vllm:j", Prompt("x" * 136, str))
    assert budget.worst(judge, ask) == pytest.approx((136 + 64 + 1000) * 1e-6 + 100 * 4e-6)
    reserved = budget.reserve(judge, ask)
    assert reserved is not None
    used = Result(raw="x", provenance={"usage": {"prompt_tokens": 500, "completion_tokens": 10}})
    assert budget.settle(judge, reserved, used) == pytest.approx(500e-6 + 40e-6)
    assert budget.settle(judge, 0.0, Result(status="failed", billed=False)) == 0.0
    again = budget.reserve(judge, ask)
    assert again is not None
    assert budget.settle(judge, again, Result(status="failed", reason="timeout")) == again  # it may have been billed


def test_under_a_limit_every_field_of_a_price_is_needed() -> None:
    judge = JUDGES.create("vllm:j?base_url=http://127.0.0.1:1/v1")
    with pytest.raises(BudgetError, match=r"price of 'vllm:j' lacks output, image_tokens.*\['vllm:j'\]"):
        Budget(1.0, {"vllm:j": {"input": 1.0}}).check([judge])
    Budget(None, {}).check([judge])
    assert Budget(None, {}).worst(judge, None) is None


def test_the_limit_is_over_the_run_and_not_over_a_session(
    server: Callable[..., FakeServer], store: Store, tmp_path: Path
) -> None:
    fake = server()
    path = tmp_path / "i.jsonl"
    path.write_text(dump_items(simile(f"i{n}", text=f"Cloud {n} curls like a cat.") for n in range(12)), "utf-8")
    asked = Experiment(
        protocol="simile",
        subjects=(f"openai-images:m?base_url={fake.url}",),
        strategies=("base",),
        instruments=("ssd",),
        items=(str(path),),
        name="paid",
    )
    for sessions in range(3):
        outcome = execute(plan(asked), store, budget=Budget(0.10, PRICES))
        assert isinstance(outcome.stopped, BudgetError), sessions
        assert outcome.run_spent == pytest.approx(0.08) and len(fake.log()) == 2
    outcome = execute(plan(asked), store, budget=Budget(1.0, PRICES))
    assert outcome.stopped is None and outcome.run_spent == pytest.approx(12 * 0.04) == pytest.approx(
        outcome.run.spent()
    )
    assert GENERATORS.create("collage").worst_case_usd(None, {}) == 0.0
