"""Tables about the judges rather than the pictures: letters, the order of options, a second judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vista.questions import AXES, PERMUTED, PUBLISHED
from trope.protocols.vista.reading import LETTERS, Floats
from trope.protocols.vista.scoring import MOST
from trope.protocols.vista.views import Labels, Sheet, View
from trope.stats.agreement import cohen_kappa
from trope.stats.comparisons import paired_permutation
from trope.stats.correlations import correlation_interval, spearman
from trope.stats.intervals import mean_interval, rate_interval


def judge_tables(study: Study, sheet: Sheet) -> list[Table]:
    """What there is to say about the judges."""
    if not sheet.figure:
        return []
    return [letters(study, sheet.figure), order(study, sheet.figure), agreement(study, sheet.figure)]


def by_call(seen: Sequence[View]) -> dict[tuple[str, str], list[View]]:
    """Views by instrument and call."""
    groups: dict[tuple[str, str], list[View]] = {}
    for view in seen:
        groups.setdefault((view.instrument, view.call), []).append(view)
    return groups


def same_letter(said: Sequence[str]) -> Floats:
    """1 for a reply that gives every question the same letter, 0 for another; empty strings are left out."""
    return np.array([float(len(set(letters)) == 1) for letters in said if letters])


def letters(study: Study, seen: Sequence[View]) -> Table:
    """Which letters a judge says: one that always says A gives itself away here, whatever the score."""
    rows: list[list[Value]] = []
    for (instrument, call), views in by_call(seen).items():
        said = [reply for view in views for reply in view.letters if reply]
        vehicles = np.concatenate([view.vehicles[view.valid] for view in views])
        every = "".join(said)
        shares: list[Value] = [number(every.count(letter) / len(every)) if every else None for letter in LETTERS]
        alike = [
            estimate_cell(rate_interval(hits, vehicles, rng=study.rng("letters", name, instrument, call)))
            for name, hits in (("A", np.array([float(set(r) == {"A"}) for r in said])), ("same", same_letter(said)))
        ]
        rows.append([instrument, call, *shares, *alike, len(said)])
    columns = ("instrument", "call", *LETTERS, "all four A", "all four the same", "replies")
    notes = (
        "Shares of all letters; then shares of replies that give A, or any one letter, to all four questions. With"
        " permuted options and a judge that looks, each letter is near a quarter and few replies are all the same.",
    )
    return Table("letters", "Which letters the judge says", columns, rows, notes)


def order(study: Study, seen: Sequence[View]) -> Table:
    """The same questions about the same pictures, options best first and permuted: what the order alone does."""
    rows: list[list[Value]] = []
    for view, other in _both_orders(seen):
        for measure, scale, x, y in _measures(view, other):
            place = ("order", measure, *view.place)
            found = mean_interval(x - y, view.vehicles, bounds=(-scale, scale), rng=study.rng("gap", *place))
            test = paired_permutation(x, y, view.vehicles, rng=study.rng("test", *place))
            same = np.mean((x == y)[~np.isnan(x + y)]) if test.n_used else float("nan")
            rows.append([
                view.subject, view.strategy, view.instrument, measure, _mean(x, y), _mean(y, x), estimate_cell(found),
                number(float(same)), test.n_used, number(test.p), test.reason or "",
            ])  # fmt: skip
    columns = (
        "subject", "strategy", "instrument", "measure", "published", "permuted", "published minus permuted",
        "same value", "pictures", "p", "note",
    )  # fmt: skip
    notes = (
        "Pictures with a valid reply in both orders. A judge that looks has a difference near 0; one that leans to the"
        " first option gains by the published order, up to 50 points of the V-Score.",
    )
    return Table("order", "What the order of the options does", columns, rows, notes)


def _both_orders(seen: Sequence[View]) -> Iterator[tuple[View, View]]:
    for view in seen:
        if view.call == PUBLISHED:
            same = [v for v in seen if v.place[:3] == view.place[:3] and v.call.startswith(PERMUTED)]
            yield from ((view, other) for other in same)


def _measures(view: View, other: View) -> Iterator[tuple[str, float, Floats, Floats]]:
    rows = other.rows(view.pair)
    yield "V-Score", 100.0, view.score, other.score[rows]
    for n, (name, axis) in enumerate(AXES.items()):
        yield f"{name} {axis}", float(MOST), view.points[:, n], other.points[rows, n]


def _mean(of: Floats, where: Floats) -> float | None:
    kept = of[~np.isnan(of + where)]
    return number(float(kept.mean())) if len(kept) else None


def agreement(study: Study, seen: Sequence[View]) -> Table:
    """Two judges on the same pictures through the same call: score and every question."""
    rows: list[list[Value]] = []
    for first, second, call in _pairs_of_judges(seen):
        a, b = _aligned(seen, first, second, call)
        vehicles = np.concatenate([part[0] for part in a])
        for n, measure in enumerate(("V-Score", *(f"{name} {axis}" for name, axis in AXES.items()))):
            x = np.concatenate([part[1][:, n] for part in a])
            y = np.concatenate([part[1][:, n] for part in b])
            rows.append([first, second, call, measure, *_agreed(study, x, y, vehicles, (first, second, call, measure))])
        if len(a) > 2:
            means = [[float(np.nanmean(part[1][:, 0])) for part in side] for side in (a, b)]
            alike = number(spearman(*means).value)
            pictures = sum(len(part[0]) for part in a)
            what = f"mean V-Scores, {len(a)} of them"
            rows.append([first, second, call, what, alike, None, None, None, pictures])
    columns = (
        "judge", "other judge", "call", "measure", "Spearman", "same value", "kappa (quadratic)", "mean difference",
        "pictures",
    )  # fmt: skip
    notes = (
        "Pictures to which both gave a valid reply. Same value: share of equal answers. Kappa: Cohen's, quadratic"
        " weights over 0 to 3. Mean difference: judge minus other judge. Intervals over vehicles. Mean"
        " V-Scores: one for each subject and strategy.",
    )
    return Table("judges", "Do two judges agree?", columns, rows, notes)


def _pairs_of_judges(seen: Sequence[View]) -> Iterator[tuple[str, str, str]]:
    for call in dict.fromkeys(view.call for view in seen):
        judges = dict.fromkeys(view.instrument for view in seen if view.call == call)
        yield from ((a, b, call) for a, b in combinations(judges, 2))


Part = tuple[Labels, Floats]


def _aligned(seen: Sequence[View], first: str, second: str, call: str) -> tuple[list[Part], list[Part]]:
    """For each subject and strategy that both judged: vehicles, and score and points as columns."""
    sides: tuple[list[Part], list[Part]] = ([], [])
    for view in (v for v in seen if v.instrument == first and v.call == call):
        other = next((v for v in seen if v.place == (view.subject, view.strategy, second, call)), None)
        if other is None:
            continue
        x = np.column_stack([view.score, view.points])
        y = np.column_stack([other.score, other.points])[other.rows(view.pair)]
        kept = ~np.isnan(x + y).any(axis=1)
        if kept.any():
            sides[0].append((view.vehicles[kept], x[kept]))
            sides[1].append((view.vehicles[kept], y[kept]))
    if not sides[0]:
        empty: Part = (np.array([], str), np.zeros((0, 5)))
        sides[0].append(empty)
        sides[1].append(empty)
    return sides


def _agreed(study: Study, x: Floats, y: Floats, vehicles: Labels, place: tuple[str, ...]) -> list[Value]:
    score = place[-1] == "V-Score"
    scale = 100.0 if score else float(MOST)
    rank = correlation_interval(x, y, vehicles, rng=study.rng("rank", *place))
    equal = rate_interval(np.isclose(x, y), vehicles, rng=study.rng("equal", *place))
    kappa = None if score else estimate_cell(cohen_kappa(x, y, weights="quadratic", labels=[0.0, 1.0, 2.0, 3.0]))
    gap = mean_interval(x - y, vehicles, bounds=(-scale, scale), rng=study.rng("gap", *place))
    return [estimate_cell(rank), estimate_cell(equal), kappa, estimate_cell(gap), len(x)]
