"""Two thousand simulated studies: drawn, partly answered, extended where it helps, corrected; how often is it right?"""

from __future__ import annotations

import numpy as np
import pytest

from trope.people.corrected import answered_share
from trope.people.sampling import Stratum, draw, neyman, proportional
from trope.stats.corrections import prediction_powered_mean

STUDIES, CLUSTERS, EACH = 2000, 60, 12


def one(rng: np.random.Generator, *, binary: bool, second: bool) -> tuple[float, float, float]:
    """Low end, high end and truth of one study: a new world, a stratified sample, some pages left unanswered."""
    clusters = np.repeat(np.arange(CLUSTERS), EACH)
    size = len(clusters)
    stratum = rng.choice(3, size, p=[0.6, 0.3, 0.1])
    shift = np.array([-0.3, 0.1, 0.8])
    spread = np.array([0.4, 0.8, 1.2])
    latent = rng.normal(0, 0.5, CLUSTERS)[clusters] + shift[stratum] + rng.normal(0, 1, size) * spread[stratum]
    judge = latent + 0.4 + rng.normal(0, 0.7, size)  # a biased and noisy judge
    if binary:
        people, said = (latent > 0.3).astype(float), (judge > 0.3).astype(float)
        total = np.sqrt(0.25 + spread**2)
        from statistics import NormalDist

        truth = float(
            np.dot([0.6, 0.3, 0.1], [1 - NormalDist().cdf((0.3 - m) / s) for m, s in zip(shift, total, strict=True)])
        )
    else:
        people, said, truth = latent, judge, float(np.dot([0.6, 0.3, 0.1], shift))
    units = {f"h{h}": [f"{n:04}" for n in np.flatnonzero(stratum == h)] for h in range(3)}
    sizes = {name: len(of) for name, of in units.items()}
    counts = proportional(sizes, 150)
    drawn = draw(units, counts, rng)
    strata = [Stratum(name, sizes[name], counts[name]) for name in units]
    if second:
        rows = np.array([int(u) for u in drawn])
        gaps = {f"h{h}": float(np.std((people - said)[rows][stratum[rows] == h], ddof=1)) for h in range(3)}
        more = neyman(strata, gaps, 75)
        left = {name: [u for u in of if u not in set(drawn)] for name, of in units.items()}
        drawn += draw(left, more, rng)
        strata = [Stratum(s.name, s.size, s.drawn + more[s.name]) for s in strata]
    answered = rng.permutation(drawn)[: round(0.9 * len(drawn))]
    labels = np.full(size, np.nan)
    rows = np.array([int(u) for u in answered])
    labels[rows] = people[rows]
    names = [f"h{h}" for h in stratum]
    chance = answered_share(names, labels, {s.name: s.inclusion for s in strata})
    inclusion = np.array([chance[name] for name in names])
    found = prediction_powered_mean(said, labels, inclusion, clusters=clusters)
    return found.low, found.high, truth


@pytest.mark.slow
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_intervals_cover_what_they_say(binary: bool, second: bool) -> None:
    rng = np.random.default_rng(20)
    ends = np.array([one(rng, binary=binary, second=second) for _ in range(STUDIES)])
    covered = float(((ends[:, 0] <= ends[:, 2]) & (ends[:, 2] <= ends[:, 1])).mean())
    print(f"binary {binary}, second draw {second}: {100 * covered:.2f} %")
    assert 0.935 <= covered <= 0.965


def test_a_few_studies_cover() -> None:
    rng = np.random.default_rng(4)
    ends = np.array([one(rng, binary=False, second=True) for _ in range(60)])
    assert ((ends[:, 0] <= ends[:, 2]) & (ends[:, 2] <= ends[:, 1])).mean() >= 0.85
