"""A Japanese sentence in morphemes, by Sudachi: parts of speech and inflection are a library's matter, not ours."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import Any

_HERE = threading.local()  # a tokenizer may be used by one thread at a time


@dataclass(frozen=True, slots=True)
class Morpheme:
    """One morpheme: ``[start, end)`` in the text, part of speech, inflected form, and how a dictionary spells it."""

    start: int
    end: int
    surface: str
    kind: str  # 名詞, 動詞, 助詞 ...
    sort: str  # the finer parts of speech, joined: 普通名詞-副詞可能
    form: str  # 連体形-一般, or *
    base: str  # the dictionary form
    normal: str  # the normalized form: 読む of 読める

    @property
    def nominal(self) -> bool:
        """Whether it is a noun or a part of one; no pronoun."""
        return self.kind == "名詞" or (self.kind == "接尾辞" and self.sort.startswith("名詞的"))

    @property
    def predicate(self) -> bool:
        """Whether it inflects."""
        return self.kind in ("動詞", "形容詞", "助動詞") or (
            self.kind == "接尾辞" and self.sort[:2] in ("動詞", "形容")
        )

    @property
    def attributive(self) -> bool:
        """Whether it can stand right before a noun: `赤い`, `眠る`, `割れた`, `静かな`, `大きな`."""
        return self.kind == "連体詞" or (self.predicate and self.form[:3] in ("連体形", "終止形"))

    def particle(self, *surfaces: str) -> bool:
        """Whether it is one of these particles."""
        return self.kind == "助詞" and self.surface in surfaces


class Sentence:
    """The morphemes of one stretch of a text, spaces left out, with a way back from places to morphemes."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self.morphemes = [m for m in _morphemes(text[start:end], start) if m.kind != "空白"]
        self._ends = [m.end for m in self.morphemes]
        self._starts = [m.start for m in self.morphemes]

    def ending(self, place: int) -> int | None:
        """The number of the morpheme that ends at a place of the text (spaces may lie between)."""
        n = bisect_left(self._ends, place)
        if n < len(self._ends) and self._ends[n] == place:
            return n
        return n - 1 if n and not self.text[self._ends[n - 1] : place].strip() else None

    def starting(self, place: int) -> int:
        """The number of the first morpheme that starts at a place of the text or after it."""
        return bisect_left(self._starts, place)

    def at(self, n: int) -> Morpheme | None:
        """A morpheme by its number, None outside."""
        return self.morphemes[n] if 0 <= n < len(self.morphemes) else None

    def quote(self, start: int, end: int) -> str:
        """The words between two places."""
        return self.text[start:end]


@cache
def _dictionary() -> Any:
    from sudachipy import Dictionary

    return Dictionary(dict="small")


def _morphemes(piece: str, offset: int) -> list[Morpheme]:
    tokenizer = getattr(_HERE, "tokenizer", None)
    if tokenizer is None:
        from sudachipy import SplitMode

        tokenizer = _HERE.tokenizer = _dictionary().tokenizer(mode=SplitMode.C)
    return [
        Morpheme(
            offset + m.begin(), offset + m.end(), m.surface(), *_part(m.part_of_speech()), m.dictionary_form(),
            m.normalized_form(),
        )
        for m in tokenizer.tokenize(piece)
    ]  # fmt: skip


@cache
def _part(of_speech: tuple[str, ...]) -> tuple[str, str, str]:
    kind, *sorts, _, form = of_speech
    return kind, "-".join(sort for sort in sorts if sort != "*"), form
