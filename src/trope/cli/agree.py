"""`trope items agree`: what several annotators agree on, and how far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption, split

if TYPE_CHECKING:
    from trope.build.agree import Judged
    from trope.build.asking import Asker
    from trope.protocols.tables import Table


def agree(
    out: Annotated[Path, typer.Option(help="Folder for corpus.jsonl, challenge.jsonl and tables.")],
    proposals: Annotated[
        list[Path] | None, typer.Argument(help="One file an annotator: id, metaphor, target, source, sentiment.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="What the proposals are about: shown to --annotator, written as agreed.jsonl.")
    ] = None,
    annotator: Annotated[list[str] | None, typer.Option(help="A model that annotates the items.")] = None,
    matcher: Annotated[
        str | None, typer.Option(help="What says that two texts are one concept, e.g. bertscore:MODEL?layer=9.")
    ] = None,
    threshold: Annotated[float, typer.Option(help="Likeness from which they are.", min=0, max=1)] = 0.75,
    least: Annotated[int, typer.Option(help="Annotators who must agree on every field.", min=2)] = 3,
    language: Annotated[str, typer.Option(help="Of the models' prompt: item, en or zh.")] = "item",
    calibrate: Annotated[
        Path | None, typer.Option(help="Pairs of texts that people judged: candidate, reference, same, item.")
    ] = None,
    sweep: Annotated[str, typer.Option(help="Lowest and highest threshold that --calibrate tries.")] = "0.70,0.80",
    encoding: Annotated[str | None, typer.Option(help="Of files that are not UTF-8, e.g. gb18030.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="US dollars: stop before more is spent.", min=0.0)] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Accept what one same subset of annotators says in every field; leave the rest to people."""
    from trope.build.agree import agreement_table, matched, read_judged
    from trope.build.agree.statistics import Matched, by_item
    from trope.build.asking import Asker
    from trope.cli.run import price_file
    from trope.errors import UsageError
    from trope.flow import Budget
    from trope.flow.budget import read_prices
    from trope.items import load_items
    from trope.judges import JUDGES
    from trope.protocols.m3r.prompting import LANGUAGES
    from trope.similarity import SIMILARITIES
    from trope.store import Store

    if language not in ("item", *LANGUAGES):
        raise UsageError(f"--language {language!r}. Expected: item, {', '.join(LANGUAGES)}")
    if annotator and items is None:
        raise UsageError("--annotator needs --items: which items are to be annotated?")
    if not (proposals or annotator or calibrate):
        raise UsageError("nothing to compare. Expected: a file for every annotator, or --items with --annotator")
    if calibrate and not matcher:
        raise UsageError("--calibrate needs --matcher: whose likeness is to be calibrated?")
    low, high = _bounds(sweep)
    judges = {backend.name: backend for backend in map(JUDGES.create, split(annotator))}
    metric = SIMILARITIES.create(matcher) if matcher else None
    backends: dict[str, Any] = {**judges, **({metric.name: metric} if metric else {})}
    with Store(store) as opened:
        asker = Asker(
            backends, opened, budget=Budget(max_usd, read_prices(prices or price_file(), required=prices is not None))
        )
        if calibrate is not None and metric is not None:
            _write(out, [_calibrated(read_judged(calibrate, encoding), metric.name, asker, low, high)])
        about = {item.id: item for item in load_items([str(items)], pictured=True)} if items else {}
        found = _proposals(proposals or [], encoding, about, judges, asker, language)
        if not found:
            return
        alike = matched(found, metric.name, asker) if metric else Matched({}, unknown=0.0)
        named = metric.name if metric else None
        table = agreement_table(found, alike, threshold=threshold, matcher=named)
        _split(by_item(found, list(about)), found, about, alike, threshold, least, out, named)
        _write(out, [table])
    if asker.stopped is not None:
        raise asker.stopped


def _proposals(
    files: list[Path], encoding: str | None, about: Any, judges: Any, asker: Asker, language: str
) -> dict[str, Any]:
    from trope.build.agree import ask_annotators, read_annotators
    from trope.errors import ItemError

    found: dict[str, Any] = read_annotators(files, encoding)
    if judges:
        pictures = {}
        for item in about.values():
            if item.image is None or not Path(item.image).is_file():
                raise ItemError(f"item {item.id!r}: image {item.image!r} is no file. Expected: a picture of its own")
            pictures[item.id] = asker.store.adopt(Path(item.image))
        found |= ask_annotators(list(about.values()), judges, pictures, asker, language)
    return found


