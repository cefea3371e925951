"""Tables of what V-Score is held against: presence-oriented questions, detectors, no picture, literal prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vista.questions import AXES
from trope.protocols.vista.reading import Floats
from trope.protocols.vista.scoring import MOST
from trope.protocols.vista.views import Labels, Sheet, View
from trope.stats.bounds import mean_bounds
from trope.stats.correlations import correlation_interval
from trope.stats.intervals import mean_interval, rate_interval

_NAMED = 5  # items a table names


def control_tables(study: Study, sheet: Sheet) -> list[Table]:
    """The control questions, and similarities, beside V-Score."""
    return [presence(study, sheet), similarity(study, sheet)]


def presence(study: Study, sheet: Sheet) -> Table:
    """Questions made from the bare sentence, which reward whatever is mentioned, against V-Score."""
    rows: list[list[Value]] = []
    for place, right, score, vehicles in _with_score(sheet, sheet.control, lambda v: 100 * v.points.mean(axis=1)):
        known = ~np.isnan(right)
        mean = mean_interval(right[known], vehicles[known], bounds=(0, 100), rng=study.rng("presence", *place))
        full = rate_interval(right[known] == 100, vehicles[known], rng=study.rng("full", *place))
        counts = (int(known.sum()), len(known))
        beside = _beside(study, right, score, vehicles, place)
        rows.append([*place, estimate_cell(mean), estimate_cell(full), *counts, *beside])
    columns = (
        "subject", "strategy", "instrument", "call", "presence score", "share of 100", "valid", "of", "V-Score",
        "Spearman", "pictures",
    )  # fmt: skip
    notes = (
        "Presence score: share of right answers, × 100, to five questions (entity, attribute, relation, action, scene)"
        " written from the bare sentence without its annotation. A vehicle that is drawn answers them well.",
        "Valid, of: pictures with a valid reply to them, and all whose items have some. V-Score, Spearman and pictures:"
        " of the pictures that have both, through the call of V-Score that is named.",
    )
    return Table("presence", "Questions about presence, beside V-Score", columns, rows, notes)


def similarity(study: Study, sheet: Sheet) -> Table:
    """How well picture and sentence go together by a similarity metric, against V-Score."""
    rows: list[list[Value]] = []
    for view in sheet.similar:
        values = view.points[:, 0]
        mean = mean_interval(values, view.vehicles, rng=study.rng("similarity", *view.place))
        rows.append([*view.place[:3], "", estimate_cell(mean), None, None, int((~np.isnan(values)).sum())])
    for name, values, score, vehicles in _with_score(sheet, sheet.similar, lambda v: v.points[:, 0]):
        rows.append([*name, None, *_beside(study, values, score, vehicles, name)])
    columns = ("subject", "strategy", "instrument", "V-Score of", "similarity", "V-Score", "Spearman", "pictures")
    return Table("similarity", "Similarity of picture and sentence, beside V-Score", columns, rows, ())


Row = tuple[tuple[str, ...], Floats, Floats, Labels]


def _with_score(sheet: Sheet, others: Sequence[View], of: Callable[[View], Floats]) -> Iterator[Row]:
    """Another number and V-Score of the same pictures: by subject and strategy, then all of them together."""
    together: dict[tuple[str, ...], list[tuple[Floats, Floats, Labels]]] = {}
    for other in others:
        for view in sheet.figure:
            same = (view.subject, view.strategy) == (other.subject, other.strategy)
            if not same or (other.call.startswith("control") and view.instrument != other.instrument):
                continue
            rows = {pair: n for n, pair in enumerate(view.pair)}
            at = [rows.get(pair, -1) for pair in other.pair]
            score = np.where(np.array(at) >= 0, view.score[at], np.nan)
            values = of(other)
            judged = view.call if view.instrument == other.instrument else f"{view.instrument} {view.call}"
            yield (*other.place[:3], judged), values, score, other.vehicles
            together.setdefault(("(all)", "(all)", other.instrument, judged), []).append(
                (values, score, other.vehicles)
            )
    for key, parts in together.items():
        if len(parts) > 1:
            x, y, vehicles = (np.concatenate(column) for column in zip(*parts, strict=True))
            yield key, x, y, vehicles


def _beside(study: Study, other: Floats, score: Floats, vehicles: Labels, place: Sequence[str]) -> list[Value]:
    both = ~np.isnan(other + score)
    mean = mean_interval(score[both], vehicles[both], bounds=(0, 100), rng=study.rng("beside", *place))
    rank = correlation_interval(other, score, vehicles, rng=study.rng("beside-rank", *place))
    return [estimate_cell(mean), estimate_cell(rank), int(both.sum())]


def detector_tables(study: Study, sheet: Sheet) -> list[Table]:
    """Whether the vehicle's class is found, and whether the judges' Q2 says the same."""
    return [detected(study, sheet.detected), vehicle_check(study, sheet)]


def detected(study: Study, seen: Sequence[View]) -> Table:
    """Share of pictures with the vehicle's class, of items that have one."""
    rows: list[list[Value]] = []
    for view in seen:
        values = view.points[:, 0]
        low, high = mean_bounds(values)
        share = rate_interval(values[view.valid], view.vehicles[view.valid], rng=study.rng("found", *view.place))
        rows.append([
            *view.place[:3], estimate_cell(share, mark=view.mark), number(high), number(low), int(view.valid.sum()),
            len(values),
        ])  # fmt: skip
    columns = ("subject", "strategy", "instrument", "vehicle detected", "worst", "best", "pictures", "of")
    notes = (
        "Only items with a vehicle class. Worst and best: the share if every missing picture showed the vehicle, or"
        " none did. A class that the scene may hold for good reason is counted all the same.",
    )
    return Table("vehicle_detected", "How often the vehicle's class is found", columns, rows, notes)


