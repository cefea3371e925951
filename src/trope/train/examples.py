"""Examples as they are trained on: files of a corpus folder, and the data sets made of them.

A corpus folder holds ``C1.jsonl``, ``C2.jsonl``, ``C3.jsonl``, the pictures they name, ``dropped.jsonl`` and
``manifest.json``. A line is one `Example`; its picture is a path inside the folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from trope.errors import ItemError
from trope.protocols.m3r.labels import Labels


@dataclass(frozen=True, slots=True)
class Example:
    """One picture with its text: what is asked, the reply to learn, and the labels that rewards compare with.

    ``picture`` is a path inside the corpus folder. Labels are as `trope.protocols.m3r.gold` gives them.
    """

    id: str
    lang: str
    picture: str
    prompt: str
    reply: str
    metaphor: str
    target: str
    source: str
    sentiment: str

    @property
    def labels(self) -> Labels:
        """The true labels."""
        return Labels(self.metaphor, self.target, self.source, self.sentiment)


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of one stage, with where their pictures lie and a hash of it all."""

    name: str
    folder: Path
    rows: tuple[Example, ...]

    @property
    def sha256(self) -> str:
        """A hash of every example, and through its picture's name of every picture."""
        lines = "".join(_line(row) for row in self.rows)
        return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()

    def path(self, row: Example) -> Path:
        """Where an example's picture lies."""
        return self.folder / row.picture

    def only(self, rows: Sequence[Example]) -> Examples:
        """The same with fewer rows."""
        return Examples(self.name, self.folder, tuple(rows))


def read_examples(folder: Path, name: str) -> Examples:
    """One corpus of a folder, with every picture looked for before anything is computed.

    Raises
    ------
    ItemError : no such file, a line that is no example, no examples, or pictures that are missing or damaged;
        names how many, and the first three.
    """
    path = folder / f"{name}.jsonl"
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        there = ", ".join(sorted(p.stem for p in folder.glob("C*.jsonl"))) or "none"
        raise ItemError(
            f"no corpus {name} in {str(folder)!r} (there: {there}). Make one: trope train corpus ITEMS --out FOLDER"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ItemError(f"{str(path)!r} cannot be read: {error}") from None
    found = Examples(name, folder, tuple(_example(line, f"{path.name}:{n}") for n, line in enumerate(lines, 1) if line))
    if not found.rows:
        raise ItemError(f"{str(path)!r} holds no examples")
    _check_pictures(found)
    return found


def write_examples(examples: Examples) -> Path:
    """Write one corpus, whole or not at all."""
    from trope.store.files import write_durably

    path = examples.folder / f"{examples.name}.jsonl"
    write_durably(path, "".join(map(_line, examples.rows)).encode("utf-8"))
    return path


def to_dataset(examples: Examples, *, replies: bool) -> Any:
    """A `datasets.Dataset` in the form TRL reads: messages, pictures, and the labels as columns.

    ``replies``: with the reply to learn (``completion``), for supervised stages; pictures are decoded when used.
    """
    import datasets

    message = [{"role": datasets.Value("string"), "content": datasets.Value("string")}]
    features: dict[str, Any] = {
        "id": datasets.Value("string"), "images": datasets.List(datasets.Image()), "prompt": message,
        **({"completion": message} if replies else {}),
        **{name: datasets.Value("string") for name in ("metaphor", "target", "source", "sentiment")},
    }  # fmt: skip
    columns: dict[str, list[Any]] = {name: [] for name in features}
    for row in examples.rows:
        columns["id"].append(row.id)
        columns["images"].append([{"path": str(examples.path(row)), "bytes": None}])
        columns["prompt"].append([{"role": "user", "content": row.prompt}])
        if replies:
            columns["completion"].append([{"role": "assistant", "content": row.reply}])
        for name in ("metaphor", "target", "source", "sentiment"):
            columns[name].append(getattr(row, name))
    return datasets.Dataset.from_dict(columns, features=datasets.Features(features))


def export(examples: Iterable[Examples], folder: Path) -> None:
    """A `datasets` folder, one split a corpus, pictures inside; read it with ``datasets.load_from_disk``."""
    import datasets

    datasets.disable_progress_bars()
    whole = {part.name: to_dataset(part, replies=True) for part in examples}
    datasets.DatasetDict(whole).save_to_disk(str(folder))  # reads each picture in: the folder needs no other


def _line(row: Example) -> str:
    return json.dumps(asdict(row), ensure_ascii=False) + "\n"


def _example(line: str, where: str) -> Example:
    try:
        said = json.loads(line)
        row = Example(**said)
    except (ValueError, TypeError) as error:
        raise ItemError(f"{where}: no example: {error}") from None
    wrong = [field.name for field in fields(Example) if not isinstance(getattr(row, field.name), str)]
    if wrong:
        raise ItemError(f"{where}: {wrong[0]} is {getattr(row, wrong[0])!r}. Expected: text")
    return row


def _check_pictures(examples: Examples) -> None:
    missing = [row for row in examples.rows if not examples.path(row).is_file()]
    if missing:
        shown = ", ".join(f"{row.picture} (of {row.id})" for row in missing[:3])
        raise ItemError(
            f"{examples.name}: {len(missing)} of {len(examples.rows)} pictures are missing in "
            f"{str(examples.folder)!r}: {shown}. Make the corpus again, or bring the pictures back"
        )