def _split(
    tuples: Any, found: Any, about: Any, alike: Any, threshold: float, least: int, out: Path, matcher: str | None
) -> None:
    import json

    from trope.build.agree import agreed_item, consensus
    from trope.items import dump_items
    from trope.store.files import write_durably

    corpus, challenge, items = [], [], []
    for item, labels in tuples.items():
        agreed = consensus(labels, alike, threshold=threshold, least=least)
        if agreed is None:
            challenge.append({"id": item, "proposals": [_shown(answer) for answer in _shuffled(found, item)]})
            continue
        if item in about:
            answers = [of.get(item) for of in found.values()]
            items.append(_beside(agreed_item(about[item], agreed, answers), out))
        corpus.append({
            "id": item, "metaphor": agreed.labels.metaphor, "target": agreed.labels.target,
            "source": agreed.labels.source, "sentiment": agreed.labels.sentiment,
            "agreeing": len(agreed.members), "annotators": len(labels), "matcher": matcher, "threshold": threshold,
        })  # fmt: skip
    for name, lines in (("corpus.jsonl", corpus), ("challenge.jsonl", challenge)):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        write_durably(out / name, text.encode("utf-8"), sync=False)
    if len(found) < least:
        print(f"  {len(found)} annotators, fewer than --least {least}: nothing can be agreed")
    print(f"{len(tuples)} items, {len(found)} annotators: {len(corpus)} agreed, {len(challenge)} left to people")
    _tell_incomplete(tuples, found)
    if strange := [item for item in tuples if about and item not in about]:
        print(f"  {len(strange)} ids are none of the items', e.g. {strange[0]!r}: agreed.jsonl lacks them")
    if matcher is None:
        print("  no --matcher: only equal texts count as one concept")
    print(f"{out / 'corpus.jsonl'}\n{out / 'challenge.jsonl'}")
    if about:
        write_durably(out / "agreed.jsonl", dump_items(items).encode("utf-8"), sync=False)
        print(f"{out / 'agreed.jsonl'}: items, for trope train corpus or trope run m3r")
        _leave_to_people([about[line["id"]] for line in challenge if line["id"] in about], found, out)


def _leave_to_people(items: list[Any], found: Any, out: Path) -> None:
    """The items of the challenge set without labels, and as annotators have them: what `trope study new` takes."""
    import shlex

    from trope.build.agree import proposals_about, unlabeled
    from trope.items import dump_items
    from trope.store.files import write_durably

    about = {item.id: _beside(item, out) for item in items}
    made = {"challenge-items.jsonl": [unlabeled(item) for item in about.values()]}
    for item in about.values():
        for n, version in enumerate(proposals_about(item, _shuffled(found, item.id)), 1):
            made.setdefault(f"challenge-proposals-{n}.jsonl", []).append(version)
    for left in out.glob("challenge-proposals-*.jsonl"):
        if left.name not in made and left.stem.rpartition("-")[2].isdecimal():
            left.unlink()  # of a call with more annotators; a file of another name is somebody's own
    for name, of in made.items():
        write_durably(out / name, dump_items(of).encode("utf-8"), sync=False)
    if items:
        first, *others = (str(out / name) for name in made)
        named = [word for other in others for word in ("--proposals", other)]
        print(f"to let people label them: trope study new NAME {shlex.join(['--verify', first, *named])}")


def _shuffled(found: Any, item: str) -> list[Any]:
    """What was said of an item, in an order that tells nothing of who said it."""
    return sorted((of[item] for of in found.values() if item in of), key=repr)


def _tell_incomplete(tuples: Any, found: Any) -> None:
    """How many proposals count for nothing, whose they are, and what may be behind it."""
    from trope.protocols.m3r.labels import NO

    lacking = {name: sum(labels[n] is None for labels in tuples.values()) for n, name in enumerate(found)}
    if any(lacking.values()):
        whose = ", ".join(f"{name} {count}" for name, count in lacking.items() if count)
        print(f"  {sum(lacking.values())} proposals are missing or incomplete and agree with nothing: {whose}")
    said = [answer for of in found.values() for answer in of.values()]
    if bare := sum(
        a.metaphor == NO and "missing" in (a.problems.get("target"), a.problems.get("source")) for a in said
    ):
        print(f"  {bare} of these say No and leave target or source empty, which is no answer: None is written None")


def _beside(item: Any, folder: Path) -> Any:
    """The item with its picture's path given from ``folder``, where its file will lie."""
    import os

    if item.image is None or not Path(item.image).is_absolute():
        return item
    return item.model_copy(update={"image": Path(os.path.relpath(item.image, folder.resolve())).as_posix()})


def _shown(answer: Any) -> dict[str, Any]:
    from trope.protocols.m3r.labels import FIELDS

    return {name: getattr(answer, name) for name in FIELDS}


def _bounds(sweep: str) -> tuple[float, float]:
    from trope.errors import UsageError

    try:
        low, high = map(float, sweep.split(","))
    except ValueError:
        low, high = 1.0, 0.0
    if not -1 <= low <= high <= 1:
        raise UsageError(f"--sweep {sweep!r}. Expected: two numbers from -1 to 1, the lower first, e.g. 0.70,0.80")
    return low, high


def _calibrated(judged: list[Judged], matcher: str, asker: Asker, low: float, high: float) -> Table:
    from dataclasses import replace

    from trope.build.agree import calibrate
    from trope.build.agree.statistics import not_comparable
    from trope.build.asking import one
    from trope.requests import Compare

    lots = [tuple((j.candidate, j.reference) for j in judged[n : n + 256]) for n in range(0, len(judged), 256)]
    records = asker([one(f"calibrate-{n}", lambda lot=lot: Compare(None, matcher, lot)) for n, lot in enumerate(lots)])  # type: ignore[misc]
    scores: list[float] = []
    for lot, record in zip(lots, records, strict=True):
        measured = record is not None and record.ok
        known = record.value["scores"] if measured else [None] * len(lot)
        scores += [float("nan") if score is None else score for score in known]
    table = calibrate(judged, scores, low=low, high=high)
    return replace(table, notes=[f"Likeness by {matcher}.", *table.notes, *not_comparable(matcher)])


def _write(out: Path, tables: list[Table]) -> None:
    from trope.protocols import Scores
    from trope.report import as_csv, as_markdown

    scores = Scores("m3r annotation", out.name, tables)
    typer.echo(as_markdown(scores).partition("\n\n")[2].partition("\n\n")[2])
    for path in as_csv(scores, out):
        print(path)
