"""Chinese text as the rules read it: in simplified characters, one for one, so that every span stays where it is."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_TITLE = re.compile(r"《[^《》\n]{1,60}》")


# Characters with more than one traditional form, in the form that words for looks have (`彎曲`, not `彎麴`).
_AS_WRITTEN = {ord(pair[0]): pair[1] for pair in "曲曲 修修 僵僵 凌凌 折折 纤纖 净淨 布布".split()}


@cache
def _pairs() -> tuple[str, ...]:
    table = files("trope.strategies.guard.lexicon").joinpath("traditional.txt").read_text("utf-8")
    return tuple(pair for line in table.splitlines() if not line.startswith("#") for pair in line.split())


@cache
def _simple() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in _pairs()}


@cache
def _traditional() -> dict[int, str]:
    return {ord(pair[1]): pair[0] for pair in reversed(_pairs())} | _AS_WRITTEN


def read(text: str) -> str:
    """The text in simplified characters, titles of works (`《像鸡毛一样飞》`) blotted out; its length is the same."""
    return _TITLE.sub(lambda title: "《" + "○" * (len(title.group()) - 2) + "》", text.translate(_simple()))


def like(word: str, text: str) -> str:
    """A word of the lexicon in the characters of the text: traditional where it has any that is not simplified."""
    return word.translate(_traditional()) if _is_traditional(text) else word


@lru_cache(maxsize=8)
def _is_traditional(text: str) -> bool:
    return text.translate(_simple()) != text


def is_han(text: str) -> bool:
    """Whether a text is Chinese characters, one at least, and nothing else."""
    return _HAN.fullmatch(text) is not None
