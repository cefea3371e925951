"""BCa intervals for a table of 20 cells over 1,930 items: trope against scipy, equality first.

Run: python benchmarks/stats_bca.py [--resamples 10000] [--repeats 3]

Both draw the same clusters (items) from the same seed, so that the ends must agree; then both are timed, the
fastest of some repeats each, in seconds of processor time of one thread, which others on the machine do not lengthen
much. scipy is timed three ways: all cells in one vectorized call as it comes (which holds
3 GB), one call a cell, and vectorized with the batch that is fastest for it.
"""

import argparse
import os
import time
from collections.abc import Callable

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # one thread each: the machine is shared, and scipy's bootstrap uses no more

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

from trope.stats import cluster_bootstrap_table  # noqa: E402

ITEMS, CELLS = 1_930, 20


def table(seed: int = 20_260_101) -> np.ndarray:
    """Scores 0..100 with differences between items and between cells."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 8, (ITEMS, 1))
    return np.clip(78 + hard + rng.normal(0, 12, (ITEMS, CELLS)) + np.linspace(-3, 3, CELLS), 0, 100)


def ours(values: np.ndarray, resamples: int) -> np.ndarray:
    found = cluster_bootstrap_table(values, np.arange(ITEMS), n_resamples=resamples, rng=np.random.default_rng(7))
    return np.array([(estimate.low, estimate.high) for estimate in found])


def theirs(values: np.ndarray, resamples: int, batch: int | None) -> np.ndarray:
    """All cells in one vectorized call."""
    found = stats.bootstrap(
        (values.T,),
        np.mean,
        axis=-1,
        n_resamples=resamples,
        batch=batch,
        method="BCa",
        rng=np.random.default_rng(7),
    ).confidence_interval
    return np.column_stack([found.low, found.high])


def theirs_by_cell(values: np.ndarray, resamples: int, batch: int | None) -> np.ndarray:
    """One call a cell, as one would for cells with different missing values."""
    return np.concatenate([theirs(values[:, [j]], resamples, batch) for j in range(CELLS)])


def fastest(work: Callable[[], object], repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main(argv: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args(argv)
    values, resamples = table(), arguments.resamples
    gap = float(np.abs(ours(values, resamples) - theirs(values, resamples, 100)).max())
    print(f"equality: {2 * CELLS} ends, largest difference {gap:.2e}")
    if not gap < 1e-9:
        raise SystemExit("the intervals differ: no ratio is printed")
    mine = fastest(lambda: ours(values, resamples), 2 * arguments.repeats)
    print(f"{resamples} resamples of {ITEMS} items x {CELLS} cells, fastest of {arguments.repeats}")
    print(f"trope.stats.cluster_bootstrap_table             {mine:7.3f} s")
    ratios = []
    for name, work, batch in (
        ("scipy.stats.bootstrap, as it comes", theirs, None),
        ("scipy.stats.bootstrap, a call a cell", theirs_by_cell, None),
        ("scipy.stats.bootstrap, batch=100 (its best here)", theirs, 100),
    ):
        other = fastest(lambda work=work, batch=batch: work(values, resamples, batch), arguments.repeats)
        ratios.append(other / mine)
        print(f"{name:48}{other:7.3f} s  ratio {ratios[-1]:5.1f}")
    return ratios[0]


if __name__ == "__main__":
    main()
