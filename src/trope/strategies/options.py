"""What every strategy's factory gets, gives, and uses to read its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trope.backend import Backend
from trope.errors import UsageError, nearest
from trope.nouns import Item
from trope.registry import Spec

Wordings = Mapping[str, Mapping[str, str]]  # strategy -> language -> a text that holds {text}


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy ready to run: its full name with every option, and the script it starts on an item.

    Attributes
    ----------
    gates : detectors it looks through; they may not score it.
    subjects : the only subjects it can be asked of; None for all.
    """

    name: str
    start: Callable[[Item], Any]
    gates: tuple[str, ...] = ()
    subjects: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a run has for its strategies.

    Attributes
    ----------
    wordings : the protocol's.
    gates : detectors of the run; the first one is the default gate.
    models : chat models of the run that may be asked, by name; the first one is the default.
    subjects : what is tested, by name.
    named : the name of a detector, given any spelling of it.
    """

    wordings: Wordings
    gates: Sequence[str] = ()
    models: Sequence[str] = ()
    subjects: Mapping[str, Backend] = field(default_factory=dict)
    named: Callable[[str], str] = str

    def gate(self, spec: Spec) -> str:
        """The detector a strategy stops on: its option ``gate``, or the run's first."""
        gate = spec.options.get("gate") or next(iter(self.gates), None)
        if gate is None:
            raise UsageError(f"strategy {spec.text!r} needs a gate to stop on. Expected: {spec.backend}?gate=ssd")
        return self.named(gate)

    def model(self, spec: Spec, option: str = "model") -> str:
        """The chat model a strategy asks: its option, by name, or the run's first.

        Raises
        ------
        UsageError : the run has no such model; it comes with ``--model`` or as an instrument.
        """
        wanted = spec.options.get(option) or next(iter(self.models), None)
        if wanted is None or wanted not in self.models:
            known = ", ".join(self.models) or "none"
            raise UsageError(
                f"strategy {spec.text!r} asks a chat model, {wanted or 'and the run has none'}. Expected: one given by"
                f" --model or as an instrument (of this run: {known})"
            )
        return wanted


def only(spec: Spec, known: Sequence[str]) -> None:
    """Raise `UsageError` for an option that the strategy does not have."""
    for name in spec.options:
        if name not in known:
            near = nearest(name, known)
            raise UsageError(
                f"strategy {spec.text!r} has no option {name!r}." + (f" Did you mean {near!r}?" if near else "")
                + f" Options: {', '.join(known) or 'none'}"
            )  # fmt: skip


def number(spec: Spec, name: str, default: float, low: float, high: float) -> float:
    """An option that is a number within bounds."""
    given = spec.options.get(name, default)
    try:
        value = float(given)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise UsageError(f"strategy {spec.text!r}: {name}={given!r}. Expected: a number from {low:g} to {high:g}")
    return value


def whole(spec: Spec, name: str, default: int, low: int, high: int) -> int:
    """An option that is a whole number within bounds."""
    value = number(spec, name, default, low, high)
    if not value.is_integer():
        raise UsageError(
            f"strategy {spec.text!r}: {name}={spec.options[name]!r}. Expected: a whole number from {low} to {high}"
        )
    return int(value)


def full_name(head: str, options: Mapping[str, tuple[Any, Any]]) -> str:
    """``head?name=value&…`` with the options, (value, default) each, that are not what they would be anyway."""
    said = [f"{name}={_short(value)}" for name, (value, default) in options.items() if value != default]
    return head + ("?" + "&".join(said) if said else "")


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
