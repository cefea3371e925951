"""`trope items`: look at sets of items, check them, count them, draw from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from trope.cli.agree import agree
from trope.cli.build import build
from trope.cli.dedupe import dedupe
from trope.cli.draft import accept, draft
from trope.cli.options import split

if TYPE_CHECKING:
    from trope.items import How, ItemFile, Problem
    from trope.items.rules import Rule
    from trope.nouns import Item

items = typer.Typer(help="Show, check, count and sample items.", no_args_is_help=True)
items.add_typer(build, name="build")
items.command()(draft)
items.command()(accept)
items.command()(dedupe)
items.command()(agree)

Source = Annotated[
    list[str], typer.Argument(help="Names of sets that ship, or files: .jsonl, .json, .csv, .tsv, .xlsx.")
]
By = Annotated[str, typer.Option(help="Fields whose combinations are the cells, e.g. lang,form.")]
Encoding = Annotated[str | None, typer.Option(help="Of a file that is not UTF-8, e.g. gb18030.")]
Column = Annotated[
    list[str] | None, typer.Option("--column", help="NAME=FIELD: read a column as a field; NAME=- leaves it unread.")
]
Language = Annotated[str | None, typer.Option("--lang", help="Of all rows of a table without such a column.")]
Several = Annotated[
    Literal["refuse", "split"], typer.Option(help="A cell with several vehicles: refuse it, or one figure each.")
]
Entities = Annotated[Literal["keep", "decode"], typer.Option(help="HTML entities in a table.")]
SheetName = Annotated[str | None, typer.Option("--sheet", help="Of a workbook with several.")]


def _how(
    encoding: str | None, column: list[str] | None, lang: str | None, several: Literal["refuse", "split"],
    entities: Literal["keep", "decode"], sheet: str | None,
) -> How:  # fmt: skip
    from trope.errors import UsageError
    from trope.items import How

    columns = {}
    for pair in column or ():
        name, sign, field = pair.rpartition("=")
        if not sign or not name or not field:
            raise UsageError(f"--column {pair!r}: expected NAME=FIELD, e.g. --column sentence=text")
        columns[name] = field
    return How(encoding, columns, lang, several, entities, sheet)


@items.command()
def show(
    source: Source,
    id: Annotated[str | None, typer.Option(help="Only this item, whole.")] = None,
    encoding: Encoding = None,
    column: Column = None,
    lang: Language = None,
    several: Several = "refuse",
    entities: Entities = "keep",
    sheet: SheetName = None,
) -> None:
    """Print items: a line each, or one as JSON."""
    from trope.errors import UnknownName
    from trope.items import load_items

    loaded = load_items(source, _how(encoding, column, lang, several, entities, sheet))
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
        typer.echo("no items", err=True)


@items.command()
def validate(
    source: Source,
    rules: Annotated[
        str | None, typer.Option(help="Rules to keep: common, or those of a set (default: each set its own).")
    ] = None,
    limit: Annotated[int, typer.Option(help="Lines shown of each kind and rule; 0 shows all.", min=0)] = 10,
    wordnet: Annotated[Path | None, typer.Option(help="Folder of WordNet's files: check Q5 with it.")] = None,
    encoding: Encoding = None,
    column: Column = None,
    lang: Language = None,
    several: Several = "refuse",
    entities: Entities = "keep",
    sheet: SheetName = None,
) -> None:
    """Check every rule; the exit code says whether all are kept."""
    from trope.items import SETS, inspect_items, load_set
    from trope.items.findings import fatal
    from trope.items.sets import source_path

    how = _how(encoding, column, lang, several, entities, sheet)
    extra = []
    if wordnet is not None:
        from trope.items.rules.wordnet import wordnet_rule

        extra.append(wordnet_rule(wordnet))
    loaded: list[Item] = []
    places: dict[str, str] = {}
    problems = wrong = 0
    for name in source:
        if name in SETS:
            of = load_set(name)
            typer.echo(f"{name}: {len(of)} items")
        else:
            read = inspect_items(source_path(name), how)
            _describe(read, limit)
            of, wrong = read.items, wrong + len(fatal(read.findings))
            places |= read.places
        loaded += of
        kind = rules or (SETS[name].rules if name in SETS else "common")
        if of or not wrong:
            problems += _check(of, kind, places, limit, extra)
    if len(source) > 1:
        typer.echo("across sources:")
        problems += _across(loaded, places, limit)
    out = f", {wrong} things to put right before the file can be read" if wrong else ""
    typer.echo(f"{len(loaded)} items, {problems} problems{out}")
    if problems or wrong:
        raise typer.Exit(1)


def _describe(read: ItemFile, limit: int) -> None:
    """How a file was read, and what was found: counted, explained, with examples."""
    from trope.items.findings import KINDS, counts

    typer.echo(f"{read.name}: {len(read.items)} items, encoding {read.encoding}")
    if read.columns:
        typer.echo("  columns: " + ", ".join(f"{column} -> {field}" for column, field in read.columns.items()))
    for kind, count in counts(read.findings).items():
        typer.echo(f"  {kind}: {count}: {KINDS[kind]}")
        of = [finding for finding in read.findings if finding.kind == kind]
        for finding in of[: limit or None]:
            typer.echo(f"    {finding.level}: {finding}", err=finding.level == "fatal")
        if limit and len(of) > limit:
            typer.echo(f"    and {len(of) - limit} more (--limit 0 shows all)")


def _check(of: list[Item], kind: str, places: dict[str, str], limit: int, extra: list[Rule]) -> int:
    from trope.items import check_rules

    found = check_rules(of, kind) | {rule.name: rule.problems(of) for rule in extra}
    return _report(f"  rules of {kind}", found, places, limit)


def _across(loaded: list[Item], places: dict[str, str], limit: int) -> int:
    from trope.items.rules import across

    return _report("  rules", {rule.name: rule.problems(loaded) for rule in across()}, places, limit)


def _report(title: str, found: dict[str, list[Problem]], places: dict[str, str], limit: int) -> int:
    """Counts by rule, 0 where nothing breaks it, and the problems themselves."""
    width = max(map(len, found))
    typer.echo(f"{title}, and how many problems each finds:")
    for name, problems in found.items():
        typer.echo(f"    {name:{width}}  {len(problems)}")
        for problem in problems[: limit or None]:
            place = f"{places[problem.item]}: " if problem.item in places else ""
            typer.echo(f"      {place}{problem}", err=True)
        if limit and len(problems) > limit:
            typer.echo(f"      and {len(problems) - limit} more (--limit 0 shows all)", err=True)
    return sum(map(len, found.values()))


@items.command()
def stats(
    source: Source,
    by: Annotated[str | None, typer.Option(help="Count by these fields instead, e.g. lang,form.")] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Also what a guesser gets who sees no picture.")] = False,
    format: Annotated[Literal["text", "md"], typer.Option(help="Tab-separated text, or Markdown.")] = "text",
    encoding: Encoding = None,
    column: Column = None,
    lang: Language = None,
    several: Several = "refuse",
    entities: Entities = "keep",
    sheet: SheetName = None,
) -> None:
    """Print the tables of a set's cells."""
    from trope.items import SETS, cells_of, load_items
    from trope.items.tables import Table, blind_table, set_tables

    how = _how(encoding, column, lang, several, entities, sheet)
    tables: list[Table] = []
    if by is not None:
        fields = split([by])
        counted = cells_of(load_items(source, how), fields)
        rows = tuple((*cell, str(count)) for cell, count in sorted(counted.items()))
        total = sum(counted.values())
        tables = [Table(f"{total} items in {len(counted)} cells", (*fields, "items"), rows)]
    else:
        for name in source:
            loaded = load_items([name], how)
            tables += set_tables(name if name in SETS else Path(name).name, loaded)
            if blind:
                tables.append(blind_table(loaded, SETS[name].rules if name in SETS else Path(name).name))
    for table in tables:
        typer.echo(table.markdown() if format == "md" else table.text())


