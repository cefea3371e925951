"""BERTScore: 2,000 pairs through ours and through the package bert-score, both with the model loaded.

Three cases: every text is new; half the pairs repeat texts; everything has been asked before (warm). Two models:
the tiny multilingual BERT of the tests, on which overhead counts, and one of 4 layers and 128 dimensions, on
which arithmetic counts; both encode a text once, so there only padding and repeated pairs make a difference.
Compared: CPU seconds of one thread in a process of its own, after a first run on other texts, the best of five runs
in turn; the largest difference of a score.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from common import measured

for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS"):  # before torch is loaded
    os.environ[name] = "1"
PAIRS, RUNS = 2000, 5
MODELS = {
    "tiny (4 x 32)": {"layers": 4, "hidden": 32, "layer": 3},
    "small (4 x 128)": {"layers": 4, "hidden": 128, "layer": 3},
}
# case -> the least ratio bert-score / ours, on the tiny model and on the other
LIMITS = {"no repeats": (1.0, 1.0), "half repeat": (3.0, 1.0), "warm": (20.0, 20.0)}


def texts() -> list[str]:
    """What tenors, vehicles, grounds and mapped parts of the sets that ship are called: 6,000 in four languages."""
    from trope.items import load_set

    found: dict[str, None] = {}
    for name in ("vmetaphor", "vista", "simile", "passages", "literal"):
        for item in load_set(name):
            for figure in item.figures:
                mapped = [part for mapping in figure.mappings for part in (mapping.vehicle, mapping.tenor)]
                found |= dict.fromkeys(t for t in (figure.tenor, figure.vehicle, figure.ground, *mapped) if t)
    return list(found)


def pairs(case: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """2,000 pairs, and others to get going on. Half repeat: the second half pairs texts of the first anew."""
    pool = texts()
    random.Random(0).shuffle(pool)
    new = PAIRS // 2 if case == "half repeat" else PAIRS
    mine, others = pool[: 2 * new], pool[2 * PAIRS :]
    rng = random.Random(1)
    again = [(rng.choice(mine), rng.choice(mine)) for _ in range(PAIRS - new)]
    asked = [*zip(mine[::2], mine[1::2], strict=True), *again]
    return asked, asked if case == "warm" else list(zip(others[::2], others[1::2], strict=False))


def ours(folder: str, layer: str, case: str) -> None:
    from trope.similarity import SIMILARITIES

    metric = SIMILARITIES.create(f"bertscore:{folder}?layer={layer}")
    metric.load()  # type: ignore[attr-defined]
    _timed(lambda part: metric.scores(part), case)  # type: ignore[attr-defined]


def peer(folder: str, layer: str, case: str) -> None:
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=folder, num_layers=int(layer), device="cpu")
    _timed(lambda part: scorer.score(*map(list, zip(*part, strict=True)))[2].tolist(), case)


def _timed(score: object, case: str) -> None:
    assert callable(score)
    asked, before = pairs(case)
    score(before)
    start = time.process_time()
    found = score(asked)
    print(json.dumps({"seconds": time.process_time() - start, "scores": found}))


def _alternately(*asked: str) -> list[dict[str, Any]]:
    """Both in turn, in processes of their own; of each the run that the machine disturbed least."""
    runs = [[measured(__file__, who, *asked) for who in ("ours", "peer")] for _ in range(RUNS)]
    return [min(same, key=lambda run: run["seconds"]) for same in zip(*runs, strict=True)]


def main() -> None:
    from trope.testing.tiny_text import tiny_bert

    kept = True
    for name, shape in MODELS.items():
        with tempfile.TemporaryDirectory() as folder:
            known = texts()
            words = [word for word, n in Counter(w for text in known for w in text.split()).items() if n > 1]
            tiny_bert(Path(folder), known, words=words, layers=shape["layers"], hidden=shape["hidden"], positions=128)
            for case, limits in LIMITS.items():
                limit = limits[shape["hidden"] > 32]
                mine, other = _alternately(folder, str(shape["layer"]), case)
                ratio = other["seconds"] / mine["seconds"]
                apart = max(abs(a - b) for a, b in zip(mine["scores"], other["scores"], strict=True))
                kept &= ratio >= limit and apart <= 1e-6
                print(
                    f"{'ok  ' if ratio >= limit else 'SLOW'} {name}, {case}: bert-score {other['seconds']:.3f} s, ours"
                    f" {mine['seconds']:.3f} s, {ratio:.1f} x (at least {limit:g} x); largest difference {apart:.1e}",
                    flush=True,
                )
    sys.exit(not kept)


if __name__ == "__main__":
    {"ours": ours, "peer": peer}[sys.argv[1]](*sys.argv[2:]) if len(sys.argv) > 1 else main()
