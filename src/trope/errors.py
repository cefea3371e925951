"""What can go wrong, as one tree.

::

    TropeError                 anything a user can cause or must know; printed without a traceback, exit 1
    ├── UsageError             a command, option or experiment file that cannot be meant (exit 2)
    │   └── UnknownName        a backend, protocol, strategy or set nobody registered (exit 2)
    ├── MissingExtra           an optional package is not installed; says the exact pip line
    ├── ItemError              items that break a rule: file, line, field, value, rule
    ├── PictureError           a picture that is refused: which, why
    ├── StoreError             the store cannot be opened, read or trusted
    │   ├── StoreLocationError on a network file system, or not writable
    │   └── BundleError        a bundle that is damaged or does not verify
    ├── BackendError           a subject or instrument that cannot work at all
    │   ├── TransientError     worth another try; may say how long to wait
    │   └── NotAsked           the run is stopping: this request never left
    ├── BudgetError            an unknown price, or a limit reached
    └── Interrupted            Ctrl-C: what is stored stays stored (exit 130)

``str(exc)`` is never empty: it says what failed, what was found, what was expected and the next step.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class TropeError(Exception):
    """Base of every error Trope raises on purpose."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        if not message.strip():
            raise ValueError("an error must say what went wrong")
        super().__init__(message)


class UsageError(TropeError):
    """What was asked cannot be meant."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that nothing is registered under."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        names = sorted(known)
        near = nearest(name, names)
        lines = [f"no {kind} {name!r}." + (f" Did you mean {near!r}?" if near else "")]
        lines.append(f"Known: {', '.join(names) or 'none'}.")
        if hint:
            lines.append(hint)
        super().__init__(" ".join(lines))


class MissingExtra(TropeError):
    """A package that a backend needs is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package!r}, which is not installed. Run: pip install 'trope[{extra}]'")


class ItemError(TropeError):
    """Items that break a rule."""


class PictureError(TropeError):
    """A picture that cannot be read safely."""


class StoreError(TropeError):
    """The store cannot be opened, read or trusted."""


class StoreLocationError(StoreError):
    """The folder cannot hold a store."""


class BundleError(StoreError):
    """A bundle is damaged or does not verify."""


class BackendError(TropeError):
    """A subject or an instrument that cannot work."""


class TransientError(BackendError):
    """A failure worth another try.

    ``retry_after`` is in seconds, None when nothing was said; ``busy`` marks a server asking for less;
    ``billed`` a request that may have been carried out although no answer came.
    """

    def __init__(
        self, message: str, *, retry_after: float | None = None, busy: bool = False, billed: bool = False
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.busy = busy
        self.billed = billed


class NotAsked(BackendError):
    """A request that never left, or had no answer yet, when the run was stopped; nothing is stored of it."""


class PlanError(TropeError):
    """Whoever was to plan for the guard gave no plan that can be used; the prompt goes on as it is."""


class BudgetError(TropeError):
    """A price nobody stated, or a limit that was reached."""


class Interrupted(TropeError):
    """The user stopped the run; everything answered so far is stored."""

    exit_code = 130


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like ``name``, or None when nothing is close."""
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None
