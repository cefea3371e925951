"""What the guard did to one request: the headers a client gets and the line the ledger keeps are made from it."""

from __future__ import annotations

from dataclasses import dataclass

GUARD = ("changed", "unchanged", "skipped", "failed")
CHECK = ("absent", "shown", "cannot-say", "skipped", "failed")


@dataclass(slots=True)
class Note:
    """One request. Reasons are words of a fixed list: nothing of a prompt, a key or an error's text is in them.

    Attributes
    ----------
    guard : `changed`, `unchanged` (planned, and nothing to do), `skipped`, `failed`; ``guard_reason`` says why.
    figures : comparisons whose vehicle is not to be drawn.
    check : `absent`, `shown`, `cannot-say`, `skipped`, `failed`; ``check_reason`` says why.
    pictures : in the answer, as far as they were looked at. shown : of these, how many show a vehicle.
    shown_first : the same of the first draw: what the client would have got.
    tries : draws asked of the upstream. stopped : why there was no further one.
    status : the HTTP status that was passed on. upstream : what went wrong between us and it.
    usd : what draws after the first cost, as far as prices are stated.
    """

    guard: str = "skipped"
    guard_reason: str = ""
    maker: str = ""
    renderer: str = ""
    lang: str = ""
    figures: int = 0
    check: str = "skipped"
    check_reason: str = ""
    instruments: str = ""
    pictures: int = 0
    shown: int | None = None
    shown_first: int | None = None
    tries: int = 0
    stopped: str = ""
    status: int | None = None
    upstream: str = ""
    usd: float | None = 0.0
    seconds: float = 0.0
    prompt: str | None = None
    sent: str | None = None

    def headers(self) -> dict[str, str]:
        """What the client is told, in headers that begin with ``x-trope-``."""
        shown = None if self.shown is None else f"{self.shown}/{self.pictures}"
        told = {
            "guard": self.guard, "guard-reason": self.guard_reason, "maker": self.maker, "renderer": self.renderer,
            "lang": self.lang, "figures": str(self.figures) if self.maker else "", "check": self.check,
            "check-reason": self.check_reason, "instruments": self.instruments, "shown": shown,
            "tries": str(self.tries) if self.tries else "", "stopped": self.stopped, "upstream": self.upstream,
        }  # fmt: skip
        return {f"x-trope-{name}": _plain(value) for name, value in told.items() if value}


def _plain(value: str) -> str:
    return "".join(sign if " " <= sign <= "~" else "?" for sign in value)[:200]
