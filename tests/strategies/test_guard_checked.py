"""Draw, look, draw again: the script alone, and the words that name a detector's classes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trope.data.coco import CLASSES
from trope.nouns import Status
from trope.records import Observation, Output
from trope.requests import Ask, Detect, Generate, Prompt
from trope.strategies.guard import plan_by_rules
from trope.strategies.guard.checked import Sought, Try, best, checked, redrawn
from trope.strategies.guard.classes import _named, also_in_scene, vehicle_class

CAT, DOG = Sought("kitten", "ssd", "cat"), Sought("puppy", "ssd", "dog")
NOBODY = Sought("lantern", reason="unknown-class")
JUDGED = Sought("lantern", "judge", "lantern", Prompt("Is there a lantern?", json.loads))


def _seen(*labels: str, status: Status = "ok", **value: Any) -> Observation:
    boxes = [{"label": name, "score": 0.9, "box": [0, 0, 1, 1]} for name in labels]
    return Observation("k", "ssd", status, json.dumps(value or {"detections": boxes}) if status == "ok" else None)


def _play(sought: list[Sought], tries: int, plan: list[list[Any]]) -> list[Try]:
    """Play a script: for each try, the statuses of its pictures and what is seen of each picture that is ok."""
    n = len(plan[0][0])
    script = checked(lambda attempt: (Generate("t", attempt),) * n, sought, tries)
    asked, turn = next(script), 0
    try:
        while True:
            statuses, records = plan[turn]
            assert [request.attempt for request in asked] == [turn] * n  # type: ignore[union-attr]
            outputs = [Output(f"{turn}-{i}", "s", status, picture=f"p{turn}{i}") for i, status in enumerate(statuses)]
            asked = script.send(outputs)
            assert len(asked) == len(records)
            asked, turn = script.send(records), turn + 1
    except StopIteration as stop:
        made: list[Try] = stop.value
        return made


def test_it_stops_at_the_first_draw_without_a_vehicle() -> None:
    made = _play([CAT], 5, [[["ok"], [_seen("cat")]], [["ok"], [_seen("dog")]]])
    assert [one.shown for one in made] == [1, 0] and best(made).attempt == 1


def test_when_all_show_it_the_fewest_then_the_first_are_kept() -> None:
    two, one = [_seen("cat"), _seen("cat")], [_seen(), _seen("cat")]
    made = _play([CAT], 3, [[["ok", "ok"], two], [["ok", "ok"], one], [["ok", "ok"], one]])
    assert [t.shown for t in made] == [2, 1, 1] and best(made).attempt == 1


def test_pictures_come_before_absence() -> None:
    """A draw that failed has no vehicle in it, and is no success."""
    made = _play([CAT], 3, [[["ok"], [_seen("cat")]], [["failed"], []], [["blank"], []]])
    assert best(made).attempt == 0 and best(made).shown == 1


@pytest.mark.parametrize("blind", [_seen(status="failed"), _seen(status="unparsed"), _seen(present=None), _seen(odd=1)])
def test_a_look_that_says_nothing_proves_nothing_and_stops(blind: Observation) -> None:
    (made,) = _play([CAT], 5, [[["ok"], [blind]]])
    assert made.looks[0].shown is None and made.shown == 0


def test_a_detector_is_asked_once_for_all_and_a_judge_for_each() -> None:
    script = checked(lambda attempt: (Generate("t", attempt),), [CAT, NOBODY, JUDGED, DOG], 1)
    next(script)
    picture = Output("o", "s", "ok", picture="p")
    assert script.send([picture]) == (
        Ask(picture, "judge", JUDGED.prompt),  # type: ignore[arg-type]
        Detect(picture, "ssd", ("cat", "dog")),
    )
    with pytest.raises(StopIteration) as stop:
        script.send([_seen(present=False), _seen("dog")])
    (made,) = stop.value.value
    assert {look.sought.vehicle: look.shown for look in made.looks} == {
        "lantern": False,
        "kitten": False,
        "puppy": True,
    }


def test_what_a_generator_cannot_draw_is_not_kept_out() -> None:
    assert CAT.shown(_seen(detections=[], cannot_tell=["cat"])) is None
    assert CAT.shown(_seen(detections=[], cannot_tell=["dog"])) is False


def test_a_study_looks_for_what_the_plan_names() -> None:
    plan = plan_by_rules("The fog crept over the harbor like a cat.")
    script = redrawn(plan, "prompt", gate="ssd", tries=2, variant="guard:rewrite")
    assert next(script) == (Generate("prompt", 0, "guard:rewrite"),)
    first = Output("o", "s", "ok", picture="p")
    assert script.send([first]) == (Detect(first, "ssd", ("cat",)),)
    assert script.send([_seen("cat")]) == (Generate("prompt", 1, "guard:rewrite"),)
    second = Output("o2", "s", "ok", picture="p2")
    script.send([second])
    with pytest.raises(StopIteration) as stop:
        script.send([_seen("bench")])
    assert stop.value.value is second


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar"])
def test_every_word_names_one_class(lang: str) -> None:
    named = _named(lang)
    assert set(named.values()) <= set(CLASSES) and len(set(named.values())) >= 40
    assert not {"mouse", "mice"} & named.keys()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The fog crept like a cat.", "cat"),
        ("The clouds were as white as sheep.", "sheep"),
        ("霧が猫のように丘を越えた。", "cat"),
        ("雾像猫一样爬过山丘。", "cat"),
        ("زحف الضباب كالقطة فوق التل.", "cat"),
        ("She hung there like a sea horse.", None),
        ("The child was quiet as a mouse.", None),
        ("Her eyes shone like lanterns.", None),
    ],
)
def test_classes_of_vehicles(text: str, name: str | None) -> None:
    plan = plan_by_rules(text)
    assert vehicle_class(plan, plan.figures[0]) == name


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("The fog crept like a cat.", False),
        ("The fog crept like a kitten. Two cats slept.", True),
        ("霧が猫のように丘を越えた。ネコが寝ていた。", True),
        ("霧が猫のように丘を越えた。犬が寝ていた。", False),
    ],
)
def test_one_of_the_class_may_be_in_the_scene(text: str, there: bool) -> None:
    plan = plan_by_rules(text)
    assert also_in_scene(plan, plan.figures[0], "cat") is there
    assert also_in_scene(plan, plan.figures[0], "person"), "people may always be there"


def test_a_study_may_redraw_by_name() -> None:
    from trope.protocols import protocol
    from trope.strategies import Context, strategies

    context = Context(protocol("simile").wordings, gates=["truth"])
    (chosen,) = strategies("guard:rewrite?gate=ssd&tries=3", context)
    assert chosen.name == "guard:rewrite?gate=ssd&tries=3" and chosen.gates == ("ssd",)
    (chosen,) = strategies("guard:rewrite?tries=3", context)
    assert chosen.gates == ("truth",)
    (chosen,) = strategies("guard:rewrite", context)
    assert chosen.name == "guard:rewrite" and chosen.gates == ()
