"""Draw, look, draw again: what a guard does after the prompt, in a study and behind the proxy.

The script never sees an annotation: it looks for the vehicles of its own plan.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from trope.records import Output, Record
from trope.requests import Ask, Detect, Generate, Prompt, Request
from trope.strategies.guard.classes import also_in_scene, vehicle_class
from trope.strategies.guard.plan import Plan


@dataclass(frozen=True, slots=True)
class Sought:
    """One vehicle that is not to be drawn, and who can say whether it is.

    Attributes
    ----------
    vehicle : the words of the prompt.
    instrument : who is asked; None: nobody can say, for ``reason``.
    label : what a detector calls it.
    prompt : what a judge is asked; None for a detector.
    """

    vehicle: str
    instrument: str | None = None
    label: str = ""
    prompt: Prompt | None = None
    reason: str = ""

    def shown(self, seen: Record) -> bool | None:
        """Whether the vehicle is there, as the instrument said; None where it did not say."""
        value = seen.value or {}
        if not seen.ok or self.label in value.get("cannot_tell", ()) or value.get("present", False) is None:
            return None
        if seen.absent(self.label):  # type: ignore[attr-defined]  # an instrument's record is an Observation
            return False
        return True if {"present", "detections"} & value.keys() else None


@dataclass(frozen=True, slots=True)
class Look:
    """What one instrument said of one vehicle in one picture."""

    output: Output
    sought: Sought
    seen: Record
    shown: bool | None


@dataclass(frozen=True, slots=True)
class Try:
    """The pictures of one draw, and every look at them."""

    attempt: int
    outputs: tuple[Output, ...]
    looks: tuple[Look, ...]

    @property
    def drawn(self) -> int:
        """How many pictures there are."""
        return sum(output.ok for output in self.outputs)

    @property
    def shown(self) -> int:
        """How many pictures show a vehicle."""
        return len({look.output.key for look in self.looks if look.shown})


def checked(
    draw: Callable[[int], tuple[Generate, ...]], sought: Sequence[Sought], tries: int
) -> Generator[tuple[Request, ...], Any, list[Try]]:
    """Draw until no picture shows a vehicle, at most ``tries`` times.

    Parameters
    ----------
    draw : the requests of one attempt, one a picture; attempt 0 is the first.
    sought : what is looked for; vehicles that nobody can look for stop nothing.

    Returns
    -------
    Every draw, in order; `best` says which to keep. A look that failed proves nothing and never causes another
    draw: a guard whose eyes are shut lets pass.
    """
    made: list[Try] = []
    for attempt in range(tries):
        outputs = yield draw(attempt)
        asked = [(output, *look) for output in outputs if output.ok for look in _looks(output, sought)]
        seen = yield tuple(request for _, request, _ in asked)
        looks = [
            Look(output, one, record, one.shown(record))
            for (output, _, of), record in zip(asked, seen, strict=True)
            for one in of
        ]
        made.append(Try(attempt, tuple(outputs), tuple(looks)))
        if made[-1].drawn and not made[-1].shown:
            break
    return made


def best(tries: Sequence[Try]) -> Try:
    """The draw with the most pictures; of these the one with the fewest that show a vehicle; of these the first."""
    return max(tries, key=lambda made: (made.drawn, -made.shown))  # `max` keeps the first of equals


def redrawn(
    plan: Plan, prompt: str, *, gate: str, tries: int, variant: str, negative: str | None = None
) -> Generator[tuple[Request, ...], Any, Output]:
    """A study's cell: the same, one picture at a time, looked at by one detector; returns the picture to keep."""
    sought = []
    for figure in plan.unseen:
        name = vehicle_class(plan, figure)
        if name is not None and not also_in_scene(plan, figure, name):
            sought.append(Sought(plan.quote(figure.vehicle) or "", gate, name))
    tries = tries if sought else 1  # nothing that could be looked for
    made = yield from checked(lambda attempt: (Generate(prompt, attempt, variant, negative),), sought, tries)
    return best(made).outputs[0]


def _looks(output: Output, sought: Sequence[Sought]) -> list[tuple[Detect | Ask, list[Sought]]]:
    """A detector is asked once for all it is to find, a judge once for each."""
    detectors: dict[str, list[Sought]] = {}
    asked: list[tuple[Detect | Ask, list[Sought]]] = []
    for one in sought:
        if one.instrument is None:
            continue
        if one.prompt is None:
            detectors.setdefault(one.instrument, []).append(one)
        else:
            asked.append((Ask(output, one.instrument, one.prompt), [one]))
    for instrument, of in detectors.items():
        asked.append((Detect(output, instrument, tuple(dict.fromkeys(one.label for one in of))), of))
    return asked
