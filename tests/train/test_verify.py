"""A model with eyes says which explanations are supported; what nobody vouches for is not learned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import trope
from tests.train import world
from trope.judges import JUDGES
from trope.requests import Unreadable
from trope.store import Store
from trope.train.corpus import build
from trope.train.verify import prompt, read, unsupported


def reply(**answers: str) -> str:
    return json.dumps(answers)


@pytest.fixture
def answers() -> tuple[dict[str, str], ...]:
    """By the text of the item: all supported, one refused, no answer in the format, an ``ok`` in place of a yes."""
    good = reply(evidence="yes", mapping="yes", justification="yes")
    return (
        {"contains": "number 0", "reply": good},
        {"contains": "number 2", "reply": reply(evidence="no", mapping="yes", justification="yes")},
        {"contains": "number 4", "reply": "All of it is supported."},
        {"contains": "number 1", "reply": reply(evidence="yes", justification="ok")},
        {"contains": "number 3", "reply": reply(evidence="yes", justification="yes")},
    )


def test_verdicts(server, answers, store: Store, tmp_path: Path) -> None:
    made = server(replies=answers)
    items = world.items(5, tmp_path)
    broken = world.item(6, tmp_path).model_copy(update={"references": {}})  # the rules see that: nobody asks
    judge = JUDGES.create(f"vllm:eyes?base_url={made.url}")
    found = unsupported([*items, broken], judge, store)
    assert found == {
        "w002": ("evidence",), "w004": ("evidence", "mapping", "justification"), "w001": ("evidence", "justification"),
    }  # fmt: skip
    asked = len(made.log())
    assert asked == 5
    assert unsupported(items, JUDGES.create(f"vllm:eyes?base_url={made.url}"), store) == found
    assert len(made.log()) == asked, "what was asked is stored"
    corpus = build(items, [], tmp_path / "out", sizes={"C1": 2, "C2": 1, "C3": 2}, verdicts=found)
    assert {drop.id: drop.name for drop in corpus.dropped} == dict.fromkeys(found, "verifier")
    assert corpus.manifest["verified"] is True and {row.id for row in corpus.parts[0].rows} == {"w000", "w003"}


def test_the_question_holds_what_it_is_about(tmp_path: Path) -> None:
    metaphor, other = world.item(0, tmp_path), world.item(1, tmp_path)
    said = prompt(metaphor).user
    for part in (metaphor.text, *metaphor.references.values(), "target: car", "evidence, mapping, justification"):
        assert part in said
    assert "mapping:" not in prompt(other).user and "{" not in said.replace("{text}", "{")
    tricky = metaphor.model_copy(update={"text": "a {explanations} car {labels}"})
    assert "a {explanations} car {labels}" in prompt(tricky).user


@pytest.mark.parametrize(
    "said",
    ["yes", '{"evidence": "yes"}', '{"evidence": "yes", "mapping": "Yes"}', '{"evidence": true, "mapping": "no"}'],
)
def test_only_yes_and_no_are_answers(said: str) -> None:
    with pytest.raises(Unreadable):
        read(said, fields=("evidence", "mapping"))
    assert read('{"evidence": "yes", "mapping": "no"}', fields=("evidence", "mapping")) == {
        "evidence": "yes",
        "mapping": "no",
    }


def test_the_option(server, answers, tmp_path: Path) -> None:
    made = server(replies=answers)
    world.item_file(world.items(5, tmp_path), tmp_path / "items.jsonl")
    done = trope("train", "corpus", "items.jsonl", "--benchmark", "none", "--out", "c", "--verify",
                 f"vllm:eyes?base_url={made.url}", "--ratio", "C1=1:1,C2=1:1,C3=1:1", cwd=tmp_path)  # fmt: skip
    assert "unsupported: verifier: 3" in done.stdout and "C1: 2 examples" in done.stdout
