"""`trope items`: look at sets of items, check them, count them, draw from them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trope.cli.options import split

items = typer.Typer(help="Show, check, count and sample items.", no_args_is_help=True)

Source = Annotated[list[str], typer.Argument(help="Names of sets that ship, or JSONL files.")]
By = Annotated[str, typer.Option(help="Fields whose combinations are the cells, e.g. lang,form.")]


@items.command()
def show(source: Source, id: Annotated[str | None, typer.Option(help="Only this item, whole.")] = None) -> None:
    """Print items: a line each, or one as JSON."""
    from trope.errors import UnknownName
    from trope.items import dump_items, load_items

    loaded = load_items(source)
    if id is not None:
        found = [item for item in loaded if item.id == id]
        if not found:
            raise UnknownName("item", id, [item.id for item in loaded][:2000])
        typer.echo(found[0].model_dump_json(indent=2, exclude_defaults=True))
        return
    for item in loaded:
        figures = "; ".join(f"{f.tenor or '?'} ~ {f.vehicle}" for f in item.figures)
        typer.echo(f"{item.id}\t{item.lang}\t{item.text}\t{figures}")
    if not loaded:
        typer.echo(dump_items([]) or "no items", err=True)


@items.command()
def validate(source: Source) -> None:
    """Check every rule; the exit code says whether all are kept."""
    from trope.items import check_items, load_items

    loaded = load_items(source)
    problems = check_items(loaded)
    for problem in problems:
        typer.echo(str(problem), err=True)
    typer.echo(f"{len(loaded)} items, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


@items.command()
def stats(source: Source, by: By = "lang") -> None:
    """Count items by cell."""
    from trope.items import cells_of, load_items

    fields = split([by])
    counted = cells_of(load_items(source), fields)
    typer.echo("\t".join([*fields, "items"]))
    for cell, count in sorted(counted.items()):
        typer.echo("\t".join([*cell, str(count)]))
    typer.echo(f"{sum(counted.values())} items in {len(counted)} cells")


@items.command()
def sample(
    source: Source,
    n: Annotated[int, typer.Option("-n", help="How many.", min=1)] = 10,
    by: By = "lang",
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 42,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the screen.")] = None,
) -> None:
    """Draw a stratified sample as JSON lines."""
    import numpy as np

    from trope.items import dump_items, load_items, stratified

    text = dump_items(stratified(load_items(source), n, split([by]), rng=np.random.default_rng(seed)))
    if out is None:
        typer.echo(text, nl=False)
    else:
        out.write_text(text, "utf-8")
        typer.echo(str(out))
