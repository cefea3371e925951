"""The subject that stands right before a thing with a suffix, with nothing between the two: `刺客|猫一般地跃上屋顶`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.lexicon import either, qualities, words

_SUBJECTS = ("tenor_light", "tenor_water", "tenor_cloud", "tenor_hair", "sensed")


@dataclass(frozen=True, slots=True)
class Subject:
    """Where a subject ends and the thing begins; ``sure``: it is a person, and the thing is a known one."""

    end: int
    sure: bool


def subject_before(text: str, start: int, at: int) -> Subject | None:
    """The subject at ``start`` of the characters ``[start, at)`` before a suffix; None if they are one noun."""
    if text[at - 3 : at] in words("zh", "long_nouns"):
        return None
    if _is_thing(text[at - 1]) and at - 1 - start > 1:
        if _person().search(text, max(start, at - 8), at - 1):
            return Subject(at - 1, sure=True)
        if any(text[start : at - 1] in words("zh", name) for name in _SUBJECTS):  # `草原|狼`: it may be one noun
            return Subject(at - 1, sure=False)
    if at - start == 3 and text[start] in "人妈爸爹娘哥姐弟妹":
        known = _is_thing(text[start + 1 : at])
        return Subject(start + 1, sure=known) if known or text[start] == "人" else None
    return None


def _is_thing(noun: str) -> bool:
    return noun in words("zh", "animals") or noun in words("zh", "short_things") or noun in qualities("zh")


@cache
def _person() -> re.Pattern[str]:
    """A person of two characters or more, at the end."""
    listed = "|".join(either("zh", name) for name in ("persons", "kin", "tenor_somebody"))
    return re.compile(rf"(?:(?=[\u4e00-\u9fff]{{2}})(?:{listed})|[\u4e00-\u9fff][员匠兵])$")
