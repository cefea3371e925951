"""Rounds of writing and judging, until every pair has a sentence that all judges accept, or a budget ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trope.build.asking import one, several
from trope.build.drops import Drop
from trope.build.simile.conformity import Nonconforming, conform
from trope.build.simile.groups import BEST, group_of
from trope.build.simile.phrases import PAIRS, Pair
from trope.build.simile.prompts import QUESTIONS, judge, write
from trope.build.simile.surface import sentence_of
from trope.errors import UsageError
from trope.flow import Errand
from trope.items.rules.duplicates import NEAR
from trope.nouns import Item
from trope.records import Record
from trope.requests import Unreadable

Ask = Callable[[Sequence[Errand]], list[Any]]

_SLICE = 80  # pairs written and judged together, so that a budget that ends leaves few sentences unjudged


@dataclass(frozen=True, slots=True)
class Settings:
    """What is to be built, by whom, and when to stop.

    Attributes
    ----------
    writers : two or more chat models by name; each writes, and judges what the others wrote.
    rounds : at most so many sentences a writer and pair, each with a seed of its own (1, 2, ...).
    calls : at most so many requests, those already answered included; None for no limit.
    """

    writers: tuple[str, ...]
    pairs: tuple[Pair, ...] = PAIRS
    rounds: int = 10
    calls: int | None = None

    def __post_init__(self) -> None:
        if len(set(self.writers)) < 2 or len(set(self.writers)) < len(self.writers):
            raise UsageError(f"{len(self.writers)} writers. Expected: two different models or more, since a sentence"
                             " is judged by the models that did not write it")  # fmt: skip
        if not self.pairs:
            raise UsageError("no pair of class and template is asked for")
        if self.rounds < 1:
            raise UsageError(f"{self.rounds} rounds. Expected: at least 1")

    @property
    def judgments(self) -> int:
        """How many answers each sentence is judged by."""
        return len(QUESTIONS) * (len(self.writers) - 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that conforms, and what each judge answered to each question: yes, no, or why there is no answer."""

    item: Item
    pair: Pair
    writer: str
    seed: int
    votes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """How many yes answers it got."""
        return sum(vote == "yes" for of in self.votes.values() for vote in of.values())

    @property
    def most(self) -> int:
        """How many answers were asked for."""
        return len(self.votes) * len(QUESTIONS)

    @property
    def group(self) -> str | None:
        """Its group, G1 to G5, or None."""
        return group_of(self.points, self.most)


@dataclass(slots=True)
class Built:
    """What a build has come to.

    Attributes
    ----------
    kept : sentences of the best group, none nearly another's text; the set.
    judged : every sentence that was judged.
    written : replies by writer, whatever became of them.
    missing : pairs without a sentence.
    ended : why there are no more rounds: ``covered``, ``rounds``, ``calls`` or ``usd``.
    """

    kept: list[Candidate] = field(default_factory=list)
    judged: list[Candidate] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)
    written: dict[str, int] = field(default_factory=dict)
    missing: list[Pair] = field(default_factory=list)
    rounds: int = 0
    calls: int = 0
    ended: str = "rounds"


def build(settings: Settings, ask: Ask, tell: Callable[[str], None] = lambda line: None) -> Built:
    """Build a set of similes.

    Parameters
    ----------
    ask : carries errands out in order (`trope.build.asking.Asker`); None stands for one that a budget did not reach.
    tell : told a line a round.

    Notes
    -----
    What is asked in a round depends on the answers of the rounds before and on nothing else. So a build that was
    killed asks, started again, only what has no stored answer.
    """
    built = Built(missing=list(settings.pairs), written=dict.fromkeys(settings.writers, 0))
    seen: dict[str, str] = {}
    for seed in range(1, settings.rounds + 1):
        built.rounds = seed
        for start in range(0, len(built.missing), _SLICE):
            candidates = list(_written(settings, built, built.missing[start : start + _SLICE], seed, ask, seen))
            built.judged += _judged(settings, built, candidates, ask)
            if built.ended != "rounds":
                break
        built.kept = _apart([c for c in built.judged if c.group == BEST])[0]
        covered = {candidate.pair for candidate in built.kept}
        built.missing = [pair for pair in settings.pairs if pair not in covered]
        tell(f"round {seed}: {len(built.judged)} sentences judged, {len(built.kept)} in {BEST},"
             f" {len(built.missing)} of {len(settings.pairs)} pairs to go")  # fmt: skip
        if not built.missing:
            built.ended = "covered"
        if built.ended != "rounds":
            break
    built.drops += _apart([c for c in built.judged if c.group == BEST])[1]
    built.drops += [_below(c) for c in built.judged if c.group != BEST]
    return built


