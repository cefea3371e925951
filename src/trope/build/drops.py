"""The manifest of a build: everything that was dropped, at which stage, and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Drop:
    """One thing that is not in the set.

    Attributes
    ----------
    what : which it is: an id, a pair, a web address.
    stage : where it fell out.
    reason : one of few words, to be counted.
    why : the whole reason, for a person.
    more : what it was: the reply, the text, whatever helps to judge the decision.
    """

    what: str
    stage: str
    reason: str
    why: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        """As a line of JSON."""
        plain = {"what": self.what, "stage": self.stage, "reason": self.reason, "why": self.why, **self.more}
        return json.dumps(plain, ensure_ascii=False) + "\n"


def counts(drops: Iterable[Drop]) -> Counter[tuple[str, str]]:
    """How many by stage and reason."""
    return Counter((drop.stage, drop.reason) for drop in drops)
