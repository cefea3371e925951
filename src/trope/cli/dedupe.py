"""`trope items dedupe`: clean image-text pairs, and keep one of those that say the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def dedupe(
    source: Annotated[Path, typer.Argument(help="A folder of pictures (texts in .txt beside them), or a table.")],
    out: Annotated[Path, typer.Option(help="Folder for kept.jsonl and manifest.jsonl.")],
    images: Annotated[Path | None, typer.Option(help="Where a table's pictures lie; default: beside it.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a table that is not UTF-8, e.g. gb18030.")] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", help="NAME=FIELD: a table's column is id, image or text.")
    ] = None,
    radius: Annotated[int, typer.Option(help="Bits of a hash that may differ for a look.", min=0, max=31)] = 8,
    correlation: Annotated[float, typer.Option(help="Of near pictures, at least.", min=0, max=1)] = 0.98,
    error: Annotated[float, typer.Option(help="Mean gray difference of near pictures, at most.", min=0, max=1)] = 0.06,
    text: Annotated[float, typer.Option(help="Likeness of near texts, at least.", min=0, max=1)] = 0.90,
    without_text: Annotated[bool, typer.Option("--without-text", help="Keep pairs that have no text.")] = False,
) -> None:
    """Drop what cannot be read, merge exact and near duplicates, and say what became of every pair."""
    import json
    import os

    from trope.build.dedupe import Rules, read_pairs
    from trope.build.dedupe import dedupe as cleaned
    from trope.store.files import write_durably

    pairs = read_pairs(source, images, encoding, _columns(column))
    rules = Rules(radius, correlation, error, text=text, need_text=not without_text)
    done = cleaned(pairs, rules)
    at = out.resolve()
    kept = [
        {**line, "image": Path(os.path.relpath(Path(line["image"]).absolute(), at)).as_posix()} for line in done.kept()
    ]
    for name, lines in (("kept.jsonl", kept), ("manifest.jsonl", [fate.as_json() for fate in done.fates])):
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        # half a surrogate, which no UTF-8 holds, is written as JSON escapes it: \udXXX
        write_durably(out / name, data.encode("utf-8", "backslashreplace"), sync=False)
    print(f"{len(pairs)} pairs, {len(kept)} kept")
    for what, count in sorted(done.counts.items()):
        print(f"  {count:6} {what}")
    if differing := sum(bool(fate.differing) for fate in done.fates):
        print(f"  {differing} merged pairs differ from what they were merged into in other fields: see manifest.jsonl")
    print(f"{out / 'kept.jsonl'}\n{out / 'manifest.jsonl'}")


def _columns(given: list[str] | None) -> dict[str, str]:
    from trope.errors import UsageError

    found: dict[str, str] = {}
    for pair in given or ():
        name, _, field = pair.rpartition("=")
        if not name or field not in ("id", "image", "text") or field in found:
            raise UsageError(f"--column {pair!r}: expected NAME=FIELD, once each: id, image, text")
        found[field] = name
    return found
