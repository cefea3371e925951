"""Plan before paying: which difference a design can find, from clusters, seeds, judge repeats and variances."""

from __future__ import annotations

import math
from dataclasses import dataclass

from trope.stats._checks import RangeError, at_least, level
from trope.stats.result import NAN, Estimate, undefined


@dataclass(frozen=True, slots=True)
class Spread:
    """Variances of what is compared (of paired differences, if two subjects are compared on the same items).

    Attributes
    ----------
    cluster
        Between clusters.
    item
        Between items of a cluster.
    seed
        Between seeds, the same for all items; more clusters do not reduce it.
    item_seed
        Between seeds for one item.
    repeat
        Between repeats of the judge on one output.
    """

    cluster: float = 0.0
    item: float = 0.0
    seed: float = 0.0
    item_seed: float = 0.0
    repeat: float = 0.0

    def __post_init__(self) -> None:
        for name in ("cluster", "item", "seed", "item_seed", "repeat"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise RangeError(f"{name}: expected a variance of at least 0, got {value!r}")


@dataclass(frozen=True, slots=True)
class Design:
    """How much is measured: clusters, items a cluster, seeds an item, judge repeats an output."""

    n_clusters: int
    items_per_cluster: int = 1
    n_seeds: int = 1
    n_repeats: int = 1

    def __post_init__(self) -> None:
        for name in ("n_clusters", "items_per_cluster", "n_seeds", "n_repeats"):
            at_least(getattr(self, name), 1, name)


def design_error(design: Design, spread: Spread) -> float:
    r"""Standard error of the mean that a design gives.

    Parameters
    ----------
    design
        Clusters C, items a cluster m, seeds S, repeats R.
    spread
        Variances.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    RangeError
        Raised where `design` and `spread` are made: fewer than one of something, a negative variance.

    Notes
    -----
    .. math::
        SE^2 = \frac{\sigma^2_c}{C} + \frac{\sigma^2_i}{Cm} + \frac{\sigma^2_s}{S} + \frac{\sigma^2_{is}}{CmS}
        + \frac{\sigma^2_r}{CmSR}

    Seeds are crossed with items (all items use the same), repeats nested in outputs. Source: Brennan (2001),
    Generalizability Theory, chapter 4. By hand: C = 4, m = 2, S = R = 1 with cluster 4 and item 8 gives
    sqrt(1 + 1).
    """
    items = design.n_clusters * design.items_per_cluster
    return math.sqrt(
        spread.cluster / design.n_clusters
        + spread.item / items
        + spread.seed / design.n_seeds
        + spread.item_seed / (items * design.n_seeds)
        + spread.repeat / (items * design.n_seeds * design.n_repeats)
    )


def _power(shift: float, df: float, alpha: float) -> float:
    """P(|T| > critical) of a noncentral t with `shift`."""
    from scipy.special import nctdtr, stdtrit

    critical = float(stdtrit(df, 1 - alpha / 2))
    # the lower tail is P(T' > critical) at -shift; beyond a shift of about 38 scipy's tails are 0 or NaN
    tails = (1 - float(nctdtr(df, shift, critical)), 1 - float(nctdtr(df, -shift, critical)))
    return min(1.0, sum(0.0 if math.isnan(tail) else tail for tail in tails))


def achieved_power(effect: float, design: Design, spread: Spread, *, alpha: float = 0.05) -> Estimate:
    r"""How probable it is that a two-sided t test over clusters finds a difference of `effect`.

    Parameters
    ----------
    effect
        The true mean difference; its sign does not matter.
    design, spread
        As in :func:`design_error`.
    alpha
        The level of the test, in (0, 1).

    Returns
    -------
    Estimate
        In [alpha, 1]. NaN with a reason for fewer than two clusters, or no spread at all.

    Raises
    ------
    RangeError
        alpha outside (0, 1); an effect that is not finite.

    Notes
    -----
    .. math:: P(|T'_{C-1}(\delta / SE)| > t_{C-1, 1-\alpha/2})

    with T' noncentral. It takes cluster means as normal; a seed component makes it optimistic, since
    clusters then share an error that the test cannot see. Source: Cohen (1988), section 2. Checked against
    statsmodels ``TTestPower``.
    """
    level(alpha)
    if not math.isfinite(effect):
        raise RangeError(f"effect: expected a finite number, got {effect!r}")
    n = design.n_clusters * design.items_per_cluster
    if design.n_clusters < 2:
        return undefined("one cluster: no test", n, design.n_clusters)
    error = design_error(design, spread)
    if error == 0:
        return undefined("no spread: nothing to plan for", n, design.n_clusters)
    power = _power(abs(effect) / error, design.n_clusters - 1, alpha)
    return Estimate(power, NAN, NAN, n, design.n_clusters, "point", _seed_warning(spread))


def _seed_warning(spread: Spread) -> str | None:
    return "seeds are shared by all clusters: a test over clusters does not see that part" if spread.seed else None


def minimum_detectable_effect(design: Design, spread: Spread, *, power: float = 0.8, alpha: float = 0.05) -> Estimate:
    r"""The smallest mean difference that a two-sided t test over clusters finds with probability `power`.

    Parameters
    ----------
    design, spread
        As in :func:`design_error`.
    power
        In (alpha, 1).
    alpha
        The level of the test, in (0, 1).

    Returns
    -------
    Estimate
        In the units of the score. NaN with a reason for fewer than two clusters; 0 is never given: no spread
        at all is NaN too.

    Raises
    ------
    RangeError
        alpha outside (0, 1), or power outside (alpha, 1).

    Notes
    -----
    Solves :func:`achieved_power` = `power` by bisection to 1e-12 of the result; about (t_{1-alpha/2} +
    t_{power}) SE. Source: Bloom (1995), doi:10.1177/0193841X9501900504. Checked against statsmodels
    ``TTestPower.solve_power`` and by simulation.
    """
    level(alpha)
    if not alpha < power < 1:
        raise RangeError(f"power: expected a number between alpha ({alpha:g}) and 1, got {power!r}")
    n = design.n_clusters * design.items_per_cluster
    if design.n_clusters < 2:
        return undefined("one cluster: no test", n, design.n_clusters)
    error = design_error(design, spread)
    if error == 0:
        return undefined("no spread: nothing to plan for", n, design.n_clusters)
    df, low, high = design.n_clusters - 1, 0.0, 1.0
    while _power(high, df, alpha) < power:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _power(middle, df, alpha) < power else (low, middle)
    return Estimate(high * error, NAN, NAN, n, design.n_clusters, "point", _seed_warning(spread))


def clusters_needed(
    effect: float,
    spread: Spread,
    *,
    items_per_cluster: int = 1,
    n_seeds: int = 1,
    n_repeats: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
    most: int = 1_000_000,
) -> Estimate:
    """The smallest number of clusters with which a difference of `effect` is found with probability `power`.

    Parameters
    ----------
    effect
        The true mean difference, not 0.
    spread
        Variances.
    items_per_cluster, n_seeds, n_repeats
        The rest of the design.
    power, alpha
        As in :func:`minimum_detectable_effect`.
    most
        The largest number that is tried.

    Returns
    -------
    Estimate
        A whole number. NaN with a reason if not even `most` clusters do (seeds that are too few, for
        example).

    Raises
    ------
    RangeError
        As in :func:`minimum_detectable_effect`; an effect of 0.

    Notes
    -----
    By bisection: more clusters never give less power. Source: as :func:`minimum_detectable_effect`.
    """
    if not (math.isfinite(effect) and effect != 0):
        raise RangeError(f"effect: expected a finite number other than 0, got {effect!r}")
    at_least(most, 2, "most")

    def enough(count: int) -> bool:
        design = Design(count, items_per_cluster, n_seeds, n_repeats)
        found = minimum_detectable_effect(design, spread, power=power, alpha=alpha)
        return found.value <= abs(effect)

    if design_error(Design(2, items_per_cluster, n_seeds, n_repeats), spread) == 0:
        return undefined("no spread: nothing to plan for")
    if not enough(most):
        return undefined(f"not even {most} clusters are enough")
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Estimate(float(high), NAN, NAN, high * items_per_cluster, high, "point", _seed_warning(spread))
