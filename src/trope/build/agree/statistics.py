"""How far annotators agree, field by field, before any consensus is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from trope.build.agree.proposals import Proposals, complete
from trope.build.asking import Asker, one
from trope.protocols.m3r.labels import CATEGORICAL, NONE, OPEN, Labels
from trope.protocols.m3r.marks import THRESHOLD
from trope.protocols.tables import Table, estimate_cell, number
from trope.requests import Compare
from trope.stats import fleiss_kappa, krippendorff_alpha, rate_interval

NAN = float("nan")
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
            scores |= dict(zip(lot, record.value["scores"], strict=True))
    return Matched(scores)


def by_item(proposals: Proposals) -> dict[str, list[Labels | None]]:
    """Item id -> one complete tuple an annotator, in the order of the annotators; None for no complete one."""
    ids = dict.fromkeys(item for of in proposals.values() for item in of)
    return {i: [complete(of[i]) if i in of else None for of in proposals.values()] for i in ids}


def agreement_table(proposals: Proposals, alike: Callable[[str, str], float], *, threshold: float = THRESHOLD) -> Table:
    """Agreement a field, over all pairs of annotators of an item who both gave the field.

    Percent: pairs that agree, the interval over items. Fleiss's kappa over items where everybody gave the field,
    Krippendorff's alpha over all. Open fields agree if both are None or the likeness reaches the threshold; kappa
    and alpha have no meaning there, mean likeness has: over pairs of two texts. `tuple`: all four fields.
    """
    ids = dict.fromkeys(item for of in proposals.values() for item in of)
    rng = np.random.default_rng(0)
    rows: list[list[Any]] = []
    lost = 0
    for name in (*CATEGORICAL, *OPEN):
        given = [[getattr(of[i], name) if i in of else None for of in proposals.values()] for i in ids]
        is_open = name in OPEN
        agreeing, owners, likeness = [], [], []
        for item, values in zip(ids, given, strict=True):
            for a, b in combinations([v for v in values if v is not None], 2):
                score = _score(a, b, alike) if is_open else float(a == b)
                agreeing.append(_reaches(score, threshold))
                owners.append(item)
                if is_open and NONE not in (a, b):
                    likeness.append(score)
        share = rate_interval(agreeing, owners, rng=rng) if agreeing else None
        lost += int(np.isnan(agreeing).sum())
        codes = np.array([[NAN if v is None else _code(name, v) for v in values] for values in given], float)
        rows.append([
            name, len(agreeing), estimate_cell(share) if share else None,
            None if is_open else estimate_cell(fleiss_kappa(codes)),
            None if is_open else estimate_cell(krippendorff_alpha(codes)),
            number(float(np.nanmean(likeness))) if likeness and not np.isnan(likeness).all() else None,
        ])  # fmt: skip
    rows.append(_whole(by_item(proposals), alike, threshold, rng))
    columns = ("field", "pairs", "agreement", "Fleiss's kappa", "Krippendorff's alpha", "mean likeness")
    notes = [
        f"Two texts agree from a likeness of {threshold:g}, or if both are None.",
        "`tuple`: both annotators gave a complete tuple, and all four fields agree.",
    ]
    if lost:
        notes.append(
            f"{lost} pairs of texts could not be measured: they are left out of their field, and make no tuple."
        )
    return Table("agreement", "Agreement of annotators", columns, rows, notes)


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
    return ["tuple", len(agreeing), share, None, None, None]


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
