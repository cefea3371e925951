"""`trope train baseline`: an encoder with linear heads, and what it predicts as a subject of `trope run m3r`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trope.cli.options import split


def baseline(
    encoder: Annotated[str, typer.Argument(help="clip:MODEL, vit:MODEL or mae:MODEL; a folder or a hub's name.")],
    items: Annotated[list[str], typer.Option(help="Training items with labels and pictures.")],
    predict: Annotated[list[str], typer.Option(help="Items to predict: a set that ships, or a file.")],
    out: Annotated[Path, typer.Option(help="The prediction file (JSONL).")],
    l2: Annotated[float, typer.Option(help="Penalty on the heads' weights.", min=0.0)] = 1.0,
    device: Annotated[str | None, typer.Option(help="cpu or cuda; default what there is.")] = None,
) -> None:
    """Fit linear heads on frozen features (labels only) and write predictions."""
    from trope.errors import UsageError
    from trope.items import load_items
    from trope.train.baseline import KINDS, write
    from trope.train.baseline import baseline as fitted

    kind, _, model = encoder.partition(":")
    if kind not in KINDS or not model:
        raise UsageError(f"encoder {encoder!r}. Expected: {', '.join(f'{name}:MODEL' for name in KINDS)}")
    training, tested = (load_items(split(sources), pictured=True) for sources in (items, predict))
    rows, report = fitted(kind, model, training, tested, l2=l2, device=device)
    beside = write(rows, report, out)
    for name, head in report["heads"].items():
        typer.echo(f"{name}: {head['accuracy on training items']:.3f} of the training items right")
    typer.echo(f"{len(rows)} predictions: {out} ({beside.name} says what of)")
    typer.echo(f"trope run m3r --subject predictions:{out} --items {' --items '.join(split(predict))} ...")
