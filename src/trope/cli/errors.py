"""`trope study errors`: the sheet of error kinds of m3r, and two systems compared by it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption

errors = typer.Typer(help="Name the kinds of error of one or two systems of an m3r run.", no_args_is_help=True)


@errors.command()
def sheet(
    run: Annotated[str, typer.Argument(help="A finished run of m3r.")],
    system: Annotated[list[str], typer.Option(help="A subject of it; a second one is shown on the same items.")],
    out: Annotated[
        Path, typer.Option(help="The sheet (CSV); beside it its key, which those who fill it must not see.")
    ],
    count: Annotated[int, typer.Option(help="Items, drawn among the first system's errors.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the draw and the order.")] = 42,
    matcher: Annotated[str | None, typer.Option(help="The similarity that decides; default the run's first.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write the sheet that people fill."""
    from trope.errors import UsageError
    from trope.experiment import score
    from trope.protocols.m3r import M3R
    from trope.protocols.m3r.errors import KINDS, RIGHT, make_sheet
    from trope.store import RunFolder, Store

    if len(system) > 2:
        raise UsageError(f"{len(system)} systems. Expected: one, or two to compare")
    with Store(store) as opened:
        folder = RunFolder.find(opened, run)
        study, scores = score(folder)
        if scores.protocol != "m3r":
            raise UsageError(f"run {run!r} is of {scores.protocol!r}. Expected: a run of m3r")
        threshold = M3R(**_options(folder.asked.read_text("utf-8"))).threshold
        made = make_sheet(
            study, system, count=count, seed=seed, threshold=threshold, matcher=matcher,
            shown=lambda sha: str(opened.picture(sha).resolve()),
        )  # fmt: skip
    key = out.with_suffix(".key.csv")
    out.write_text("\ufeff" + made.sheet, "utf-8")
    key.write_text(made.key, "utf-8")
    typer.echo(f"{made.items} of {made.wrong} items that {system[0]} got wrong: {out}; key: {key}")
    for kind, what in {**KINDS, RIGHT: "all four labels are right (filled in where it is so)"}.items():
        typer.echo(f"  {kind:17} {what}")


@errors.command()
def compare(
    filled: Annotated[Path, typer.Argument(help="The filled sheet.")],
    key: Annotated[Path | None, typer.Option(help="Its key; default the one beside it.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a sheet that is not UTF-8, e.g. gb18030.")] = None,
) -> None:
    """Count kinds of error, and test two systems on the same items."""
    from trope.errors import UsageError
    from trope.items.encodings import decode
    from trope.items.findings import raise_first
    from trope.protocols.m3r.errors import KINDS, RIGHT, read_kinds
    from trope.protocols.m3r.errors import compare as compared
    from trope.protocols.tables import plain

    beside = key or filled.with_suffix(".key.csv")
    for path in (filled, beside):
        if not path.is_file():
            raise UsageError(f"no file {str(path)!r}. Expected: what `trope study errors sheet` wrote")
    texts = []
    for path, codec in ((filled, encoding), (beside, None)):
        text, _, findings = decode(path.read_bytes(), path.name, codec)
        raise_first(findings, str(path))
        texts.append(text or "")
    kinds = read_kinds(*texts)
    if len(kinds) < 2:
        for system, said in kinds.items():
            counted = {kind: sum(value == kind for value in said.values()) for kind in (*KINDS, RIGHT)}
            typer.echo(f"{system}: " + ", ".join(f"{kind} {n}" for kind, n in counted.items() if n))
        return
    table = compared(kinds)
    typer.echo("| " + " | ".join(table.columns) + " |\n|" + "---|" * len(table.columns))
    for row in table.rows:
        typer.echo("| " + " | ".join(plain(cell) for cell in row) + " |")
    typer.echo("\n".join(table.notes))


def _options(asked: str) -> dict[str, str]:
    from trope.experiment.spec import split_experiment

    return dict(split_experiment(asked, "run.toml")[0].options)
