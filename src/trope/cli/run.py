"""`trope run`: ask, observe, store."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trope.cli.options import DEFAULT_STORE, split

if TYPE_CHECKING:
    from trope.experiment import Experiment, Outcome, Plan
    from trope.nouns import Item


def run(
    what: Annotated[
        str,
        typer.Argument(help="A protocol (simile, vista, vmetaphor, m3r) or an experiment file (e.g. a run.toml)."),
    ],
    subject: Annotated[
        list[str] | None,
        typer.Option(help="What is tested, e.g. folder:pictures or openai-images:gpt-image-1."),
    ] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(help="How items become prompts, e.g. base,random. Default: the protocol's.")
    ] = None,
    instrument: Annotated[list[str] | None, typer.Option(help="What looks at the outputs, e.g. ssd.")] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="A chat model that strategies may ask, e.g. openai:MODEL.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="A choice that the protocol leaves open, NAME=VALUE.")
    ] = None,
    items: Annotated[
        list[str] | None,
        typer.Option(help="Sets that ship, or files. Default: vista, vmetaphor, m3r-demo; of simile demo (40 items)."),
    ] = None,
    seeds: Annotated[str | None, typer.Option(help="One output for each, e.g. 42,43. Default: 42.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first so many items.", min=1)] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run. Default: made from what is asked.")] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the store. Default: trope-store, or where the run.toml lies.", envvar="TROPE_STORE"
        ),
    ] = None,
    retry: Annotated[str | None, typer.Option(help="Ask again although an answer is stored: refused,unparsed.")] = None,
    max_usd: Annotated[
        float | None,
        typer.Option(help="US dollars: stop before the run has cost more, over all its sessions.", min=0.0),
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked, and ask nothing.")] = False,
) -> None:
    """Run an experiment: paint, look, store. A second run asks only for what is new."""
    from trope.experiment import plan
    from trope.flow import Budget
    from trope.flow.budget import read_prices
    from trope.store import Store

    given = {
        "subjects": split(subject), "strategies": split(strategy), "instruments": split(instrument),
        "models": split(model), "options": _options(option),
        "items": split(items), "seeds": _seeds(seeds), "limit": limit, "name": name,
    }  # fmt: skip
    asked, frozen = _asked(what, {k: v for k, v in given.items() if v not in (None, (), {})})
    planned = plan(asked, frozen)
    budget = Budget(max_usd, read_prices(prices or price_file(), required=prices is not None))
    again = _statuses(retry)
    chosen = store or _store_of(Path(what)) or DEFAULT_STORE
    with Store(chosen) as opened:
        if dry_run:
            _forecast(planned, opened, budget, again)
            return
        outcome = run_with_progress(planned, opened, budget=budget, retry=again)
    _close(
        outcome,
        {
            "--store": None if chosen == DEFAULT_STORE else chosen,
            "--max-usd": max_usd,
            "--prices": prices,
            "--retry": retry,
        },
    )


def _store_of(path: Path) -> Path | None:
    """The store whose run a `run.toml` is, if it is one."""
    folders = path.absolute().parents
    inside = path.name == "run.toml" and len(folders) > 2 and folders[1].name == "runs"
    return folders[2] if inside and (folders[2] / "observations.sqlite").exists() else None


def run_with_progress(planned: Plan, store: Any, **options: Any) -> Outcome:
    """Execute a plan with live progress, and end cleanly on Ctrl-C."""
    from trope.cli.progress import Progress, end_in_peace, stop_on_interrupt
    from trope.errors import Interrupted
    from trope.experiment import execute
    from trope.flow import Tally

    tally = Tally()
    with Progress(tally) as progress:
        outcome = execute(planned, store, tally=tally, watch=stop_on_interrupt, tell=progress.tell, **options)
        if isinstance(outcome.stopped, Interrupted):
            end_in_peace()
    return outcome


def price_file() -> Path:
    """Where the user's price file is, if there is one."""
    from platformdirs import user_config_path

    return user_config_path("trope") / "prices.toml"


def _asked(what: str, given: dict[str, Any]) -> tuple[Experiment, list[Item] | None]:
    from trope.errors import ItemError, UsageError
    from trope.experiment.spec import parse_experiment, read_experiment
    from trope.items import items_digest, read_items
    from trope.protocols import PROTOCOLS, protocol

    path = Path(what)
    if what not in PROTOCOLS and (path.suffix == ".toml" or path.exists()):
        experiment, resolved = read_experiment(path)
        frozen = None
        beside = path.with_name("items.jsonl")
        if resolved and "items" not in given and beside.exists():
            frozen = read_items(beside)
            if items_digest(frozen) != resolved.get("items_sha256"):
                raise ItemError(
                    f"{beside} is not what the run was asked of; it was edited. Run the original items instead"
                )
        table = experiment.model_dump(mode="json", exclude_none=True)
        if given.keys() - {"name"}:
            table.pop("name", None)  # another question is another run
        return parse_experiment({**table, **given}, what), frozen
    asked = protocol(what)
    given.setdefault("items", (asked.default_items,))
    given.setdefault("strategies", tuple(asked.default_strategies))
    if "subjects" not in given:
        raise UsageError(_what_could_be("subject", asked.subject))
    if "instruments" not in given:
        raise UsageError(_what_could_be("instrument", asked.subject))
    return parse_experiment({"protocol": what, **given}, "command line"), None


