"""A run on all 240 items over a folder of labelled tiles: every table equals what was planted, counted by hand."""

from __future__ import annotations

import csv
import hashlib
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.tiles import TileJudge, tile
from trope.experiment import Experiment, execute, plan, score, verify
from trope.items import dump_items, load_items
from trope.nouns import Item
from trope.protocols import Study
from trope.protocols.tables import Table
from trope.store import Store, write_bundle

ITEMS = load_items(["vmetaphor"])
KINDS = ("conceptual", "descriptive")
JUDGES = ("one", "two")  # the second one judges a quarter of the items
QUARTER = ITEMS[::4]
SCALES = ("metaphoric_efficacy", "metaphor_logic", "perceptual_harmony")
NOT = "cannot be determined"
STRUCTURES = ("fusion", "replacement", "juxtaposition")
CATEGORIES = sorted({item.labels["category"] for item in ITEMS})


def _chance(*place: object) -> float:
    return int(hashlib.sha256(repr(place).encode()).hexdigest()[:12], 16) / 16**12


def planted(item: Item, kind: str, judge: str, question: str) -> str:
    """The option that a judge will choose: `one` is right more often for descriptive prompts, `two` errs elsewhere."""
    asked = next(q for q in item.questions if q.id == question)
    skill = 0.55 + 0.3 * (kind == "descriptive") - 0.1 * (judge == "two")
    drawn = _chance("answer", item.id, kind, question, judge if _chance("own", item.id, question) < 0.3 else "")
    if drawn < skill:
        return asked.options[asked.answer or 0]
    wrong = [o for n, o in enumerate(asked.options) if n != asked.answer] + [NOT]
    return wrong[int(_chance("wrong", item.id, kind, question) * len(wrong))]


def rating(item: Item, kind: str, judge: str, scale: str) -> int:
    return 1 + int(_chance("rating", item.id, kind, scale) * 4.2 + 0.6 * (judge == "two")) % 5


def spoiled(item: Item, kind: str, judge: str, call: str) -> str | None:
    """One in 25 replies keeps no format, one in 50 is refused."""
    drawn = _chance("spoiled", item.id, kind, judge, call)
    return "unparsed" if drawn < 0.04 else "refused" if drawn < 0.06 else None


def _reply(number: int, model: str, asked: dict[str, dict[str, str]], text: str) -> str:
    item, kind = ITEMS[number // 2], KINDS[number % 2]
    call = "dimensions" if not asked else "mappings" if "Q5_1" in asked else "questions"
    if how := spoiled(item, kind, model, call):
        return "!refuse" if how == "refused" else ["Q1: A or B", "Ｑ1: Ａ", "It may be A."][number % 3]
    if call == "dimensions":
        return "\n".join(f"{scale}: {rating(item, kind, model, scale)}" for scale in SCALES)
    letters = {
        q: next(a for a, o in options.items() if o == planted(item, kind, model, q)) for q, options in asked.items()
    }
    return "\n".join(f"{q}: {letter}" for q, letter in letters.items())


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Study, dict[str, Table], TileJudge, Path]]:
    folder = tmp_path_factory.mktemp("vmetaphor")
    (folder / "tiles").mkdir()
    with (folder / "tiles" / "manifest.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item", "file", "strategy"])
        for n, item in enumerate(ITEMS):
            for k, kind in enumerate(KINDS):
                if item.id == "vmetaphor-007" and kind == "descriptive":
                    continue  # one picture was never made
                name = f"{item.id}-{kind}.png"
                tile(2 * n + k, f"{item.id[-3:]} {kind[:4]}").save(folder / "tiles" / name)
                rows.writerow([item.id, name, kind])
    (folder / "quarter.jsonl").write_text(dump_items(QUARTER), "utf-8")
    with TileJudge(_reply) as judge, Store(folder / "store") as store:
        one, two = (f"vllm:{name}?base_url={judge.url}" for name in JUDGES)
        asked = Experiment(
            protocol="vmetaphor", subjects=(f"folder:{folder / 'tiles'}?label=painter",), strategies=KINDS,
            instruments=(one,), items=("vmetaphor",), name="tiles",
        )  # fmt: skip
        outcome = execute(plan(asked), store)
        assert outcome.stopped is None and outcome.tally.asked.total() == 3 * 479 + 480
        study, scores = score(outcome.run)
        both = {"instruments": (one, two), "items": (str(folder / "quarter.jsonl"),), "name": "quarter"}
        second = execute(plan(asked.model_copy(update=both)), store)
        assert second.tally.asked == {"vllm:two": 3 * 120}  # what the first judge said is stored
        bundle = write_bundle(outcome.run, scores.as_json(), folder / "bundle.zip", pictures=False)
        of_both = {f"both {table.name}": table for table in score(second.run)[1].tables}
        yield study, {table.name: table for table in scores.tables} | of_both, judge, bundle


