"""What the issue asks of the rules, on the sets that it names; `benchmarks/guard.py` prints the same with the misses."""

from __future__ import annotations

import csv
import json
import re
import time
from pathlib import Path

import pytest

from tests.conftest import DATA
from trope.nouns import Item
from trope.strategies.guard import plan_by_rules

ITEMS = Path(__file__).parents[2] / "src/trope/data/items"


def _table(name: str) -> list[dict[str, str]]:
    with (DATA / "text" / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _items(name: str) -> list[Item]:
    lines = (ITEMS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [Item.model_validate(json.loads(line)) for line in lines]


def test_partiprompts_every_changed_prompt_is_labeled_and_hardly_one_is_wrong() -> None:
    prompts = [row["Prompt"] for row in _table("partiprompts/PartiPrompts.tsv")]
    assert len(prompts) == 1632
    start = time.process_time()
    changed = {text for text in prompts if not plan_by_rules(text, "en").abstains}
    assert (time.process_time() - start) / len(prompts) < 0.001
    labels = {row["prompt"]: row for row in _table("partiprompts/changed.tsv") if row["when"] == "now"}
    assert set(labels) == changed and all(row["reason"] for row in labels.values())
    wrong = sum(row["label"] != "right" for row in labels.values())
    assert wrong <= 0.005 * len(prompts)


@pytest.mark.parametrize("held_out", [False, True])
def test_literal_controls_and_twins_stay_as_they_are(held_out: bool) -> None:
    texts = [(i.lang, i.text) for i in _items("literal") if i.held_out == held_out]
    for name in ("simile", "vista"):
        for item in _items(name):
            if item.held_out == held_out:
                texts += [(item.lang, t) for t in (item.twins.deleted, item.twins.literal) if t]
    changed = sum(not plan_by_rules(text, lang).abstains for lang, text in texts)
    assert len(texts) > 1500 and changed <= 0.005 * len(texts)


# Totals of the half that was held out (zh, ja, ar: until 2026-11-30): what was reached, so that it does not get worse unseen.
REACHED = {"en": 0.95, "zh": 0.95, "ja": 0.94, "ar": 0.95}


@pytest.mark.parametrize("lang", list(REACHED))
@pytest.mark.parametrize("held_out", [False, True])
def test_explicit_similes_are_covered(lang: str, held_out: bool) -> None:
    covered = total = 0
    for name in ("simile", "vista", "passages"):
        for item in _items(name):
            if item.lang != lang or item.held_out != held_out:
                continue
            found = [f.vehicle for f in plan_by_rules(item.text, lang, item.context).unseen]
            for figure in item.figures:
                span = figure.spans.vehicle
                if figure.form == "simile" and span is not None:
                    total += 1
                    covered += any((a <= span[0] and span[1] <= b) or (span[0] <= a and b <= span[1]) for a, b in found)
    assert total >= 15 and covered / total >= (REACHED[lang] if held_out else 0.95)


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    text, spans, start = "", [], 0
    for part in re.split(r"([\[\]])", marked):
        if part == "[":
            start = len(text)
        elif part == "]":
            spans.append((start, len(text)))
        else:
            text += part
    return text, spans


def _measured(lang: str, folder: str) -> dict[str, tuple[int, int]]:
    """Similes covered, literal and hard texts changed, each of how many."""
    rows = [row for row in _table(f"{folder}/{lang}.tsv") if row.get("agreed") != "no"]
    counts = {"simile": (0, 0), "literal": (0, 0), "hard": (0, 0)}
    for row in rows:
        text, spans = _unmarked(row["marked"])
        found = [f.vehicle for f in plan_by_rules(text, lang).unseen]
        hits, of = counts[row["kind"]]
        if row["kind"] == "simile":
            hits += sum(any((a <= s and e <= b) or (s <= a and b <= e) for a, b in found) for s, e in spans)
            counts["simile"] = hits, of + len(spans)
        else:
            counts[row["kind"]] = hits + bool(found), of + 1
    return counts


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar"])
def test_what_the_rules_were_developed_on_is_covered_and_literal_texts_are_left_alone(lang: str) -> None:
    counts = _measured(lang, "guard_dev")
    for kind, at_least, least, most in (
        ("simile", 500, 0.97, 1.0),
        ("literal", 400, 0.0, 0.01),
        ("hard", 400, 0.0, 0.05),
    ):
        hits, of = counts[kind]
        assert of >= at_least and least * of <= hits <= most * of, (kind, hits, of)


# What was reached on the texts of hands that never saw the rules: the aims, and that it does not get worse unseen.
@pytest.mark.parametrize(("lang", "least"), [("en", 0.95), ("zh", 0.90), ("ja", 0.95), ("ar", 0.90)])
def test_similes_that_nobody_tuned_for_are_covered(lang: str, least: float) -> None:
    counts = _measured(lang, "guard_fresh")
    for kind, at_least, low, high in (("simile", 150, least, 1.0), ("literal", 55, 0.0, 0.05), ("hard", 55, 0.0, 0.15)):
        hits, of = counts[kind]
        assert of >= at_least and low * of <= hits <= high * of, (kind, hits, of)


@pytest.mark.parametrize(
    ("file", "kind", "least"), [("irfl/similes.tsv", "noun", 0.98), ("figqa/similes.tsv", "noun", 0.85)]
)
def test_published_similes_are_covered(file: str, kind: str, least: float) -> None:
    rows = [row for row in _table(file) if row["kind"] == kind]
    hits = 0
    for row in rows:
        at = row["text"].rfind(row["vehicle"])
        hits += any(
            a <= at and at + len(row["vehicle"]) <= b
            for a, b in (f.vehicle for f in plan_by_rules(row["text"], "en").unseen)
        )
    assert hits / len(rows) >= least