@items.command()
def sample(
    source: Source,
    n: Annotated[int | None, typer.Option("-n", help="How many; default 10.", min=1)] = None,
    share: Annotated[float | None, typer.Option(help="Instead of -n, e.g. 0.1 for a tenth.", min=0.0, max=1.0)] = None,
    by: By = "lang",
    allocation: Annotated[bool, typer.Option("--allocation", help="Also say how many each cell got.")] = False,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 42,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the screen.")] = None,
    encoding: Encoding = None,
    column: Column = None,
    lang: Language = None,
    several: Several = "refuse",
    entities: Entities = "keep",
    sheet: SheetName = None,
) -> None:
    """Draw a stratified sample as JSON lines; what a cell cannot have keeps the balance of the fields."""
    import numpy as np

    from trope.errors import UsageError
    from trope.items import cells_of, dump_items, load_items, stratified

    if n is not None and share is not None:
        raise UsageError("-n and --share say the same thing. Give one")
    loaded, fields = load_items(source, _how(encoding, column, lang, several, entities, sheet)), split([by])
    count = round(share * len(loaded)) if share is not None else (n or 10)
    if not count:
        raise UsageError(f"--share {share:g} of {len(loaded)} items is none. Expected: enough for one, or -n")
    drawn = stratified(loaded, count, fields, rng=np.random.default_rng(seed))
    if allocation:
        got = cells_of(drawn, fields)
        for cell, of in sorted(cells_of(loaded, fields).items()):
            typer.echo(f"{' '.join(cell)}: {got[cell]} of {of}", err=True)
    text = dump_items(drawn)
    if out is None:
        typer.echo(text, nl=False)
    else:
        out.write_text(text, "utf-8")
        typer.echo(str(out))
