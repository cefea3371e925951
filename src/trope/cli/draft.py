"""`trope items draft` and `trope items accept`: questions for a user's own sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption

if TYPE_CHECKING:
    from trope.build.draft import Draft

Source = Annotated[list[str], typer.Argument(help="Files of items with tenor and vehicle, or sets that ship.")]


def draft(
    source: Source,
    model: Annotated[str, typer.Option(help="A chat model that writes, e.g. openai:MODEL or vllm:MODEL.")],
    out: Annotated[Path, typer.Option(help="Where the drafts go, JSON lines; must be new.")],
    control: Annotated[
        bool, typer.Option("--control", help="Also five presence questions, from the bare sentence.")
    ] = False,
    tries: Annotated[int, typer.Option(help="Replies a set of questions gets, at most.", min=1, max=20)] = 3,
    limit: Annotated[int | None, typer.Option(help="Only the first so many items.", min=1)] = None,
    max_usd: Annotated[float | None, typer.Option(help="US dollars: stop before more is spent.", min=0.0)] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Let a model draft the questions that items lack; the rules check, a person edits, then `accept`.

    The same command with another --out asks nothing that was answered.
    """
    from trope.build.asking import Asker
    from trope.build.draft import draft as draft_items
    from trope.cli.progress import Progress, stop_on_interrupt
    from trope.cli.run import price_file
    from trope.errors import UsageError
    from trope.flow import Budget, Tally
    from trope.flow.budget import read_prices
    from trope.items import dump_items, load_items
    from trope.judges import JUDGES
    from trope.store import Store

    if out.exists():
        raise UsageError(f"{str(out)!r} is there already, and may hold what a person edited. Name a new file")
    items = load_items(source)[:limit]
    writer = JUDGES.create(model)
    budget = Budget(max_usd, read_prices(prices or price_file(), required=prices is not None))
    tally = Tally()
    with Store(store) as opened, Progress(tally):
        asker = Asker({writer.name: writer}, opened, budget=budget, tally=tally, watch=stop_on_interrupt)
        drafts = draft_items(items, asker, writer.name, control=control, tries=tries)
    made = [item if draft is None else draft.item for item, draft in zip(items, drafts, strict=True)]
    out.write_text(dump_items(made), "utf-8")
    _tell(drafts)
    print(f"{sum(tally.asked.values())} asked now, {sum(tally.hits.values())} answers were stored")
    print(f"edit: {out}; check: trope items validate {out} --rules questions")
    print(f"then: trope items accept {out} --by NAME --out FILE")
    if asker.stopped is not None:
        typer.echo(f"stopped: {asker.stopped}", err=True)
        raise typer.Exit(1)


def _tell(drafts: list[Draft | None]) -> None:
    done = [draft for draft in drafts if draft is not None]
    asked = [draft for draft in done if draft.tries]
    sound = [draft for draft in asked if not draft.faults]
    print(
        f"{len(drafts)} items: {len(sound)} drafts without a fault, {len(asked) - len(sound)} that a person must mend,"
        f" {len(done) - len(asked)} lacked nothing, {len(drafts) - len(done)} not reached"
    )
    for draft in asked:
        for fault in draft.faults:
            typer.echo(f"  {draft.item.id}: {fault}", err=True)


def accept(
    source: Annotated[list[str], typer.Argument(help="Files of drafts that a person has read and edited.")],
    by: Annotated[str, typer.Option(help="Who read every question; stands in verified_by.")],
    out: Annotated[Path, typer.Option(help="Where the accepted items go, JSON lines; must be new.")],
) -> None:
    """Accept drafted questions: the rules check all of them, and the file says who read them."""
    from trope.build.draft import accept as accept_items
    from trope.build.draft import of_the_set
    from trope.errors import UsageError
    from trope.items import dump_items, load_items

    if out.exists():
        raise UsageError(f"{str(out)!r} is there already. Name a new file")
    accepted = accept_items(load_items(source), by)
    out.write_text(dump_items(accepted), "utf-8")
    for problem in of_the_set(accepted):
        typer.echo(f"of the set as a whole: {problem}", err=True)
    edited = sum(item.labels.get("edited") == "yes" for item in accepted)
    print(f"{out}: {len(accepted)} items accepted by {by}, {edited} with drafts that were edited")
