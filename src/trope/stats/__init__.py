"""Statistics: intervals, tests, agreement, bounds, corrections and power, as pure functions on arrays.

Nothing is loaded until it is asked for; scipy only inside the functions that need it. ``docs/statistics.md``
says which method stands where, and why.

::

    result.py        Estimate and TestResult: a value with an interval, a test; NaN with a reason
    proportions.py   Wilson, Clopper-Pearson
    bootstrap.py     means: clusters drawn, percentile, BCa or studentized; many columns; two groupings at
    once statistic.py     the same for a ratio of means and for any statistic of rows
    intervals.py     WHICH of these a rate or a mean gets
    bounds.py        worst and best case for missing values
    comparisons.py   paired: sign-flip permutation by cluster, Wilcoxon, d, equivalence; Holm
    groups.py        independent groups: Welch, Mann-Whitney, ANOVA, d, r from d
    ranks.py         ranks, and the set of ranks that each system could have
    correlations.py  Pearson, Spearman, Kendall's tau-b and W
    reliability.py   intraclass correlations, Spearman-Brown, Bland-Altman
    agreement.py     Krippendorff's alpha, Cohen's and Fleiss's kappa
    labels.py        accuracy, balanced accuracy, macro-F1, mean absolute error
    corrections.py   Rogan-Gladen; prediction-powered mean and quantile
    variance.py      variance components of crossed designs, by ANOVA and by REML
    power.py         which difference a design can find
    _checks.py       what input must be; the errors
    _resample.py     draws of clusters, replicates, BCa levels, studentizing
    _ranking.py      midranks, ties, exact rank distributions
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trope.stats._checks import PairingError as PairingError
    from trope.stats._checks import RangeError as RangeError
    from trope.stats._checks import ShapeError as ShapeError
    from trope.stats._checks import StatsError as StatsError
    from trope.stats.agreement import cohen_kappa as cohen_kappa
    from trope.stats.agreement import fleiss_kappa as fleiss_kappa
    from trope.stats.agreement import krippendorff_alpha as krippendorff_alpha
    from trope.stats.bootstrap import cluster_bootstrap as cluster_bootstrap
    from trope.stats.bootstrap import cluster_bootstrap_table as cluster_bootstrap_table
    from trope.stats.bootstrap import two_way_bootstrap as two_way_bootstrap
    from trope.stats.bounds import difference_bounds as difference_bounds
    from trope.stats.bounds import manski_interval as manski_interval
    from trope.stats.bounds import mean_bounds as mean_bounds
    from trope.stats.comparisons import cohen_d_paired as cohen_d_paired
    from trope.stats.comparisons import equivalence as equivalence
    from trope.stats.comparisons import holm as holm
    from trope.stats.comparisons import paired_permutation as paired_permutation
    from trope.stats.comparisons import wilcoxon as wilcoxon
    from trope.stats.corrections import prediction_powered_mean as prediction_powered_mean
    from trope.stats.corrections import prediction_powered_quantile as prediction_powered_quantile
    from trope.stats.corrections import rogan_gladen as rogan_gladen
    from trope.stats.correlations import correlation_interval as correlation_interval
    from trope.stats.correlations import kendall_tau_b as kendall_tau_b
    from trope.stats.correlations import kendall_w as kendall_w
    from trope.stats.correlations import pairwise_spearman as pairwise_spearman
    from trope.stats.correlations import pearson as pearson
    from trope.stats.correlations import spearman as spearman
    from trope.stats.groups import anova as anova
    from trope.stats.groups import cohen_d as cohen_d
    from trope.stats.groups import mann_whitney as mann_whitney
    from trope.stats.groups import r_from_d as r_from_d
    from trope.stats.groups import welch as welch
    from trope.stats.intervals import mean_interval as mean_interval
    from trope.stats.intervals import rate_interval as rate_interval
    from trope.stats.intervals import two_way_interval as two_way_interval
    from trope.stats.labels import accuracy as accuracy
    from trope.stats.labels import balanced_accuracy as balanced_accuracy
    from trope.stats.labels import macro_f1 as macro_f1
    from trope.stats.labels import mean_absolute_error as mean_absolute_error
    from trope.stats.power import Design as Design
    from trope.stats.power import Spread as Spread
    from trope.stats.power import achieved_power as achieved_power
    from trope.stats.power import clusters_needed as clusters_needed
    from trope.stats.power import design_error as design_error
    from trope.stats.power import minimum_detectable_effect as minimum_detectable_effect
    from trope.stats.proportions import clopper_pearson as clopper_pearson
    from trope.stats.proportions import wilson as wilson
    from trope.stats.ranks import RankSet as RankSet
    from trope.stats.ranks import rank as rank
    from trope.stats.ranks import rank_sets as rank_sets
    from trope.stats.reliability import BlandAltman as BlandAltman
    from trope.stats.reliability import bland_altman as bland_altman
    from trope.stats.reliability import icc as icc
    from trope.stats.reliability import spearman_brown as spearman_brown
    from trope.stats.result import Estimate as Estimate
    from trope.stats.result import TestResult as TestResult
    from trope.stats.statistic import bootstrap_statistic as bootstrap_statistic
    from trope.stats.statistic import ratio_interval as ratio_interval
    from trope.stats.variance import Components as Components
    from trope.stats.variance import anova_components as anova_components
    from trope.stats.variance import reml_components as reml_components

_HOMES = {
    "BlandAltman": "trope.stats.reliability",
    "Components": "trope.stats.variance",
    "Design": "trope.stats.power",
    "Estimate": "trope.stats.result",
    "PairingError": "trope.stats._checks",
    "RangeError": "trope.stats._checks",
    "RankSet": "trope.stats.ranks",
    "ShapeError": "trope.stats._checks",
    "Spread": "trope.stats.power",
    "StatsError": "trope.stats._checks",
    "TestResult": "trope.stats.result",
    "accuracy": "trope.stats.labels",
    "achieved_power": "trope.stats.power",
    "anova": "trope.stats.groups",
    "anova_components": "trope.stats.variance",
    "balanced_accuracy": "trope.stats.labels",
    "bland_altman": "trope.stats.reliability",
    "bootstrap_statistic": "trope.stats.statistic",
    "clopper_pearson": "trope.stats.proportions",
    "cluster_bootstrap": "trope.stats.bootstrap",
    "cluster_bootstrap_table": "trope.stats.bootstrap",
    "clusters_needed": "trope.stats.power",
    "cohen_d": "trope.stats.groups",
    "cohen_d_paired": "trope.stats.comparisons",
    "cohen_kappa": "trope.stats.agreement",
    "correlation_interval": "trope.stats.correlations",
    "design_error": "trope.stats.power",
    "difference_bounds": "trope.stats.bounds",
    "equivalence": "trope.stats.comparisons",
    "fleiss_kappa": "trope.stats.agreement",
    "holm": "trope.stats.comparisons",
    "icc": "trope.stats.reliability",
    "kendall_tau_b": "trope.stats.correlations",
    "kendall_w": "trope.stats.correlations",
    "krippendorff_alpha": "trope.stats.agreement",
    "macro_f1": "trope.stats.labels",
    "mann_whitney": "trope.stats.groups",
    "manski_interval": "trope.stats.bounds",
    "mean_absolute_error": "trope.stats.labels",
    "mean_bounds": "trope.stats.bounds",
    "mean_interval": "trope.stats.intervals",
    "minimum_detectable_effect": "trope.stats.power",
    "paired_permutation": "trope.stats.comparisons",
    "pairwise_spearman": "trope.stats.correlations",
    "pearson": "trope.stats.correlations",
    "prediction_powered_mean": "trope.stats.corrections",
    "prediction_powered_quantile": "trope.stats.corrections",
    "r_from_d": "trope.stats.groups",
    "rank": "trope.stats.ranks",
    "rank_sets": "trope.stats.ranks",
    "rate_interval": "trope.stats.intervals",
    "ratio_interval": "trope.stats.statistic",
    "reml_components": "trope.stats.variance",
    "rogan_gladen": "trope.stats.corrections",
    "spearman": "trope.stats.correlations",
    "spearman_brown": "trope.stats.reliability",
    "two_way_bootstrap": "trope.stats.bootstrap",
    "two_way_interval": "trope.stats.intervals",
    "welch": "trope.stats.groups",
    "wilcoxon": "trope.stats.comparisons",
    "wilson": "trope.stats.proportions",
}
__all__ = [
    "BlandAltman",
    "Components",
    "Design",
    "Estimate",
    "PairingError",
    "RangeError",
    "RankSet",
    "ShapeError",
    "Spread",
    "StatsError",
    "TestResult",
    "accuracy",
    "achieved_power",
    "anova",
    "anova_components",
    "balanced_accuracy",
    "bland_altman",
    "bootstrap_statistic",
    "clopper_pearson",
    "cluster_bootstrap",
    "cluster_bootstrap_table",
    "clusters_needed",
    "cohen_d",
    "cohen_d_paired",
    "cohen_kappa",
    "correlation_interval",
    "design_error",
    "difference_bounds",
    "equivalence",
    "fleiss_kappa",
    "holm",
    "icc",
    "kendall_tau_b",
    "kendall_w",
    "krippendorff_alpha",
    "macro_f1",
    "mann_whitney",
    "manski_interval",
    "mean_absolute_error",
    "mean_bounds",
    "mean_interval",
    "minimum_detectable_effect",
    "paired_permutation",
    "pairwise_spearman",
    "pearson",
    "prediction_powered_mean",
    "prediction_powered_quantile",
    "r_from_d",
    "rank",
    "rank_sets",
    "rate_interval",
    "ratio_interval",
    "reml_components",
    "rogan_gladen",
    "spearman",
    "spearman_brown",
    "two_way_bootstrap",
    "two_way_interval",
    "welch",
    "wilcoxon",
    "wilson",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'trope.stats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
