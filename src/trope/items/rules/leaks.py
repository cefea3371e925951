"""What one call must not tell the other, and what makes a distractor fair."""

from __future__ import annotations

from collections.abc import Iterator

from trope.items.rules.base import Fault, Rule, each
from trope.items.words import content, stem, words
from trope.nouns import Item, Question

_FIRST_CALL = ("Q1", "Q2", "Q4")
_ALIKE = 0.5  # share of the smaller option's content words that two options of Q1, Q2, Q4 may have in common
_TOO_MANY = 3  # prompt words by which a truth may exceed its distractors


def _leak(item: Item) -> Iterator[Fault]:
    """Elements of the source that only Q5 names, in an option of Q1, Q2, Q4 or in the conceptual prompt."""
    if item.figure is None:
        return
    known = content(f"{item.figure.tenor} {item.figure.vehicle}", "en")
    elements = frozenset(w for m in item.figure.mappings for w in content(m.vehicle, "en")) - known
    for question in item.questions:
        if question.id in _FIRST_CALL:
            for n, option in enumerate(question.options):
                for word in sorted(content(option, "en") & elements):
                    yield Fault(f"questions.{question.id}.options.{n}", option, f"{word!r} belongs to a mapping (Q5)")
    for word in sorted(content(item.prompts.get("conceptual", ""), "en") & elements):
        yield Fault("prompts.conceptual", item.prompts["conceptual"], f"{word!r} belongs to a mapping (Q5)")


def _described(item: Item) -> Iterator[Fault]:
    """What Q5 asks about is in the descriptive prompt, or nobody could have drawn it."""
    if item.figure is None:
        return
    drawn = content(item.prompts.get("descriptive", ""), "en")
    for n, mapping in enumerate(item.figure.mappings):
        missing = content(mapping.vehicle, "en") - drawn
        if missing:
            yield Fault(
                f"figures.0.mappings.{n}.vehicle", mapping.vehicle,
                f"the descriptive prompt does not say {', '.join(sorted(missing))!r}",
            )  # fmt: skip


def _substance(item: Item) -> Iterator[Fault]:
    for question in item.questions:
        if question.id not in _FIRST_CALL or question.answer is None:
            continue
        truth = content(question.options[question.answer], "en")
        for n, option in enumerate(question.options):
            other = content(option, "en")
            if n != question.answer and len(truth & other) > _ALIKE * max(1, min(len(truth), len(other))):
                why = f"differs from the truth in phrasing only: both say {', '.join(sorted(truth & other))}"
                yield Fault(f"questions.{question.id}.options.{n}", option, why)


def _mapping_options(item: Item) -> Iterator[Fault]:
    asked = [q for q in item.questions if q.axis == "mapping" and q.answer is not None]
    truths = {_norm(q.options[q.answer or 0]): q.id for q in asked}
    used: dict[str, str] = {}
    for question in asked:
        right = question.options[question.answer or 0]
        for n, option in enumerate(question.options):
            where = f"questions.{question.id}.options.{n}"
            if n == question.answer:
                continue
            if _norm(option) in truths:
                yield Fault(where, option, f"is the truth of {truths[_norm(option)]}")
            if _norm(option) in used:
                yield Fault(where, option, f"is a distractor of {used[_norm(option)]} as well")
            if _head(option) == _head(right):
                yield Fault(
                    where, option, f"has the head of the truth ({right!r}): a kind of it, or it is a kind of this"
                )
            used[_norm(option)] = question.id


def _norm(text: str) -> str:
    return " ".join(words(text.casefold()))


def _head(text: str) -> str:
    """The stem of a noun phrase's head: the last word before a preposition."""
    before: list[str] = []
    for word in words(text.casefold()):
        if (
            word in ("of", "for", "to", "in", "on", "with", "between", "from", "without", "at", "by", "after")
            and before
        ):
            break
        before.append(word)
    return stem(before[-1]) if before else ""


def _repeats(item: Item) -> Iterator[Fault]:
    prompt = content(item.text, item.lang)
    for question in item.questions:
        if question.answer is None or question.axis == "structure":
            continue
        shared = [len(content(option, item.lang) & prompt) for option in question.options]
        most = max((s for n, s in enumerate(shared) if n != question.answer), default=0)
        if shared[question.answer] - most > _TOO_MANY:
            why = f"repeats {shared[question.answer]} words of the prompt, its distractors at most {most}"
            yield Fault(_where(question), question.options[question.answer], why)


def _where(question: Question) -> str:
    return f"questions.{question.id}.options.{question.answer}"


RULES: tuple[Rule, ...] = (
    each("leak", "no option of Q1, Q2, Q4 and no conceptual prompt names what only Q5 tells", _leak),
    each("described", "what Q5 asks about stands in the descriptive prompt", _described),
    each("substance", "distractors of Q1, Q2, Q4 differ in substance", _substance),
    each("mapping-options", "Q5: no distractor is a truth, stands twice, or has the truth's head", _mapping_options),
    each("prompt-words", f"no truth repeats over {_TOO_MANY} prompt words more than its distractors do", _repeats),
)
