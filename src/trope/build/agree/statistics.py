"""How far annotators agree, field by field, before any consensus is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from trope.build.agree.proposals import Proposals, complete
from trope.build.asking import Asker, one
from trope.protocols.m3r.labels import CATEGORICAL, NONE, OPEN, Labels
from trope.protocols.m3r.marks import THRESHOLD
from trope.protocols.tables import Table, estimate_cell
from trope.requests import Compare
from trope.stats import (
    Estimate,
    bootstrap_statistic,
    fleiss_kappa,
    krippendorff_alpha,
    mean_interval,
    rate_interval,
)

NAN = float("nan")
RESAMPLES = 500  # of kappa and alpha
FEW = 10  # items
_LOT = 256  # pairs of texts in one request


class Matched:
    """Likeness of pairs of texts, the same both ways.

    Parameters
    ----------
    scores : the lower text, the higher text -> likeness.
    unknown : of a pair that is not there: NaN, for it was not measured; 0 without a matcher, where only equal texts
        agree.
    """

    def __init__(self, scores: Mapping[tuple[str, str], float], unknown: float = NAN) -> None:
        self._scores, self._unknown = scores, unknown

    def __call__(self, a: str, b: str) -> float:
        """Likeness of two texts; equal ones are 1."""
        return 1.0 if a == b else self._scores.get((min(a, b), max(a, b)), self._unknown)


def matched(proposals: Proposals, matcher: str, asker: Asker) -> Matched:
    """Measure every pair of different texts that two annotators gave for one field of one item, once each.

    Parameters
    ----------
    matcher : the backend's name, among those of ``asker``.
    """
    pairs = sorted({pair for labels in by_item(proposals).values() for pair in _text_pairs(labels)})
    lots = [tuple(pairs[n : n + _LOT]) for n in range(0, len(pairs), _LOT)]
    records = asker([one(f"match-{n}", _compare(matcher, lot)) for n, lot in enumerate(lots)])
    scores: dict[tuple[str, str], float] = {}
    for lot, record in zip(lots, records, strict=True):
        if record is not None and record.ok:
            known = zip(lot, record.value["scores"], strict=True)
            scores |= {pair: NAN if score is None else score for pair, score in known}
    return Matched(scores)


def by_item(proposals: Proposals, items: Sequence[str] = ()) -> dict[str, list[Labels | None]]:
    """Item id -> one complete tuple an annotator, in the order of the annotators; None for no complete one.

    In the order of ``items``, then of the ids: whose file comes first makes no difference.
    """
    ids = dict.fromkeys([*items, *sorted({item for of in proposals.values() for item in of}, key=_counted)])
    return {i: [complete(of[i]) if i in of else None for of in proposals.values()] for i in ids}


def _counted(name: str) -> list[tuple[bool, int, str]]:
    """A key that puts ``i2`` before ``i10``."""
    parts = re.split("([0-9]{1,18})", name)
    return [(n % 2 == 1, int(part) if n % 2 else 0, part) for n, part in enumerate(parts)]


def agreement_table(
    proposals: Proposals, alike: Callable[[str, str], float], *, threshold: float = THRESHOLD,
    matcher: str | None = None,
) -> Table:  # fmt: skip
    """Agreement a field, over all pairs of annotators of an item who both gave the field.

    Percent: pairs that agree. Fleiss's kappa over items where everybody gave the field, Krippendorff's alpha over all
    of at least two annotators. Open fields agree if both are None or the likeness reaches the threshold; kappa and
    alpha have no meaning there, mean likeness has: over pairs of two texts. `tuple`: all four fields. All intervals
    are over items.

    Parameters
    ----------
    matcher : what ``alike`` asks, for the notes; None if only equal texts are alike.
    """
    ids = list(by_item(proposals))
    rng = np.random.default_rng(0)
    bounds = (-1.0 if matcher else 0.0, 1.0)
    rows: list[list[Any]] = []
    lost = 0
    for name in (*CATEGORICAL, *OPEN):
        given = [[getattr(of[i], name) if i in of else None for of in proposals.values()] for i in ids]
        is_open = name in OPEN
        agreeing, owners, likeness, texts_of = [], [], [], []
        for item, values in zip(ids, given, strict=True):
            for a, b in combinations([v for v in values if v is not None], 2):
                score = _score(a, b, alike) if is_open else float(a == b)
                agreeing.append(_reaches(score, threshold))
                owners.append(item)
                if is_open and NONE not in (a, b):
                    likeness.append(score)
                    texts_of.append(item)
        lost += int(np.isnan(agreeing).sum())
        codes = np.array([[NAN if v is None else _code(name, v) for v in values] for values in given], float)
        whole = codes[~np.isnan(codes).any(axis=1)]
        rows.append([
            name, len(set(owners)), len(agreeing),
            estimate_cell(rate_interval(agreeing, owners, rng=rng)) if agreeing else None,
            None if is_open else _interval(fleiss_kappa, whole, rng),
            None if is_open else _interval(krippendorff_alpha, codes[(~np.isnan(codes)).sum(axis=1) > 1], rng),
            estimate_cell(mean_interval(likeness, texts_of, bounds=bounds, rng=rng)) if likeness else None,
        ])  # fmt: skip
    rows.append(_whole(by_item(proposals), alike, threshold, rng))
    columns = ("field", "items", "pairs", "agreement", "Fleiss's kappa", "Krippendorff's alpha", "mean likeness")
    notes = [
        f"Two texts agree from a likeness of {threshold:g} by {matcher}, or if both are None."
        if matcher else "No matcher: two texts agree only if they are equal (trimmed, case aside), or both None.",
        "`tuple`: both annotators gave a complete tuple, and all four fields agree. Intervals (95 %) are over items.",
        "items: those with the field from at least two annotators. Kappa is over those that have it from all.",
        *not_comparable(matcher),
    ]  # fmt: skip
    if lost:
        notes.append(
            f"{lost} pairs of texts could not be measured: they are left out of their field, and make no tuple."
        )
    return Table("agreement", "Agreement of annotators", columns, rows, notes)


def not_comparable(matcher: str | None) -> list[str]:
    """What a reader must know of another matcher than the protocol's."""
    if matcher is None or matcher.startswith("bertscore:"):
        return []
    return [
        f"{matcher} is not BERTScore: its likeness is comparable with none but its own, and the threshold of"
        f" {THRESHOLD:g} was not calibrated for it."
    ]


