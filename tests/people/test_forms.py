"""Forms: whatever a form writes, its prompt reads; in four languages, for every protocol that has one."""

from __future__ import annotations

import json
import string
import tomllib
from pathlib import Path

import pytest

import trope
from tests.conftest import simile
from trope.items import load_set
from trope.nouns import Item
from trope.people.texts import LANGS, texts
from trope.protocols import PROTOCOLS, protocol
from trope.protocols.forms import Field, Form, Option, form_of, from_lines, people_calls
from trope.records import Output
from trope.requests import Unreadable

PEOPLE = Path(trope.__file__).parent / "people"


def test_pages_say_the_same_in_every_language() -> None:
    keys = {lang: set(tomllib.loads((PEOPLE / "texts" / f"{lang}.toml").read_text("utf-8"))) for lang in LANGS}
    assert all(of == keys["en"] for of in keys.values())
    for key in keys["en"]:
        holes = {lang: sorted(f for _, f, _, _ in string.Formatter().parse(texts(lang)[key]) if f) for lang in LANGS}
        assert all(of == holes["en"] for of in holes.values()), key
    assert texts("xx") == texts("en")


@pytest.mark.parametrize("lang", LANGS)
def test_simile_reads_what_its_forms_write(lang: str) -> None:
    asked, item = protocol("simile"), simile()
    calls = people_calls(asked, item, Output("k", "x", "ok", picture="0" * 64), "person:a")
    assert list(calls) == ["look", "sentence", "rate"]
    for call, request in calls.items():
        form = form_of(asked, item, call, lang, request)
        assert form.lang == lang and form.intro
        for n in range(len(form.fields[0].options)):
            filled = {f.name: f.options[n].value for f in form.fields}
            raw = form.reply(filled)
            request.prompt.read(raw)
            assert form.answers(raw) == filled
    assert form_of(asked, item, "look", "xx", calls["look"]).lang == "en"


def _reply(item: Item) -> Output:
    """What a model that is right would have said of an m3r item."""
    from trope.protocols.m3r.labels import FIELDS, gold

    said = {name: getattr(gold(item), name) for name in FIELDS}
    raw = json.dumps({**said, "evidence": "e", "mapping": "m", "justification": "j"})
    return Output("k", "x", "ok", value_json=json.dumps(protocol("m3r").read(raw)), raw=raw)


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_every_protocol_reads_what_its_forms_write(name: str) -> None:
    asked = protocol(name)
    fields = 0
    for item in load_set(asked.default_items)[:40]:
        output = _reply(item) if name == "m3r" else Output("k", "x", "ok", picture="0" * 64)
        for call, request in people_calls(asked, item, output, "person:a").items():
            form = form_of(asked, item, call, "ar", request, output)
            assert form.fields[0].name != "reply", f"{name} {call} has no form of its own"
            for last in (False, True):
                filled = {f.name: f.options[-last].value if f.options else "0.5" for f in form.fields}
                raw = form.reply(filled)
                request.prompt.read(raw)
                assert form.answers(raw) == filled
            fields += len(form.fields)
    assert fields


def test_headlines_are_the_protocols_own_scores() -> None:
    from trope.protocols.vista import form as vista
    from trope.protocols.vmetaphor import form as vmetaphor

    best = {"Q1": 3.0, "Q2": 3.0, "Q3": 3.0, "Q4": 3.0}
    empty = Form(())
    assert vista.headlines("published", empty, best) == {"V-Score": pytest.approx(100)}
    # 100 (0.3 x 3 + 0.3 x 0 + 0.2 x 3 + 0.2 x 3) / 3 = 70
    assert vista.headlines("published", empty, best | {"Q2": 0.0}) == {"V-Score": pytest.approx(70)}
    assert vista.headlines("control", empty, {"C1": 1.0}) == {}
    rated = {"metaphoric_efficacy": 5.0, "metaphor_logic": 4.0, "perceptual_harmony": 3.0}
    assert vmetaphor.headlines("dimensions", empty, rated) == {"overall": 4.0}


def test_a_protocol_without_a_form_shows_the_prompt_itself() -> None:
    class Bare:
        pass

    request = people_calls(protocol("simile"), simile(), Output("k", "x", "ok", picture="0" * 64), "p")["look"]
    form = form_of(Bare(), simile(), "look", "en", request)
    assert form.intro == request.prompt.user and form.reply({"reply": "Q1: A"}) == "Q1: A"
    assert form.answers("Q1: A") == {"reply": "Q1: A"}


def test_fields_take_only_what_they_can_say() -> None:
    share = Field("s", "score01", "?")
    assert [share.check(x) for x in ("1", "0", "0.50", " .25 ", "1e-1")] == ["1", "0", "0.5", "0.25", "0.1"]
    for wrong in ("", "1.01", "-0.1", "nan", "inf", "one", "٠.٥", "0." + "1" * 40):
        with pytest.raises(Unreadable):
            share.check(wrong)
    scale = Field("h", "ratings", "?", tuple(Option(str(n), "", float(n)) for n in range(1, 6)))
    assert scale.number("4") == 4.0
    for wrong in ("0", "6", "3.5", "", "A", "٣"):
        with pytest.raises(Unreadable):
            scale.check(wrong)
    form = Form((share, scale))
    assert form.reply({"s": "0.5", "h": "3"}) == "s: 0.5\nh: 3"
    for filled in ({"s": "0.5"}, {"s": "0.5", "h": "3", "x": "1"}, {}):
        with pytest.raises(Unreadable):
            form.reply(filled)
    assert form.answers("s: 0.5\nh: 9\n") == {"s": "0.5"} and form.answers("nonsense") == {}
    assert from_lines("Q1: b.\nname: fusion") == {"Q1": "B", "name": "fusion"}
