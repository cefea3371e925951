"""What the benchmarks share: a process of its own for every measurement, and pictures of a realistic size."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any


def measured(script: str, *arguments: str) -> dict[str, Any]:
    """Run ``python script arguments`` and return the JSON of its last line."""
    done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{script} {' '.join(arguments)} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def usage() -> dict[str, float]:
    """CPU seconds of this process and its peak memory in MB."""
    import resource

    mine = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": mine.ru_utime + mine.ru_stime, "mb": mine.ru_maxrss / 1024}


@cache
def _base(n: int, side: int) -> Any:
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(n)
    coarse = Image.fromarray(rng.integers(0, 255, (40, 40, 3), dtype=np.uint8)).resize((side, side))
    fine = rng.integers(-24, 24, (side, side, 3))
    return np.clip(np.asarray(coarse).astype(int) + fine, 0, 255).astype(np.uint8)


def photograph(n: int, side: int = 860) -> bytes:
    """A JPEG of about 200 kB that no other ``n`` has."""
    import numpy as np
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(np.roll(_base(n % 8, side), 3 * (n // 8), axis=1)).save(buffer, "JPEG", quality=78)
    return buffer.getvalue()


def verdict(name: str, value: float, limit: float, unit: str = "") -> bool:
    """Print one line and say whether the limit is kept."""
    kept = value <= limit
    print(f"{'ok  ' if kept else 'OVER'} {name}: {value:.2f}{unit} (limit {limit:g}{unit})", flush=True)
    return kept


def repository() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parent.parent
