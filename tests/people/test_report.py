"""A study end to end: invitations, pages, store, report; its tables against numbers worked out here by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.people.served import Client, command, copy_of, hidden, new_study, serving, study
from trope.experiment import score
from trope.people.design import StudyFolder
from trope.people.desk import Desk
from trope.store import RunFolder, Store

RATERS = ("anna", "bob", "cy")
NUMBER = {"A": 1.0, "B": 0.0}


def answer_all(folder: Path, name: str, invited: dict[str, str], seed: int) -> dict[str, dict[str, str]]:
    """Raters who mostly say the truth answer every page; page to rater to letter, as sent."""
    truth = truths(folder, name)
    dice = random.Random(seed)
    sent: dict[str, dict[str, str]] = {}
    with serving(folder, name) as url:
        for rater in RATERS:
            client = Client(url).enter(invited[rater])
            while (path := client.next_page()) is not None:
                page = path.removeprefix("/p/")
                right = "A" if truth[page] else "B"
                letter = right if dice.random() < 0.75 else dice.choice("ABC")
                assert client.post(path, hidden(client.get(path).text) | {"0.Q1": letter}).status == 303
                sent.setdefault(page, {})[rater] = letter
    return sent


def truths(folder: Path, name: str) -> dict[str, bool]:
    """Page to whether the collage really shows the vehicle: what a person would see."""
    with Store(folder / "trope-store") as store:
        scored, _ = score(RunFolder.find(store, "run"))
        drawn = {
            (c.item.id, c.subject, c.strategy, c.seed): any(
                d.label == c.item.figure.vehicle_class for d in c.output.truth or ()
            )
            for c in scored.cells
        }
        desk = Desk(StudyFolder.find(store, name))
        found = {}
        for page in desk.frame.pages().values():
            (task,) = page.tasks
            found[page.id] = drawn[(task.item.id, *task.places[0])]
        desk.close()
    return found


def tables(folder: Path) -> dict[str, Any]:
    made = json.loads(command("report", "run", "--format", "json", cwd=folder))
    return {t["name"]: t for t in made["tables"]} | {"plots": made["plots"]}


def rows(table: dict[str, Any], **wanted: str) -> list[dict[str, Any]]:
    found = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    return [row for row in found if all(row[k] == v for k, v in wanted.items())]


def value(cell: Any) -> Any:
    return cell["value"] if isinstance(cell, dict) else cell


def test_tables_equal_what_is_worked_out_by_hand(folder: Path) -> None:
    invited = new_study(folder, "s", "--run", "run", "--raters", ",".join(RATERS), "--per-output", "3")
    sent = answer_all(folder, "s", invited, 7)
    made = tables(folder)

    # --- agreement among raters, nominal: Krippendorff's alpha from coincidences, pair by pair
    labels = [list(of.values()) for of in sent.values()]
    pairs: Counter[tuple[str, str]] = Counter()
    for of in labels:
        for n, a in enumerate(of):
            for m, b in enumerate(of):
                if n != m:
                    pairs[(a, b)] += 1  # each divided by m_u - 1 = 2 below
    total = sum(pairs.values()) / 2
    margin = {c: sum(k for (a, _), k in pairs.items() if a == c) / 2 for c in "ABC"}
    observed = sum(k for (a, b), k in pairs.items() if a != b) / 2
    expected = sum(margin[a] * margin[b] for a in "ABC" for b in "ABC" if a != b) / (total - 1)
    (row,) = rows(made["people_agreement_s"])
    assert value(row["alpha"]) == pytest.approx(1 - observed / expected, abs=1e-9)
    same = [a == b for of in labels for n, a in enumerate(of) for b in of[n + 1 :]]
    assert row["same"] == pytest.approx(sum(same) / len(same), abs=1e-9)
    assert (row["raters"], row["things"], row["by two or more"]) == (3, len(sent), len(sent))

    # --- the judge (here the generator's truth) against people, cell by cell
    with Store(folder / "trope-store") as store:
        scored, _ = score(RunFolder.find(store, "run"))
        desk = Desk(StudyFolder.find(store, "s"))
        page_of = {(t.item.id, place): p.id for p in desk.frame.pages().values() for t in p.tasks for place in t.places}
        desk.close()
    triples = []
    for cell in scored.cells:
        of = sent[page_of[(cell.item.id, (cell.subject, cell.strategy, cell.seed))]]
        judge = float(any(d.label == cell.item.figure.vehicle_class for d in cell.output.truth or ()))
        if cell.item.figure.vehicle_class in cell.output.cannot_draw:
            continue
        count = Counter(of.values()).most_common(2)
        majority = None if len(count) == 2 and count[0][1] == count[1][1] else count[0][0]
        numbers = [NUMBER[letter] for letter in of.values() if letter in NUMBER]
        triples.append((majority, sum(numbers) / len(numbers) if numbers else math.nan, judge))
    (row,) = [r for r in rows(made["judge_alignment_s"], judge="truth") if r["outputs of"] == "all"]
    named = [({"A": "1", "B": "0", "C": "C"}[m], f"{j:g}") for m, _, j in triples if m is not None]
    assert value(row["right"]) == pytest.approx(sum(a == b for a, b in named) / len(named), abs=1e-9)
    by_class = [[a == b for a, b in named if a == c] for c in dict.fromkeys(a for a, _ in named)]
    assert value(row["balanced"]) == pytest.approx(sum(sum(c) / len(c) for c in by_class) / len(by_class), abs=1e-9)
    both = [(mean, judge) for _, mean, judge in triples if not math.isnan(mean)]
    assert row["n"] == len(triples)
    assert value(row["MAE"]) == pytest.approx(sum(abs(a - b) for a, b in both) / len(both), abs=1e-9)
    assert value(row["bias"]) == pytest.approx(sum(b - a for a, b in both) / len(both), abs=1e-9)
    mx, my = (sum(side) / len(both) for side in zip(*both, strict=True))
    sxy = sum((a - mx) * (b - my) for a, b in both)
    sxx, syy = sum((a - mx) ** 2 for a, _ in both), sum((b - my) ** 2 for _, b in both)
    assert value(row["Pearson"]) == pytest.approx(sxy / math.sqrt(sxx * syy), abs=1e-9)
    kappa_chance = (
        sum(sum(a == c for a, _ in named) * sum(b == c for _, b in named) for c in {x for pair in named for x in pair})
        / len(named) ** 2
    )
    right = sum(a == b for a, b in named) / len(named)
    assert value(row["kappa"]) == pytest.approx((right - kappa_chance) / (1 - kappa_chance), abs=1e-9)

    # --- people stand in the protocol's own tables, and their plots are drawn
    det = rows(made["detection"], instrument="person:anna", strategy="base")
    assert det and det[0]["of"] == 8
    kinds = {p["name"].split(" ")[0] for p in made["plots"] if p["name"].endswith(" s")}
    assert kinds == {"people", "differences"}
    page = command("report", "run", cwd=folder).strip()
    text = (folder / page).read_text("utf-8")
    assert "Judges and people on the same outputs (s)" in text and "upper limit" in text


def test_corrections_are_refused_without_a_sample(folder: Path) -> None:
    new_study(folder, "c", "--run", "run", "--raters", ",".join(RATERS), "--convenience", "--per-output", "3")
    filled(folder, "c", lambda n, row, name: "ABC"[n % 3])
    table = tables(folder)["people_corrected_c"]
    for row in rows(table):
        cell = row["corrected by people"]
        assert cell["value"] is None and "no inclusion probabilities" in cell["reason"]
    assert rows(table)


def filled(folder: Path, name: str, answer: Any) -> None:
    """Fill the blank sheets of a study in and take them back."""
    rows = list(csv.DictReader(io.StringIO(study("export", name, "--format", "blank", cwd=folder))))
    names = [n for n in rows[0] if n not in ("rater", "task", "call", "sentence", "picture", "about", "asked")]
    for n, row in enumerate(rows):
        row.update({name: answer(n, row, name) for name in names})
    with (folder / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    study("import", name, "filled.csv", cwd=folder)


def test_ratings_of_people_reach_the_protocols_own_tables(folder: Path) -> None:
    new_study(folder, "r", "--run", "run", "--raters", "anna,bob", "--per-output", "2", "--call", "rate", "--together")
    dice = random.Random(5)
    filled(folder, "r", lambda n, row, name: str(dice.randint(1, 5)))
    made = tables(folder)
    assert {row["metric"] for row in rows(made["human"])} >= {"ssd present", "truth present"}
    agreement = {row["question"]: row for row in rows(made["people_agreement_r"])}
    assert agreement.keys() == {"visible", "fits"} and agreement["fits"]["by two or more"] == 22
    assert not any(i.startswith("person:") for i in {row["instrument"] for row in rows(made["detection"])})


def test_a_next_draw_goes_where_people_and_judge_differ(folder: Path) -> None:
    new_study(folder, "n", "--run", "run", "--raters", "anna,bob", "--sample", "9", "--by", "strategy")
    with Store(folder / "trope-store") as store:
        desk = Desk(StudyFolder.find(store, "n"))
        strategy = {t.id: t.places[0][1] for p in desk.frame.pages().values() for t in p.tasks}
        before = {s.name: s.drawn for s in desk.book.strata()}
        desk.close()
    # people contradict the truth in every second picture of `base`, and never elsewhere
    truth = truths_by_task(folder, "n")
    turn = {"base": 0}

    def answer(n: int, row: dict[str, str], name: str) -> str:
        says = truth[row["task"]]
        if strategy[row["task"]] == "base":
            turn["base"] += 1
            says = says != (turn["base"] % 2 == 0)
        return "A" if says else "B"

    filled(folder, "n", answer)
    said = study("next", "n", "4", "--judge", "truth", cwd=folder)
    assert "by Q1: people less truth" in said
    with Store(folder / "trope-store") as store:
        desk = Desk(StudyFolder.find(store, "n"))
        after = {s.name: s.drawn for s in desk.book.strata()}
        queues = {name: len(rater.queue) for name, rater in desk.raters.items()}
        desk.close()
    more = {name: after[name] - before[name] for name in before}
    assert sum(more.values()) == 4 and more["base"] == max(more.values())
    assert sum(queues.values()) == 13 and max(queues.values()) - min(queues.values()) <= 1
    assert "cannot draw 99 more" in study("next", "n", "99", cwd=folder, fails=True)


def truths_by_task(folder: Path, name: str) -> dict[str, bool]:
    by_page = truths(folder, name)
    with Store(folder / "trope-store") as store:
        desk = Desk(StudyFolder.find(store, name))
        found = {t.id: by_page[p.id] for p in desk.frame.pages().values() for t in p.tasks}
        desk.close()
    return found


@pytest.fixture(scope="module")
def refusing(made_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of(made_run, tmp_path_factory.mktemp("designs"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "a study is of one thing"),
        (("--run", "nothing"), "no run 'nothing'"),
        (("--run", "run", "--call", "dream"), "has no call 'dream'"),
        (("--run", "run", "--sample", "999", "--by", "lang"), "cannot draw 999"),
        (("--run", "run", "--sample", "5", "--by", "colour"), "no field 'colour'"),
        (("--run", "run", "--by", "lang"), "--sample N"),
        (("--run", "run", "--convenience", "--sample", "4"), "Leave out --sample"),
        (("--run", "run", "--raters", "anna,anna"), "given twice"),
        (("--run", "run", "--raters", "../anna"), "letters, digits"),
        (("--run", "run", "--raters", "anna,coordinator"), "another name"),
        (("--run", "run", "--per-output", "3"), "but there are 1"),
        (("--run", "run", "--lang", "fr"), "lang"),
        (("--run", "run", "--url", "study.example.org"), "scheme and host"),
        (("--run", "run", "--url", "https://example.org/study"), "scheme and host"),
        (("--run", "run", "--url", "http://[::1"), "scheme and host"),
        (("--verify", "nothing.jsonl"), "nothing.jsonl"),
    ],
)
def test_designs_that_cannot_be_meant(refusing: Path, arguments: tuple[str, ...], why: str) -> None:
    folder = refusing
    said = study("new", "x", *arguments, cwd=folder, fails=True)
    assert why in said
    assert "no study 'x'" in study("status", "x", cwd=folder, fails=True)  # nothing half-made is left behind


def test_a_study_is_never_overwritten(folder: Path) -> None:
    new_study(folder, "x", "--run", "run")
    assert "is never overwritten" in study("new", "x", "--run", "run", cwd=folder, fails=True)
    assert study("status", cwd=folder).strip() == "x"
