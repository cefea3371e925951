"""`trope study`: people as judges; make a study, serve it, see how it stands, take answers out and in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption, split

if TYPE_CHECKING:
    from trope.nouns import Item
    from trope.people.design import StudyFolder
    from trope.people.desk import Desk
    from trope.store import Store

study = typer.Typer(help="Ask people what judges are asked; verify items.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Name of the study.")]


class Export(StrEnum):
    """What a study can be written as."""

    csv = "csv"
    blank = "blank"
    label_studio = "label-studio"
    items = "items"


@study.command()
def new(
    name: Name,
    run: Annotated[str | None, typer.Option(help="The run whose outputs are judged.")] = None,
    verify: Annotated[list[str] | None, typer.Option(help="Instead: items to verify, a file or a set.")] = None,
    proposals: Annotated[list[str] | None, typer.Option(help="Files of other versions of these items.")] = None,
    adjudicate: Annotated[str | None, typer.Option(help="Instead: a study whose raters disagree.")] = None,
    call: Annotated[
        list[str] | None, typer.Option(help="Sets of questions, in order, e.g. rate,sentence; default: the judge's.")
    ] = None,
    raters: Annotated[
        str, typer.Option(help="How many, or their names: anna,bob. Names are people, in every study.")
    ] = "1",
    sample: Annotated[
        int | None, typer.Option(help="Draw so many outputs (items, where they stand together).", min=1)
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="Strata of the sample, e.g. lang,form or subject,vehicle_class.")
    ] = None,
    convenience: Annotated[
        bool, typer.Option("--convenience", help="These outputs are no sample of anything.")
    ] = False,
    per_output: Annotated[int, typer.Option(help="How many raters each output gets.", min=1)] = 1,
    overlap: Annotated[int, typer.Option(help="Outputs that all raters get, for agreement.", min=0)] = 0,
    together: Annotated[
        bool, typer.Option("--together", help="All outputs of an item on one page, blind, as A, B, C.")
    ] = False,
    checks: Annotated[
        float, typer.Option(help="Attention checks, as a share of a rater's pages.", min=0.0, max=0.5)
    ] = 0.0,
    lang: Annotated[str, typer.Option(help="Of the pages: en, zh, ja, ar.")] = "en",
    seed: Annotated[int, typer.Option(help="Of sample, assignment, orders and labels.")] = 42,
    days: Annotated[float, typer.Option(help="Days that invitation links are good.", min=0.01)] = 30.0,
    url: Annotated[str, typer.Option(help="Where raters will reach the server.")] = "http://127.0.0.1:8765",
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Draw a study, assign it, and print the invitation links."""
    from trope.errors import UsageError
    from trope.people.design import design_from
    from trope.people.making import new_study

    address = _address(url)
    if sum(bool(source) for source in (run, verify, adjudicate)) != 1:
        raise UsageError("a study is of one thing. Expected: --run RUN, --verify FILE or --adjudicate STUDY")
    if convenience and sample:
        raise UsageError("--convenience: outputs that were picked are not drawn. Leave out --sample, or --convenience")
    if by and not sample:
        raise UsageError("--by names the strata of a sample. Expected: --sample N with it")
    table: dict[str, Any] = {
        "name": name, "kind": "verify" if verify else "adjudicate" if adjudicate else "judge", "run": run,
        "of": adjudicate, "items": tuple(verify or ()), "proposals": tuple(proposals or ()), "calls": split(call),
        "layout": "together" if together else "single", "lang": lang, "seed": seed,
        "method": "convenience" if convenience else "stratified" if sample else "all", "n": sample,
        "by": split([by or ""]), "raters": _raters(name, raters), "per_unit": per_output, "overlap": overlap,
        "checks": checks,
    }  # fmt: skip
    with _opened(store, create=bool(verify)) as opened:
        made, strata = new_study(opened, design_from(table))
        drawn, size = sum(s.drawn for s in strata), sum(s.size for s in strata)
        print(f"{name}: {drawn} of {size} in {len(strata)} strata")
        for stratum in strata if len(strata) > 1 else ():
            print(f"  {stratum.name}: {stratum.drawn} of {stratum.size}")
        _links(made, list(made.design().raters), days, address)
    print(f"serve: trope study serve {name}" + _where(store))


