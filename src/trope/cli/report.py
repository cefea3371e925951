"""`trope report`: tables, plots and pictures of a run; bundles, and their verification."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption

if TYPE_CHECKING:
    from trope.protocols import Scores, Study
    from trope.store import RunFolder


class Format(StrEnum):
    """What a report can be."""

    html = "html"
    md = "md"
    csv = "csv"
    json = "json"
    pdf = "pdf"


def report(
    name: Annotated[str | None, typer.Argument(help="A run, or a bundle file. Default: list the runs.")] = None,
    format: Annotated[Format, typer.Option(help="html is a folder that opens without a network.")] = Format.html,
    out: Annotated[
        Path | None, typer.Option(help="Where to write; default: in the run's folder (md, json: the screen).")
    ] = None,
    bundle: Annotated[Path | None, typer.Option(help="Write the run as one file that others can verify.")] = None,
    hashes_only: Annotated[bool, typer.Option("--hashes-only", help="A bundle without the pictures.")] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="The paper's own numbers beside the items they belong to.")
    ] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Recompute every number of a bundle and compare.")] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Report a run, or a bundle, from what is stored: no model is asked."""
    from trope.errors import UsageError
    from trope.store import RunFolder, Store

    is_run = name is not None and (store / "runs" / name / "run.toml").exists()
    if name is not None and (verify or (not is_run and Path(name).is_file())):
        _report_bundle(Path(name), format, out, reference, only_verify=verify)
        return
    if verify:
        raise UsageError("--verify needs a bundle. Expected: trope report FILE --verify")
    if not (store / "observations.sqlite").exists():
        raise UsageError(f"no store at {str(store)!r}. Run something first (trope demo), or say where: --store FOLDER")
    with Store(store) as opened:
        if name is None:
            print("\n".join(RunFolder.names(opened)) or "no runs yet")
            return
        run = RunFolder.find(opened, name)
        if bundle is None:
            _write(run, format, out, reference)
            return
        from trope.experiment import score
        from trope.store import write_bundle

        _, scores = score(run)
        print(write_bundle(run, scores.as_json(), bundle, pictures=not hashes_only))


def _report_bundle(path: Path, format: Format, out: Path | None, reference: bool, *, only_verify: bool) -> None:
    import tempfile

    from trope.experiment import verify
    from trope.store import Store, restore

    count = verify(path)
    typer.echo(f"{path}: {count} values recomputed, all equal", err=not only_verify)
    if only_verify:
        return
    beside = {Format.html: "", Format.csv: ".csv-tables", Format.pdf: ".pdf"}
    default = path.with_suffix(beside[format]) if format in beside else None
    with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
        _write(restore(path, store), format, out or default, reference)


def _write(run: RunFolder, format: Format, out: Path | None, reference: bool) -> None:
    from trope import report as room

    if format is Format.html:
        print(write_report(run, out, reference=reference))
        return
    study, scores = scored(run)
    if reference:
        scores = _with_reference(study, scores)
    if format is Format.csv:
        for path in room.as_csv(scores, out or run.folder / "csv"):
            print(path)
    elif format is Format.pdf:
        target = run.folder if out is None else out
        print(room.as_pdf(scores, target / f"{run.name}.pdf" if target.is_dir() else target))
    else:
        text = room.as_markdown(scores) if format is Format.md else room.as_json(scores)
        if out is None:
            typer.echo(text, nl=False)
        else:
            print(_written(out / f"{run.name}.{format}" if out.is_dir() else out, text.encode("utf-8")))


def scored(run: RunFolder) -> tuple[Study, Scores]:
    """A run's scores, with what people said of its outputs, if anybody was asked (`trope study`)."""
    from dataclasses import replace

    from trope.experiment import score

    if not (run.store.folder / "studies").is_dir():
        return score(run)
    from trope.people.joining import people_tables
    from trope.people.runs import people_of

    study, scores = score(run, people_of(run.store, run.name))
    tables, plots = people_tables(run)
    return study, replace(scores, tables=[*scores.tables, *tables], plots=[*scores.plots, *plots])


def write_report(run: RunFolder, out: Path | None = None, *, reference: bool = False) -> Path:
    """Write the HTML report of a run and return its first page."""
    from trope import report as room
    from trope.protocols import protocol

    study, scores = scored(run)
    _written(run.folder / "scores.json", room.as_json(scores).encode("utf-8"))
    if reference:
        scores = _with_reference(study, scores)
    return room.write_site(
        study, scores, protocol(scores.protocol), run.store, out or run.folder / "report",
        title=run.name, run_toml=run.asked.read_text("utf-8"),
    )  # fmt: skip


def _with_reference(study: Study, scores: Scores) -> Scores:
    """The same with the paper's tables, if these are the paper's items; a warning if they are not."""
    from dataclasses import replace

    from trope.protocols import protocol

    tables = protocol(scores.protocol).reference(study)
    if tables:
        return replace(scores, tables=[*scores.tables, *tables])
    none = "The paper's numbers belong to the paper's items; these are others, so none are shown beside them."
    return replace(scores, warnings=[*scores.warnings, none])


def _written(path: Path, data: bytes) -> Path:
    from trope.store.files import write_durably

    write_durably(path, data, sync=False)
    return path
