"""Forms: how a prompt is put to a person, and how a filled form becomes the reply a model would have given.

A protocol's folder may hold a module ``form`` with

    form(item, call, lang) -> Form | None            the form of one of its calls; None: no form for people
    form_about(item, output, call, lang) -> Form | None     the same, where the form depends on the output (optional)
    extra(item, output, instrument) -> {call: Request}      calls that only people are asked (optional)
    numbers(cell, instrument) -> {(call, field): float}     what another instrument says of the same (optional)
    headlines(call, form, numbers) -> {name: float}     scores made of a call's fields, as numbers by field (optional)

Where there is none, people see the prompt's own words and a field for the reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Literal

from trope.nouns import Item
from trope.records import Output
from trope.requests import Ask, Request, Unreadable

FieldKind = Literal["letters", "ratings", "score01", "text"]
_NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a field can say: ``value`` as the reply says it, ``text`` as people read it.

    ``score`` is the number a protocol gives it; None where options are only different.
    """

    value: str
    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a form.

    Attributes
    ----------
    name : as in the reply, e.g. ``Q1`` or ``harmony``.
    kind : ``letters`` one of several options; ``ratings`` whole numbers with anchors; ``score01`` a number
        in [0, 1]; ``text`` words.
    level : the level or dimension it counts for in tables of agreement; default its name.
    nominal : whether its answers have no order, whatever their scores.
    optional : whether it may be left empty; look : ``select`` for a list that opens, ``long`` for several lines.
    value : what stands in it before anybody has said anything; beside : whether proposals stand next to it.
    """

    name: str
    kind: FieldKind
    stem: str
    options: tuple[Option, ...] = ()
    level: str | None = None
    nominal: bool = False
    hint: str = ""
    optional: bool = False
    look: Literal["", "select", "long"] = ""
    value: str = ""
    beside: bool = False

    def check(self, answer: str) -> str:
        """The answer as the reply says it; raises `Unreadable` for what the field cannot say."""
        answer = answer.strip()
        if self.optional and not answer:
            return ""
        if self.kind == "score01":
            return _share(self.name, answer)
        if self.kind in ("letters", "ratings"):
            known = [o.value for o in self.options]
            if answer not in known:
                raise Unreadable(f"{self.name}: {answer[:40]!r} is none of {'/'.join(known)}")
        elif not answer:
            raise Unreadable(f"{self.name}: no answer")
        return answer

    def number(self, answer: str) -> float:
        """An answer as a number: a rating, a share, an option's score; NaN for what is none."""
        if self.kind in ("ratings", "score01"):
            return float(answer) if answer else _NAN
        return next((o.score for o in self.options if o.value == answer and o.score is not None), _NAN)


def as_lines(answers: Mapping[str, str]) -> str:
    """``{"Q1": "A"}`` -> ``Q1: A``, one line a field: the formats ``letters`` and ``ratings`` of `wire.grammar`."""
    return "\n".join(f"{name}: {answer}" for name, answer in answers.items())


def from_lines(raw: str) -> dict[str, str]:
    """The reverse of `as_lines`, for a reply that its own reader has accepted."""
    pairs = (line.partition(":") for line in raw.strip().splitlines() if line.strip())
    return {name.strip(): _letter(answer.strip()) for name, _, answer in pairs}


@dataclass(frozen=True, slots=True)
class Form:
    """What a person fills in for one call.

    Attributes
    ----------
    fields : the questions, in order.
    lang : the language the form is in.
    intro : what to look at, and what counts.
    facts : what the rater is told besides: pairs of a name and a text.
    shows : what is shown of the item and the output: ``picture``, ``text``.
    proposals : what others say, by field, to be shown side by side without names.
    write, parse : answers to the raw reply, and back.
    """

    fields: tuple[Field, ...]
    lang: str = "en"
    intro: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    shows: frozenset[str] = frozenset({"picture"})
    proposals: tuple[Mapping[str, str], ...] = ()
    write: Callable[[Mapping[str, str]], str] = as_lines
    parse: Callable[[str], Mapping[str, str]] = from_lines

    def reply(self, answers: Mapping[str, str]) -> str:
        """The raw reply of a filled form.

        Raises
        ------
        Unreadable : a field without an answer, an answer the field does not have, a field of another form.
        """
        strange = answers.keys() - {f.name for f in self.fields}
        if strange:
            raise Unreadable(f"{min(strange)!r} was not asked")
        return self.write({f.name: f.check(answers.get(f.name, "")) for f in self.fields})

    def answers(self, raw: str) -> dict[str, str]:
        """What a reply, a person's or a model's, says in each field; fields it cannot be read for are left out."""
        try:
            said = self.parse(raw)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return {}
        found = {}
        for field in self.fields:
            try:
                found[field.name] = field.check(str(said[field.name]))
            except (KeyError, Unreadable):
                continue
        return found


def form_of(protocol: Any, item: Item, call: str, lang: str, request: Request, output: Output | None = None) -> Form:
    """The form of a call: the protocol's own, or the prompt's words with a field for the reply."""
    module = form_module(protocol)
    made: Form | None = None
    if module is not None and output is not None and hasattr(module, "form_about"):
        made = module.form_about(item, output, call, lang)
    if module is not None and made is None:
        made = module.form(item, call, lang)
    return made if made is not None else plain_form(request)


def people_calls(protocol: Any, item: Item, output: Output, instrument: str) -> dict[str, Ask]:
    """Every request about an output that a person can be asked: the judge's, and those for people alone."""
    found = dict(protocol.observe(item, output, instrument, "judge"))
    module = form_module(protocol)
    if module is not None and hasattr(module, "extra"):
        found |= module.extra(item, output, instrument)
    return {call: request for call, request in found.items() if isinstance(request, Ask)}


def form_module(protocol: Any) -> ModuleType | None:
    """The module ``form`` in a protocol's folder, or None."""
    home = type(protocol).__module__.rpartition(".")[0]
    if not home:
        return None
    try:
        return import_module(f"{home}.form")
    except ModuleNotFoundError as missing:
        if missing.name == f"{home}.form":
            return None
        raise


def plain_form(request: Request) -> Form:
    """The prompt as it is, and one field for the whole reply."""
    prompt: Any = getattr(request, "prompt", None)
    words = "\n\n".join(part for part in (prompt.system, prompt.user) if part) if prompt is not None else ""
    return Form(
        (Field("reply", "text", ""),),
        intro=words,
        write=lambda answers: answers["reply"],
        parse=lambda raw: {"reply": raw},
    )


def _letter(answer: str) -> str:
    """``b.`` and ``B)`` are B, as `wire.grammar` reads them; anything longer is left alone."""
    bare = answer.rstrip(".)")
    return bare.upper() if len(bare) == 1 else answer


def _share(name: str, answer: str) -> str:
    try:
        number = float(answer) if len(answer) <= 20 and answer.isascii() else _NAN
    except ValueError:
        number = _NAN
    if not 0 <= number <= 1:
        raise Unreadable(f"{name}: {answer[:40]!r} is no number from 0 to 1")
    return f"{number:.4f}".rstrip("0").rstrip(".")
