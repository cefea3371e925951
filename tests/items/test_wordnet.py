"""WordNet's files, read without a library; a tiny WordNet of six nouns stands in for the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from trope.errors import ItemError
from trope.items.rules.wordnet import WordNet, heads, wordnet_rule
from trope.nouns import Item

# sense: words, hypernym
SENSES = [
    ("entity", "entity", None),
    ("animal", "animal beast", "entity"),
    ("dog", "dog hound", "animal"),
    ("puppy", "puppy", "dog"),
    ("plant", "plant", "entity"),
    ("foot", "foot", "entity"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files as wndb(5) describes them: byte offsets are what holds them together."""
    license_lines = "  1 This is not WordNet.\n"
    width = 8
    lines: list[str] = []
    offsets: dict[str, int] = {}

    def line(name: str, said: str, above: str | None) -> str:
        parts = said.split()
        listed = " ".join(f"{w} 0" for w in parts)
        pointers = f"001 @ {offsets.get(above, 0):0{width}d} n 0000" if above else "000"
        return f"{offsets.get(name, 0):0{width}d} 03 n {len(parts):02x} {listed} {pointers} | gloss\n"

    at = len(license_lines)
    for name, said, above in SENSES:
        offsets[name] = at
        at += len(line(name, said, above))
    lines = [line(*sense) for sense in SENSES]
    (tmp_path / "data.noun").write_text(license_lines + "".join(lines), "latin-1")
    index = {word: name for name, said, _ in SENSES for word in said.split()}
    (tmp_path / "index.noun").write_text(
        license_lines
        + "".join(f"{word} n 1 1 @ 1 0 {offsets[name]:0{width}d}  \n" for word, name in sorted(index.items())),
        "latin-1",
    )
    (tmp_path / "noun.exc").write_text("feet foot\n", "latin-1")
    return tmp_path


def test_senses_and_what_is_above(folder: Path) -> None:
    net = WordNet(folder)
    assert net.senses("dog") == net.senses("hounds") == net.senses("a loyal dog of the house")
    assert net.senses("feet") == net.senses("foot") != frozenset()
    assert net.senses("xyzzy") == frozenset()
    assert net.above(net.senses("puppy")) == net.senses("dog") | net.senses("animal") | net.senses("entity")
    assert heads("loyal dog of the house") == {"loyal_dog_of_the_house", "loyal_dog", "dog"}


def test_distractors_that_are_a_kind_of_the_truth(folder: Path) -> None:
    def asked(*distractors: str) -> list[str]:
        question = {"id": "Q5_1", "axis": "mapping", "stem": "?", "options": ["dog", *distractors], "answer": 0}
        item = Item.model_validate({"id": "a", "lang": "en", "text": "x", "questions": [question]})
        return [problem.why for problem in wordnet_rule(folder).problems([item])]

    assert asked("plants", "foot") == []
    assert asked("hound", "beasts", "puppies") == [
        "is a synonym of the truth 'dog'", "is a hypernym of the truth 'dog'", "is a hyponym of the truth 'dog'",
    ]  # fmt: skip


def test_a_folder_without_wordnet(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"no index.noun in .*apt-get install wordnet-base"):
        WordNet(tmp_path)


@pytest.mark.slow
def test_the_shipped_questions_with_the_real_wordnet() -> None:
    from trope.items import load_set

    folder = Path("/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        pytest.skip("Debian's wordnet-base is not installed")
    assert [str(problem) for problem in wordnet_rule(folder).problems(load_set("vmetaphor"))] == []
