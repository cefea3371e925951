"""`trope train`: the reasoner of m3r, from agreed labels to an adapter that is a subject."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption, split

if TYPE_CHECKING:
    from trope.nouns import Item
    from trope.train.config import TrainConfig

train = typer.Typer(help="Train a multimodal model to understand metaphors.", no_args_is_help=True)

ConfigOption = Annotated[
    str, typer.Option("--config", help="A preset (m3r: the paper's; try: short, on a CPU), or a TOML file.")
]
Settings = Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE on top of it, e.g. sft.epochs=2.")]
CorpusFolder = Annotated[Path, typer.Option("--corpus", help="The folder that `trope train corpus` made.")]
Out = Annotated[Path, typer.Option("--out", help="Folder for what is trained.")]


@train.command()
def corpus(
    items: Annotated[list[str], typer.Argument(help="Items with agreed labels and explanations (JSONL).")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the corpora and their pictures.")],
    benchmark: Annotated[
        list[str] | None, typer.Option(help="Items that no example may be among; `none` if there are none.")
    ] = None,
    size: Annotated[
        list[str] | None, typer.Option(help="CORPUS=N, e.g. C1=1000. Default: as many as the ratio allows.")
    ] = None,
    ratio: Annotated[
        list[str] | None, typer.Option(help="CORPUS=METAPHORS:OTHERS. Default: C1=5:5, C2=8:2, C3=6:4.")
    ] = None,
    same_picture: Annotated[
        Literal["drop", "keep"], typer.Option(help="An item with a benchmark picture under another text.")
    ] = "drop",
    verify: Annotated[
        str | None, typer.Option(help="A chat model that checks each explanation against picture and text.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Also write a `datasets` folder here.")] = None,
    seed: Annotated[int, typer.Option(help="Of which examples are chosen, and their order.")] = 42,
    max_usd: Annotated[
        float | None, typer.Option(help="US dollars, for --verify: stop before more is spent.", min=0.0)
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Make the three corpora; count what is left out, and why."""
    from trope.errors import UsageError
    from trope.items import load_items
    from trope.train.corpus import RATIOS, build
    from trope.train.examples import export as write_dataset

    if not benchmark:
        raise UsageError(
            "no --benchmark: nothing shows that the corpora are disjoint from it. Give its items, or say: "
            "--benchmark none"
        )
    theirs = [] if split(benchmark) == ("none",) else load_items(split(benchmark), pictured=True)
    ours = load_items(items, pictured=True)
    verdicts = _verdicts(ours, verify, store, max_usd, prices) if verify else None
    made = build(
        ours, theirs, out, ratios={**RATIOS, **_ratios(ratio)}, sizes=_sizes(size), same_picture=same_picture,
        verdicts=verdicts, seed=seed,
    )  # fmt: skip
    print(f"{len(ours)} items, {made.manifest['fit']} fit; {len(made.dropped)} left out (why: {out / 'dropped.jsonl'})")
    for (kind, name), count in sorted(made.counts().items()):
        print(f"  {kind}: {name}: {count}")
    for name, counted in made.manifest["corpora"].items():
        print(
            f"{name}: {counted['examples']} examples, {counted['metaphors']} metaphors and {counted['others']} others "
            f"({counted['ratio']})"
        )
    if export is not None:
        write_dataset(made.parts, export)
        print(f"datasets folder: {export}")


@train.command()
def curriculum(corpus: CorpusFolder, out: Out, config: ConfigOption = "m3r", settings: Settings = None) -> None:
    """Train the supervised stages, one adapter carried through; the same command goes on after a kill."""
    from trope.train import curriculum as recipe

    _quietly()
    links = recipe.train(_config(config, settings), corpus, out)
    print(f"adapter: {out / links[-1].stage / 'adapter'}")


@train.command()
def grpo(
    corpus: CorpusFolder,
    out: Out,
    start: Annotated[
        Path | None, typer.Option(help="The adapter to start from. Default: the last stage in --out.")
    ] = None,
    config: ConfigOption = "m3r",
    settings: Settings = None,
) -> None:
    """Reinforce what the scoring of `trope run m3r` marks well; the same command goes on after a kill."""
    from trope.train import grpo as recipe

    _quietly()
    asked = _config(config, settings)
    recipe.train(asked, corpus, start or recipe.last_adapter(out, asked), out)
    print(f"adapter: {out / recipe.STAGE / 'adapter'}")


