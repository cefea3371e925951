"""Start-up: `import trope` beside `python -c pass`, `trope --help` beside importing typer. Medians of pairs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from common import verdict

PAIRS = {
    "import trope / python -c pass": (["-c", "import trope"], ["-c", "pass"], 5.0),
    "trope --help / import typer": (["-m", "trope", "--help"], ["-c", "import typer"], 2.0),
}


def _seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    kept = True
    for name, (ours, theirs, limit) in PAIRS.items():
        _seconds(ours), _seconds(theirs)
        ratios = [_seconds(ours) / _seconds(theirs) for _ in range(11)]
        kept &= verdict(name, statistics.median(ratios), limit, " x")
    sys.exit(not kept)


if __name__ == "__main__":
    main()
