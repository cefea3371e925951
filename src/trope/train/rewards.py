"""What a sampled reply earns: a function a reward, and all of them the scoring code of `trope run m3r`.

A reply is read by `trope.protocols.m3r.read_answer` and marked by `field_scores`, nothing else; so a reply in
another form, with a label twice, or with all labels at once earns 0. What the paper's lost formula leaves open is
ours, and named so in the preset.

=========== =====================================================================================================
m           1 for the right metaphor label
target      on a true metaphor the mark of TP: similarity with the truth, 0 where the metaphor was missed or the
            field is no value; on a true non-metaphor 1 for None, as the joint label asks, else 0
source      the same for SP
sentiment   1 for the right sentiment
format      1 for exactly the fields of the reply, each filled, None in target and source exactly with ``No``
=========== =====================================================================================================
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trope.errors import UnknownName, UsageError
from trope.protocols.m3r.labels import FIELDS, NO, NONE, YES, Labels, fold
from trope.protocols.m3r.marks import Marks, field_scores, to_match
from trope.protocols.m3r.reading import EXPLANATIONS, NOTHING, Answer, read_answer
from trope.requests import Unreadable
from trope.wire import read_object

Matcher = Callable[[Sequence[tuple[str, str]]], Sequence[float]]  # (said, true) pairs -> similarity in [0, 1] each
Reward = Callable[..., list[float]]
_KEPT = 4096  # scored replies remembered: every reward asks about the same ones


@dataclass(frozen=True, slots=True)
class Scored:
    """One reply: as read (`NOTHING` if unreadable), its marks, and whether it keeps the format."""

    answer: Answer
    marks: Marks
    formal: bool


class Scorer:
    """Reads and marks replies, each once, whatever asks.

    Parameters
    ----------
    matcher : compares open fields; the protocol's own is BERTScore.
    name : of the matcher, as it is written wherever a number of it stands.
    """

    def __init__(self, matcher: Matcher, name: str) -> None:
        self.matcher, self.name = matcher, name
        self._known: dict[tuple[str, Labels], Scored] = {}

    def score(self, replies: Sequence[str], labels: Sequence[Labels]) -> list[Scored]:
        """Each reply against its labels, all open fields compared in one call."""
        if len(self._known) > _KEPT:
            self._known.clear()
        wanted = list(zip(replies, labels, strict=True))
        new = {key: _read(key[0]) for key in wanted if key not in self._known}
        pairs = [(key, name, pair) for key in new for name, pair in to_match(new[key][0], key[1]).items()]
        found: dict[tuple[str, Labels], dict[str, float | None]] = {key: {} for key in new}
        if pairs:
            values = self.matcher([pair for _, _, pair in pairs])
            for (key, name, _), value in zip(pairs, values, strict=True):
                found[key][name] = float(value)
        for key, (answer, formal) in new.items():
            self._known[key] = Scored(answer, field_scores(answer, key[1], found[key]), formal)
        return [self._known[key] for key in wanted]


def reward_m(scored: Scored, labels: Labels) -> float:
    """The right metaphor label."""
    return float(scored.marks.metaphor)


def reward_target(scored: Scored, labels: Labels) -> float:
    """TP's mark; on a true non-metaphor, None."""
    mark = scored.marks.target
    return float(scored.answer.target == NONE) if mark is None else mark


def reward_source(scored: Scored, labels: Labels) -> float:
    """SP's mark; on a true non-metaphor, None."""
    mark = scored.marks.source
    return float(scored.answer.source == NONE) if mark is None else mark


def reward_sentiment(scored: Scored, labels: Labels) -> float:
    """The right sentiment."""
    return float(scored.marks.sentiment)


def reward_format(scored: Scored, labels: Labels) -> float:
    """Exactly the reply that was asked for, right or wrong."""
    return float(scored.formal)


