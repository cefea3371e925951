"""What is asked, what is not asked again, and what becomes of trouble. Backends here are real subclasses."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from PIL import Image

from tests.conftest import simile
from trope.backend import Backend
from trope.detectors import Detector
from trope.errors import BackendError, BudgetError, Interrupted
from trope.flow import Budget, Cell, Interpreter, Tally, forecast
from trope.flow import scheduler as scheduler_module
from trope.generators import Generator, Result
from trope.generators.base import draw_seed
from trope.judges import Judge
from trope.nouns import Item
from trope.protocols import protocol
from trope.records import Detection, Observation, Output
from trope.requests import Detect, Generate
from trope.store import CellRow, Store
from trope.strategies import Context, strategies


class Painter(Generator):
    """Draws noise that depends on text and seed; counts what it drew."""

    def __init__(self, status: str = "ok", color: str | None = None) -> None:
        self.drawn: Counter[tuple[str, int]] = Counter()
        self._status, self._color = status, color

    def identity(self) -> Mapping[str, Any]:
        return {"painter": self._status, "color": self._color}

    def draw(self, text: str, seed: int) -> Image.Image | Result:
        self.drawn[text, seed] += 1
        if self._status == "raise":
            raise RuntimeError("out of paint")
        if self._status != "ok":
            return Result(status=self._status, reason="not today")  # type: ignore[arg-type]
        if self._color:
            return Image.new("RGB", (32, 32), self._color)
        return Image.effect_noise((32, 32), 10 + hash((text, seed)) % 90).convert("RGB")


class Looker(Detector):
    """Sees the vehicle in the first ``n`` pictures it is shown, and never again."""

    def __init__(self, n: int = 10**9) -> None:
        self.looked, self._n = 0, n

    def identity(self) -> Mapping[str, Any]:
        return {"looker": self._n}

    def detect(self, image: Image.Image, labels: Sequence[str]) -> list[Detection]:
        self.looked += 1
        return [Detection("cat", 0.9, (0.1, 0.1, 0.5, 0.5))] if self.looked <= self._n else []


class Talker(Judge):
    remote = True

    def __init__(self, reply: str) -> None:
        self.asked, self.reply = 0, reply

    def identity(self) -> Mapping[str, Any]:
        return {"talker": 1}

    def ask(self, prompt: Any, picture: Any) -> str:
        self.asked += 1
        return self.reply


def run(
    store: Store, backends: dict[str, Backend], cells: Sequence[Cell], **options: Any
) -> tuple[list[CellRow | None], Tally, Any]:
    tally = Tally()
    rows: list[CellRow | None] = [None] * len(cells)

    def save(ended: list[tuple[int, CellRow]]) -> None:
        for position, row in ended:
            assert rows[position] is None
            rows[position] = row

    for name, backend in backends.items():
        backend.name = name
    options.setdefault("budget", Budget(None, {}))
    interpreter = Interpreter(store, backends, tally=tally, save=save, **options)
    stopped = asyncio.run(interpreter.run(cells))
    return rows, tally, stopped


def cells(
    items: Sequence[Item], instruments: dict[str, str], how: str = "base", seeds: Sequence[int] = (42,)
) -> list[Cell]:
    simile_protocol = protocol("simile")
    (chosen,) = strategies(how, Context(simile_protocol.wordings, gates=["looker"]))

    def observe(item: Item, output: Any, name: str) -> Any:
        return simile_protocol.observe(item, output, name, instruments[name])  # type: ignore[arg-type]

    return [Cell(i, "painter", chosen.name, s, tuple(instruments), chosen.start, observe) for s in seeds for i in items]


ITEMS = [simile("a"), simile("b", text="The moss on the rock sleeps like a cat.")]


def test_a_second_run_asks_nothing_and_new_things_ask_only_what_is_new(store: Store) -> None:
    painter, looker, talker = Painter(), Looker(), Talker("Q1: B")
    kinds = {"looker": "detector"}
    rows, tally, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS, kinds))
    assert None not in rows and tally.asked == {"painter": 2, "looker": 2}
    again, tally, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS, kinds))
    assert again == rows and not tally.asked and tally.hits == {"painter": 2, "looker": 2}
    _, tally, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS, kinds, seeds=[42, 43]))
    assert tally.asked == {"painter": 2, "looker": 2}
    kinds["talker"] = "judge"
    backends = {"painter": painter, "looker": looker, "talker": talker}
    _, tally, _ = run(store, backends, cells(ITEMS, kinds))
    assert tally.asked == {"talker": 2}
    _, tally, _ = run(store, backends, cells(ITEMS, kinds, how="human"))
    assert tally.asked == {"painter": 2, "looker": 2, "talker": 2}


def test_equal_requests_of_different_cells_are_asked_once(store: Store) -> None:
    painter = Painter()
    same = [simile("a"), simile("b")]  # the same text
    rows, tally, _ = run(store, {"painter": painter}, cells(same, {}))
    assert tally.asked == {"painter": 1}
    assert rows[0] is not None and rows[1] is not None and rows[0].output == rows[1].output


@pytest.mark.parametrize(
    ("painter", "status"),
    [
        (Painter("refused"), "refused"),
        (Painter("failed"), "failed"),
        (Painter("raise"), "failed"),
        (Painter(color="black"), "blank"),
    ],
)
def test_a_picture_that_is_none_is_stored_with_its_status_and_never_looked_at(
    store: Store, painter: Painter, status: str
) -> None:
    looker = Looker()
    rows, tally, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS, {"looker": "detector"}))
    assert looker.looked == 0 and tally.statuses == {("painter", status): 2}
    for row in rows:
        assert row is not None and row.observations == {}
        assert store.records([row.output])[row.output].status == status


def test_failures_are_asked_again_and_refusals_only_on_demand(store: Store) -> None:
    for status, asked_again in (("failed", 2), ("refused", 0)):
        painter = Painter(status)
        run(store, {"painter": painter}, cells(ITEMS, {}))
        _, tally, _ = run(store, {"painter": painter}, cells(ITEMS, {}))
        assert tally.asked["painter"] == asked_again
    _, tally, _ = run(store, {"painter": Painter("refused")}, cells(ITEMS, {}), retry=frozenset({"refused"}))
    assert tally.asked["painter"] == 2


def test_an_unreadable_reply_is_kept_and_read_again_by_a_better_reader(store: Store) -> None:
    painter, talker = Painter(), Talker("I think A.")
    backends: dict[str, Backend] = {"painter": painter, "talker": talker}
    rows, tally, _ = run(store, backends, cells(ITEMS[:1], {"talker": "judge"}))
    key = rows[0].observations["talker"]["look"]  # type: ignore[union-attr]
    assert store.records([key])[key].raw == "I think A."
    assert tally.statuses["talker", "unparsed"] == 1
    run(store, backends, cells(ITEMS[:1], {"talker": "judge"}))
    assert talker.asked == 1  # unparsed is an answer
    talker.reply = "Q1: A"
    run(store, backends, cells(ITEMS[:1], {"talker": "judge"}), retry=frozenset({"unparsed"}))
    assert talker.asked == 2 and store.records([key])[key].raw == "Q1: A"


@pytest.mark.parametrize(("sees", "attempts"), [(0, 1), (1, 2), (3, 4), (5, 6), (6, 6), (99, 6)])
def test_random_regeneration_stops_at_the_first_picture_without_the_vehicle(
    store: Store, sees: int, attempts: int
) -> None:
    painter, looker = Painter(), Looker(sees)
    rows, _, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS[:1], {}, how="random?gate=looker"))
    row = rows[0]
    assert (
        row is not None
        and sum("looker" != store.records([k])[k].backend for k in row.trail) == attempts
        and row.gates == ("looker",)
    )
    assert sorted(seed for _, seed in painter.drawn) == sorted(draw_seed(42, n) for n in range(attempts))
    last = max(store.database.query("SELECT seq, key FROM records WHERE kind = 'output'"))[1]
    assert row.output == last  # the first without it, else the last


def test_blank_pictures_use_up_tries_and_never_stop_the_search(store: Store) -> None:
    painter, looker = Painter(color="black"), Looker(0)
    rows, _, _ = run(store, {"painter": painter, "looker": looker}, cells(ITEMS[:1], {}, how="random?gate=looker"))
    assert rows[0] is not None and len(rows[0].trail) == 6 and looker.looked == 0


def test_many_cells_pass_through_a_small_window(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler_module, "WINDOW", 7)
    items = [simile(f"i{n}", text=f"Cloud {n} over the hill curls like a cat.") for n in range(40)]
    rows, tally, _ = run(store, {"painter": Painter(), "looker": Looker()}, cells(items, {"looker": "detector"}))
    assert [row.item for row in rows if row] == [i.id for i in items] and tally.cells_done == 40


class Slow(Painter):
    """Remote, priced, and as slow as it is told."""

    remote = True
    concurrency = 3
    price_fields = ("image",)

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__()
        self.spec, self._seconds = "slow", seconds
        self.under_way = self.most = 0
        self._lock = threading.Lock()

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        return price["image"]

    def cost_usd(self, result: Result, price: Mapping[str, float]) -> float | None:
        return price["image"]

    async def perform(self, jobs: Any) -> list[Result]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(self._seconds)
        made = await super().perform(jobs)
        self.under_way -= 1
        return made


def _many(n: int) -> list[Item]:
    return [simile(f"i{k}", text=f"Cloud {k} over the hill curls like a cat.") for k in range(n)]


def test_no_more_is_under_way_than_allowed(store: Store) -> None:
    slow = Slow(0.01)
    run(store, {"painter": slow}, cells(_many(12), {}))
    assert slow.most == 3


def test_the_budget_is_never_passed_and_the_run_can_go_on(store: Store) -> None:
    prices = {"slow": {"image": 0.10}}
    slow = Slow(0.005)
    rows, tally, stopped = run(store, {"painter": slow}, cells(_many(12), {}), budget=Budget(0.55, prices))
    assert isinstance(stopped, BudgetError) and "would be passed" in str(stopped)
    assert sum(slow.drawn.values()) == 5 == sum(row is not None for row in rows)
    _, tally, stopped = run(store, {"painter": slow}, cells(_many(12), {}), budget=Budget(5, prices))
    assert stopped is None and sum(slow.drawn.values()) == 12


def test_an_unknown_price_under_a_limit_is_an_error() -> None:
    with pytest.raises(BudgetError, match=r"price of 'slow' lacks image.*\['slow'\]"):
        Budget(1.0, {}).check([Slow()])
    Budget(None, {}).check([Slow()])


def test_stopping_finishes_what_is_under_way_and_stores_it(store: Store) -> None:
    slow = Slow(0.05)
    done: list[CellRow] = []
    interpreter = Interpreter(
        store,
        {"painter": slow},
        budget=Budget(None, {}),
        tally=Tally(),
        save=lambda ended: done.extend(r for _, r in ended),
    )

    async def go() -> Any:
        asyncio.get_running_loop().call_later(0.02, interpreter.stop, Interrupted("enough"))
        return await interpreter.run(cells(_many(30), {}))

    stopped = asyncio.run(go())
    assert isinstance(stopped, Interrupted) and 0 < len(done) <= 3
    assert len(store.records(row.output for row in done)) == len(done) == sum(slow.drawn.values())


@pytest.mark.parametrize("sees", [0, 2, 99])
def test_the_forecast_brackets_what_is_asked(store: Store, sees: int) -> None:
    backends: dict[str, Backend] = {"painter": Painter(), "looker": Looker(sees)}
    asked = cells(_many(4), {"looker": "detector"}, how="random?gate=looker")
    expected = forecast(asked, backends, store, Budget(None, {}))
    assert expected.least == {"painter": 4, "looker": 0} and expected.most == {"painter": 24, "looker": 24}
    _, tally, _ = run(store, backends, asked)
    for name in backends:
        assert expected.least[name] <= tally.asked[name] <= expected.most[name]
    after = forecast(asked, backends, store, Budget(None, {}))
    assert not +after.least and not +after.most


def test_a_gate_that_fails_proves_nothing() -> None:
    (chosen,) = strategies("random?gate=looker&tries=2", Context(protocol("simile").wordings))
    script = chosen.start(ITEMS[0])
    requests = []
    answer: Any = None
    with pytest.raises(StopIteration) as stop:
        while True:
            request = script.send(answer)
            requests.append(request)
            if isinstance(request, Generate):
                answer = Output(f"o{request.attempt}", "painter", "ok", picture=f"p{request.attempt}")
            else:
                assert isinstance(request, Detect)
                answer = Observation("x", "looker", "failed")
    assert stop.value.value.key == "o2" and len(requests) == 6


class Broken(Slow):
    """Fails every time, as a server that is not there."""

    concurrency = 2

    async def perform(self, jobs: Any) -> list[Result]:
        self.drawn["asked", 0] += len(jobs)
        return [Result(status="failed", reason="cannot connect", billed=False) for _ in jobs]


def test_a_backend_that_never_answers_is_not_asked_for_ever(store: Store) -> None:
    broken = Broken()
    _, _, stopped = run(store, {"painter": broken}, cells(_many(100), {}))
    assert isinstance(stopped, BackendError) and "8 requests to 'painter' in a row failed" in str(stopped)
    assert broken.drawn["asked", 0] <= 10


class Fatal(Slow):
    """Answers three times, then says that nothing more can work."""

    async def perform(self, jobs: Any) -> list[Result]:
        if sum(self.drawn.values()) >= 3:
            raise BackendError("the key was withdrawn")
        return await super().perform(jobs)


def test_a_fatal_answer_ends_the_run_and_keeps_what_was_paid_for(store: Store) -> None:
    fatal = Fatal(0.01)
    rows, _, stopped = run(store, {"painter": fatal}, cells(_many(20), {}))
    assert isinstance(stopped, BackendError) and "withdrawn" in str(stopped)
    kept = [row.output for row in rows if row]
    assert len(kept) == len(store.records(kept)) == sum(fatal.drawn.values()) >= 3


class Buggy(Slow):
    async def perform(self, jobs: Any) -> list[Result]:
        raise ZeroDivisionError("a bug")


def test_a_bug_keeps_its_traceback(store: Store) -> None:
    with pytest.raises(ZeroDivisionError, match="a bug"):
        run(store, {"painter": Buggy()}, cells(_many(3), {}))


def test_a_backend_with_nothing_to_do_is_not_opened(store: Store) -> None:
    class Shy(Painter):
        async def open(self) -> None:
            raise BackendError("no key")

    run(store, {"painter": Painter()}, cells(ITEMS, {}))
    _, tally, stopped = run(store, {"painter": Shy()}, cells(ITEMS, {}))
    assert stopped is None and not tally.asked
    _, _, stopped = run(store, {"painter": Shy()}, cells(_many(2), {}))
    assert isinstance(stopped, BackendError)


def test_abandoning_does_not_wait(store: Store) -> None:
    slow = Slow(30.0)
    interpreter = Interpreter(store, {"painter": slow}, budget=Budget(None, {}), tally=Tally())

    async def go() -> Any:
        loop = asyncio.get_running_loop()
        loop.call_later(0.05, interpreter.stop)
        loop.call_later(0.10, interpreter.abandon)
        return await asyncio.wait_for(interpreter.run(cells(_many(5), {})), 5)

    assert isinstance(asyncio.run(go()), Interrupted)


class Dying(Slow):
    """Answers a few times, and then never again."""

    concurrency = 1

    async def perform(self, jobs: Any) -> list[Result]:
        self.drawn["asked", 0] += 1
        if self.drawn["asked", 0] > 3:
            return [Result(status="failed", reason="gone", billed=False)]
        return await super().perform(jobs)


def test_a_backend_that_dies_half_way_is_given_up_too(store: Store) -> None:
    dying = Dying()
    _, _, stopped = run(store, {"painter": dying}, cells(_many(100), {}))
    assert isinstance(stopped, BackendError) and "24 requests to 'painter' in a row failed" in str(stopped)


class Mute(Talker):
    def ask(self, prompt: Any, picture: Any) -> str:
        return None  # type: ignore[return-value]


def test_an_instrument_that_says_nothing_has_not_said_absent(store: Store) -> None:
    backends: dict[str, Backend] = {"painter": Painter(), "talker": Mute("")}
    rows, tally, _ = run(store, backends, cells(ITEMS[:1], {"talker": "judge"}))
    assert tally.statuses["talker", "failed"] == 1
    assert not Observation("k", "b", "ok").absent("cat")


def test_what_is_dropped_under_way_still_counts(store: Store) -> None:
    slow = Slow(30.0)
    slow.name = "painter"
    budget = Budget(1.0, {"slow": {"image": 0.10}})
    interpreter = Interpreter(store, {"painter": slow}, budget=budget, tally=Tally(), run="r")

    async def go() -> Any:
        loop = asyncio.get_running_loop()
        loop.call_later(0.05, interpreter.stop)
        loop.call_later(0.10, interpreter.abandon)
        return await asyncio.wait_for(interpreter.run(cells(_many(5), {})), 5)

    asyncio.run(go())
    store.database.submit(lambda _: None).result(10)
    ((total,),) = store.database.query("SELECT total(usd) FROM records WHERE run = 'r'")
    assert total == pytest.approx(0.30) == pytest.approx(budget.spent)
