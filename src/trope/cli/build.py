"""`trope items build`: make a set of items with models, so that people can check it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption, split

if TYPE_CHECKING:
    from trope.backend import Backend
    from trope.build.asking import Asker
    from trope.build.drops import Drop
    from trope.build.simile.phrases import Pair

build = typer.Typer(help="Build a set of items with models.", no_args_is_help=True)

Out = Annotated[Path, typer.Option("--out", help="Folder for what is built.")]
MaxUsd = Annotated[float | None, typer.Option(help="US dollars: stop before more is spent.", min=0.0)]
Prices = Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")]
Retry = Annotated[str | None, typer.Option(help="Ask again although an answer is stored: refused,unparsed.")]


@build.command()
def simile(
    writer: Annotated[
        list[str],
        typer.Option(help="A chat model, e.g. vllm:NAME or transformers:FOLDER; two or more. Each judges the others."),
    ],
    out: Out = Path("simile-built"),
    vehicle: Annotated[list[str] | None, typer.Option(help="Only these COCO classes, e.g. car,cat.")] = None,
    template: Annotated[list[str] | None, typer.Option(help="Only these templates, e.g. like-s,as_as-p.")] = None,
    rounds: Annotated[int, typer.Option(help="At most so many sentences a writer and pair.", min=1)] = 10,
    max_calls: Annotated[int | None, typer.Option(help="At most so many requests in all.", min=1)] = None,
    max_usd: MaxUsd = None,
    prices: Prices = None,
    store: StoreOption = DEFAULT_STORE,
    retry: Retry = None,
) -> None:
    """Write similes until every pair of class and template has one that all judges accept.

    The same command again goes on where it was; what was answered is asked no more.
    """
    from trope.build.simile.loop import Settings
    from trope.build.simile.loop import build as build_similes
    from trope.build.simile.output import write_build

    specs = [_with_top_k(spec) for spec in split(writer)]
    backends = _models(specs)
    settings = Settings(tuple(backends), tuple(_pairs(vehicle, template)), rounds, max_calls)
    with _asking(backends, store, max_usd, prices, retry) as asker:
        built = build_similes(settings, asker, lambda line: typer.echo(line, err=True))
    write_build(built, settings, out, {"models": specs, "max_usd": max_usd})
    total = len(settings.pairs)
    print(f"{out}: {len(built.kept)} sentences, {total - len(built.missing)} of {total} pairs; ended by {built.ended}")
    _spent(asker)
    print(f"tables: {out / 'summary.md'}; dropped: {len(built.drops)} in {out / 'drops.jsonl'}")
    if built.kept:
        print(f"check: trope items validate {out / 'items.jsonl'}")


@build.command()
def vmetaphor(
    source: Annotated[Path, typer.Argument(help="A folder of pictures, or a list of addresses: .txt, .csv, .jsonl.")],
    model: Annotated[str, typer.Option(help="A multimodal chat model, e.g. vllm:NAME.")],
    out: Out = Path("vmetaphor-built"),
    stage: Annotated[int, typer.Option(help="The last stage to run: 1, 2 or 3.", min=1, max=3)] = 3,
    max_usd: MaxUsd = None,
    prices: Prices = None,
    store: StoreOption = DEFAULT_STORE,
    retry: Retry = None,
    allow_address: Annotated[
        list[str] | None, typer.Option(help="A private IP address to fetch from all the same, e.g. 127.0.0.1.")
    ] = None,
) -> None:
    """Annotate pictures that make a metaphor, write them up, and make a sheet for people to check.

    Every stage leaves a file whose lines may be edited, removed or added before the command is given again; it
    then keeps what you did and goes on from it. What was answered is asked no more.
    """
    from trope.build.vmetaphor.pictures import take_pictures
    from trope.build.vmetaphor.sources import read_sources
    from trope.build.vmetaphor.stages import Built, run_stages

    sources = read_sources(source)
    backends = _models([model])
    with _asking(backends, store, max_usd, prices, retry) as asker:
        pictures, drops = take_pictures(
            sources, out, asker.store, allowed=split(allow_address), tell=lambda line: typer.echo(line, err=True)
        )
        built = run_stages(Built(pictures, drops), out, next(iter(backends)), asker, last=stage)
    print(f"{out}: {len(sources)} sources, {len(pictures)} pictures")
    for name, count in built.stages.items():
        print(f"  {name}.jsonl: {count} lines" + (f", {built.edited[name]} by a person" if built.edited[name] else ""))
    _dropped(built.drops, out)
    _spent(asker)
    if stage == 3:
        flagged = sum(problems != [] for problems in built.problems.values())
        print(f"  verify.csv: {len(built.items)} rows for people to check, {flagged} with problems that rules see")
        print(f"then: trope items build release {out}")


@build.command()
def release(
    folder: Annotated[Path, typer.Argument(help="Of a vmetaphor build whose verify.csv is decided and signed.")],
    title: Annotated[str, typer.Option(help="What the set is called.")],
    creator: Annotated[list[str], typer.Option(help="Who made it; may be given several times.")],
    contact: Annotated[str, typer.Option(help="Where a picture's maker may ask for its removal.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the release.")] = Path("release"),
    version: Annotated[str, typer.Option(help="Of the release.")] = "1.0.0",
    date: Annotated[str | None, typer.Option(help="Of the release, YYYY-MM-DD. Default: today.")] = None,
    license: Annotated[str, typer.Option(help="Of annotations, prompts and questions.")] = "CC-BY-4.0",
    url: Annotated[str | None, typer.Option(help="Where the set will lie.")] = None,
) -> None:
    """Write what may be given away: addresses, annotations, prompts, questions; data card and Croissant metadata."""
    import datetime

    from trope.build.vmetaphor.release import FILES, About, write_release

    about = About(title, tuple(creator), contact, date or datetime.date.today().isoformat(), version, license, url)
    items, drops = write_release(folder, out, about)
    print(f"{out}: {len(items)} items in {', '.join(FILES)}")
    _dropped(drops, out)
    print(f"check: trope items validate {out / 'items.jsonl'}")


def _dropped(drops: list[Drop], out: Path) -> None:
    from trope.build.drops import counts

    for (stage, reason), count in counts(drops).most_common():
        print(f"  dropped at {stage}: {count} {reason}")
    print(f"  every drop and its reason: {out / 'drops.jsonl'}")


def _with_top_k(spec: str) -> str:
    """The published limit on candidate tokens, where the endpoint takes one and the spec says none."""
    from trope.build.simile.prompts import TOP_K
    from trope.registry import parse_spec
    from trope.wire import PROVIDERS

    parsed = parse_spec(spec)
    here = parsed.backend == "transformers" and "base_url" not in parsed.options
    takes = here or (parsed.backend in PROVIDERS and PROVIDERS[parsed.backend].top_k)
    if not takes or "top_k" in parsed.options:
        return spec
    return f"{spec}{'&' if parsed.options else '?'}top_k={TOP_K}"


def _models(specs: list[str]) -> dict[str, Backend]:
    from trope.errors import UsageError
    from trope.judges import JUDGES

    made: dict[str, Backend] = {}
    for spec in specs:
        model = JUDGES.create(spec)
        if model.name in made:
            raise UsageError(f"{spec!r} is asked for twice: as {made[model.name].spec!r}, too")
        made[model.name] = model
    return made


def _pairs(vehicles: list[str] | None, templates: list[str] | None) -> Iterator[Pair]:
    from trope.build.simile.phrases import PAIRS
    from trope.data.coco import CLASSES
    from trope.errors import UnknownName
    from trope.items.rules.templates import TEMPLATES

    named, shaped = split(vehicles), split(templates)
    for name in named:
        if name not in CLASSES:
            raise UnknownName("class", name, CLASSES)
    for name in shaped:
        if name not in TEMPLATES:
            raise UnknownName("template", name, TEMPLATES)
    return (p for p in PAIRS if (not named or p.vehicle in named) and (not shaped or p.template in shaped))


@contextmanager
def _asking(
    backends: dict[str, Backend], store: Path, max_usd: float | None, prices: Path | None, retry: str | None
) -> Iterator[Asker]:
    """Models, store and budget put together, with live progress."""
    from trope.build.asking import Asker, Lots
    from trope.cli.progress import Progress, stop_on_interrupt
    from trope.cli.run import _statuses, price_file
    from trope.errors import Interrupted
    from trope.flow import Budget
    from trope.flow.budget import read_prices
    from trope.store import Store

    budget = Budget(max_usd, read_prices(prices or price_file(), required=prices is not None))
    options: dict[str, Any] = {"retry": _statuses(retry), "watch": stop_on_interrupt}
    tally = Lots()
    with Store(store) as opened, Progress(tally):
        try:
            yield Asker(backends, opened, budget=budget, tally=tally, **options)
        except KeyboardInterrupt:  # while nothing was asked
            raise Interrupted("interrupted; give the same command again to go on") from None


def _spent(asker: Asker) -> None:
    tally = asker.tally
    print(f"{sum(tally.asked.values())} asked now, {sum(tally.hits.values())} answers were stored")
    for (backend, status), count in sorted(tally.statuses.items()):
        if status != "ok":
            reason = tally.reasons.get((backend, status))
            print(f"  {backend}: {count} {status}" + (f", e.g. {reason[:160]}" if reason else ""))
    if tally.usd or tally.usd_unknown:
        unknown = f" and {tally.usd_unknown} requests of unknown cost" if tally.usd_unknown else ""
        print(f"  spent: {tally.usd:.4f} USD{unknown}")
    for model in asker.backends.values():
        for note in getattr(model, "notes", ()):
            print(f"  {note}")
    if asker.stopped is not None:
        typer.echo(f"stopped: {asker.stopped}", err=True)
