"""Samples: how many each cell gets, by hand, and on the set that ships."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from trope.errors import UsageError
from trope.items import cells_of, load_set, stratified
from trope.items.sample import allocate

BY = ["lang", "form", "mechanism"]


def test_one_field_gets_largest_remainders() -> None:
    # 10 items, 5 wanted: shares 3.5 1.0 0.5, floors 3 1 0, one left: equals, so the first by name
    assert allocate({("a",): 7, ("b",): 2, ("c",): 1}, 5) == {("a",): 4, ("b",): 1, ("c",): 0}
    # 7 of 10: shares 2.1 2.1 2.8 -> 2 2 2 and the largest remainder
    assert allocate({("a",): 3, ("b",): 3, ("c",): 4}, 7) == {("a",): 2, ("b",): 2, ("c",): 3}


def test_a_sample_too_small_for_its_cells_keeps_every_field() -> None:
    sizes = {(a, b): 5 for a in "ab" for b in "xy"}
    assert allocate(sizes, 2) == {("a", "x"): 1, ("a", "y"): 0, ("b", "x"): 0, ("b", "y"): 1}
    many = {(a, b, c): 8 for a in "abcd" for b in "wxyz" for c in "klmn"}
    got = allocate(many, 51)
    assert sum(got.values()) == 51
    for field in range(3):
        counts = Counter()
        for cell, count in got.items():
            counts[cell[field]] += count
        assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("n", [0, 1, 7, 64])
def test_no_cell_gets_more_than_it_has(n: int) -> None:
    sizes = {("a", "x"): 60, ("a", "y"): 1, ("b", "x"): 2, ("b", "y"): 1}
    got = allocate(sizes, n)
    assert sum(got.values()) == n
    assert all(got[cell] <= sizes[cell] for cell in sizes)


def test_a_tenth_of_vista_keeps_languages_forms_and_mechanisms() -> None:
    items = load_set("vista")
    drawn = stratified(items, 48, BY, rng=np.random.default_rng(42))
    assert set(cells_of(drawn, ["lang"]).values()) == {12}
    for field in ("form", "mechanism"):
        whole, part = cells_of(items, [field]), cells_of(drawn, [field])
        assert all(abs(part[cell] - whole[cell] / 10) < 1 for cell in whole)
    assert [i.id for i in drawn] == [i.id for i in items if i in drawn]
    assert drawn == stratified(items, 48, BY, rng=np.random.default_rng(42))
    assert drawn != stratified(items, 48, BY, rng=np.random.default_rng(43))
    with pytest.raises(UsageError, match="cannot draw 481 of 480"):
        stratified(items, 481, BY, rng=np.random.default_rng(42))