def vehicle_check(study: Study, sheet: Sheet) -> Table:
    """The judge's Q2 where an instrument finds the vehicle and where it does not: they should differ widely."""
    rows: list[list[Value]] = []
    for other in sheet.detected:
        for view in sheet.figure:
            if (view.subject, view.strategy) != (other.subject, other.strategy):
                continue
            seen, points = other.points[:, 0], view.points[view.rows(other.pair), 1]
            cells: list[Value] = []
            for value in (1.0, 0.0):
                mask = (seen == value) & ~np.isnan(points)
                rng = study.rng("check", str(value), *view.place, other.instrument)
                mean = mean_interval(points[mask], other.vehicles[mask], bounds=(0, MOST), rng=rng)
                cells += [estimate_cell(mean), int(mask.sum())]
            rows.append([*view.place[:2], other.instrument, *view.place[2:], *cells])
    columns = (
        "subject", "strategy", "detector", "judge", "call", "Q2 where found", "pictures found", "Q2 where not found",
        "pictures not found",
    )  # fmt: skip
    notes = ("Points of Q2 (3: the vehicle is nowhere to be seen as an object). `truth` knows what was drawn.",)
    return Table("vehicle_check", "Does the judge see the vehicle where it is?", columns, rows, notes)


def blind_table(study: Study, sheet: Sheet) -> Table:
    """What the questions give away: the same judge, the same call, no picture; one answer an item."""
    rows: list[list[Value]] = []
    for view in sheet.blind:
        langs = np.array([item.lang for item in view.items], str)
        for lang in ("all", *sorted(set(langs.tolist()))):
            mask = view.valid & ((langs == lang) | (lang == "all"))
            place = ("blind", lang, *view.place)
            score = mean_interval(
                view.score[mask], view.vehicles[mask], bounds=(0, 100), rng=study.rng("score", *place)
            )  # fmt: skip
            best: list[Value] = [
                estimate_cell(
                    rate_interval(view.points[mask, n] == MOST, view.vehicles[mask], rng=study.rng(name, *place))
                )
                for n, name in enumerate(AXES)
            ]
            asked = len(mask) if lang == "all" else int((langs == lang).sum())
            rows.append([view.instrument, view.call, lang, estimate_cell(score), *best, int(mask.sum()), asked])
    columns = ("instrument", "call", "language", "V-Score", *(f"{name} best" for name in AXES), "valid", "of")
    notes = (
        "The judge got no picture. Guessing at random gives a V-Score of 50 and the best option in a quarter of the"
        " questions; what is above that can be earned from the wording alone.",
    )
    return Table("blind", "Score without a picture", columns, rows, notes)


def changed_table(study: Study, sheet: Sheet) -> Table:
    """How many prompts a guard changes, on figurative items and on literal controls."""
    rows: list[list[Value]] = []
    for group in sheet.changed:
        rng = study.rng("changed", group.subject, group.strategy, str(group.figurative))
        share = rate_interval(group.changed, group.clusters, rng=rng)
        what = "figurative" if group.figurative else "literal"
        shown = ", ".join(group.ids[:_NAMED]) + (", …" if len(group.ids) > _NAMED else "")
        rows.append([
            group.subject, group.strategy, what, int(group.changed.sum()), len(group.changed), estimate_cell(share),
            "" if group.figurative else shown,
        ])  # fmt: skip
    columns = ("subject", "strategy", "items", "prompts changed", "of", "share", "changed wrongly")
    notes = (
        "Against base's prompt for the same item and seed. Literal: items without a figure whose vehicle is to stay"
        " unseen; whatever is changed there is changed wrongly. Figurative: how many the guard acts on. Read both"
        " together, since a guard that changes nothing changes nothing wrongly.",
    )
    return Table("changed", "Prompts that the guard changes", columns, rows, notes)