def _what_could_be(role: str, tested: str) -> str:
    from trope.detectors import DETECTORS
    from trope.generators import GENERATORS
    from trope.judges import JUDGES
    from trope.similarity import SIMILARITIES

    judges = ", ".join(JUDGES.names())
    if role == "subject" and tested == "model":
        return f"no --subject: nothing to test. It is a multimodal model, e.g. openai:MODEL. Backends: {judges}"
    if role == "subject":
        return (
            "no --subject: nothing to test. It could be folder:FOLDER (pictures you have), openai-images:MODEL"
            " (a server), collage (known answers, no model). Backends: " + ", ".join(GENERATORS.names())
        )
    if tested == "model":
        return (
            "no --instrument: nothing would look at the replies. It could be a similarity of texts such as"
            " bertscore:MODEL?layer=9, a judge of explanations such as openai:MODEL, or both. Judges:"
            f" {judges}"
        )
    return (
        "no --instrument: nothing would look at the outputs. It could be ssd (embedded detector), truth (with"
        f" collage), or a judge such as openai:MODEL. Detectors: {', '.join(DETECTORS.names())}. Judges:"
        f" {judges}. Similarities: {', '.join(SIMILARITIES.names()) or 'none'}"
    )


def _options(given: list[str] | None) -> dict[str, str]:
    from trope.errors import UsageError

    pairs = [text.partition("=") for text in split(given)]
    for name, mark, value in pairs:
        if not (name and mark and value):
            raise UsageError(f"--option {name + mark + value!r}. Expected: NAME=VALUE")
    return {name: value for name, _, value in pairs}


def _seeds(text: str | None) -> tuple[int, ...] | None:
    from trope.errors import UsageError

    if text is None:
        return None
    try:
        found = tuple(int(part) for part in split([text]))
    except ValueError:
        found = ()
    if not found:
        raise UsageError(f"--seeds {text!r}. Expected: whole numbers, e.g. 42,43")
    return found


def _statuses(text: str | None) -> frozenset[Any]:
    from trope.errors import UsageError

    wanted = frozenset(split([text or ""]))
    if wanted - {"refused", "unparsed"}:
        raise UsageError(f"--retry {text!r}. Expected: refused, unparsed or both (failed is always asked again)")
    return wanted


def _forecast(planned: Plan, store: Any, budget: Any, retry: frozenset[Any]) -> None:
    from trope.flow import forecast

    planned, notices = planned.prepare(store.adopt)
    for line in notices:
        typer.echo(line, err=True)
    expected = forecast(planned.cells, planned.backends, store, budget, retry)
    print(f"{planned.run_name}: {len(planned.cells)} cells, {len(planned.items)} items")
    for name in planned.backends:
        least, most = expected.least[name], expected.most[name]
        span = f"{least}" if least == most else f"{least} to {most}"
        print(f"  {name}: {span} new requests ({expected.stored[name]} answers are stored)")
    print("  cost at most: " + ("unknown: no price is stated" if expected.usd is None else f"{expected.usd:.4f} USD"))


def _close(outcome: Outcome, options: dict[str, Any]) -> None:
    from trope.errors import BudgetError

    tally, name = outcome.tally, outcome.run.name
    asked, hits = sum(tally.asked.values()), sum(tally.hits.values())
    print(f"{name}: {outcome.finished} of {outcome.planned} cells; {asked} asked now, {hits} answers were stored")
    for (backend, status), count in sorted(tally.statuses.items()):
        if status != "ok":
            reason = tally.reasons.get((backend, status))
            print(f"  {backend}: {count} {status}" + (f", e.g. {reason[:160]}" if reason else ""))
    if tally.twice:
        print(f"  {tally.twice} requests were also made by another process meanwhile; both answers are kept")
    if tally.usd or tally.usd_unknown:
        unknown = f" and {tally.usd_unknown} requests of unknown cost" if tally.usd_unknown else ""
        print(f"  spent: {tally.usd:.4f} USD{unknown} (this run so far: {outcome.run_spent:.4f} USD)")
    if isinstance(outcome.stopped, BudgetError):
        options = {**options, "--max-usd": "MORE"}
    kept = [part for key, value in options.items() if value is not None for part in (key, str(value))]
    if outcome.stopped is not None:
        again = shlex.join(["trope", "run", str(outcome.run.asked), *kept])
        typer.echo(f"stopped: {outcome.stopped}. Go on with: {again}", err=True)
        raise typer.Exit(outcome.stopped.exit_code)
    where = ["--store", str(options["--store"])] if options["--store"] else []
    print(f"report: {shlex.join(['trope', 'report', name, *where])}")
    if asked and not any(status != "failed" for _, status in tally.statuses):
        typer.echo("nothing that was asked was answered", err=True)
        raise typer.Exit(1)