def _interval(coefficient: Callable[[Any], Estimate], codes: Any, rng: Any) -> dict[str, Any]:
    """A coefficient of agreement with a bootstrap interval over the rows, which are items: from ten on."""
    found = coefficient(codes)
    if np.isnan(found.value):
        return estimate_cell(found)
    if len(codes) < FEW:
        return estimate_cell(replace(found, reason=f"{len(codes)} items, fewer than {FEW}: no interval"))
    drawn = bootstrap_statistic(lambda rows: coefficient(codes[rows]).value, np.arange(len(codes)), rng=rng,
                                n_resamples=RESAMPLES)  # fmt: skip
    return estimate_cell(drawn)


def _whole(
    tuples: Mapping[str, Sequence[Labels | None]], alike: Callable[[str, str], float], threshold: float, rng: Any
) -> list[Any]:
    from trope.build.agree.consensus import consensus

    agreeing, owners = [], []
    for item, labels in tuples.items():
        for pair in combinations([one_ for one_ in labels if one_ is not None], 2):
            agreeing.append(float(consensus(pair, alike, threshold=threshold, least=2) is not None))
            owners.append(item)
    share = estimate_cell(rate_interval(agreeing, owners, rng=rng)) if agreeing else None
    return ["tuple", len(set(owners)), len(agreeing), share, None, None, None]


def _score(a: str, b: str, alike: Callable[[str, str], float]) -> float:
    return float(a == b) if NONE in (a, b) else alike(a, b)


def _reaches(score: float, threshold: float) -> float:
    return NAN if np.isnan(score) else float(score >= threshold)


def _code(name: str, value: str) -> float:
    return float(CATEGORICAL[name].index(value)) if name in CATEGORICAL else float(value == NONE)


def _text_pairs(labels: Sequence[Labels | None]) -> set[tuple[str, str]]:
    pairs = set()
    for a, b in combinations([one_ for one_ in labels if one_ is not None], 2):
        for x, y in ((a.target, b.target), (a.source, b.source)):
            if x != y and NONE not in (x, y):
                pairs.add((min(x, y), max(x, y)))
    return pairs


def _compare(matcher: str, lot: tuple[tuple[str, str], ...]) -> Callable[[], Compare]:
    return lambda: Compare(None, matcher, lot)
