"""What a build of similes has made, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trope.build.drops import counts
from trope.build.simile.groups import BEST, BOUNDS
from trope.build.simile.loop import Built, Candidate, Settings
from trope.build.simile.prompts import QUESTIONS
from trope.items.rules.templates import TEMPLATES
from trope.items.tables import Table
from trope.items.words import words


def build_tables(built: Built, settings: Settings) -> list[Table]:
    """The tables of a build: totals, templates, classes, groups, writers, judges, drops."""
    return [
        _summary(built, settings), _templates(built.kept), _classes(built.kept, settings), _groups(built),
        _writers(built, settings), _judges(built, settings), _drops(built),
    ]  # fmt: skip


def _summary(built: Built, settings: Settings) -> Table:
    lengths = [len(words(candidate.item.text)) for candidate in built.kept]
    by_class = [n for _, n in _by_class(built.kept, settings)]
    by_template = list(Counter(c.pair.template for c in built.kept).values())
    asked = len(settings.pairs)
    rows = (
        ("replies of writers", str(sum(built.written.values()))),
        ("sentences that conform and were judged", str(len(built.judged))),
        (f"sentences in the set (group {BEST}, none nearly another)", str(len(built.kept))),
        ("pairs of class and template with a sentence", f"{asked - len(built.missing)} of {asked}"),
        ("sentences a template, least–most", _range(by_template)),
        ("sentences a class, least–most", _range(by_class)),
        ("sentences a class, mean (SD, n - 1)", _mean_sd(by_class)),
        ("words a sentence, least–most", _range(lengths)),
        ("words a sentence, mean (SD, n - 1)", _mean_sd(lengths)),
        ("rounds", str(built.rounds)),
        ("requests, stored answers included", str(built.calls)),
        ("ended by", built.ended),
    )
    return Table("What was built", ("", "value"), rows)


def _mean_sd(values: Sequence[int]) -> str:
    import statistics

    if not values:
        return "–"
    spread = f"{statistics.stdev(values):.2f}" if len(values) > 1 else "–"
    return f"{statistics.fmean(values):.1f} ({spread})"


def _range(values: Sequence[int]) -> str:
    return f"{min(values)}–{max(values)}" if values else "–"


def _by_class(kept: Sequence[Candidate], settings: Settings) -> list[tuple[str, int]]:
    """Every class that was asked for, the most frequent first."""
    found = Counter(candidate.pair.vehicle for candidate in kept)
    return sorted(((name, found[name]) for name in {pair.vehicle for pair in settings.pairs}), key=_most_first)


def _most_first(row: tuple[str, int]) -> tuple[int, str]:
    return -row[1], row[0]


def _templates(kept: Sequence[Candidate]) -> Table:
    found = Counter(candidate.pair.template for candidate in kept)
    return Table("Templates", ("template", "sentences"), tuple((name, str(found[name])) for name in TEMPLATES))


def _classes(kept: Sequence[Candidate], settings: Settings) -> Table:
    rows = tuple((name, str(n)) for name, n in _by_class(kept, settings))
    return Table("Classes, the most frequent first", ("class", "sentences"), rows)


def _groups(built: Built) -> Table:
    found = Counter(candidate.group for candidate in built.judged)
    points = Counter(f"{candidate.points}/{candidate.most}" for candidate in built.judged)
    rows = [("none", str(found[None])), *((name, str(found[name])) for name in BOUNDS)]
    spread = sorted(points.items(), key=lambda item: int(item[0].partition("/")[0]))
    return Table(
        f"Groups (bounds of {', '.join(f'{n} {low}' for n, low in BOUNDS.items())} of 12 points), then points",
        ("group or points", "sentences"), (*rows, *((name, str(n)) for name, n in spread)),
    )  # fmt: skip


def _writers(built: Built, settings: Settings) -> Table:
    rows = []
    for writer in settings.writers:
        of = [candidate for candidate in built.judged if candidate.writer == writer]
        best = sum(candidate.writer == writer for candidate in built.kept)
        mean = f"{sum(c.points / c.most for c in of) / len(of):.1%}" if of else "–"
        rows.append((writer, str(built.written[writer]), str(len(of)), mean, str(best)))
    return Table("Writers", ("model", "replies", "judged", "points of its sentences (mean)", "in the set"), tuple(rows))


def _judges(built: Built, settings: Settings) -> Table:
    rows = []
    for model in settings.writers:
        said = [candidate.votes[model] for candidate in built.judged if model in candidate.votes]
        answered = [vote for votes in said for vote in votes.values()]
        unread = sum(vote not in ("yes", "no") for vote in answered)
        shares = [_share([votes[question] for votes in said]) for question in QUESTIONS]
        rows.append((model, str(len(answered)), str(unread), *shares))
    header = ("model", "questions", "neither yes nor no", *(f"yes: {question}" for question in QUESTIONS))
    return Table("Judges (an answer that is neither earns no point)", header, tuple(rows))


def _share(votes: Sequence[str]) -> str:
    return f"{votes.count('yes') / len(votes):.1%}" if votes else "–"


def _drops(built: Built) -> Table:
    rows = tuple((stage, reason, str(n)) for (stage, reason), n in counts(built.drops).most_common())
    return Table("What was dropped", ("stage", "reason", "sentences"), rows)