REWARDS: Mapping[str, Callable[[Scored, Labels], float]] = {
    "m": reward_m, "target": reward_target, "source": reward_source, "sentiment": reward_sentiment,
    "format": reward_format,
}  # fmt: skip


def reward_functions(weights: Mapping[str, float], scorer: Scorer) -> tuple[list[Reward], list[float]]:
    """The rewards of a weight above 0, as TRL calls them, and their weights.

    Each gets ``completions`` (texts, or messages) and the columns of the labels, and is named after its reward.
    """
    kept = {name: weight for name, weight in weights.items() if weight > 0}
    return [_for_trl(name, scorer) for name in kept], list(kept.values())


def _for_trl(name: str, scorer: Scorer) -> Reward:
    reward = REWARDS[name]

    def function(
        completions: Sequence[Any], metaphor: Sequence[str], target: Sequence[str], source: Sequence[str],
        sentiment: Sequence[str], **more: Any,
    ) -> list[float]:  # fmt: skip
        labels = [Labels(*four) for four in zip(metaphor, target, source, sentiment, strict=True)]
        scored = scorer.score([_text(completion) for completion in completions], labels)
        return [reward(one, true) for one, true in zip(scored, labels, strict=True)]

    function.__name__ = name
    return function


def matcher_of(spec: str) -> tuple[Matcher, str]:
    """A matcher by its name in the configuration, and the name to write beside its numbers.

    ``exact``: the same text but for case. ``chars``: `char_similarity`. Anything else names a text similarity of
    `trope.similarity`, e.g. ``bertscore:FOLDER?layer=9``.
    """
    if spec == "exact":
        return lambda pairs: [float(fold(said) == fold(true)) for said, true in pairs], "exact"
    if spec == "chars":
        return lambda pairs: [char_similarity(said, true) for said, true in pairs], "chars"
    from trope.similarity import SIMILARITIES

    if spec.partition(":")[0].partition("?")[0] not in SIMILARITIES:
        raise UnknownName("matcher", spec, ["exact", "chars", *SIMILARITIES.names()])
    backend: Any = SIMILARITIES.create(spec)
    matcher = similarity_matcher(backend)
    matcher([("a", "a")])  # loads it now, not when the first replies are there
    return matcher, backend.name


def similarity_matcher(backend: Any) -> Matcher:
    """A text similarity of `trope.similarity` as a matcher: the very backend that `trope run m3r` asks."""
    if not hasattr(backend, "scores"):
        raise UsageError(f"{backend.name!r} does not compare texts. Expected: e.g. bertscore:FOLDER?layer=9")

    def compare(pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        found: Sequence[float] = backend.scores(list(pairs))
        return found

    return compare


def char_similarity(said: str, true: str) -> float:
    """F1 of character pairs (Dice), in [0, 1], case and width aside; a text of one character is a pair with itself.

    Cheap and shallow: it knows no synonyms. "sports car" against "car" is 0.36.
    """
    left, right = _pairs(said), _pairs(true)
    total = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / total if total else 0.0


def _pairs(text: str) -> Counter[str]:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return Counter([plain] if len(plain) == 1 else [plain[n : n + 2] for n in range(len(plain) - 1)])


def _read(reply: str) -> tuple[Answer, bool]:
    try:
        answer = read_answer(reply)
        keys = set(read_object(reply))
    except Unreadable:
        return NOTHING, False
    return answer, _formal(answer, keys)


def _formal(answer: Answer, keys: set[str]) -> bool:
    empty = {"mapping"} if answer.metaphor == NO else set()
    if keys != {*FIELDS, *EXPLANATIONS} or set(answer.problems) - empty:
        return False
    none = {answer.target == NONE, answer.source == NONE}
    return none == {answer.metaphor != YES}


def _text(completion: Any) -> str:
    """The text of a completion: itself, or of the one message it is."""
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"] if completion else ""
    return content if isinstance(content, str) else json.dumps(content)
