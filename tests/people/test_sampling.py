"""Sampling: what each stratum gives, that chances are what is recorded, and where the next draw goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trope.errors import UsageError
from trope.people.assignment import CHECK, ordered, share
from trope.people.sampling import Stratum, draw, neyman, proportional
from trope.people.units import Page, Unit

SIZES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(1, 60), min_size=1, max_size=8)


def test_a_first_draw_by_hand() -> None:
    # 10 of 100: every stratum two at least, the rest by size: 80 -> 6.0, 15 -> 2 (want 1.5), 5 -> 2 (want 0.5)
    assert proportional({"a": 80, "b": 15, "c": 5}, 10) == {"a": 6, "b": 2, "c": 2}
    assert proportional({"a": 50, "b": 50}, 20) == {"a": 10, "b": 10}
    assert proportional({"a": 1, "b": 99}, 10) == {"a": 1, "b": 9}
    assert proportional({"a": 4, "b": 4, "c": 4}, 4) == {"a": 2, "b": 1, "c": 1}


@given(SIZES, st.data())
def test_a_draw_gives_what_was_asked_and_nobody_is_out_of_reach(sizes: dict[str, int], data: st.DataObject) -> None:
    n = data.draw(st.integers(len(sizes), sum(sizes.values())))
    counts = proportional(sizes, n)
    assert sum(counts.values()) == n and all(1 <= counts[s] <= sizes[s] for s in sizes)


@given(SIZES, st.data())
def test_a_next_draw_never_takes_back(sizes: dict[str, int], data: st.DataObject) -> None:
    strata = [Stratum(s, size, data.draw(st.integers(1, size))) for s, size in sizes.items()]
    left = sum(s.size - s.drawn for s in strata)
    if left == 0:
        return
    n = data.draw(st.integers(1, left))
    spread = {s.name: data.draw(st.floats(0, 5)) for s in strata}
    more = neyman(strata, spread, n)
    assert sum(more.values()) == n and all(0 <= more[s.name] <= s.size - s.drawn for s in strata)


def test_the_next_draw_goes_where_people_and_judge_differ() -> None:
    strata = [Stratum("calm", 100, 10), Stratum("wild", 100, 10)]
    assert neyman(strata, {"calm": 0.1, "wild": 0.4}, 30) == {"calm": 0, "wild": 30}
    assert neyman(strata, {"calm": 0.2, "wild": 0.3}, 30) == {"calm": 10, "wild": 20}  # 20 and 30 of 50
    assert neyman([Stratum("a", 12, 10), Stratum("b", 100, 10)], {"a": 9.0, "b": 0.1}, 20) == {"a": 2, "b": 18}


def test_hardly_any_spread_is_a_spread() -> None:
    strata = [Stratum("a", 3, 1), Stratum("b", 3, 1)]
    assert neyman(strata, {"a": 0.0, "b": 5e-324}, 2) == {"a": 0, "b": 2}


def test_impossible_draws_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot draw 3 of 9 in 4 strata"):
        proportional({"a": 3, "b": 3, "c": 2, "d": 1}, 3)
    with pytest.raises(UsageError, match="cannot draw 10 of 9"):
        proportional({"a": 9}, 10)
    with pytest.raises(UsageError, match="0 are left"):
        neyman([Stratum("a", 3, 3)], {"a": 1.0}, 1)


def test_the_recorded_chance_is_the_real_one() -> None:
    units = {"a": [f"a{n}" for n in range(8)], "b": [f"b{n}" for n in range(4)]}
    counts = {"a": 2, "b": 3}
    times = 4000
    hits = np.zeros(12)
    for seed in range(times):
        for unit in draw(units, counts, np.random.default_rng(seed)):
            hits[int(unit[1:]) + (8 if unit[0] == "b" else 0)] += 1
    chance = np.array([2 / 8] * 8 + [3 / 4] * 4)
    assert np.abs(hits / times - chance).max() < 5 * np.sqrt(0.25 / times)


def test_loads_are_even_and_the_shared_go_to_all() -> None:
    units = [f"u{n:03}" for n in range(103)]
    given_ = share(units, units[:10], ["a", "b", "c", "d"], 2, np.random.default_rng(3))
    assert all(set(units[:10]) <= set(of) for of in given_.values())
    loads = sorted(len(of) for of in given_.values())
    assert loads[-1] - loads[0] <= 1 and sum(loads) == 4 * 10 + 93 * 2
    for unit in units[10:]:
        assert sum(unit in of for of in given_.values()) == 2
    assert all(len(of) == len(set(of)) for of in given_.values())


def test_orders_differ_by_rater_and_calls_keep_theirs() -> None:
    frame = {
        f"u{n}": Unit(f"u{n}", "all", (Page(f"u{n}-first", f"u{n}", "first", ()), Page(f"u{n}-second", f"u{n}", "second", ())))
        for n in range(40)
    }  # fmt: skip
    orders = [ordered(list(frame), frame, np.random.default_rng(seed), 0.1) for seed in (1, 2, 1)]
    assert orders[0] == orders[2] != orders[1]
    checks = [n for n, page in enumerate(orders[0]) if page.startswith(CHECK)]
    assert len(checks) == 8 and checks[0] > 0 and [orders[0][n] for n in checks] == [f"{CHECK}{n}" for n in range(1, 9)]
    pages = [page for page in orders[0] if not page.startswith(CHECK)]
    assert all(page.endswith("first") for page in pages[:40]) and all(page.endswith("second") for page in pages[40:])
    assert ordered([], frame, np.random.default_rng(0), 0.5) == []
