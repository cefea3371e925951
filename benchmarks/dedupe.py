"""Near duplicates: hashing against `imagehash`, and the search for near pairs against faiss's binary index.

Random hashes with planted neighbors, so that both find the same pairs. Needs `pip install '.[test]'`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from common import measured, photograph, usage, verdict

RADIUS = 8


def hashes(n: int):  # type: ignore[no-untyped-def]
    import numpy as np

    rng = np.random.default_rng(7)
    made = rng.integers(0, 2**64, n, dtype=np.uint64)
    for k in range(n // 10):  # a tenth has a neighbor
        flips = rng.choice(64, rng.integers(0, RADIUS + 1), replace=False)
        made[n - 1 - k] = made[k] ^ np.bitwise_or.reduce(np.uint64(1) << flips.astype(np.uint64), initial=np.uint64(0))
    return made


def search_ours(n: int) -> dict[str, float]:
    from trope.build.dedupe.neighbors import near_pairs

    made = hashes(n)
    start = time.perf_counter()
    pairs = near_pairs(made, RADIUS)
    return {"seconds": time.perf_counter() - start, "pairs": len(pairs), "sum": int(pairs.sum()), **usage()}


def search_faiss(n: int) -> dict[str, float]:
    import faiss
    import numpy as np

    made = hashes(n)
    faiss.omp_set_num_threads(1)
    start = time.perf_counter()
    packed = made.view(np.uint8).reshape(n, 8)
    index = faiss.IndexBinaryFlat(64)
    index.add(packed)
    limits, _, found = index.range_search(packed, RADIUS + 1)
    owner = np.repeat(np.arange(n), np.diff(limits.astype(np.int64)))
    pairs = np.stack([owner, found], axis=1)[owner < found]
    return {"seconds": time.perf_counter() - start, "pairs": len(pairs), "sum": int(pairs.sum())}


def hash_ours(folder: str) -> dict[str, float]:
    from trope.build.dedupe.hashes import picture_hashes

    start = time.perf_counter()
    for path in sorted(Path(folder).iterdir()):
        picture_hashes(path)
    return {"seconds": time.perf_counter() - start}


def hash_theirs(folder: str) -> dict[str, float]:
    import imagehash
    from PIL import Image

    start = time.perf_counter()
    for path in sorted(Path(folder).iterdir()):
        with Image.open(path) as image:
            imagehash.phash(image), imagehash.dhash(image), imagehash.average_hash(image)
    return {"seconds": time.perf_counter() - start}


def main() -> None:
    ours, theirs = (min((measured(__file__, f"search_{who}", "20000") for _ in range(3)), key=lambda r: r["seconds"])
                    for who in ("ours", "faiss"))  # fmt: skip
    same = (ours["pairs"], ours["sum"]) == (theirs["pairs"], theirs["sum"])
    print(f"20,000 hashes, radius {RADIUS}: {ours['pairs']} pairs, the same as faiss: {same}")
    kept = same & verdict("seconds / faiss IndexBinaryFlat", ours["seconds"] / theirs["seconds"], 3, " x")
    large = measured(__file__, "search_ours", "100000")
    print(f"100,000 hashes: {large['pairs']} pairs in {large['seconds']:.1f} s")
    kept &= verdict("100,000 hashes, peak memory", large["mb"] / 1024, 2, " GB")
    with tempfile.TemporaryDirectory() as folder:
        for n in range(60):
            (Path(folder) / f"{n}.jpg").write_bytes(photograph(n))
        a, b = (
            min(measured(__file__, f"hash_{who}", folder)["seconds"] for _ in range(3)) for who in ("ours", "theirs")
        )
    kept &= verdict("hashing a JPEG, ours / imagehash", a / b, 1 / 3, " x")
    raise SystemExit(not kept)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        what, value = sys.argv[1:]
        print(json.dumps(globals()[what](int(value) if value.isdigit() else value)))
    else:
        main()