def _written(
    settings: Settings, built: Built, pairs: Sequence[Pair], seed: int, ask: Ask, seen: dict[str, str]
) -> Iterator[Candidate]:
    """Sentences about some pairs that conform and are new."""
    from trope.items.tfidf import plain

    asked = [(pair, writer) for pair in pairs for writer in settings.writers]
    if settings.calls is not None:
        affordable = (settings.calls - built.calls) // (1 + settings.judgments)
        built.ended = "calls" if affordable < len(asked) else built.ended
        asked = asked[: max(0, affordable)]
    built.calls += len(asked)
    records = ask([one(f"{p}/{w}/{seed}", lambda p=p, w=w: write(p, w, seed)) for p, w in asked])  # type: ignore[misc]
    for (pair, writer), record in zip(asked, records, strict=True):
        name = f"{pair}/{writer}/{seed}"
        if record is None:
            built.ended = "usd"
            continue
        built.written[writer] += 1
        found = _read(record, pair)
        if isinstance(found, Drop):
            built.drops.append(Drop(name, "write", found.reason, found.why, found.more))
        elif (first := seen.setdefault(plain(found.text), name)) != name:
            built.drops.append(Drop(name, "write", "duplicate", f"is also the text of {first}", {"text": found.text}))
        else:
            labels = {"writer": writer, "seed": str(seed)}
            yield Candidate(found.model_copy(update={"labels": labels}), pair, writer, seed)


def _read(record: Record, pair: Pair) -> Item | Drop:
    said = {"reply": record.raw}
    if not record.ok:
        return Drop("", "", record.status, record.reason or "no reason was given", said)
    try:
        sentence = sentence_of(record.raw or "")
    except Unreadable as error:
        return Drop("", "", "one-sentence", str(error), said)
    found = conform(sentence, pair)
    return Drop("", "", found.rule, found.why, said) if isinstance(found, Nonconforming) else found


def _judged(settings: Settings, built: Built, candidates: list[Candidate], ask: Ask) -> list[Candidate]:
    """Candidates with the answers of the models that did not write them."""
    errands: list[Errand] = []
    built.calls += len(candidates) * settings.judgments
    for candidate in candidates:
        judges = [writer for writer in settings.writers if writer != candidate.writer]
        asked = [judge(candidate.item.text, candidate.pair, q, model) for model in judges for q in QUESTIONS]
        errands.append(several(candidate.item.id, lambda asked=asked: asked))  # type: ignore[misc]
    judged = []
    for candidate, records in zip(candidates, ask(errands), strict=True):
        if records is None:
            built.ended = "usd"
            built.drops.append(_drop(candidate, "usd", "the budget ended before it was judged"))
            continue
        failed = next((record for record in records if record.status == "failed"), None)
        if failed is not None:
            why = f"a judge gave no answer: {failed.reason}"
            built.drops.append(_drop(candidate, "judge-failed", why))
            continue
        judges = [writer for writer in settings.writers if writer != candidate.writer]
        said = iter(records)
        votes = {model: {q: _vote(next(said)) for q in QUESTIONS} for model in judges}
        judged.append(_with(candidate, votes))
    return judged


def _vote(record: Record) -> str:
    """``yes``, ``no``, or the status of an answer that is neither; only ``yes`` earns a point."""
    return ("yes" if record.value else "no") if record.ok else record.status


def _with(candidate: Candidate, votes: Mapping[str, Mapping[str, str]]) -> Candidate:
    made = Candidate(candidate.item, candidate.pair, candidate.writer, candidate.seed, votes)
    labels = {**candidate.item.labels, "points": f"{made.points}/{made.most}", "group": made.group or "none"}
    item = candidate.item.model_copy(update={"labels": labels})
    return Candidate(item, candidate.pair, candidate.writer, candidate.seed, votes)


def _apart(candidates: list[Candidate]) -> tuple[list[Candidate], list[Drop]]:
    """Without those that are nearly the text of an earlier one, by the rule that `trope items validate` applies."""
    from trope.items.tfidf import similar_pairs

    kept, drops = list(candidates), []
    while len(kept) > 1 and (alike := similar_pairs([c.item.text for c in kept], NEAR)):
        gone: set[int] = set()
        for pair in sorted(alike, key=lambda pair: (pair.second, pair.first)):
            if pair.first not in gone and pair.second not in gone:
                first, second = kept[pair.first], kept[pair.second]
                why = f"is nearly the text of {first.item.id} (cosine {pair.cosine:.2f}, limit {NEAR})"
                drops.append(_drop(second, "near-duplicate", why))
                gone.add(pair.second)
        kept = [candidate for n, candidate in enumerate(kept) if n not in gone]
    return kept, drops


def _below(candidate: Candidate) -> Drop:
    why = f"{candidate.points} of {candidate.most} points: {candidate.group or 'no group'}, not {BEST}"
    return _drop(candidate, candidate.group or "no-group", why)


def _drop(candidate: Candidate, reason: str, why: str) -> Drop:
    more = {"text": candidate.item.text, "votes": dict(candidate.votes)}
    name = f"{candidate.pair}/{candidate.writer}/{candidate.seed}"
    return Drop(name, "judge", reason, why, {k: v for k, v in more.items() if v})
