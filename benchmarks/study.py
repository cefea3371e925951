"""Twenty raters, five hundred answers each, against a served study: with an empty store, and with 100,000 observations
in the store while a run writes to it. Nothing may be lost or doubled; the slow tail may grow threefold at most.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from common import measured, verdict

RATERS, PAGES, FILLER, LIMIT = 20, 540, 100_000, 3.0  # at least 500 of 540 sentences differ in picture or question
_TROPE = [sys.executable, "-m", "trope"]


def prepare(folder: Path) -> None:
    """A run of 500 small pictures, and a study that gives all of them to every rater."""
    run = [
        "run", "simile", "--subject", "collage?size=128", "--instrument", "truth", "--items", "simile",
        "--limit", str(PAGES), "--name", "judged",
    ]  # fmt: skip
    subprocess.run([*_TROPE, *run], cwd=folder, check=True, capture_output=True)
    made = subprocess.run(
        [*_TROPE, "study", "new", "load", "--run", "judged", "--raters", str(RATERS), "--per-output", str(RATERS)],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    (folder / "links").write_text("\n".join(re.findall(r"load-r\d+: \S+?(/i/\S+)", made.stdout)), "utf-8")


def fill(folder: Path) -> None:
    """Put 100,000 observations of others into the store."""
    from trope.records import Observation, key_of
    from trope.store import Entry, Store

    with Store(folder / "trope-store") as store:
        for start in range(0, FILLER, 5000):
            store.database.add([
                Entry(Observation(key_of("filler", n), "vllm:other", "ok", raw=f"Q1: {'ABC'[n % 3]}"), ["ask", n], {"judge": "other"})
                for n in range(start, start + 5000)
            ]).result()  # fmt: skip


def rate(folder: str, loaded: str) -> None:
    """Serve, answer everything, and print times and what the store then holds."""
    place = Path(folder)
    server = subprocess.Popen(
        [*_TROPE, "study", "serve", "load", "--port", "0"],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None and server.stderr is not None
    url = server.stdout.readline().rpartition("at ")[2].strip()
    writer = None
    if loaded == "loaded":
        writing = [
            "run", "simile", "--subject", "collage?size=128", "--instrument", "truth", "--items", "simile",
            "--seeds", ",".join(map(str, range(100, 200))), "--name", "writing",
        ]  # fmt: skip
        writer = subprocess.Popen([*_TROPE, *writing], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(8)
    before = _count(place)
    try:
        started = time.perf_counter()
        pages, posts = asyncio.run(_all(url, (place / "links").read_text("utf-8").split()))
        took = time.perf_counter() - started
    finally:
        written = _count(place) - before
        if writer is not None:
            alive = writer.poll() is None
            writer.terminate()
            writer.wait(60)
        server.terminate()
        server.wait(30)
    wrong = server.stderr.read()
    print(wrong, file=sys.stderr)
    print(json.dumps({
        "pages": _tail(pages), "posts": _tail(posts), "seconds": took, "traceback": "Traceback" in wrong,
        "written_meanwhile": written, "writer_alive": alive if writer is not None else None, **_stored(place),
    }))  # fmt: skip


async def _all(url: str, links: list[str]) -> tuple[list[float], list[float]]:
    pages: list[float] = []
    posts: list[float] = []
    await asyncio.gather(*(_rater(url, link, n, pages, posts) for n, link in enumerate(links)))
    return pages, posts


async def _rater(url: str, link: str, number: int, pages: list[float], posts: list[float]) -> None:
    import aiohttp

    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(url, cookie_jar=jar, headers={"origin": url}) as session:
        async with session.post(link, data={"": ""}, allow_redirects=False) as entered:
            assert entered.status == 303, entered.status
        async with session.get("/", allow_redirects=False) as home:
            path = home.headers["location"]
        turn = -1
        while path != "/":
            turn += 1
            start = time.perf_counter()
            async with session.get(path) as page:
                text = await page.text()
            pages.append(time.perf_counter() - start)
            token = re.search(r'name="form" value="([^"]+)"', text[text.index('id="answer"') :])
            assert token
            sent = {"form": token[1], "active": "1.0", "0.Q1": "ABC"[(number + turn) % 3]}
            for _ in range(2 if turn % 50 == 0 else 1):  # now and then a double click
                start = time.perf_counter()
                async with session.post(path, data=sent, headers={"accept": "application/json"}) as answer:
                    assert answer.status == 200, (answer.status, await answer.text())
                    following = (await answer.json())["next"]
                posts.append(time.perf_counter() - start)
            path = following


def _tail(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"median": ordered[len(ordered) // 2], "p99": ordered[int(0.99 * len(ordered))], "n": len(ordered)}


def _count(place: Path) -> int:
    from trope.store import Store

    with Store(place / "trope-store") as store:
        return int(store.database.query("SELECT count(*) FROM records")[0][0])


def _stored(place: Path) -> dict[str, Any]:
    from trope.store import Store

    with Store(place / "trope-store") as store:
        rows = store.database.query("SELECT key FROM records WHERE backend LIKE 'person:load-r%'")
        check = store.database.query("PRAGMA integrity_check")[0][0]
    keys = Counter(key for (key,) in rows)
    return {
        "answers": len(keys),
        "asked": _asked(place),
        "doubled": sum(n > 1 for n in keys.values()),
        "integrity": check,
    }


def _asked(place: Path) -> int:
    """How many different questions there are; a few of the 500 sentences share picture and question."""
    from trope.people.design import StudyFolder
    from trope.people.desk import Desk
    from trope.store import Store

    with Store(place / "trope-store") as store:
        desk = Desk(StudyFolder.find(store, "load"))
        keys = {key for rater in desk.raters.values() for page in rater.keys.values() for key in page}
        desk.close()
    return len(keys)


def main() -> int:
    kept = True
    found = {}
    for loaded in ("empty", "loaded"):
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder))
            if loaded == "loaded":
                fill(Path(folder))
            found[loaded] = made = measured(__file__, "rate", folder, loaded)
        print(f"{loaded}: {json.dumps(made)}", flush=True)
        kept &= verdict(f"{loaded}: answers lost", made["asked"] - made["answers"], 0)
        kept &= verdict(f"{loaded}: answers doubled", made["doubled"], 0)
        kept &= made["integrity"] == "ok" and not made["traceback"]
    for what in ("pages", "posts"):
        ratio = found["loaded"][what]["p99"] / found["empty"][what]["p99"]
        kept &= verdict(f"p99 of {what}, loaded by empty", ratio, LIMIT, "x")
    return 0 if kept else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["rate"]:
        rate(*sys.argv[2:])
    else:
        sys.exit(main())