def _cells(kind: str) -> list[Item]:
    return [item for item in ITEMS if (item.id, kind) != ("vmetaphor-007", "descriptive")]


def _right(item: Item, kind: str, judge: str) -> dict[str, float | None]:
    """Question to 1, 0 or None, from what was planted."""
    found: dict[str, float | None] = {}
    for question in item.questions:
        call = "mappings" if question.axis == "mapping" else "questions"
        hit = planted(item, kind, judge, question.id) == question.options[question.answer or 0]
        found[question.id] = None if spoiled(item, kind, judge, call) else float(hit)
    return found


def _levels(item: Item, kind: str, judge: str) -> list[float | None]:
    right = _right(item, kind, judge)
    parts = [
        [right["Q1"], right["Q2"]],
        [right["Q3"]],
        [right["Q4"]],
        [v for q, v in right.items() if q.startswith("Q5")],
    ]
    return [None if None in part else statistics.fmean(v for v in part if v is not None) for part in parts]


def _expected(items: list[Item], kind: str, judge: str) -> list[float | None]:
    """L1 to L4, pooled, by levels, and the mean rating, over some items."""
    levels = [_levels(item, kind, judge) for item in items]
    whole = [n for n, of in enumerate(levels) if None not in of]
    marks = [v for n in whole for v in _right(items[n], kind, judge).values()]
    rated = [i for i in items if not spoiled(i, kind, judge, "dimensions")]
    found: list[float | None] = [_mean([of[n] for of in levels if of[n] is not None]) for n in range(4)]
    found += [_mean(marks), _mean([statistics.fmean(levels[n]) for n in whole])]  # type: ignore[arg-type]
    return [*found, _mean([statistics.fmean(rating(i, kind, judge, s) for s in SCALES) for i in rated])]


def _mean(values: list[Any]) -> float | None:
    return statistics.fmean(values) if values else None


def _same(cells: Any, numbers: list[float | None]) -> None:
    assert [c["value"] for c in cells] == [pytest.approx(n, abs=1e-9) if n is not None else None for n in numbers]


def _rows(table: Table, **where: str) -> list[list[Any]]:
    at = {name: list(table.columns).index(name.replace("_", " ")) for name in where}
    return [list(row) for row in table.rows if all(row[at[name]] == value for name, value in where.items())]


PLACES = [(kind, "one") for kind in KINDS]


@pytest.mark.parametrize(("kind", "judge"), PLACES)
def test_levels_and_both_overalls(ran: Any, kind: str, judge: str) -> None:
    (row,) = _rows(ran[1]["levels"], strategy=kind, judge=f"vllm:{judge}")
    items = _cells(kind)
    _same(row[3:9], _expected(items, kind, judge)[:6])
    whole = [i for i in items if None not in _levels(i, kind, judge)]
    assert row[11:] == [len(whole), 240]
    made = {i.id for i in items}
    marks = [
        v
        for i in ITEMS
        for v in (_right(i, kind, judge) if i.id in made else dict.fromkeys(range(len(i.questions)))).values()
    ]
    known, unknown = sum(v for v in marks if v is not None), marks.count(None)
    assert row[9:11] == [pytest.approx(known / 1671), pytest.approx((known + unknown) / 1671)]


@pytest.mark.parametrize(("kind", "judge"), PLACES)
def test_dimensions(ran: Any, kind: str, judge: str) -> None:
    (row,) = _rows(ran[1]["dimensions"], strategy=kind, judge=f"vllm:{judge}")
    rated = [i for i in _cells(kind) if not spoiled(i, kind, judge, "dimensions")]
    _same(row[3:6], [statistics.fmean(rating(i, kind, judge, scale) for i in rated) for scale in SCALES])
    _same(row[6:7], [_expected(rated, kind, judge)[6]])
    assert row[7:] == [len(rated), 240]


def _structure(item: Item) -> str:
    figure = item.figures[0]
    if figure.structure != "replacement":
        return str(figure.structure)
    return f"replacement, {item.labels['absent']} absent"


@pytest.mark.parametrize(
    ("what", "label"),
    [("category", lambda i: i.labels["category"]), ("level", lambda i: i.labels["level"]), ("structure", _structure)],
)
def test_breakdowns(ran: Any, what: str, label: Any) -> None:
    table = ran[1][f"by_{what}"]
    values = sorted({label(item) for item in ITEMS})
    assert len(table.rows) == 2 * len(values)
    for row in table.rows:
        kind, judge = row[2], row[3].removeprefix("vllm:")
        items = [i for i in _cells(kind) if label(i) == row[0]]
        assert row[4] == sum(label(i) == row[0] for i in ITEMS)
        _same(row[5:], _expected(items, kind, judge))


