"""The three corpora: from items with agreed labels and explanations to files that the recipes read.

Items are those of m3r: ``labels.metaphor`` and ``labels.sentiment``, one figure (tenor the target, vehicle the
source) or none, and ``references`` (ITE, MC, SJ) as the explanations. Nothing is mended: what is not fit is left out,
and ``dropped.jsonl`` says why.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from trope.errors import ItemError, PictureError, UsageError
from trope.items import items_digest
from trope.nouns import Item
from trope.protocols.m3r.labels import YES, gold
from trope.store.files import write_durably
from trope.train.config import STAGES, Stage
from trope.train.disjoint import Seen, look, overlaps
from trope.train.examples import Example, Examples, write_examples
from trope.train.quality import faults
from trope.train.targets import prompt_of, reply_of

# metaphors : others. Source: m3r, appendix C.2
RATIOS: Final[Mapping[Stage, tuple[int, int]]] = {"C1": (5, 5), "C2": (8, 2), "C3": (6, 4)}
ROUNDING: Final = (
    "without a size: the largest multiple of the reduced ratio that the fit examples allow, so the ratio is exact; "
    "with a size: metaphors = floor(size x share + 1/2), the rest others"
)


@dataclass(frozen=True, slots=True)
class Dropped:
    """One item that is in no corpus: ``kind`` and ``name`` are counted, ``why`` is for people."""

    id: str
    kind: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was made: the corpora, what was left out, and the manifest."""

    folder: Path
    parts: tuple[Examples, ...]
    dropped: tuple[Dropped, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)

    def counts(self) -> Counter[tuple[str, str]]:
        """How many were dropped, by kind and name."""
        return Counter((drop.kind, drop.name) for drop in self.dropped)


def build(
    items: Sequence[Item], benchmark: Sequence[Item], out: Path, *,
    ratios: Mapping[Stage, tuple[int, int]] = RATIOS, sizes: Mapping[Stage, int] | None = None,
    same_picture: Literal["drop", "keep"] = "drop", verdicts: Mapping[str, Sequence[str]] | None = None,
    seed: int = 42,
) -> Corpus:  # fmt: skip
    """Make the corpora.

    Parameters
    ----------
    items : their ``image`` is the path of a file, as `trope.items.load_items` gives it.
    benchmark : what no example may be in; empty if the caller has said that there is none.
    sizes : examples a corpus; left out: as many as the ratio allows.
    same_picture : ``drop`` or ``keep`` an item that shows a benchmark picture under another text.
    verdicts : by item id, fields that a verifier found unsupported.
    seed : of the order, by which items are chosen and shown.

    Raises
    ------
    ItemError : a benchmark picture that cannot be read, or too few fit items for a ratio; says how many there are.
    """
    theirs = [_looked(item, None) for item in benchmark]
    dropped: list[Dropped] = []
    fit: list[tuple[Item, Seen, str]] = []
    for item in items:
        wrong = faults(item, verdicts)
        if wrong:
            dropped.append(Dropped(item.id, wrong[0].kind, wrong[0].name, "; ".join(fault.why for fault in wrong)))
            continue
        try:
            fit.append(_looked(item, out))
        except ItemError as error:
            dropped.append(Dropped(item.id, "malformed", "picture", str(error)))
    fit, twice = _once(fit)
    dropped += twice
    known = overlaps([seen for _, seen, _ in fit], [seen for _, seen, _ in theirs])
    for id, (rule, why) in known.items():
        if same_picture == "drop" or rule in ("duplicate", "near-duplicate"):
            dropped.append(Dropped(id, "benchmark", rule, why))
    left_out = {drop.id for drop in dropped}
    ordered = sorted((one for one in fit if one[0].id not in left_out), key=lambda one: _place(seed, one[0].id))
    parts = tuple(
        Examples(stage, out, tuple(_example(one, stage) for one in chosen))
        for stage, chosen in _chosen(ordered, ratios, sizes or {}).items()
    )
    manifest = {
        "items": len(items), "items_sha256": items_digest(items), "fit": len(ordered), "seed": seed,
        "benchmark": len(benchmark), "benchmark_sha256": items_digest(benchmark), "same_picture": same_picture,
        "verified": verdicts is not None, "rounding": ROUNDING,
        "corpora": {part.name: _counted(part, ratios) for part in parts},
        "dropped": {f"{kind}: {name}": n for (kind, name), n in sorted(_counts(dropped).items())},
    }  # fmt: skip
    made = Corpus(out, parts, tuple(dropped), manifest)
    _write(made)
    return made


