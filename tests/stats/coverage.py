"""Simulated coverage of the intervals: a helper of the tests, and the program that made the docs' tables.

Run: python tests/stats/coverage.py [rates|few|means|two_way|all] [--runs 2000] [--seed 20260101]

Rates are beta-binomial: each cluster has its own rate, drawn from a beta distribution with the mean `rate` and the
intraclass correlation `icc`, and its items are independent given that. The truth is the mean of that population.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from trope.stats import (
    Estimate,
    cluster_bootstrap,
    mean_interval,
    rate_interval,
    two_way_interval,
    wilson,
)

RESAMPLES = 1000


@dataclass(frozen=True)
class Scene:
    """A population of clusters."""

    clusters: int
    size: str  # "1", "5", "14": that many items each; "published": as the simile paper's classes; "skewed"
    icc: float
    rate: float

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Hits and cluster labels of one data set."""
        c = self.clusters
        if self.size == "published":  # 80 classes with 14 to 36 items, mean 19.7, SD 3.89
            sizes = np.clip(np.rint(rng.normal(19.7, 3.89, c)), 14, 36).astype(int)
        elif self.size == "skewed":  # mean 9, SD 7.5: some clusters hold most of the items
            sizes = 1 + rng.geometric(1 / 8, c)
        else:
            sizes = np.full(c, int(self.size))
        rates = np.full(c, self.rate)
        if self.icc:
            scale = (1 - self.icc) / self.icc
            rates = rng.beta(self.rate * scale, (1 - self.rate) * scale, c)
        labels = np.repeat(np.arange(c), sizes)
        return (rng.random(len(labels)) < rates[labels]).astype(float), labels

    @property
    def rarer(self) -> float:
        """How many independent hits, or misses if these are rarer, the data are worth."""
        each = {"published": 19.7, "skewed": 9.0}.get(self.size) or float(self.size)
        return self.clusters * each / (1 + (each - 1) * self.icc) * min(self.rate, 1 - self.rate)


Interval = Callable[[np.ndarray, np.ndarray, np.random.Generator], Estimate]