@pytest.mark.parametrize(("kind", "judge"), PLACES)
def test_confusion_of_structures(ran: Any, kind: str, judge: str) -> None:
    read = [i for i in _cells(kind) if not spoiled(i, kind, judge, "questions")]
    said = Counter((i.figures[0].structure, planted(i, kind, judge, "Q3")) for i in read)
    for row in _rows(ran[1]["structures"], strategy=kind, judge=f"vllm:{judge}"):
        total = sum(said[row[3], s] for s in (*STRUCTURES, NOT))
        assert row[4:8] == [pytest.approx(said[row[3], s] / total) for s in (*STRUCTURES, NOT)]
        assert row[8:] == [total, sum(i.figures[0].structure == row[3] for i in ITEMS) - total]


@pytest.mark.parametrize(("kind", "judge"), PLACES)
def test_roles_tell_what_is_drawn_from_what_is_inferred(ran: Any, kind: str, judge: str) -> None:
    expected = defaultdict(list)
    for item in _cells(kind):
        if not spoiled(item, kind, judge, "questions"):
            right = _right(item, kind, judge)
            for role, question in (("tenor", "Q1"), ("vehicle", "Q2")):
                there = "absent" if item.labels.get("absent") == role else "visible"
                expected[item.figures[0].structure, role, there].append(right[question])
    rows = {tuple(row[3:6]): row[6:] for row in _rows(ran[1]["roles"], strategy=kind, judge=f"vllm:{judge}")}
    assert rows.keys() == expected.keys() and len(rows) == 8
    for place, (share, n) in rows.items():
        assert share["value"] == pytest.approx(statistics.fmean(expected[place])) and n == len(expected[place])


@pytest.mark.parametrize("judge", JUDGES[:1])
def test_prompt_kinds_are_compared_item_by_item(ran: Any, judge: str) -> None:
    rows = {row[4]: row for row in _rows(ran[1]["prompt_kinds"], judge=f"vllm:{judge}")}
    assert len(rows) == 10 and {tuple(row[:3]) for row in rows.values()} == {
        ("folder:painter", "descriptive", "conceptual")
    }
    items = _cells("descriptive")
    both = [(_levels(i, "descriptive", judge), _levels(i, "conceptual", judge)) for i in items]
    for n in range(4):
        gains = [d[n] - c[n] for d, c in both if d[n] is not None and c[n] is not None]
        row = rows[f"L{n + 1}"]
        assert row[5]["value"] == pytest.approx(statistics.fmean(gains), abs=1e-9) and row[7] == len(gains)
    whole = [(i, d, c) for i, (d, c) in zip(items, both, strict=True) if None not in [*d, *c]]
    gains = [statistics.fmean(d) - statistics.fmean(c) for _, d, c in whole]
    assert rows["overall_levels"][5]["value"] == pytest.approx(statistics.fmean(gains), abs=1e-9)
    flat = [
        _right(i, "descriptive", judge)[q.id] - _right(i, "conceptual", judge)[q.id] for i, _, _ in whole for q in i.questions
    ]  # fmt: skip
    assert rows["overall_pooled"][5]["value"] == pytest.approx(statistics.fmean(flat), abs=1e-9)
    assert rows["overall_pooled"][7] == len(whole) and rows["overall_pooled"][9] < 0.001
    rated = [i for i in items if not any(spoiled(i, k, judge, "dimensions") for k in KINDS)]
    gains = [rating(i, "descriptive", judge, SCALES[1]) - rating(i, "conceptual", judge, SCALES[1]) for i in rated]
    assert rows["metaphor_logic"][5]["value"] == pytest.approx(statistics.fmean(gains), abs=1e-9)


def test_two_judges_picture_by_picture(ran: Any) -> None:
    rows = {row[2]: row[3:] for row in ran[1]["both judges_pictures"].rows}
    pairs, marks = [], []
    for kind in KINDS:
        for item in QUARTER:
            for q in item.questions:
                call = "mappings" if q.axis == "mapping" else "questions"
                if not any(spoiled(item, kind, judge, call) for judge in JUDGES):
                    pairs.append([planted(item, kind, judge, q.id) for judge in JUDGES])
                    marks.append([_right(item, kind, judge)[q.id] for judge in JUDGES])
    share, kappa, _, n = rows["all questions"]
    assert share["value"] == pytest.approx(statistics.fmean(a == b for a, b in pairs)) and n == len(pairs)
    agree = statistics.fmean(a == b for a, b in marks)
    one, two = (statistics.fmean(m[j] for m in marks) for j in (0, 1))
    by_chance = one * two + (1 - one) * (1 - two)
    assert kappa["value"] == pytest.approx((agree - by_chance) / (1 - by_chance))
    for scale in SCALES:
        rated = [
            [rating(i, k, judge, scale) for judge in JUDGES]
            for k in KINDS for i in QUARTER if not any(spoiled(i, k, judge, "dimensions") for judge in JUDGES)
        ]  # fmt: skip
        share, _, apart, n = rows[scale]
        assert n == len(rated) and share["value"] == pytest.approx(statistics.fmean(a == b for a, b in rated))
        assert apart == pytest.approx(statistics.fmean(abs(a - b) for a, b in rated))


