"""BERTScore: 2,000 pairs through ours and through the package bert-score, both with the model loaded.

Three cases: every text is new; half the pairs repeat texts; everything has been asked before (warm). Two models:
the tiny multilingual BERT of the tests, on which overhead counts, and one of 6 layers and 384 dimensions, on
which arithmetic counts. Compared: wall time of the second of two runs a case, on fresh texts; largest difference.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from common import measured

PAIRS = 2000
MODELS = {
    "tiny (4 x 32)": {"layers": 4, "hidden": 32, "layer": 3},
    "small (6 x 384)": {"layers": 6, "hidden": 384, "layer": 5},
}
# case -> the least ratio bert-score / ours
LIMITS = {"no repeats": 1.0, "half repeat": 3.0, "warm": 20.0}


def texts() -> list[str]:
    """Every name, phrase and sentence of the sets that ship: 19,000 in English, Chinese, Japanese and Arabic."""
    from trope.items import load_set

    found: dict[str, None] = {}
    for name in ("vmetaphor", "vista", "simile", "passages", "literal"):
        for item in load_set(name):
            for figure in item.figures:
                mapped = [part for mapping in figure.mappings for part in (mapping.vehicle, mapping.tenor)]
                found |= dict.fromkeys(t for t in (figure.tenor, figure.vehicle, figure.ground, *mapped) if t)
            found |= dict.fromkeys(option for question in item.questions for option in question.options)
            found[item.text] = None
    return list(found)


def pairs(case: str, seed: int) -> list[tuple[str, str]]:
    """2,000 pairs; seeds 1 and 2 share no text. Half repeat: the second half pairs texts of the first anew."""
    pool = texts()
    random.Random(0).shuffle(pool)
    new = PAIRS // 2 if case == "half repeat" else PAIRS
    mine = pool[(seed - 1) * 2 * PAIRS :][: 2 * new]
    rng = random.Random(seed)
    again = [(rng.choice(mine), rng.choice(mine)) for _ in range(PAIRS - new)]
    return [*zip(mine[::2], mine[1::2], strict=True), *again]


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
    score(pairs(case, 1))
    asked = pairs(case, 1 if case == "warm" else 2)
    start = time.perf_counter()
    found = score(asked)
    print(json.dumps({"seconds": time.perf_counter() - start, "scores": found}))


def main() -> None:
    from trope.testing.tiny_text import tiny_bert

    kept = True
    for name, shape in MODELS.items():
        with tempfile.TemporaryDirectory() as folder:
            known = texts()
            words = [word for word, n in Counter(w for text in known for w in text.split()).items() if n > 1]
            tiny_bert(Path(folder), known, words=words, layers=shape["layers"], hidden=shape["hidden"], positions=128)
            for case, limit in LIMITS.items():
                mine, other = (
                    min(
                        (measured(__file__, who, folder, str(shape["layer"]), case) for _ in range(2)),
                        key=lambda m: m["seconds"],
                    )
                    for who in ("ours", "peer")
                )
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