@train.command()
def ablate(
    corpus: CorpusFolder,
    out: Out,
    items: Annotated[list[str] | None, typer.Option(help="Benchmark items to evaluate on.")] = None,
    similarity: Annotated[
        str | None, typer.Option(help="Compares target and source, e.g. bertscore:FOLDER?layer=9.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="Only these, e.g. curriculum,grpo. Default: all (docs/training.md).")
    ] = None,
    subject_options: Annotated[str, typer.Option(help="Options of every subject, e.g. max_tokens=256.")] = "",
    limit: Annotated[int | None, typer.Option(help="Evaluate on the first so many items.", min=1)] = None,
    config: ConfigOption = "m3r",
    settings: Settings = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Train with parts taken away, evaluate each by `trope run m3r`, print one table."""
    from trope.cli.run import run_with_progress
    from trope.errors import UsageError
    from trope.store import Store
    from trope.train.ablate import VARIANTS, ablate, evaluate, write_table

    if not items:
        raise UsageError("no --items: nothing to evaluate on. Give the benchmark's items, e.g. --items m3r.jsonl")
    if similarity is None:
        raise UsageError("no --similarity: nothing would compare target and source, e.g. bertscore:FOLDER?layer=9")
    _quietly()
    asked = _config(config, settings)
    made = ablate(asked, corpus, out, split(variant) or tuple(VARIANTS))
    with Store(store) as opened:
        scores, subjects = evaluate(
            asked, made, split(items), similarity, opened, options=subject_options, limit=limit, run=run_with_progress
        )
    print(write_table(scores, subjects, made, out))


@train.command()
def merge(
    adapter: Annotated[Path, typer.Argument(help="A folder with an adapter.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the merged model.")],
    base: Annotated[str | None, typer.Option(help="The base. Default: what the adapter says.")] = None,
    dtype: Annotated[str, typer.Option(help="auto (the base's), float32, bfloat16 or float16.")] = "auto",
) -> None:
    """Put an adapter into its base's weights, for servers that load whole models."""
    from trope.train.merge import merge as put
    from trope.train.stages import need_training

    need_training()
    _quietly()
    print(f"merged: {put(adapter, out, base=base, dtype=dtype)}")


@train.command()
def chain(
    folders: Annotated[list[Path], typer.Argument(help="Adapters that follow each other, oldest first.")],
) -> None:
    """Check that adapters follow each other: their hashes, their parents, their base."""
    from trope.train.adapter import check_chain
    from trope.train.stages import need_training

    need_training()
    for folder, link in zip(folders, check_chain(folders), strict=True):
        print(
            f"{link.stage}\t{link.sha256[:12]}\tfrom {(link.parent or 'nothing')[:12]}\tbase {link.base[:12]}\t{folder}"
        )


@train.command()
def curve(
    folders: Annotated[list[Path], typer.Argument(help="Folders of stages (each holds metrics.jsonl).")],
    key: Annotated[list[str] | None, typer.Option(help="Metrics, a panel each. Default: loss.")] = None,
    out: Annotated[Path, typer.Option(help="A picture: .png, .svg or .pdf.")] = Path("curve.png"),
    window: Annotated[int, typer.Option(help="Also a running mean over so many updates.", min=1)] = 1,
    log: Annotated[list[str] | None, typer.Option(help="Metrics with a logarithmic axis, e.g. kl.")] = None,
) -> None:
    """Draw what was logged over the updates."""
    from trope.train.metrics import FILE, draw_curves

    draw_curves([folder / FILE for folder in folders], split(key) or ("loss",), out, window, split(log))
    print(out)


@train.command()
def show(config: ConfigOption = "m3r", settings: Settings = None) -> None:
    """Print a configuration, whole, as TOML."""
    from trope.train.config import dump_config

    print(dump_config(_config(config, settings)), end="")


def _config(config: str, settings: list[str] | None) -> TrainConfig:
    from trope.train.config import read_config

    return read_config(config, settings or ())


def _quietly() -> None:
    """No progress bars of weights, and no warnings that only developers of the libraries can heed."""
    import warnings

    from trope.train.stages import need_training

    need_training()
    import datasets
    import transformers

    warnings.filterwarnings("ignore", category=FutureWarning)
    transformers.utils.logging.disable_progress_bar()
    datasets.disable_progress_bars()


def _ratios(said: list[str] | None) -> dict[Any, tuple[int, int]]:
    from trope.errors import UsageError

    found = {}
    for name, text in _pairs(said, "--ratio").items():
        parts = text.split(":")
        if len(parts) != 2 or not all(part.isdigit() for part in parts) or not sum(map(int, parts)):
            raise UsageError(f"--ratio {name}={text}. Expected: METAPHORS:OTHERS, e.g. {name}=6:4")
        found[name] = (int(parts[0]), int(parts[1]))
    return found


def _sizes(said: list[str] | None) -> dict[Any, int]:
    from trope.errors import UsageError

    found = _pairs(said, "--size")
    for name, text in found.items():
        if not text.isdigit() or text == "0":
            raise UsageError(f"--size {name}={text}. Expected: a whole number, e.g. {name}=1000")
    return {name: int(text) for name, text in found.items()}


def _pairs(said: list[str] | None, option: str) -> dict[str, str]:
    from trope.errors import UsageError
    from trope.train.config import STAGES

    found: dict[str, str] = {}
    for pair in split(said):
        name, sign, text = pair.partition("=")
        if not sign or name not in STAGES:
            raise UsageError(f"{option} {pair!r}. Expected: CORPUS=VALUE, CORPUS one of {', '.join(STAGES)}")
        found[name] = text
    return found


def _verdicts(
    items: list[Item], model: str, store: Path, max_usd: float | None, prices: Path | None
) -> dict[str, tuple[str, ...]]:
    from trope.cli.run import price_file
    from trope.flow import Budget
    from trope.flow.budget import read_prices
    from trope.judges import JUDGES
    from trope.store import Store
    from trope.train.verify import unsupported

    budget = Budget(max_usd, read_prices(prices or price_file(), required=prices is not None))
    with Store(store) as opened:
        return unsupported(items, JUDGES.create(model), opened, budget=budget)
