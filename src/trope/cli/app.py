"""The verbs, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from trope import __version__
from trope.cli.baseline import baseline
from trope.cli.demo import demo
from trope.cli.doctor import doctor
from trope.cli.errors import errors
from trope.cli.guard import guard
from trope.cli.items import items
from trope.cli.report import report
from trope.cli.run import run
from trope.cli.study import study
from trope.cli.train import train

app = typer.Typer(
    name="trope",
    help="Measure how image models handle figurative language.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: rich would double the time to show it
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


app.command()(demo)
app.command()(run)
app.command()(report)
app.add_typer(guard, name="guard")
app.add_typer(items, name="items")
app.add_typer(study, name="study")
app.add_typer(train, name="train")
study.add_typer(errors, name="errors")
train.command()(baseline)
app.command()(doctor)
