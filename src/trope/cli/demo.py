"""`trope demo`: a real study in under a minute, offline, on a generator whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption

_SAYS = """\
Trope demo: the protocol `simile` on {items} English similes, with four strategies and two instruments.
The pictures come from `collage`, which pastes a cut-out of every noun it knows. It is no image model: it is
as literal as can be and knows what it drew, so this checks the INSTRUMENT (the embedded detector `ssd`)
against the truth. For a model of yours: trope run simile --subject folder:PICTURES --instrument ssd
"""


def demo(
    store: StoreOption = DEFAULT_STORE,
    open_page: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
) -> None:
    """Run a small study end to end and write its report: no key, no GPU, no network."""
    from trope.cli.report import write_report
    from trope.cli.run import run_with_progress
    from trope.experiment import Experiment, plan
    from trope.store import RunFolder, Store

    asked = Experiment(
        protocol="simile",
        subjects=("collage?size=512",),
        strategies=("base", "anti_hallucination", "guard:rewrite", "random?gate=ssd"),
        instruments=("ssd", "truth"),
        items=("demo",),
        name="demo",
    )
    planned = plan(asked)
    typer.echo(_SAYS.format(items=len(planned.items)))
    with Store(store) as opened:
        resolved = planned.resolved()
        if RunFolder(opened, "demo").frozen() not in (("", ""), (resolved["sha256"], resolved["items_sha256"])):
            planned = plan(asked.model_copy(update={"name": None}))  # an older Trope's demo keeps its name
        outcome = run_with_progress(planned, opened)
        if outcome.stopped is not None:
            raise outcome.stopped
        page = write_report(outcome.run)
        typer.echo(_headline(outcome.run.folder / "scores.json"))
    typer.echo(f"\nreport: {page.resolve()}")
    if open_page:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _headline(scores: Path) -> str:
    import json

    from trope.protocols.tables import plain

    tables = {t["name"]: t for t in json.loads(scores.read_text("utf-8"))["tables"]}
    lines = ["share of pictures that show the vehicle (Det), 95 % interval over vehicle classes"]
    lines += [f"  {row[1]:20} {row[2]:6} {plain(row[3])}" for row in tables["detection"]["rows"]]
    lines.append("the detector against the truth")
    for row in tables["instrument_check"]["rows"]:
        lines.append(f"  {row[0]}, {row[1]}: sensitivity {plain(row[2])}, false alarms {plain(row[4])}")
    return "\n".join(lines)