def shares(metaphors: int, others: int, ratio: tuple[int, int], size: int | None) -> tuple[int, int]:
    """How many of each kind a corpus gets, from what there is; see `ROUNDING`.

    Raises
    ------
    UsageError : not enough of one kind; says how many are needed.
    """
    share = Fraction(ratio[0], sum(ratio))
    if size is None:
        a, b = share.numerator, share.denominator - share.numerator
        times = min(metaphors // a if a else math.inf, others // b if b else math.inf)
        if times == 0 or times == math.inf:
            raise UsageError(f"ratio {ratio[0]}:{ratio[1]}: there are {metaphors} metaphors and {others} others fit")
        return a * int(times), b * int(times)
    wanted = math.floor(size * share + Fraction(1, 2))
    if wanted > metaphors or size - wanted > others:
        raise UsageError(
            f"{size} examples at {ratio[0]}:{ratio[1]} are {wanted} metaphors and {size - wanted} others; "
            f"fit are {metaphors} and {others}"
        )
    return wanted, size - wanted


def _chosen(
    ordered: Sequence[tuple[Item, Seen, str]], ratios: Mapping[Stage, tuple[int, int]], sizes: Mapping[Stage, int]
) -> dict[Stage, list[tuple[Item, Seen, str]]]:
    kinds = {yes: [one for one in ordered if (gold(one[0]).metaphor == YES) == yes] for yes in (True, False)}
    found = {}
    for stage in STAGES:
        if stage not in ratios:
            continue
        many, few = shares(len(kinds[True]), len(kinds[False]), ratios[stage], sizes.get(stage))
        taken = {one[0].id for one in (*kinds[True][:many], *kinds[False][:few])}
        found[stage] = [one for one in ordered if one[0].id in taken]
    return found


def _looked(item: Item, out: Path | None) -> tuple[Item, Seen, str]:
    """An item, its picture as it is compared, and the picture's path inside ``out``, where it is written."""
    from trope.store import canonical_picture

    if not item.image:
        raise ItemError(f"item {item.id!r} has no picture")
    try:
        picture = canonical_picture(Path(item.image))
    except PictureError as error:
        raise ItemError(f"item {item.id!r}: {error}") from None
    inside = f"pictures/{picture.sha[:2]}/{picture.sha}{picture.suffix}"
    if out is not None and not (out / inside).exists():
        write_durably(out / inside, picture.encoded, sync=False)
    return item, look(item.id, item.text, picture.sha, picture.image), inside


def _once(fit: list[tuple[Item, Seen, str]]) -> tuple[list[tuple[Item, Seen, str]], list[Dropped]]:
    first: dict[tuple[str, str], str] = {}
    kept, twice = [], []
    for one in fit:
        key = (one[1].sha, one[1].text)
        if key in first:
            twice.append(Dropped(one[0].id, "malformed", "twice", f"picture and text of {first[key]}"))
        else:
            first[key] = one[0].id
            kept.append(one)
    return kept, twice


def _example(one: tuple[Item, Seen, str], stage: Stage) -> Example:
    item, _, picture = one
    true = gold(item)
    return Example(
        id=item.id, lang=item.lang, picture=picture, prompt=prompt_of(item, stage),
        reply=reply_of(item, stage),
        metaphor=true.metaphor, target=true.target, source=true.source, sentiment=true.sentiment,
    )  # fmt: skip


def _place(seed: int, id: str) -> str:
    return hashlib.sha256(f"{seed}\0{id}".encode()).hexdigest()


def _counts(dropped: Sequence[Dropped]) -> Counter[tuple[str, str]]:
    return Counter((drop.kind, drop.name) for drop in dropped)


def _counted(part: Examples, ratios: Mapping[Stage, tuple[int, int]]) -> dict[str, Any]:
    metaphors = sum(row.metaphor == YES for row in part.rows)
    a, b = ratios[part.name]  # type: ignore[index]
    return {"ratio": f"{a}:{b}", "examples": len(part.rows), "metaphors": metaphors,
            "others": len(part.rows) - metaphors, "sha256": part.sha256}  # fmt: skip


def _write(made: Corpus) -> None:
    for part in made.parts:
        write_examples(part)
    lines = "".join(json.dumps(asdict(drop), ensure_ascii=False) + "\n" for drop in made.dropped)
    write_durably(made.folder / "dropped.jsonl", lines.encode("utf-8"))
    text = json.dumps(made.manifest, indent=2, ensure_ascii=False)
    write_durably(made.folder / "manifest.json", text.encode("utf-8"))