@study.command()
def invite(
    name: Name,
    rater: Annotated[str, typer.Argument(help="A rater of the study, a new one, or coordinator.")],
    days: Annotated[float, typer.Option(help="Days that the link is good.", min=0.01)] = 30.0,
    url: Annotated[str, typer.Option(help="Where raters reach the server.")] = "http://127.0.0.1:8765",
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Print a new link for one rater; it works in one browser."""
    address = _address(url)
    with _opened(store) as opened:
        _links(_found(opened, name), [rater], days, address, coordinator=False)


@study.command()
def revoke(
    name: Name, rater: Annotated[str, typer.Argument(help="Whose links.")], store: StoreOption = DEFAULT_STORE
) -> None:
    """Withdraw all links of a rater, and end the sessions they opened. Answers stay."""
    from trope.people.book import Book

    with _opened(store) as opened:
        book = Book(_found(opened, name).book)
        print(f"{book.revoke(rater)} links of {rater} withdrawn")
        book.close()


@study.command()
def serve(
    name: Name,
    host: Annotated[
        str, typer.Option(help="Address to listen at; beyond this machine only with tokens.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8765,
    no_tokens: Annotated[
        bool, typer.Option("--no-tokens", help="Anybody on this machine may answer as anybody.")
    ] = False,
    url: Annotated[str | None, typer.Option(help="How raters reach it, e.g. https://study.example.org.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Serve a study to its raters until stopped with Ctrl-C."""
    from trope.people.server import serve as run_server

    address = _address(url) if url is not None else None
    with _opened(store) as opened:
        found = _found(opened, name)

        def tell(line: str) -> None:
            typer.echo(line)

        run_server(found, host=host, port=port, tokens=not no_tokens, url=address, tell=tell)


@study.command()
def status(
    name: Annotated[str | None, typer.Argument(help="Name of the study. Default: list the studies.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Say who has answered how much, how carefully, and how far raters agree."""
    from trope.people.agreement import agreement_tables
    from trope.people.design import StudyFolder
    from trope.people.status import progress
    from trope.protocols.tables import plain

    with _opened(store) as opened:
        if name is None:
            print("\n".join(StudyFolder.names(opened)) or "no studies yet")
            return
        with _desk(opened, name) as desk:
            for row in progress(desk):
                pace = "" if row.seconds is None else f", {row.seconds:.1f} s a page"
                checks = f", checks {row.checks_passed}/{row.checks_seen}" if row.checks_seen else ""
                back = f", {row.changed} changed, {row.withdrawn} taken back" if row.changed or row.withdrawn else ""
                print(f"{row.rater}: {row.done} of {row.total} pages{pace}{checks}{back}")
            for table in agreement_tables(desk):
                print(table.title)
                for line in (table.columns, *table.rows):
                    print("  " + "  ".join(plain(cell) for cell in line))


@study.command(name="next")
def rate_next(
    name: Name,
    n: Annotated[int, typer.Argument(help="How many more outputs to draw.", min=1)],
    judge: Annotated[
        str | None, typer.Option(help="Whose numbers people correct; default: the run's first judge.")
    ] = None,
    question: Annotated[str | None, typer.Option(help="By which question; default: the first.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Draw N more outputs, where they narrow the interval of the corrected score most."""
    from trope.people.joining import next_spread
    from trope.people.making import draw_more

    with _opened(store) as opened:
        found = _found(opened, name)
        with _desk(opened, name) as desk:
            before = desk.book.strata()
            spread, said = next_spread(desk, judge, question)
        made = draw_more(found, n, spread)
        print(said)
        for old, new_ in zip(before, made, strict=True):
            print(f"  {new_.name}: {new_.drawn - old.drawn} more, {new_.drawn} of {new_.size}")


@study.command()
def export(
    name: Name,
    format: Annotated[
        Export,
        typer.Option(help="csv: answers; blank: sheets to fill in; label-studio: a project; items: as verified."),
    ] = Export.csv,
    out: Annotated[Path | None, typer.Option(help="File (label-studio: a new folder); default: the screen.")] = None,
    lang: Annotated[
        str | None, typer.Option(help="Of blank sheets and projects: en, zh, ja, ar; default: the study's.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write answers, blank sheets, a Label Studio project, or the items that a verification leaves."""
    from trope.errors import UsageError

    with _opened(store) as opened, _desk(opened, name) as desk:
        lang = lang or desk.design.lang
        if format is Export.label_studio:
            from trope.people.interchange.label_studio import export_project

            if out is None:
                raise UsageError("a Label Studio project is a folder. Expected: --out FOLDER")
            for folder in export_project(desk, out, lang):
                print(folder)
            return
        text = _items_text(desk, out) if format is Export.items else _table_text(desk, format, lang)
        if out is None:
            typer.echo(text, nl=False)
        else:
            from trope.store.files import write_durably

            data = text.encode("utf-8" if format is Export.items else "utf-8-sig")
            write_durably(out, data, sync=False)
            print(out)


@study.command(name="import")
def take_in(
    name: Name,
    file: Annotated[Path, typer.Argument(help="A filled CSV sheet, or a JSON export of Label Studio.")],
    annotator: Annotated[
        list[str] | None, typer.Option(help="Label Studio: E-MAIL=RATER or NUMBER=RATER, for each annotator.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Take answers in from elsewhere: all of them, or none if one cannot be read."""
    from trope.errors import UsageError
    from trope.people.interchange.incoming import take_in as store_answers
    from trope.people.interchange.label_studio import read_results
    from trope.people.interchange.table import read_answers

    pairs = [pair.rpartition("=") for pair in annotator or ()]
    if any(not who or not rater for who, _, rater in pairs):
        raise UsageError("--annotator: expected E-MAIL=RATER, e.g. anna@example.org=anna")
    if not file.is_file():
        raise UsageError(f"no file at {str(file)!r}")
    with _opened(store) as opened, _desk(opened, name) as desk:
        is_json = file.suffix.lower() == ".json"
        found = read_results(file, {who: rater for who, _, rater in pairs}) if is_json else read_answers(file)
        stored, same = store_answers(desk, found, f"import {file.name}")
    print(f"{stored} answers stored, {same} were there already")


# --- inside ---


def _raters(name: str, text: str) -> tuple[str, ...]:
    """Names, or as many made from the study's name: ``r1`` of two studies would be one person."""
    if text.isascii() and text.isdigit():
        return tuple(f"{name}-r{n}" for n in range(1, int(text) + 1))
    return split([text])


def _address(url: str) -> str:
    """Where raters reach the server, as their browsers write it; raises `UsageError` if it cannot be that."""
    from urllib.parse import urlsplit

    from trope.errors import UsageError

    try:
        parts = urlsplit(url)
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        usual = None
    if usual is None or not host or parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise UsageError(f"--url {url!r}. Expected: scheme and host, e.g. https://study.example.org")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")


def _links(made: StudyFolder, raters: list[str], days: float, url: str, *, coordinator: bool = True) -> None:
    from trope.people.design import COORDINATOR
    from trope.people.making import invite as invited
    from trope.people.tokens import Signer

    signer = Signer(made.folder / "secret")
    for rater in raters:
        print(f"  {rater}: {url}/i/{invited(made, rater, days, signer)}")
    if coordinator:
        print(f"  {COORDINATOR}: {url}/i/{invited(made, COORDINATOR, days, signer)}")


def _opened(store: Path, *, create: bool = False) -> Store:
    from trope.errors import UsageError
    from trope.store import Store

    if not create and not (store / "observations.sqlite").exists():
        raise UsageError(f"no store at {str(store)!r}. Run something first (trope demo), or say where: --store FOLDER")
    return Store(store)


def _found(opened: Store, name: str) -> StudyFolder:
    from trope.people.design import StudyFolder

    return StudyFolder.find(opened, name)


def _desk(opened: Store, name: str) -> Any:
    import contextlib

    from trope.people.desk import Desk

    return contextlib.closing(Desk(_found(opened, name)))


def _items_text(desk: Desk, out: Path | None) -> str:
    from trope.errors import UsageError
    from trope.items import dump_items
    from trope.people.adjudication import resulting_items

    if desk.design.kind != "verify":
        of = f". It decides for {desk.design.of!r}: export that one" if desk.design.of else ""
        raise UsageError(f"only a study made with --verify leaves items{of}")
    items, open_ = resulting_items(desk)
    if open_:
        typer.echo(f"{len(open_)} items are left out: their raters do not agree, e.g. {open_[0]}", err=True)
    return dump_items(items if out is None else [_pictured(desk, item, out.parent) for item in items])


def _pictured(desk: Desk, item: Item, folder: Path) -> Item:
    """The item with its stored picture's path given from ``folder``, as whoever reads items expects it."""
    import os

    from trope.experiment.planning import stored_picture

    sha = stored_picture(item)
    if sha is None:
        return item
    place = os.path.relpath(desk.store.picture(sha).resolve(), folder.resolve())
    return item.model_copy(update={"image": Path(place).as_posix()})


def _table_text(desk: Desk, format: Export, lang: str) -> str:
    from trope.people.interchange.table import answers_csv, blank_csv

    return answers_csv(desk) if format is Export.csv else blank_csv(desk, lang)


def _where(store: Path) -> str:
    return "" if store == DEFAULT_STORE else f" --store {store}"
