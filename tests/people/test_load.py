"""Twenty raters at once, five hundred answers each, beside 100,000 observations and a run: `benchmarks/study.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_and_the_tail_stays_short() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "study.py")],
        cwd=BENCHMARKS, capture_output=True, text=True, timeout=1800, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
