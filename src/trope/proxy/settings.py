"""What a proxy is told when it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trope.errors import UnknownName, UsageError
from trope.strategies.guard.plan import Plan
from trope.strategies.guard.renderers import RENDERERS, negative

Rendered = tuple[str, str | None]  # the prompt, and a negative prompt where the renderer makes one


def _only(render: Callable[[Plan], str]) -> Callable[[Plan], Rendered]:
    return lambda plan: (render(plan), None)


RENDERINGS: dict[str, Callable[[Plan], Rendered]] = {
    **{name: _only(render) for name, render in RENDERERS.items()},
    "negative": negative,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How requests are guarded and looked at.

    Attributes
    ----------
    renderer : one of `RENDERINGS`.
    check : whether pictures are looked at, and drawn again where a vehicle shows.
    tries : draws a request, at most, the first included.
    seconds : after so many from the beginning of a request, no further draw begins.
    guard_seconds, check_seconds : what a plan and a look may take; then the image flows without.
    longest : characters of a prompt; a longer one flows unguarded.
    lang, context : as for `plan_by_rules`; the same for all requests.
    picture_hosts : hosts besides the upstream's that pictures may be fetched from, for a look.
    """

    renderer: str = "rewrite"
    check: bool = True
    tries: int = 2
    seconds: float = 120.0
    guard_seconds: float = 10.0
    check_seconds: float = 30.0
    longest: int = 20_000
    lang: str | None = None
    context: str | None = None
    picture_hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.renderer not in RENDERINGS:
            raise UnknownName("renderer", self.renderer, RENDERINGS)
        if self.lang not in (None, "en", "zh", "ja", "ar"):
            raise UnknownName("language", str(self.lang), ("en", "zh", "ja", "ar"))
        for name, low, high in (("tries", 1, 20), ("longest", 1, 1_000_000)):
            if not low <= getattr(self, name) <= high:
                raise UsageError(f"--{name} {getattr(self, name)}. Expected: {low} to {high}")
        for name in ("seconds", "guard_seconds", "check_seconds"):
            if not 0 < getattr(self, name) <= 86_400:
                raise UsageError(f"--{name.replace('_', '-')} {getattr(self, name):g}. Expected: more than 0")
