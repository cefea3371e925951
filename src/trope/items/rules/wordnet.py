"""Optional: with WordNet's files at hand, no Q5 distractor is a synonym, hypernym or hyponym of the truth.

WordNet is no dependency: the folder with `index.noun`, `data.noun` and `noun.exc` is given by the user
(Debian: ``apt-get install wordnet-base``, then ``/usr/share/wordnet``). The files' format is documented in
WordNet's wndb(5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from trope.errors import ItemError
from trope.items.rules.base import Fault, Rule, each
from trope.nouns import Item

_SENSES = 5  # the commonest senses of a noun; rarer ones would flag half the dictionary
_ENDINGS = (("ches", "ch"), ("shes", "sh"), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ves", "f"), ("men", "man"),
            ("ies", "y"), ("s", ""))  # fmt: skip
_PREPOSITION = re.compile(r"\b(?:of|for|to|in|on|with|between|by|before|after|at|from|without|set|into)\b")


class WordNet:
    """The nouns of WordNet: senses of a word, and what stands above a sense."""

    def __init__(self, folder: Path) -> None:
        missing = [name for name in ("index.noun", "data.noun", "noun.exc") if not (folder / name).is_file()]
        if missing:
            raise ItemError(
                f"no {missing[0]} in {str(folder)!r}. Expected the folder of WordNet's files"
                " (Debian: apt-get install wordnet-base, then /usr/share/wordnet)"
            )
        self._folder = folder
        self._data = (folder / "data.noun").read_bytes()

    @cached_property
    def _index(self) -> dict[str, tuple[int, ...]]:
        found = {}
        for line in (self._folder / "index.noun").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                parts = line.split()
                found[parts[0]] = tuple(map(int, parts[-int(parts[2]) :]))
        return found

    @cached_property
    def _exceptions(self) -> dict[str, str]:
        lines = (self._folder / "noun.exc").read_text("latin-1").splitlines()
        return {parts[0]: parts[1] for line in lines if len(parts := line.split()) > 1}

    def senses(self, phrase: str) -> frozenset[int]:
        """The commonest senses of the phrase, its head and its last two words."""
        return frozenset(offset for word in heads(phrase) for offset in self._of(word)[:_SENSES])

    def _of(self, word: str) -> tuple[int, ...]:
        if word in self._index:
            return self._index[word]
        if word in self._exceptions:
            return self._index.get(self._exceptions[word], ())
        for ending, base in _ENDINGS:
            if word.endswith(ending) and (found := self._index.get(word.removesuffix(ending) + base)):
                return found
        return ()

    def above(self, senses: frozenset[int]) -> frozenset[int]:
        """All hypernyms of the senses, up to the top."""
        found: set[int] = set()
        left = list(senses)
        while left:
            for offset in self._hypernyms(left.pop()):
                if offset not in found:
                    found.add(offset)
                    left.append(offset)
        return frozenset(found)

    @lru_cache(maxsize=100_000)  # noqa: B019 - one WordNet a process
    def _hypernyms(self, offset: int) -> tuple[int, ...]:
        line = self._data[offset : self._data.index(b"\n", offset)].decode("latin-1").split(" | ")[0].split()
        after = 4 + 2 * int(line[3], 16)
        pointers = line[after + 1 : after + 1 + 4 * int(line[after])]
        return tuple(int(pointers[n + 1]) for n in range(0, len(pointers), 4) if pointers[n] in ("@", "@i"))


def heads(phrase: str) -> set[str]:
    """The phrase, what stands before its preposition, the last word of that, and its last two."""
    phrase = phrase.lower().replace("'s", "")
    before = _PREPOSITION.split(phrase)[0].strip() or phrase
    parts = before.split()
    return {phrase.replace(" ", "_"), before.replace(" ", "_"), parts[-1], "_".join(parts[-2:])}


def wordnet_rule(folder: Path) -> Rule:
    """The rule, over WordNet's files in ``folder``.

    Raises
    ------
    ItemError : the files are not there.
    """
    net = WordNet(folder)

    def find(item: Item) -> Iterator[Fault]:
        for question in item.questions:
            if question.axis != "mapping" or question.answer is None:
                continue
            truth = question.options[question.answer]
            right = net.senses(truth)
            for n, option in enumerate(question.options):
                if n != question.answer and (relation := _relation(net, right, net.senses(option))):
                    yield Fault(
                        f"questions.{question.id}.options.{n}", option, f"is a {relation} of the truth {truth!r}"
                    )

    return each("wordnet", "Q5: no distractor is a synonym, hypernym or hyponym of the truth", find)


def _relation(net: WordNet, truth: frozenset[int], other: frozenset[int]) -> str | None:
    if truth & other:
        return "synonym"
    if net.above(truth) & other:
        return "hypernym"
    if net.above(other) & truth:
        return "hyponym"
    return None
