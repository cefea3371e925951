"""Live progress: a line that is rewritten on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trope.flow import Interpreter, Tally

_EVERY = 5.0  # seconds between plain lines


class Progress:
    """Shows a tally while a block runs, from a thread of its own. Writes to standard error."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._done = threading.Event()
        self._live = sys.stderr.isatty()
        self._thread = threading.Thread(target=self._show, name="trope-progress", daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def tell(self, line: str) -> None:
        """Say something above the live line."""
        sys.stderr.write(f"\r\x1b[K{line}\n" if self._live else f"{line}\n")
        sys.stderr.flush()

    def _show(self) -> None:
        while not self._done.wait(0.25 if self._live else _EVERY):
            line = describe(self._tally)
            sys.stderr.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
            sys.stderr.flush()


def describe(tally: Tally) -> str:
    """One line: cells, rate, time left, failures, spend."""
    left = tally.seconds_left
    parts = [f"{tally.cells_done}/{tally.cells} cells", f"{tally.rate:.1f} answers/s"]
    parts.append("ETA –" if left is None else f"ETA {int(left // 60)}:{int(left % 60):02}")
    if tally.troubles:
        parts.append(f"{tally.troubles} not ok")
    if tally.usd:
        parts.append(f"{tally.usd:.3f} USD")
    return " · ".join(parts)


def stop_on_interrupt(interpreter: Interpreter, loop: asyncio.AbstractEventLoop) -> None:
    """First Ctrl-C (or SIGTERM): finish what is under way. Second: drop it."""
    from trope.errors import Interrupted

    stopping = False

    def interrupt() -> None:
        nonlocal stopping
        if stopping:
            interpreter.abandon()
            return
        stopping = True
        sys.stderr.write("\nstopping: waiting for what is under way (again to drop it)\n")
        interpreter.stop(Interrupted("interrupted; everything answered so far is stored"))

    for name in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(name, interrupt)
        except NotImplementedError:  # Windows: KeyboardInterrupt ends the run, and the store is sound all the same
            return


def end_in_peace() -> None:
    """A Ctrl-C that comes when the run has stopped already must not cut off how to go on, nor the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
