"""Intervals hold the truth as often as they say: the chosen one, in the scenes where it must, by simulation.

All by the functions themselves. The default scenes are a few of the 108 that the slow test runs; `coverage.py`, run as
a program, prints the whole table with the methods that were not chosen.
"""

from __future__ import annotations

import pytest

from tests.stats.coverage import USUAL, Scene, cover, cover_means, cover_two_way

RUNS, SEED = 2000, 20_260_101
LOW, HIGH = 0.935, 0.965

DEFAULT = [
    Scene(40, "14", 0.15, 0.05),
    Scene(40, "published", 0.3, 0.2),
    Scene(80, "5", 0.05, 0.5),
    Scene(80, "published", 0.15, 0.95),
]


@pytest.mark.parametrize("scene", DEFAULT, ids=str)
def test_at_least_forty_clusters(scene: Scene) -> None:
    share, _ = cover(scene, ["chosen"], RUNS, SEED)["chosen"]
    assert LOW <= share <= HIGH


def test_the_simulation_would_notice_a_method_that_does_not_hold() -> None:
    found = cover(Scene(40, "14", 0.15, 0.05), ["percentile", "Wilson on rows", "Wilson on clusters"], 400, SEED)
    assert found["Wilson on rows"][0] < 0.85  # items of a cluster counted as independent
    assert found["percentile"][0] < LOW
    assert found["Wilson on clusters"][0] > HIGH  # never too short, three times as wide as needed


@pytest.mark.parametrize(
    "scene", [Scene(10, "14", 0.15, 0.2), Scene(5, "14", 0.15, 0.05), Scene(40, "14", 0.15, 0.01)], ids=str
)
def test_few_clusters_and_extreme_rates_err_on_the_wide_side(scene: Scene) -> None:
    share, _ = cover(scene, ["chosen"], 400, SEED)["chosen"]
    assert share > 0.93


def test_means() -> None:
    found = cover_means("V-Score", 40, 300, SEED)
    assert 0.93 <= found["chosen"] <= 0.975 and 0.93 <= found["chosen, bounds"] <= 0.975


def test_two_ways_hold_where_one_does_not() -> None:
    found = cover_two_way(40, 14, (0.5, 0.3), 150, SEED)
    assert found["two-way"] > 0.94 and found["by a only"] < 0.91


@pytest.mark.slow
@pytest.mark.parametrize("scene", USUAL, ids=str)
def test_every_usual_scene(scene: Scene) -> None:
    """Within the band wherever the data are worth five hits and five misses (106 of 108); never below it."""
    share, _ = cover(scene, ["chosen"], RUNS, SEED)["chosen"]
    assert LOW <= share <= (HIGH if scene.rarer >= 5 else 0.975)


def test_five_hits_leave_out_two_scenes() -> None:
    assert [(s.clusters, s.size, s.icc, s.rate) for s in USUAL if s.rarer < 5] == [
        (40, "5", 0.3, 0.05),
        (40, "5", 0.3, 0.95),
    ]
