"""A comparison in its clause, with the questions that reasons and rewrites ask of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.chinese.markers import Marker
from trope.strategies.guard.chinese.things import Thing
from trope.strategies.guard.lexicon import either

_BREAK = re.compile(r"[。！？!?\n；;]")
_PEOPLE = re.compile(r"[我你您他她咱]们?|[老小][张王李赵刘陈杨周]|人(?![群潮流海影声头山形])|师傅|孩子")
_HOW_MUCH = re.compile(r"(?<![觉显晓记懂值长生变])得\s*$")
# `头纱长得像一条银河`: how long, and not how it has grown.
_LONG = re.compile("(?:[纱路辫发队河摆腿须廊街桥链绳线袖]|影子|尾巴|脖子|胡子|睫毛|舌头|鼻子|手臂|手指|队伍|列车)长得$")
# Between what is likened and its marker: that it only looks or sounds so, and how much.
_LOOKS = re.compile(r"(?:[长生]得|[看听](?:起来|上去|着)|有点儿?|有些|很|真|好)+$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A comparison between the start and the end of its clause; ``opening``: the text opens as a design request."""

    text: str
    start: int
    end: int
    marker: Marker
    thing: Thing | None
    opening: bool

    @property
    def tenor(self) -> str:
        """What stands before the marker in the clause."""
        return self.text[self.start : self.marker.start]

    @property
    def told(self) -> str:
        """The sentence before the clause."""
        return _BREAK.split(self.text[max(0, self.start - 60) : self.start])[-1]

    @property
    def later(self) -> str:
        """What follows the clause."""
        return self.text[self.end : self.end + 50]

    @property
    def sentence_later(self) -> str:
        """What follows the clause in its sentence."""
        return re.split(r"[。！？\n]", self.later)[0]

    @property
    def sign(self) -> str:
        """The sign that ends the clause; nothing at the end of the text."""
        return self.text[self.end : self.end + 1]

    @property
    def phrase(self) -> str:
        """What stands between marker and closing word, or to where the clause ends."""
        return self.text[self.marker.end : self.marker.bound].strip()

    @property
    def tail(self) -> str:
        """What follows the comparison in the clause."""
        at = self.marker.closing[1] if self.marker.closing else (self.thing.stop if self.thing else self.marker.bound)
        return self.text[at : self.end]

    @property
    def noun(self) -> str:
        """The noun that is compared to."""
        return self.text[slice(*self.thing.noun)] if self.thing else ""

    @property
    def closing(self) -> str:
        """The word after the thing, or nothing."""
        return self.text[slice(*self.marker.closing)] if self.marker.closing else ""

    @property
    def closed(self) -> bool:
        """Whether a word after the thing closes the comparison."""
        return self.marker.closing is not None

    @property
    def counted(self) -> bool:
        """Whether the thing has a number or a classifier."""
        return self.thing is not None and self.thing.counted

    @property
    def clause(self) -> bool:
        """Whether a clause is compared."""
        return self.thing is not None and self.thing.clause

    @property
    def of(self) -> bool:
        """Whether something is said of the thing with 的 before it."""
        return "的" in self.phrase[:-1]

    @property
    def animate(self) -> bool:
        """Whether somebody is spoken of before the comparison, so that what he seems to do may be so."""
        return _PEOPLE.search(self.told + self.tenor) is not None

    @property
    def degree(self) -> bool:
        """Whether it says how much: `稠得|仿佛有人...`."""
        return _HOW_MUCH.search(self.tenor) is not None or _LONG.search(self.tenor) is not None

    @property
    def likened(self) -> str:
        """What stands before the marker, without words that it only looks so."""
        return _LOOKS.sub("", self.tenor).strip()

    @property
    def looks(self) -> bool:
        """Whether it is said to look or to sound so, or to be much so."""
        said = self.text[self.marker.start : self.marker.end]
        return self.likened != self.tenor.strip() or re.match("[看听](?:起来|上去)", said) is not None


_OCCUPIED = "师傅|叔|姨|婶|伯|爷|嫂|太太|先生|小姐|们|员|者|家|生|兵|长|匠"


@cache
def _somebody() -> re.Pattern[str]:
    named = f"{either('zh', 'kin')}|{either('zh', 'persons')}"
    return re.compile(rf"(?:[我你您他她咱]们?|{named}|[\u4e00-\u9fff](?:{_OCCUPIED}))(?:自己)?$")


def is_somebody(text: str) -> bool:
    """Whether a text ends with a person."""
    return _somebody().search(text.strip()) is not None


@cache
def _number_before() -> re.Pattern[str]:
    number = "[一那这两几三四五]|^|[着了有是]"
    return re.compile(rf"(?:{number})(?:{either('zh', 'classifiers')})(?:外形|形状|长得)?(?:很|有点)?$")


def counted_before(text: str, start: int, end: int) -> bool:
    """Whether number and classifier stand right before: `一朵|像小狗的云`."""
    return _number_before().search(text[start:end]) is not None
