"""A world small enough to be learned: pictures of one shape in one color, texts of four words, labels that follow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from trope.items import dump_items
from trope.nouns import Item
from trope.protocols.m3r.labels import gold
from trope.train.examples import Example, Examples, write_examples
from trope.train.targets import prompt_of, reply_of

THINGS = ("car", "shoe", "phone", "lamp")
SOURCES = ("panther", "rocket", "flower", "wave")
MOODS = {"good": "Positive", "plain": "Neutral", "bad": "Negative"}


def picture(path: Path, seed: int) -> Path:
    """A shape on a ground with some noise: no two are alike."""
    rng = np.random.default_rng(seed)
    image = Image.fromarray(rng.integers(0, 90, (64, 64, 3), dtype=np.uint8))
    draw = ImageDraw.Draw(image)
    x, y = (int(v) for v in rng.integers(4, 30, 2))
    color = tuple(int(v) for v in rng.integers(90, 255, 3))
    (draw.ellipse if seed % 2 else draw.rectangle)((x, y, x + 28, y + 28), fill=color)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return path


def item(n: int, folder: Path, *, metaphor: bool | None = None) -> Item:
    """The n-th item, with its picture."""
    metaphor = n % 2 == 0 if metaphor is None else metaphor
    mood = list(MOODS)[n // 2 % 3]
    thing, source = THINGS[n % 4], SOURCES[n // 4 % 4]
    evidence = f"the picture shows a {thing}" + (f" with the shape of a {source}" if metaphor else " on a table")
    return Item.model_validate({
        "id": f"w{n:03d}", "lang": "en", "text": f"a {mood} {thing}, number {n}",
        "image": str(picture(folder / f"{n}.png", n)),
        "figures": [{"tenor": thing, "vehicle": source}] if metaphor else [],
        "labels": {"metaphor": "Yes" if metaphor else "No", "sentiment": MOODS[mood]},
        "references": {"ITE": evidence, "SJ": f"the text calls it {mood} and so {MOODS[mood]}",
                       **({"MC": f"the {thing} moves like a {source}"} if metaphor else {})},
    })  # fmt: skip


def items(count: int, folder: Path) -> list[Item]:
    return [item(n, folder) for n in range(count)]


def item_file(of: list[Item], path: Path) -> Path:
    path.write_text(dump_items(of), "utf-8")
    return path


def corpus(of: list[Item], folder: Path, *, asked: bool = False) -> Path:
    """A corpus folder that holds every item in every stage, whatever the ratio.

    The prompt is the item's text alone, which a tiny model gets through ten times faster; ``asked``: the real one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for stage in ("C1", "C2", "C3"):
        rows = []
        for one in of:
            true, inside = gold(one), f"pictures/{one.id}.png"
            (folder / "pictures").mkdir(exist_ok=True)
            (folder / inside).write_bytes(Path(str(one.image)).read_bytes())
            prompt = prompt_of(one, stage) if asked else f"{stage}: {one.text}"
            rows.append(Example(one.id, one.lang, inside, prompt, reply_of(one, stage), true.metaphor, true.target,
                                true.source, true.sentiment))  # fmt: skip
        write_examples(Examples(stage, folder, tuple(rows)))
    return folder


def vocabulary() -> list[str]:
    """Texts whose words the tiny models know as single tokens."""
    known = []
    for n in range(24):
        one = Item.model_validate({
            "id": "x", "lang": "en", "text": f"a {list(MOODS)[n % 3]} {THINGS[n % 4]}, number {n}",
            "figures": [{"tenor": THINGS[n % 4], "vehicle": SOURCES[n % 4]}] if n % 2 else [],
            "labels": {"metaphor": "Yes" if n % 2 else "No", "sentiment": list(MOODS.values())[n % 3]},
            "references": {
                "ITE": f"the picture shows a {THINGS[n % 4]} with the shape of a {SOURCES[n % 4]} on a table",
                "SJ": f"the text calls it {list(MOODS)[n % 3]} and so {list(MOODS.values())[n % 3]}",
                "MC": f"the {THINGS[n % 4]} moves like a {SOURCES[n % 4]}",
            },
        })  # fmt: skip
        for stage in ("C1", "C2", "C3"):
            known += [prompt_of(one, stage), reply_of(one, stage)]
    return known
