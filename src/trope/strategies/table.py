"""The strategies by name, and what their options may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from trope.errors import UnknownName, UsageError, nearest
from trope.nouns import Item
from trope.registry import parse_spec
from trope.strategies.prompts import Wordings, prompted
from trope.strategies.search import DEFAULT_THRESHOLD, DEFAULT_TRIES, random_regeneration

PROMPTS = ("base", "human", "anti_hallucination")
GUARDS = ("instruct", "rewrite")  # renderers; the guard itself is loaded when one is used
NAMES = (*PROMPTS, "random", *(f"guard:{name}" for name in GUARDS))


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy ready to run: its full name with every option, and the script it starts on an item."""

    name: str
    start: Callable[[Item], Any]
    gates: tuple[str, ...] = ()


def strategy(
    text: str, *, wordings: Wordings, gates: Sequence[str] = (), named: Callable[[str], str] = str
) -> Strategy:
    """Resolve ``name?option=value``.

    Parameters
    ----------
    wordings : the protocol's.
    gates : instruments of the run that can be a gate; the first one is the default.
    named : the name of an instrument, given any spelling of it.
    """
    spec = parse_spec(text)
    name = spec.text.partition("?")[0]
    if name in PROMPTS:
        _only(spec.options, (), text)
        return Strategy(name, partial(prompted, wordings=wordings, strategy=name))
    if name == "random":
        _only(spec.options, ("gate", "tries", "threshold"), text)
        gate = spec.options.get("gate") or next(iter(gates), None)
        if gate is None:
            raise UsageError(f"strategy {text!r} needs a gate to stop on. Expected: random?gate=ssd")
        gate = named(gate)
        tries = int(_number(spec.options.get("tries", DEFAULT_TRIES), "tries", 1, 100, text))
        threshold = _number(spec.options.get("threshold", DEFAULT_THRESHOLD), "threshold", 0.0, 1.0, text)
        full = f"random?gate={gate}" + _unless(tries, DEFAULT_TRIES, "tries")
        full += _unless(threshold, DEFAULT_THRESHOLD, "threshold")
        script = partial(random_regeneration, wordings=wordings, gate=gate, tries=tries, threshold=threshold)
        return Strategy(full, script, (gate,))
    if spec.backend == "guard" and spec.model in GUARDS:
        from trope.strategies.guard import guarded

        _only(spec.options, (), text)
        return Strategy(name, partial(guarded, wordings=wordings, renderer=spec.model))
    raise UnknownName("strategy", name, NAMES)


def _only(options: Any, known: Sequence[str], text: str) -> None:
    for name in options:
        if name not in known:
            near = nearest(name, known)
            raise UsageError(
                f"strategy {text!r} has no option {name!r}." + (f" Did you mean {near!r}?" if near else "")
                + f" Options: {', '.join(known) or 'none'}"
            )  # fmt: skip


def _number(value: Any, name: str, low: float, high: float, text: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise UsageError(f"strategy {text!r}: {name}={value!r}. Expected: a number from {low:g} to {high:g}")
    return number


def _unless(value: float, default: float, name: str) -> str:
    return "" if value == default else f"&{name}={value:g}"
