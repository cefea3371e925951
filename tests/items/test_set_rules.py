"""Each rule of each set: the shipped items keep it, and a broken copy of them does not.

A case changes one item (or the list) so that exactly one thing is wrong, and says what the rule answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from trope.items import load_set
from trope.items.rules import Rule, rules_for
from trope.nouns import Item

Items = list[Item]
Change = Callable[[Items], Items]


@cache
def shipped(name: str) -> tuple[Item, ...]:
    return tuple(load_set(name))


def pick(items: Sequence[Item], id: str) -> Item:
    return next(item for item in items if item.id == id)


def with_value(item: Item, path: str, value: Any) -> Item:
    fields = item.model_dump(mode="json")
    at: Any = fields
    *way, last = path.split(".")
    for step in way:
        if isinstance(at, list):
            at = at[int(step)] if step.isdigit() else next(q for q in at if q["id"] == step)
        else:
            at = at[step]
    at[int(last) if isinstance(at, list) else last] = value
    return Item.model_validate(fields)


def put(id: str, path: str, value: Any) -> Change:
    """Set a field of one item; ``path`` goes down by names and positions, questions by their id.

    A function gets the item and says the value.
    """

    def changed(item: Item) -> Item:
        return with_value(item, path, value(item) if callable(value) else value)

    return lambda items: [changed(item) if item.id == id else item for item in items]


def every(path: str, value: Callable[[Item, int], Any], where: Callable[[Item], bool] = lambda item: True) -> Change:
    return lambda items: [with_value(i, path, value(i, n)) if where(i) else i for n, i in enumerate(items)]


def drop(*ids: str) -> Change:
    return lambda items: [item for item in items if item.id not in ids]


def swap_texts(id: str, other: str) -> Change:
    return lambda items: put(id, "text", pick(items, other).text)(items)


def retext(id: str, old: str, new: str, *fields: str) -> Change:
    """Replace words in the text (or other fields); spans stay where they are."""

    def change(items: Items) -> Items:
        for field in fields or ("text",):
            at: Any = pick(items, id).model_dump(mode="json")
            for step in field.split("."):
                at = (
                    at[int(step)]
                    if isinstance(at, list) and step.isdigit()
                    else (next(q for q in at if q["id"] == step) if isinstance(at, list) else at[step])
                )
            assert old in at, (id, field, at)
            items = put(id, field, at.replace(old, new))(items)
        return items

    return change


CAT = "simile-cat-like-s"
KNIFE = "simile-knife-looks_like-s"
TRUCKS = "simile-truck-just_like-p"
CASES: dict[str, list[tuple[str, Change, str]]] = {
    "simile": [
        ("core", put(CAT, "split", "demo"), "split: expected 'core-1'"),
        ("id", put(CAT, "cluster", {"vehicle": "cat", "template": "like-p"}), "id: expected 'simile-cat-like-p'"),
        ("punctuation", retext(CAT, ".", "。"), "text: holds '。': not among the letters and marks of en"),
        ("sentence-end", retext(CAT, ".", "", "twins.deleted"), "twins.deleted: a twin ends with a full stop if"),
        ("span-present", put(CAT, "figures.0.spans.tenor", None), "figures.0.spans.tenor: a simile names its tenor"),
        ("span-overlap", put(CAT, "figures.0.spans.tenor", [67, 70]), "figures.0.spans.vehicle: overlaps"),
        ("template", put(CAT, "cluster.template", "just_like-s"), "figures.0.spans.marker: does not conform"),
        ("template", put(CAT, "figures.0.vehicle", "cats"), "figures.0.vehicle: is plural; template like-s has cat"),
        ("template", put(KNIFE, "figures.0.vehicle", "knifes"), "figures.0.vehicle: is no word for knife"),
        ("template", retext(CAT, " a sleeping", "an sleeping"), "text: 'an' should be the other article"),
        ("template", lambda items: put(TRUCKS, "figures.0.spans.vehicle", [62, 68])(
            retext(TRUCKS, "trucks", "a trucks")(items)), "text: a plural has no singular article"),
        ("one-marker", retext(CAT, "A gray", "Like fog, a gray"), "text: holds 2 markers (Like, like), expected 1"),
        ("vehicle-after-marker", retext(CAT, "wool", "cat"), "text: names the vehicle before the marker"),
        ("word-limit", retext(CAT, "gray", "gray and very old and long and soft and worn and light and thick and fine"),
         "text: has 2"),
        ("pronoun", retext(CAT, "A gray", "Her gray"), "text: holds the pronoun 'her'"),
        ("concrete", retext(CAT, "gray", "sad"), "text: holds 'sad', a feeling or an abstraction"),
        ("subject-kind", put(CAT, "figures.0.tenor", "dog"), "figures.0.tenor: is of the vehicle's kind (cat)"),
        ("scene-flag", put(CAT, "class_may_be_in_scene", None), "class_may_be_in_scene: say whether"),
        ("twin-deleted", put(CAT, "twins.deleted", "A gray wool shawl lies like this."), "twins.deleted: still holds"),
        ("twin-deleted", put(CAT, "twins.deleted", "A cat lies coiled in the rocking chair."),
         "twins.deleted: still names"),
        ("twin-deleted", put(CAT, "twins.deleted", "A gray wool shawl lies in the rocking chair."),
         "twins.deleted: changes more than the figure: 'rocking chair' stood before it"),
        ("twin-deleted", put(CAT, "twins.deleted",
         "A gray wool shawl lies coiled in the rocking chair that stands by the old stove today."),
         "twins.deleted: puts"),
        ("twin-literal", put(CAT, "twins.literal", "A gray wool shawl lies in the chair."),
         "twins.literal: does not name"),
        ("twin-literal", put(CAT, "twins.literal", "A cat lies in the chair."),
         "twins.literal: does not name the tenor"),
        ("twin-literal", put(CAT, "twins.literal", "A shawl lies like a cat."), "twins.literal: holds the marker"),
        ("subject-limit", every("figures.0.tenor", lambda i, n: "shawl", lambda i: i.id.endswith("cat-like-s")
                                or i.cluster["vehicle"] == "dog"), "subject-limit: is used by 1"),
        ("opening", every("text", lambda i, n: f"On the old pier {n} rests something like fog.",
                          lambda i: i.cluster["vehicle"] == "dog"), "opening: is used by 14 items, limit 2"),
        ("ground-varies", every("figures.0.ground", lambda i, n: "soft fur", lambda i: i.cluster["vehicle"] == "cat"),
         "figures.0.ground: is said twice of 'cat'"),
        ("balance", drop(CAT), "(set): cell 'cat/like-s' has 0 items, expected 1"),
        ("held-out-half", every("held_out", lambda i, n: True, lambda i: i.cluster["vehicle"] == "cat"),
         "held_out: cell 'cat' is not halved"),
    ],
    "literal": [
        ("core", lambda items: [items[0].model_copy(update={"id": "lit-1"})],
         "id: expected it to begin with 'literal-'"),
        ("punctuation", retext("literal-zh-001", "，", ","), "text: holds ',': not among the letters and marks of zh"),
        ("simplified", retext("literal-zh-001", "画", "畫"), "text: holds the traditional character '畫'"),
        ("span-present", put("literal-en-080", "figures.0.spans.vehicle", None),
         "figures.0.spans.vehicle: the vehicle has no"),
        ("span-overlap", lambda items: _overlap(items), "figures.0.spans.vehicle: overlaps"),
        ("kind", put("literal-en-001", "labels.kind", "joke"), "labels.kind: expected one of"),
        ("kind", put("literal-en-001", "text", "a shelter dog in a studio"), "text: holds no word that can mark"),
        ("kind", put("literal-en-001", "labels.kind", "pun"), "figures: a pun item names the two things"),
        ("kind", lambda items: _first(items, "both_meant", "figures.0.form", "simile"),
         "figures.0.form: a literal control"),
        ("kind", lambda items: _first(items, "both_meant", "figures.0.presence.vehicle", "implied"),
         "figures.0.presence: both"),
        ("kind", lambda items: _first(items, "both_meant", "labels.kind", "literal_marker"),
         "figures: a literal_marker item"),
        ("reason", put("literal-en-001", "reason", "literal"), "reason: says in a sentence why"),
        ("reason", put("literal-ja-001", "gloss", None), "gloss: items in other languages have an English gloss"),
        ("length", put("literal-en-001", "text", "dog like cat"), "text: has 3 words, expected 5 to 30"),
        ("length", put("literal-ja-001", "text", "犬のように"), "text: has 5 characters, expected 10 to 60"),
        ("balance", drop("literal-en-001"), "(set): cell 'en' has 79 items, expected 80"),
        ("held-out-half", every("held_out", lambda i, n: False, lambda i: i.lang == "ar"),
         "held_out: cell 'ar/both_meant'"),
    ],
    "vista": [
        ("core", put("vista-en-001", "split", None), "split: expected 'core-1'"),
        ("punctuation", put("vista-ar-001", "text", "وقفت المديرة ,بين التلميذين كالجدار."), "text: holds ','"),
        ("punctuation", put("vista-ar-001", "text", "وقفت المديرة كالجـدار."), "text: holds 'ـ': not among"),
        ("punctuation", put("vista-zh-001", "text", "河滩上，，老护林员像一堵墙。"),
         "text: punctuation or spacing is off"),
        ("punctuation", put("vista-en-001", "text", "The lock , like a lock."),
         "text: punctuation or spacing is off at ' ,'"),
        ("punctuation", put("vista-zh-001", "text", "他说“好，像一堵墙。"), "text: “ and ” do not pair up"),
        ("simplified", put("vista-zh-001", "questions.Q1.stem", "牆上是誰？"),
         "questions.Q1.stem: holds the traditional"),
        ("sentence-end", put("vista-ja-001", "questions.Q1.stem", "医師に見える"),
         "questions.Q1.stem: a stem ends like a"),
        ("sentence-end", put("vista-en-001", "questions.Q1.options.2", "Only an outline,"),
         "questions.Q1.options.2: an option"),
        ("span-present", put("vista-en-001", "figures.0.spans.vehicle", None),
         "figures.0.spans.vehicle: the vehicle has no"),
        ("span-overlap", put("vista-en-001", "figures.0.spans.tenor", [51, 55]), "figures.0.spans.marker: overlaps"),
        ("figure", put("vista-en-001", "cluster.cell", "idiom/idiomaticity"), "cluster.cell: the figure's labels say"),
        ("figure", put("vista-en-001", "figures", []), "figures: a vista item has one figure"),
        ("figure", put("vista-en-001", "figures.0.ground", None), "figures.0.ground: is missing"),
        ("figure", put("vista-en-001", "gloss", None), "gloss: every item has an English gloss"),
        ("figure", put("vista-en-001", "figures.0.presence.vehicle", "depicted"), "figures.0.presence: the tenor is"),
        ("length", put("vista-en-001", "text", "Too short like this."), "text: has 4 words, expected 8 to 40"),
        ("twin-deleted", put("vista-en-001", "twins.deleted", lambda i: i.twins.literal),
         "twins.deleted: still names the vehicle ('lock')"),
        ("twin-deleted", put("vista-zh-001", "twins.deleted", "老护林员像一座山立在孩子们前面。"),
         "twins.deleted: still holds"),
        ("twin-deleted", put("vista-en-001", "twins.deleted", "It rained all day in the valley."),
         "twins.deleted: keeps"),
        ("twin-deleted", put("vista-en-001", "twins.deleted", lambda i: i.text + " Nobody came."),
         "twins.deleted: still names"),
        ("twin-literal", put("vista-en-001", "twins.literal", "The caretaker stood in the doorway of the map room."),
         "twins.literal: does not name the vehicle ('lock')"),
        ("twin-literal", put("vista-ja-001", "twins.literal", "病棟の若い医師は、灯台のように廊下の角に立つ。"),
         "twins.literal: still"),
        ("four-questions", put("vista-en-001", "questions", []), "questions: expected Q1 tenor, Q2 vehicle"),
        ("four-questions", put("vista-en-001", "questions.Q1.scores", [0, 1, 2, 3]),
         "questions.Q1.scores: expected 3, 2, 1, 0"),
        ("four-questions", put("vista-en-001", "questions.Q1.axis", "scene"), "questions: expected Q1 tenor"),
        ("four-questions", put("vista-en-001", "questions.Q1.options", ["aaaa", "bb", "c"]),
         "questions.Q1.options: expected four options"),
        ("option-length", put("vista-en-001", "questions.Q1.options", ["aaaa aaaa", "bbbb bb", "ccc c", "d"]),
         "questions.Q1.options: options are longer the better they are"),
        ("option-length-trend", every("questions.Q1.options", lambda i, n: [f"{n}" + "x" * k for k in (40, 9, 8, 7)]),
         "(set): options get longer as they get better"),
        ("option-wording", put("vista-en-001", "questions.Q1.options.0", "A perfect caretaker"),
         "questions.Q1.options.0: 'perfect' judges instead of describing"),
        ("option-wording", put("vista-zh-001", "questions.Q1.options.0", "画得正确"),
         "questions.Q1.options.0: '正确' judges"),
        ("answer-position", every("questions.C1.answer", lambda i, n: 0 if i.lang != "en" else 3,
                                  lambda i: any(q.id == "C1" for q in i.questions)), "(set): position"),
        ("own-wording", every("questions.Q1.stem", lambda i, n: "Who is it?", lambda i: i.lang == "en"),
         "questions.Q1.stem: is used more than 3 times in the set"),
        ("blind", every("questions.Q1.options.0", lambda i, n: f"{n} " + "x" * 200, lambda i: i.lang == "en"),
         "(set): en Q1: the guesser 'longest' is above chance (25.0%)"),
        ("vehicle-limit", every("cluster.vehicle", lambda i, n: "door",
                                lambda i: i.lang == "en" and i.id < "vista-en-005"),
         "vehicle-limit: is used by 4 items, limit 3"),
        ("cells", lambda items: [i for i in items if i.cluster["cell"] != "simile/idiomaticity"],
         "(set): ar simile/idiomaticity: expected at least 5 items"),
        ("controls", every("questions", lambda i, n: [q.model_dump() for q in i.questions if q.id[0] == "Q"],
                           lambda i: i.lang == "ja"), "(set): ja: expected 10 items with control questions"),
        ("balance", drop("vista-ja-001"), "(set): cell 'ja' has 119 items, expected 120"),
        ("held-out-half", every("held_out", lambda i, n: True, lambda i: i.lang == "zh"), "held_out: cell 'zh/idiom"),
    ],
    "passages": [
        ("core", put("passage-en-001", "split", "x"), "split: expected 'core-1'"),
        ("punctuation", retext("passage-zh-001", "。", "."), "text: holds '.'"),
        ("simplified", retext("passage-zh-001", "黑龙", "黑龍"), "text: holds the traditional character '龍'"),
        ("span-present", put("passage-en-001", "figures.0.spans.vehicle", None),
         "figures.0.spans.vehicle: the vehicle has no"),
        ("span-overlap", put("passage-en-001", "figures.1.spans.vehicle", [156, 163]),
         "figures.1.spans.vehicle: overlaps"),
        ("length", put("passage-en-001", "text", "A short passage."), "text: has 3 words, expected 60 to 150"),
        ("figures", put("passage-en-001", "labels.figures", "3"), "labels.figures: there are 2 figures"),
        ("figures", put("passage-en-001", "figures.0.mechanism", None), "figures.0.mechanism: is missing"),
        ("figures", put("passage-en-001", "figures",
            lambda i: [f.model_dump() for f in reversed(i.figures)]),
             "figures: figures stand in"),
        ("labels", put("passage-en-001", "labels.genre", ""), "labels.genre: is missing"),
        ("labels", put("passage-en-001", "labels.real_vehicle", "maybe"), "labels.real_vehicle: expected yes or no"),
        ("labels", put("passage-zh-001", "context", None), "context: a passage in which such a thing is real"),
        ("labels", put("passage-zh-001", "gloss", None), "gloss: passages in other languages"),
        ("balance", drop("passage-en-001"), "(set): cell 'en' has 23 items, expected 24"),
        ("held-out-half", every("held_out", lambda i, n: True, lambda i: i.lang == "ar"),
         "held_out: cell 'ar' is not halved"),
    ],
    "vmetaphor": [
        ("core", put("vmetaphor-001", "split", "x"), "split: expected 'core-1'"),
        ("punctuation", put("vmetaphor-001", "prompts.style", "ink 画"), "prompts.style: holds '画'"),
        ("labels", put("vmetaphor-001", "labels.category", "Sports"), "labels.category: expected one of"),
        ("labels", put("vmetaphor-001", "labels.level", "Creative"),
         "labels.level: Cognitive Processes belongs to Individual"),
        ("labels", put("vmetaphor-001", "cluster.category", "Advertising"), "cluster.category: labels.category is"),
        ("figure", put("vmetaphor-001", "figures.0.structure", "replacement"), "labels.absent: a replacement implies"),
        ("figure", put("vmetaphor-001", "figures.0.presence.vehicle", "implied"),
         "figures.0.presence: a fusion depicts both"),
        ("figure", put("vmetaphor-001", "figures.0.mappings", []), "figures.0.mappings: expected 2 to 4 mappings"),
        ("prompts", put("vmetaphor-001", "prompts.conceptual", "Too short."), "prompts.conceptual: has 2 words"),
        ("prompts", put("vmetaphor-001", "prompts.style", "a thing and another thing and one more"),
         "prompts.style: holds no"),
        ("style-words", put("vmetaphor-001", "prompts.descriptive",
            lambda i: i.prompts["descriptive"] + " Watercolor."),
         "prompts.descriptive: holds the style word 'Watercolor'"),
        ("five-questions", put("vmetaphor-001", "questions.Q1.answer", 1), "questions.Q1.answer: the figure says"),
        ("five-questions", put("vmetaphor-001", "questions", []), "questions: expected Q1, Q2, Q3, Q4, Q5_1"),
        ("five-questions", put("vmetaphor-001", "questions.Q3.options", ["replacement", "fusion", "juxtaposition"]),
         "questions.Q3.answer: the figure says 'fusion'"),
        ("five-questions", put("vmetaphor-001", "questions.Q1.options.2", "Cannot be determined"),
         "questions.Q1.options: is added by the protocol"),
        ("five-questions", put("vmetaphor-001", "questions.Q5_1.stem", "What is meant?"),
         "questions.Q5_1.stem: asks about"),
        ("stem-number", put("vmetaphor-001", "questions.Q5_1.stem", "What does the fossils stand for?"),
         "questions.Q5_1.stem: 'fossils' takes do"),
        ("collage", lambda items: _first(items, None, "labels.target_class", "zebra"),
         "labels.target_class: a collage pair"),
        ("leak", lambda items: _leak(items), "questions.Q2.options.1: "),
        ("described", put("vmetaphor-001", "figures.0.mappings.0.vehicle", "ammonites"),
         "figures.0.mappings.0.vehicle: the"),
        ("substance", put("vmetaphor-001", "questions.Q1.options.1",
            lambda i: i.questions[0].options[0] + " indeed"),
             "questions.Q1.options.1: differs from"),
        ("mapping-options", put("vmetaphor-001", "questions.Q5_1.options.1",
            lambda i: i.questions[5].options[0]),
             "questions.Q5_1.options.1: is the truth of Q5_2"),
        ("mapping-options", put("vmetaphor-001", "questions.Q5_1.options.1",
            lambda i: "other " + i.questions[4].options[0].split()[-1]),
         "questions.Q5_1.options.1: has the head of the truth"),
        ("prompt-words", put("vmetaphor-001", "questions.Q4.options.0",
            lambda i: i.text), "questions.Q4.options.0: repeats"),
        ("answer-position", every("questions.Q1.answer", lambda i, n: 2 if n < 40 else 0),
         "(set): position 0 of 3 options, Q"),
        ("blind", every("questions.Q4.options.0", lambda i, n: f"{n} " + "x" * 200),
         "(set): L3 meaning: the guesser 'longest' is above chance (33.3%)"),
        ("vehicle-limit", every("cluster.vehicle", lambda i, n: "door", lambda i: i.id < "vmetaphor-006"),
         "vehicle-limit: is used by 5 items, limit 4"),
        ("pair", lambda items: _same_pair(items), "pair: is used by 2 items, limit 1; the first is vmetaphor-001"),
        ("style-suffix", lambda items: put("vmetaphor-002", "prompts.style",
            pick(items, "vmetaphor-001").prompts["style"])(items),
         "style-suffix: is used by 2 items"),
        ("balance", drop("vmetaphor-001"), "(set): cell 'Cognitive Processes' has 23 items, expected 24"),
        ("shares", lambda items: [i for i in items if i.labels.get("collage") != "yes"], "(set): at least 30 pairs"),
        ("shares", lambda items: [i for i in items if i.figures[0].structure != "replacement"],
         "(set): replacement is at least"),
        ("held-out-half", every("held_out", lambda i, n: True, lambda i: i.labels["category"] == "Advertising"),
         "held_out: cell 'Advertising/fusion' is not halved"),
    ],
}  # fmt: skip


def _first(items: Items, kind: str | None, path: str, value: Any) -> Items:
    wanted = (i for i in items if (i.labels.get("kind") == kind if kind else i.labels.get("collage") == "yes"))
    return put(next(wanted).id, path, value)(items)


def _overlap(items: Items) -> Items:
    chosen = next(i for i in items if i.figures and i.figures[0].spans.tenor and i.figures[0].spans.vehicle)
    return put(chosen.id, "figures.0.spans.tenor", list(chosen.figures[0].spans.vehicle or ()))(items)


def _leak(items: Items) -> Items:
    first = pick(items, "vmetaphor-001")
    return put(first.id, "questions.Q2.options.1", first.figures[0].mappings[0].vehicle)(items)


def _same_pair(items: Items) -> Items:
    first = pick(items, "vmetaphor-001").figures[0]
    items = put("vmetaphor-002", "figures.0.tenor", first.tenor)(items)
    return put("vmetaphor-002", "figures.0.vehicle", first.vehicle)(items)


def rule_of(kind: str, name: str) -> Rule:
    return next(rule for rule in rules_for(kind) if rule.name == name)


OVER_ALL = {"ground-varies", "vehicle-limit", "subject-limit", "opening", "pair", "style-suffix", "held-out-half"}
FLAT = [(kind, *case) for kind, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(
    ("kind", "name", "change", "said"), FLAT, ids=[f"{k}-{n}-{i}" for i, (k, n, *_) in enumerate(FLAT)]
)
def test_a_broken_copy_is_rejected(kind: str, name: str, change: Change, said: str) -> None:
    rule = rule_of(kind, name)
    before = list(shipped(kind))
    after = change(before)
    if "(set)" not in said and name not in OVER_ALL:  # a rule about single items needs no others
        after = (
            [new for new, old in zip(after, before, strict=True) if new is not old]
            if len(after) == len(before)
            else after
        )
    problems = rule.problems(after)
    found = [f"{p.field}: {p.why}" for p in problems]
    assert any(line.startswith(said) for line in found), found[:5]
    assert {problem.rule for problem in problems} == {name}


@pytest.mark.parametrize("kind", list(CASES))
def test_every_rule_has_a_case(kind: str) -> None:
    common = {rule.name for rule in rules_for("common")}
    tried = {name for name, _, _ in CASES[kind]} | {"frame"}
    assert {rule.name for rule in rules_for(kind)} - common - tried == set()


def test_a_frame_that_repeats_across_classes() -> None:
    items = list(shipped("simile"))
    model, other = pick(items, CAT), pick(items, "simile-dog-like-s")
    fields = model.model_dump(mode="json")
    fields |= {"id": other.id, "text": model.text.replace("cat", "dog"), "cluster": dict(other.cluster)}
    fields["figures"][0] |= {"vehicle": "dog", "vehicle_class": "dog"}
    broken = [Item.model_validate(fields) if i.id == other.id else i for i in items]
    found = rule_of("simile", "frame").problems(broken)
    assert [p.item for p in found] == [other.id]
    assert found[0].why == f"has nearly the frame of {CAT} (cosine 1.00, limit 0.8)"


@pytest.mark.parametrize(
    ("phrase", "said"),
    [("apple", "an"), ("unicorn", "a"), ("umbrella", "an"), ("hour glass", "an"), ("used car", "a"), ("one-eyed cat",
     "a"),
     ("orange", "an"), ("uninvited bear", "an"), ("ewe", "a"), ("old truck", "an"), ("union", "a")],
)  # fmt: skip
def test_articles_follow_the_sound(phrase: str, said: str) -> None:
    from trope.items.rules.templates import article

    assert article(phrase) == said


def test_inflections_are_real() -> None:
    from trope.data.coco import CLASSES, inflections

    assert inflections("knife") == ({"knife"}, {"knives"})
    assert inflections("skis") == ({"pair of skis"}, {"skis", "pairs of skis"})
    assert "mice" in inflections("mouse")[1] and "sheep" in inflections("sheep")[0] & inflections("sheep")[1]
    assert "cattle" not in inflections("cow")[0]
    assert all(one and many for one, many in map(inflections, CLASSES))
    with pytest.raises(KeyError):
        inflections("dragon")