def chosen(hits: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Estimate:
    return rate_interval(hits, labels, n_resamples=RESAMPLES, rng=rng)


def by_bootstrap(method: str) -> Interval:
    def interval(hits: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Estimate:
        return cluster_bootstrap(hits, labels, method=method, n_resamples=RESAMPLES, rng=rng)

    return interval


def wilson_on_clusters(hits: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Estimate:
    c = len(np.unique(labels))
    return wilson(hits.mean() * c, c)


def wilson_on_rows(hits: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Estimate:
    return wilson(hits.sum(), len(hits))


METHODS: dict[str, Interval] = {
    "chosen": chosen,
    "percentile": by_bootstrap("percentile"),
    "BCa": by_bootstrap("bca"),
    "Wilson on clusters": wilson_on_clusters,
    "Wilson on rows": wilson_on_rows,
}


def generator(seed: int, *what: object) -> np.random.Generator:
    """A stream of its own for each scene and each method in it, whatever is run beside it."""
    return np.random.default_rng([seed, zlib.crc32(repr(what).encode())])


def cover(scene: Scene, methods: Sequence[str], runs: int, seed: int) -> dict[str, tuple[float, float]]:
    """Share of runs whose interval holds the truth, and the mean width; no interval counts as a miss."""
    rng = generator(seed, scene)
    own = {name: generator(seed, scene, name) for name in methods}
    held = dict.fromkeys(methods, 0)
    width = dict.fromkeys(methods, 0.0)
    for _ in range(runs):
        hits, labels = scene.draw(rng)
        for name in methods:
            found = METHODS[name](hits, labels, own[name])
            held[name] += found.low <= scene.rate <= found.high
            width[name] += found.high - found.low if found.bounded else 0.0
    return {name: (held[name] / runs, width[name] / runs) for name in methods}


def mean_scores(kind: str, clusters: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """Scores of 10 items a cluster, their labels, and the true mean."""
    labels = np.repeat(np.arange(clusters), 10)
    if kind == "V-Score":  # a sum of four 0..3 answers, near the upper bound as published
        ease = rng.normal(0, 0.7, clusters)[labels]
        answers = [ease + rng.normal(0, 1, len(labels)) > cut for cut in (-2.2, -1.4, -0.6)]
        return np.sum(answers, axis=0) / 3, labels, V_MEAN
    if kind == "lognormal":
        base = rng.normal(0, 0.5, clusters)[labels]
        return np.exp(base + rng.normal(0, 0.5, len(labels))), labels, float(np.exp(0.25))
    return rng.normal(0, 1, clusters)[labels] + rng.normal(0, 2, len(labels)), labels, 0.0


def _v_mean() -> float:
    from statistics import NormalDist

    return float(np.mean([1 - NormalDist(0, np.sqrt(1.49)).cdf(cut) for cut in (-2.2, -1.4, -0.6)]))


V_MEAN = _v_mean()


def cover_means(kind: str, clusters: int, runs: int, seed: int) -> dict[str, float]:
    """Coverage of `mean_interval` without and with bounds, and of BCa and percentile."""
    rng = generator(seed, kind, clusters)
    held: dict[str, int] = {}
    for _ in range(runs):
        values, labels, truth = mean_scores(kind, clusters, rng)
        found = {
            "chosen": mean_interval(values, labels, n_resamples=RESAMPLES, rng=rng),
            "percentile": cluster_bootstrap(values, labels, method="percentile", n_resamples=RESAMPLES, rng=rng),
            "BCa": cluster_bootstrap(values, labels, n_resamples=RESAMPLES, rng=rng),
        }
        if kind == "V-Score":
            found["chosen, bounds"] = mean_interval(values, labels, bounds=(0, 1), n_resamples=RESAMPLES, rng=rng)
        for name, estimate in found.items():
            held[name] = held.get(name, 0) + (estimate.low <= truth <= estimate.high)
    return {name: count / runs for name, count in held.items()}


def cover_two_way(n_a: int, n_b: int, spread: tuple[float, float], runs: int, seed: int) -> dict[str, float]:
    """Coverage for a rate with effects of vehicle (a) and template (b), one item a crossing."""
    from statistics import NormalDist

    rng = generator(seed, n_a, n_b, spread)
    a, b = np.repeat(np.arange(n_a), n_b), np.tile(np.arange(n_b), n_a)
    cut, total = -0.5, float(np.sqrt(1 + spread[0] ** 2 + spread[1] ** 2))
    truth = NormalDist().cdf(cut / total)
    held = {"two-way": 0, "by a only": 0}
    for _ in range(runs):
        shift = rng.normal(0, spread[0], n_a)[a] + rng.normal(0, spread[1], n_b)[b]
        hits = (cut + shift + rng.normal(0, 1, len(a)) > 0).astype(float)
        both = two_way_interval(hits, a, b, n_resamples=RESAMPLES, rng=rng)
        one = rate_interval(hits, a, n_resamples=RESAMPLES, rng=rng)
        held["two-way"] += both.low <= truth <= both.high
        held["by a only"] += one.low <= truth <= one.high
    return {name: count / runs for name, count in held.items()}


USUAL = [
    Scene(clusters, size, icc, rate)
    for clusters in (40, 80)
    for size in ("5", "14", "published")
    for icc in (0.05, 0.15, 0.3)
    for rate in (0.05, 0.1, 0.2, 0.5, 0.8, 0.95)
]
UNUSUAL = [
    *(Scene(40, "1", 0, rate) for rate in (0.05, 0.2, 0.5)),
    *(Scene(40, "skewed", icc, rate) for icc in (0.15, 0.3) for rate in (0.05, 0.2, 0.5)),
    *(Scene(40, "14", 0.15, rate) for rate in (0.005, 0.01, 0.02, 0.98)),
    *(Scene(clusters, "14", 0.15, rate) for clusters in (30, 20, 10) for rate in (0.02, 0.05, 0.2, 0.5)),
    *(Scene(clusters, "14", 0.15, rate) for clusters in (9, 5, 3) for rate in (0.05, 0.2, 0.5)),
]


def _rows(scenes: Sequence[Scene], runs: int, seed: int) -> None:
    names = list(METHODS)
    print("| clusters | items each | ICC | rate | " + " | ".join(names) + " | width, chosen |")
    print("|---" * (len(names) + 5) + "|")
    for scene in scenes:
        found = cover(scene, names, runs, seed)
        cells = " | ".join(f"{100 * found[name][0]:.1f}" for name in names)
        head = f"| {scene.clusters} | {scene.size} | {scene.icc:g} | {scene.rate:g}"
        print(f"{head} | {cells} | {found['chosen'][1]:.3f} |", flush=True)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=("rates", "few", "means", "two_way", "all"))
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=20_260_101)
    parser.add_argument("--clusters", type=int, help="only the usual scenes with so many")
    given = parser.parse_args(argv)
    if given.what in ("rates", "all"):
        _rows([s for s in USUAL if given.clusters in (None, s.clusters)], given.runs, given.seed)
    if given.what in ("few", "all"):
        _rows(UNUSUAL, given.runs, given.seed)
    if given.what in ("means", "all"):
        for kind in ("normal", "V-Score", "lognormal"):
            for clusters in (10, 20, 40, 80):
                found = cover_means(kind, clusters, given.runs, given.seed)
                cells = ", ".join(f"{name} {100 * share:.1f}" for name, share in found.items())
                print(f"{kind}, {clusters} clusters: {cells}", flush=True)
    if given.what in ("two_way", "all"):
        for n_a, n_b in ((80, 14), (40, 14), (20, 10)):
            for spread in ((0.5, 0.0), (0.5, 0.3), (0.0, 0.0)):
                found = cover_two_way(n_a, n_b, spread, given.runs, given.seed)
                cells = ", ".join(f"{name} {100 * share:.1f}" for name, share in found.items())
                print(f"{n_a} x {n_b}, SD of vehicle and template {spread}: {cells}", flush=True)


if __name__ == "__main__":
    main()
