"""vmetaphor, rule by rule: what judges are shown and must not be shown, how replies are read, and small sums by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trope.errors import ItemError, UsageError
from trope.experiment import Experiment, execute, plan
from trope.items import dump_items, load_items
from trope.nouns import Figure, Item, Question
from trope.protocols import Measured, Scores, Study, protocol
from trope.protocols.vmetaphor.form import form
from trope.protocols.vmetaphor.judges import top_agreement
from trope.protocols.vmetaphor.questions import AXES, UNDETERMINED, Order, normalized, order_of, shown
from trope.records import Observation, Output
from trope.requests import Ask, Unreadable
from trope.store import Store
from trope.testing import FakeServer

SHIPPED = load_items(["vmetaphor"])
DIMENSIONS = ("metaphoric_efficacy", "metaphor_logic", "perceptual_harmony")


def metaphor(id: str = "m", structure: str = "fusion", mappings: int = 2, **fields: Any) -> Item:
    """An item about debt as a swamp, with as many mappings as wanted."""
    figure: dict[str, Any] = {
        "tenor": "debt", "vehicle": "swamp", "ground": "Whoever is in it sinks deeper.", "structure": structure,
        "mappings": [{"vehicle": f"reed {n}", "tenor": f"bill {n}"} for n in range(1, mappings + 1)],
        "presence": {"tenor": "depicted", "vehicle": "implied" if structure == "replacement" else "depicted"},
    }  # fmt: skip
    questions = [
        Question(id="Q1", axis="target", stem="What is it about?", options=("debt", "rain", "travel"), answer=0),
        Question(id="Q2", axis="source", stem="What is it likened to?", options=("swamp", "desert", "tower"), answer=0),
        Question(
            id="Q3", axis="structure", stem="How?", options=("fusion", "replacement", "juxtaposition"),
            answer=("fusion", "replacement", "juxtaposition").index(structure),
        ),
        Question(id="Q4", axis="meaning", stem="What does it say?", options=(figure["ground"], "It dries.", "It pays."), answer=0),
        *(
            Question(id=f"Q5_{n}", axis="mapping", stem=f"What does reed {n} stand for?", options=(f"bill {n}", f"coin {n}", f"bank {n}"), answer=0)
            for n in range(1, mappings + 1)
        ),
    ]  # fmt: skip
    fields = {"figures": (Figure.model_validate(figure),), "questions": tuple(questions)} | fields
    return Item(id=id, lang="en", text="A swamp made of bills.", **fields)


def _asks(item: Item, **options: str) -> dict[str, Ask]:
    output = Output("k", "painter", "ok", picture="p")
    found = protocol("vmetaphor", options).observe(item, output, "j", "judge")
    return {call: request for call, request in found.items() if isinstance(request, Ask)}


# --- what is shown ---


def test_an_order_is_fixed_for_good_and_another_number_is_another_order() -> None:
    """The places of the truth are pinned: a run must find the order in which it asked."""
    assert [q.recorded.index(q.truth) for q in shown(SHIPPED[0], AXES)] == [0, 1, 1, 0, 1, 3, 3]
    assert shown(SHIPPED[0], AXES) == shown(SHIPPED[0], AXES)
    assert shown(SHIPPED[0], AXES) != shown(SHIPPED[0], AXES, Order("1"))
    for question in shown(SHIPPED[0], AXES, Order(last=True)):
        assert question.recorded[-1] == UNDETERMINED and len(question.recorded) == 4


@pytest.mark.parametrize("axis", AXES)
def test_truth_and_cannot_be_determined_stand_everywhere_alike(axis: str) -> None:
    """Chi-squared with 3 degrees of freedom stays below 16.3 (p = 0.001) for either."""
    asked = [q for item in SHIPPED for q in shown(item, (axis,))]
    for of in (lambda q: q.truth, lambda q: UNDETERMINED):
        counts = np.bincount([q.recorded.index(of(q)) for q in asked], minlength=4)
        assert ((counts - len(asked) / 4) ** 2 / (len(asked) / 4)).sum() < 16.3


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar"])
def test_the_added_option_is_in_the_language_of_the_item_and_recorded_the_same(lang: str) -> None:
    item = metaphor().model_copy(update={"lang": lang})
    question = shown(item, ("target",))[0]
    place = question.recorded.index(UNDETERMINED)
    assert (question.options[place] == UNDETERMINED) == (lang == "en")
    assert all(a == b for n, (a, b) in enumerate(zip(question.options, question.recorded, strict=True)) if n != place)


def test_calls_of_items_without_with_two_and_with_eleven_mappings() -> None:
    assert list(_asks(metaphor(mappings=0))) == ["questions", "dimensions"]
    assert list(_asks(metaphor(mappings=2))) == ["questions", "mappings", "dimensions"]
    eleven = _asks(metaphor(mappings=11))["mappings"]
    assert "Q5_11: What does reed 11 stand for?" in eleven.prompt.user
    reply = "\n".join(f"Q5_{n}: {'ABCD'[n % 4]}" for n in range(1, 12))
    options = {q.id: q for q in shown(metaphor(mappings=11), ("mapping",))}
    assert eleven.prompt.read(reply) == {f"Q5_{n}": options[f"Q5_{n}"].recorded[n % 4] for n in range(1, 12)}
    protocol("vmetaphor").check([metaphor(mappings=0), metaphor(mappings=11)], {"j": "judge"})


@pytest.mark.parametrize(
    "replacement", ["Debt", "ｄｅｂｔ", " debt ", "debt.", "Cannot be determined", "CANNOT BE  DETERMINED."]
)
def test_options_that_are_the_same_after_normalization_are_an_error(replacement: str) -> None:
    item = metaphor()
    first = item.questions[0].model_copy(update={"options": ("debt", replacement, "travel")})
    with pytest.raises(
        ItemError, match="1 items cannot be asked about, e.g. 'm': question 'Q1': options .* are the same"
    ):
        protocol("vmetaphor").check(
            [item.model_copy(update={"questions": (first, *item.questions[1:])})], {"j": "judge"}
        )
    assert normalized("Ｄｅｂｔ . ") == "debt" and normalized("?") == "?"


def test_an_option_takes_one_line_whatever_it_says() -> None:
    item = metaphor()
    first = item.questions[0].model_copy(update={"options": ("debt", "rain\nA. debt", "tra\u2028vel")})
    text = _asks(item.model_copy(update={"questions": (first, *item.questions[1:])}))["questions"].prompt.user
    assert ". rain A. debt\n" in text and ". tra vel\n" in text


def _without(item: Item, n: int) -> dict[str, Any]:
    return {"questions": item.questions[:n] + item.questions[n + 1 :]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"figures": ()}, "it has no figure"),
        (_without(metaphor(), 2), "0 questions on the axis 'structure'"),
        (_without(metaphor(), 5), "1 questions on the axis 'mapping' for 2 mappings"),
        ({"questions": (*metaphor().questions[:5], metaphor().questions[4])}, "two questions are called 'Q5_1'"),
        ({"questions": tuple(q.model_copy(update={"answer": None}) for q in metaphor().questions)}, "has no answer"),
        ({"questions": tuple(q.model_copy(update={"answer": 3}) for q in metaphor().questions)}, "has no answer"),
        ({"questions": tuple(q.model_copy(update={"id": f"{q.id} a"}) for q in metaphor().questions)}, "name: letter"),
        ({"questions": (*metaphor().questions, metaphor().questions[0].model_copy(update={"id": "X", "axis": "taste"}))}, "axis 'taste'"),
        ({"questions": (*metaphor().questions[:2], metaphor().questions[2].model_copy(update={"options": ("Fusion", "Replacement", "Juxtaposition")}), *metaphor().questions[3:])}, "'Q3' has the options Fusion"),
        ({"questions": (*metaphor().questions[:2], metaphor().questions[2].model_copy(update={"answer": 1}), *metaphor().questions[3:])}, "'Q3' says replacement, and the figure fusion"),
        ({"figures": (metaphor().figures[0].model_copy(update={"ground": None}),)}, "ground is missing"),
        ({"figures": (metaphor().figures[0].model_copy(update={"structure": "replacement"}),)}, "here: neither"),
        ({"figures": (metaphor(structure="replacement").figures[0].model_copy(update={"structure": "fusion"}),)}, "a fusion depicts both"),
    ],
)  # fmt: skip
def test_items_that_cannot_be_asked_about_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ItemError, match=f"e.g. 'm'.*{message}"):
        protocol("vmetaphor").check([metaphor().model_copy(update=change)], {"j": "judge"})


def test_the_240_items_can_be_asked_about() -> None:
    protocol("vmetaphor").check(SHIPPED, {"j": "judge"})


def test_options_of_the_protocol() -> None:
    turned = _asks(SHIPPED[0], shuffle="3", undetermined="last")
    assert list(turned) == [
        "questions?shuffle=3&undetermined=last",
        "mappings?shuffle=3&undetermined=last",
        "dimensions",
    ]
    for call, request in turned.items():  # the name of a call alone tells the order
        if call != "dimensions":
            assert all(q in shown(SHIPPED[0], AXES, order_of(call)) for q in request.prompt.read.asked)
            assert request.prompt != _asks(SHIPPED[0])[call.partition("?")[0]].prompt
    assert order_of("questions") == Order()
    with pytest.raises(UsageError, match="shuffle='a b'.*letters and digits"):
        protocol("vmetaphor", {"shuffle": "a b"})
    with pytest.raises(UsageError, match="undetermined='first'.*Expected: shuffled, last"):
        protocol("vmetaphor", {"undetermined": "first"})


def test_the_rater_is_told_which_one_is_absent_and_nobody_else_is() -> None:
    item = metaphor(structure="replacement")
    asks = _asks(item)
    assert "debt where swamp should be; swamp is absent" in asks["dimensions"].prompt.user
    other = item.figures[0].model_copy(
        update={"presence": item.figures[0].presence.model_copy(update={"tenor": "implied", "vehicle": "depicted"})}
    )
    turned = _asks(item.model_copy(update={"figures": (other,)}))
    assert "swamp where debt should be; debt is absent" in turned["dimensions"].prompt.user
    assert (
        turned["questions"].prompt == asks["questions"].prompt and turned["mappings"].prompt == asks["mappings"].prompt
    )


# --- what is not shown: on the wire ---


def test_no_call_knows_anything_of_the_others(server: Callable[..., FakeServer], store: Store, tmp_path: Path) -> None:
    fake = server(image="noise")
    items = [SHIPPED[0], SHIPPED[9], SHIPPED[120], SHIPPED[202]]
    path = tmp_path / "four.jsonl"
    path.write_text(dump_items(items), "utf-8")
    asked = Experiment(
        protocol="vmetaphor", subjects=(f"openai-images:fake?base_url={fake.url}",), strategies=("conceptual",),
        instruments=(f"vllm:judge?base_url={fake.url}",), items=(str(path),),
    )  # fmt: skip
    execute(plan(asked), store)
    chats = [entry["body"] for entry in fake.log() if entry["path"].endswith("/chat/completions")]
    assert len(chats) == 12
    for body in chats:
        (message,) = body["messages"]  # no history, no system text
        picture, words = message["content"]
        assert picture["type"] == "image_url"
        text = words["text"]
        item = next(
            i
            for i in items
            if f". {i.questions[0].options[1]}\n" in text
            or i.questions[4].stem in text
            or str(i.figures[0].ground) in text
        )
        figure, stems = item.figures[0], {q.id: q for q in item.questions}
        mapping_words = [w for m in figure.mappings for w in (m.vehicle, m.tenor)]
        distractors = [
            o for q in item.questions for n, o in enumerate(q.options) if n != q.answer and q.axis != "structure"
        ]
        if "\nQ1: " in text:
            assert not [w for w in mapping_words if w in text] and "Q5_" not in text
            assert (
                str(figure.tenor) in text and text.count(str(figure.tenor)) == 1
            )  # among the options, and nowhere else
            assert "metaphoric_efficacy" not in text and item.text not in text
        elif "\nQ5_1: " in text:
            assert f"about: {figure.tenor}" in text and f"likened to: {figure.vehicle}" in text
            assert (
                str(figure.ground) not in text
                and "Q1" not in text
                and "replacement" not in text
                and "juxtaposition" not in text
            )
            assert not [o for q in ("Q1", "Q2", "Q4") for o in stems[q].options[1:] if f". {o}\n" in text]
            assert "metaphoric_efficacy" not in text and item.text not in text
        else:
            assert (
                "metaphoric_efficacy: <1-5>" in text
                and str(figure.ground) in text
                and all(w in text for w in mapping_words)
            )
            assert "Q1" not in text and "Q5" not in text and "<letter>" not in text and item.text not in text
            assert not [o for o in distractors if len(o) > 8 and o in text]


# --- how replies are read ---

GOOD = "Q1: A\nQ2: B\nQ3: C\nQ4: D"


@pytest.mark.parametrize(
    "reply",
    [
        GOOD + "\nQ5: A", GOOD + "\nQ1: A", "Q1: A or B\nQ2: B\nQ3: C\nQ4: D", "Q1: Ａ\nQ2: B\nQ3: C\nQ4: D",
        "Ｑ１: A\nQ2: B\nQ3: C\nQ4: D", "Q1: أ\nQ2: B\nQ3: C\nQ4: D", "Q1: E\nQ2: B\nQ3: C\nQ4: D", "Q1: A\nQ2: B\nQ3: C",
        "The answers are:\n" + GOOD, GOOD.replace("\n", " "), "A\nB\nC\nD", "", "Q1: A B\nQ2: B\nQ3: C\nQ4: D", "Q1：A\nQ2：B\nQ3：C\nQ4：D",
    ],
)  # fmt: skip
def test_any_other_reply_is_no_answer(reply: str) -> None:
    with pytest.raises(Unreadable):
        _asks(metaphor())["questions"].prompt.read(reply)


def test_an_answer_is_the_option_and_not_the_letter() -> None:
    read = _asks(metaphor())["questions"].prompt.read
    first, second, third, fourth = shown(metaphor(), AXES[:4])
    expected = {"Q1": first.recorded[0], "Q2": second.recorded[1], "Q3": third.recorded[2], "Q4": fourth.recorded[3]}
    assert read(GOOD) == read("Q4: d)\n\nq2: B".replace("q2", "Q2") + "\nQ1: a.\n Q3 : C ") == expected


@pytest.mark.parametrize(
    "line", ["metaphor_logic: 6", "metaphor_logic: 4.5", "metaphor_logic: four", "logic: 4", "metaphor_logic: 4/5"]
)
def test_a_rating_is_a_whole_number_on_its_own_line(line: str) -> None:
    read = _asks(metaphor())["dimensions"].prompt.read
    rest = "metaphoric_efficacy: 3\nperceptual_harmony: 5\n"
    assert read(rest + "metaphor_logic: 4") == {"metaphoric_efficacy": 3, "metaphor_logic": 4, "perceptual_harmony": 5}
    with pytest.raises(Unreadable):
        read(rest + line)


# --- small sums ---


def said(right: Sequence[bool | None], item: Item) -> dict[str, str]:
    """An answer to every question: the truth, a distractor, or (None) cannot be determined."""
    return {
        q.id: UNDETERMINED if hit is None else q.options[q.answer if hit else (q.answer + 1) % 3]  # type: ignore[operator]
        for q, hit in zip(item.questions, right, strict=True)
    }


def cell(
    item: Item,
    right: Sequence[bool | None],
    rated: Sequence[int] = (3, 3, 3),
    subject: str = "s",
    strategy: str = "conceptual",
    judges: Sequence[str] = ("j",),
    **spoil: str,
) -> Measured:
    values = said(right, item)
    calls = {
        "questions": {q: v for q, v in values.items() if not q.startswith("Q5")},
        "mappings": {q: v for q, v in values.items() if q.startswith("Q5")},
        "dimensions": dict(zip(DIMENSIONS, rated, strict=True)),
    }  # fmt: skip
    told = {
        call: Observation(call, "j", spoil.get(call, "ok"), None if call in spoil else json.dumps(value), reason="said so")  # type: ignore[arg-type]
        for call, value in calls.items() if value
    }  # fmt: skip
    output = Output(f"{item.id}{subject}{strategy}", subject, spoil.get("output", "ok"))  # type: ignore[arg-type]
    seen = dict.fromkeys(judges, told) if output.ok else {}
    return Measured(item, subject, strategy, 42, output, 1, (), seen)


def tables(cells: Sequence[Measured], judges: Sequence[str] = ("j",)) -> dict[str, list[list[Any]]]:
    study = Study(cells, len(cells), dict.fromkeys(judges, "judge"), "vmetaphor@test")
    scores = protocol("vmetaphor").score(study)
    assert isinstance(scores, Scores)
    return {t.name: [list(row) for row in t.rows] for t in scores.tables} | {"warnings": [[w] for w in scores.warnings]}


def test_pooled_and_level_overalls_differ_as_the_paper_does() -> None:
    """Two pictures: 4 mappings, all wrong, the rest right (L 1, 1, 1, 0; 4 of 8); no mappings, all right but the meaning
    (L 1, 1, 0, none; 3 of 4). Pooled 7/12; by levels (3/4 + 2/3) / 2; L4 over the one that has mappings."""
    four, none = metaphor("a", mappings=4), metaphor("b", mappings=0)
    (row,) = tables([cell(four, [True] * 4 + [False] * 4), cell(none, [True, True, True, None])])["levels"]
    values = [c["value"] for c in row[3:9]]
    assert values == pytest.approx([1.0, 1.0, 0.5, 0.0, 7 / 12, (3 / 4 + 2 / 3) / 2], abs=1e-9)
    assert row[6]["n"] == 1 and row[9:] == [pytest.approx(7 / 12), pytest.approx(7 / 12), 2, 2]


def test_what_was_not_read_leaves_the_denominator_and_widens_the_bounds() -> None:
    """Right 6 of 6; mappings unread (4 of 4 known, 2 unknown); no picture (6 unknown): bounds 10/18 and 18/18."""
    items = [metaphor(n) for n in "abc"]
    cells = [
        cell(items[0], [True] * 6),
        cell(items[1], [True] * 6, mappings="unparsed", dimensions="refused"),
        cell(items[2], [True] * 6, output="blank"),
    ]
    made = tables(cells)
    (row,) = made["levels"]
    assert [c["n"] for c in row[3:9]] == [2, 2, 2, 1, 6, 1] and row[9:] == [pytest.approx(10 / 18), 1.0, 1, 3]
    assert made["dimensions"][0][7:] == [1, 3]
    assert {row[3]: row[4:] for row in made["statuses"]} == {
        "questions": [2, 0, 0, 0, 1, 0, 3], "mappings": [1, 1, 0, 0, 1, 0, 3], "dimensions": [1, 0, 1, 0, 1, 0, 3],
    }  # fmt: skip


def test_an_item_without_mappings_is_not_applicable_and_not_failed() -> None:
    made = tables([cell(metaphor("b", mappings=0), [True] * 4)])
    assert {row[3]: row[4:] for row in made["statuses"]}["mappings"] == [0, 0, 0, 0, 0, 1, 1]
    assert made["levels"][0][6]["value"] is None and made["levels"][0][7]["value"] == 1.0


def test_nothing_read_is_undefined_and_not_zero() -> None:
    made = tables([cell(metaphor(), [True] * 6, output="refused")])
    assert all(c["value"] is None and c["reason"] for c in made["levels"][0][3:9])
    assert made["levels"][0][9:] == [0.0, 1.0, 0, 1] and made["structures"][0][4:] == [None, None, None, None, 0, 1]


def test_the_absent_one_of_a_replacement_is_counted_apart() -> None:
    items = [metaphor(f"r{n}", structure="replacement") for n in range(4)]  # the vehicle is absent
    right = [[True, n == 0, True, True, True, True] for n in range(4)]
    rows = {
        tuple(row[3:6]): row[6]["value"]
        for row in tables([cell(i, r) for i, r in zip(items, right, strict=True)])["roles"]
    }
    assert rows == {("replacement", "tenor", "visible"): 1.0, ("replacement", "vehicle", "absent"): 0.25}
    (row,) = tables([cell(items[0], right[0])])["by_structure"]
    assert row[0] == "replacement, vehicle absent"


def test_two_judges_order_subjects() -> None:
    """Six subjects, right 1..6 of 6 questions for one judge; the other swaps the last two: rho = 1 - 6 * 2 / 210."""
    items = [metaphor(n) for n in "abcdefghijkl"]
    cells = []
    for s in range(6):
        for item in items:
            one = cell(item, [True] * (s + 1) + [False] * (5 - s), subject=f"s{s}")
            swapped = {0: 1, 1: 0}.get(s, s)
            two = cell(item, [True] * (swapped + 1) + [False] * (5 - swapped), subject=f"s{s}")
            cells.append(
                Measured(
                    item,
                    f"s{s}",
                    "conceptual",
                    42,
                    one.output,
                    1,
                    (),
                    {"j": one.observations["j"], "k": two.observations["j"]},
                )
            )
    made = tables(cells, ("j", "k"))
    rows = {row[3]: row for row in made["judges_subjects"]}
    found = rows["overall_pooled"]
    assert (
        found[:3] == ["j", "k", "conceptual"]
        and found[4]["value"] == pytest.approx(1 - 12 / 210)
        and found[5:7] == [6, 5]
    )
    assert (
        found[7] == pytest.approx(4 / 6) and found[8] == "no" and found[4]["low"] < found[4]["value"] < found[4]["high"]
    )
    compared = {(row[1], row[4]): row for row in made["subjects"] if row[3] == "j"}
    assert compared["s5", "overall_pooled"][5]["value"] == pytest.approx(5 / 6)
    shares = {row[2]: row[3]["value"] for row in made["judges_pictures"]}
    assert shares["all questions"] == pytest.approx((4 * 6 + 2 * 5) / 36) and shares["metaphor_logic"] == 1.0


def test_the_best_k_by_hand() -> None:
    a, b = np.array([5.0, 4.0, 3.0, 2.0]), np.array([5.0, 3.0, 4.0, 1.0])
    assert top_agreement(a, b, 2) == (1 / 3, False) and top_agreement(a, b, 3) == (1.0, False)
    assert top_agreement(a, a, 2) == (1.0, True)


def test_a_judge_that_always_says_a_is_right_a_quarter_of_the_time(server: Callable[..., FakeServer]) -> None:
    right = [q.recorded[0] == q.truth for item in SHIPPED for q in shown(item, AXES)]
    assert abs(np.mean(right) - 0.25) < 4 * np.sqrt(0.25 * 0.75 / len(right))


def test_a_planner_that_judges_itself_is_said() -> None:
    made = tables([cell(metaphor(), [True] * 6, strategy="realise?model=j")])
    assert "j planned the pictures of 'realise?model=j' and judges them" in made["warnings"][0][0]


def test_the_gallery_says_what_each_judge_said() -> None:
    shown_of = protocol("vmetaphor").highlight(cell(metaphor(), [True, False, None, True, True, True], (4, 3, 5)))
    assert shown_of == {"j": {"verdict": "L1 ✓✗ L2 ✗ L3 ✓ L4 ✓✓ · 4/3/5"}}
    unread = protocol("vmetaphor").highlight(cell(metaphor(), [True] * 6, questions="unparsed"))
    assert unread["j"]["verdict"] == "L1 –– L2 – L3 – L4 ✓✓ · 3/3/3"
    assert protocol("vmetaphor").highlight(cell(metaphor(), [True] * 6, output="failed")) == {}


def test_plots_are_of_the_tables() -> None:
    cells = [
        cell(metaphor(f"{n}", labels={"category": f"C{n % 3}"}), [n % 2 == 0 or s != "conceptual"] * 6, subject=of, strategy=s, judges=("j", "k"))
        for n in range(12) for s in ("conceptual", "descriptive") for of in ("s", "t")
    ]  # fmt: skip
    scores = protocol("vmetaphor").score(Study(cells, len(cells), {"j": "judge", "k": "judge"}, "x"))
    plots = {plot["name"]: plot for plot in scores.plots}
    assert {name: plot["kind"] for name, plot in plots.items()} == {
        "levels": "intervals", "dimensions": "intervals", "structures": "stacked", "by_category": "heatmap", "gains": "scatter", "judges": "scatter",
    }  # fmt: skip
    assert {(p["x"], p["y"], p["label"]) for p in plots["gains"]["points"]} == {(0.5, 0.5, "s"), (0.5, 0.5, "t")}
    from trope.report.plots import svg

    assert all("<svg" in svg(plots[name]) for name in ("structures", "gains"))


# --- forms for people ---


@pytest.mark.parametrize("options", [{}, {"shuffle": "7"}, {"undetermined": "last"}])
def test_people_answer_in_the_judge_s_own_format_and_order(options: dict[str, str]) -> None:
    item = SHIPPED[9]
    for call, request in _asks(item, **options).items():
        made = form(item, call, "en")
        assert made is not None and "picture" in made.shows
        if call == "dimensions":
            assert made.facts[0][1] == item.figures[0].tenor and len(made.facts) == 5
            assert request.prompt.read(made.reply(dict.fromkeys(DIMENSIONS, "4"))) == dict.fromkeys(DIMENSIONS, 4)
            continue
        right = {f.name: next(o.value for o in f.options if o.score == 1.0) for f in made.fields}
        truths = {q.id: q.options[q.answer or 0] for q in item.questions if q.id in right}
        assert request.prompt.read(made.reply(right)) == truths
        assert [len(f.options) for f in made.fields] == [4] * len(made.fields)
        assert (made.facts == ()) == call.startswith("questions")
    assert [f.level for f in form(item, "questions", "en").fields] == ["L1", "L1", "L2", "L3"]  # type: ignore[union-attr]
    assert form(metaphor(mappings=0), "mappings", "en") is None and form(item, "looks", "en") is None