def test_places_of_answers_are_those_the_judge_wrote(ran: Any) -> None:
    _, tables, judge, _ = ran
    axes = {"Q1": "target", "Q2": "source", "Q3": "structure", "Q4": "meaning"}
    for name in JUDGES:
        letters: dict[str, Counter[str]] = defaultdict(Counter)
        for entry in judge.log:
            if entry["model"] == name and entry["said"].startswith("Q") and "or" not in entry["said"]:
                for line in entry["said"].splitlines():
                    question, letter = line.split(": ")
                    letters[axes.get(question, "mapping")][letter] += 1
        for row in _rows(tables["both positions" if name == "two" else "positions"], judge=f"vllm:{name}"):
            total = letters[row[1]].total()
            assert row[2] == total and row[4:8] == [pytest.approx(letters[row[1]][p] / total) for p in "ABCD"]
            assert sum(row[8:12]) == pytest.approx(1) and all(0.1 < share < 0.4 for share in row[8:12])


def test_lengths_and_categories(ran: Any) -> None:
    lengths = {row[0]: row[1:] for row in ran[1]["lengths"].rows}
    for kind in KINDS:
        counts = [len(i.prompts[kind].split()) for i in ITEMS]
        styled = [len(f"{i.prompts[kind]} {i.prompts['style']}".split()) for i in ITEMS]
        for name, of in ((kind, counts), (f"{kind} + style", styled)):
            assert lengths[name] == [pytest.approx(statistics.fmean(of)), min(of), max(of), 240]
    for _, category, count, share, *structures in ran[1]["categories"].rows:
        of = [i.figures[0].structure for i in ITEMS if i.labels["category"] == category]
        assert [count, share] == [24, pytest.approx(0.1)] and structures == [of.count(s) for s in STRUCTURES]


def test_one_item_a_category_is_shown_with_all_that_was_said(ran: Any) -> None:
    rows = [list(row) for row in ran[1]["sample_sheet"].rows]
    assert sorted({row[0] for row in rows}) == CATEGORIES and len(rows) == 20
    for category, name, _, kind, judge, _, status, ratings, said, prompt in rows:
        item = next(i for i in ITEMS if i.id == name)
        judge = judge.removeprefix("vllm:")
        assert item.labels["category"] == category and prompt == item.text and status == "ok"
        if not spoiled(item, kind, judge, "questions"):
            chosen = planted(item, kind, judge, "Q4")
            assert f"Q4 {'✓' if chosen == item.figures[0].ground else '✗'} {chosen}" in said
        if not spoiled(item, kind, judge, "dimensions"):
            assert ratings == " / ".join(str(rating(item, kind, judge, scale)) for scale in SCALES)


@pytest.mark.parametrize(("kind", "judge"), PLACES)
def test_statuses_count_every_call(ran: Any, kind: str, judge: str) -> None:
    for row in _rows(ran[1]["statuses"], strategy=kind, judge=f"vllm:{judge}"):
        become = Counter(spoiled(i, kind, judge, row[3]) or "ok" for i in _cells(kind))
        missing = 240 - len(_cells(kind))
        assert row[4:] == [become["ok"], become["unparsed"], become["refused"], 0, 0, missing, 240]


def test_every_table_was_compared(ran: Any) -> None:
    compared = {
        "levels", "dimensions", "prompt_kinds", "structures", "by_structure", "roles", "by_level", "by_category",
        "positions", "lengths", "categories", "sample_sheet", "statuses", "both judges_pictures", "both positions",
    }  # fmt: skip
    other = {name for name in set(ran[1]) - compared if name.removeprefix("both ") not in compared}
    assert other == {"subjects", "both subjects", "both judges_subjects"}  # of one subject: see test_vmetaphor
    assert not ran[1]["subjects"].rows and all(row[4]["value"] is None for row in ran[1]["both judges_subjects"].rows)


def test_the_bundle_verifies_and_the_paper_is_not_quoted(ran: Any) -> None:
    from trope.protocols import protocol

    assert verify(ran[3]) > 1500
    assert protocol("vmetaphor").reference(ran[0]) == []  # type: ignore[attr-defined]  # these are not its items
