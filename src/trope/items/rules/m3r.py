"""Rules of image-text pairs with m3r's labels: a metaphor or not, its target and source, a sentiment, explanations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from trope.items.missing import several
from trope.items.rules.base import WHOLE_SET, Fault, Rule, each
from trope.nouns import Item

LABELS = {"metaphor": ("Yes", "No"), "sentiment": ("Positive", "Neutral", "Negative")}
STAGES = ("ITE", "MC", "SJ")
_FEW = 3  # concepts that must speak for a swap


def _labels(item: Item) -> Iterator[Fault]:
    for name, known in LABELS.items():
        if item.labels.get(name) not in known:
            yield Fault(f"labels.{name}", str(item.labels.get(name)), f"expected {', '.join(known)}")
    if not item.image:
        yield Fault("image", "", "a pair has a picture")


def _mapping(item: Item) -> Iterator[Fault]:
    is_metaphor = item.labels.get("metaphor") == "Yes"
    if is_metaphor and (len(item.figures) != 1 or not item.figures[0].tenor):
        yield Fault("figures", str(len(item.figures)), "a metaphor has exactly one figure, with target and source")
    if item.labels.get("metaphor") == "No" and item.figures:
        yield Fault("figures", item.figures[0].vehicle, "what is no metaphor has neither target nor source")


def _concepts(item: Item) -> Iterator[Fault]:
    for figure in item.figures:
        for name, said in (("tenor", figure.tenor), ("vehicle", figure.vehicle)):
            if said and (parts := several(said, item.text)):
                yield Fault(f"figures.0.{name}", said, f"holds {len(parts)} concepts; a field names one")
        if figure.tenor and _fold(figure.tenor) == _fold(figure.vehicle):
            yield Fault("figures.0.tenor", figure.tenor, "target and source are the same: nothing is mapped")


def _references(item: Item) -> Iterator[Fault]:
    for stage in item.references.keys() - set(STAGES):
        yield Fault(f"references.{stage}", item.references[stage], f"expected {', '.join(STAGES)}")
    if "MC" in item.references and item.labels.get("metaphor") == "No":
        yield Fault("references.MC", item.references["MC"], "what is no metaphor has no mapping to explain")


def _swapped(items: Sequence[Item]) -> Iterator[Fault]:
    """Two languages whose targets are each other's sources: one file's columns were exchanged."""
    targets: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for figure in item.figures if "metaphor" in item.labels else ():
            targets[item.lang].add(_fold(figure.tenor or ""))
            sources[item.lang].add(_fold(figure.vehicle))
    langs = sorted(targets)
    for n, one in enumerate(langs):
        for other in langs[n + 1 :]:
            crossed = (targets[one] & sources[other]) | (sources[one] & targets[other])
            straight = (targets[one] & targets[other]) | (sources[one] & sources[other])
            if len(crossed - straight) >= _FEW and len(crossed) > 2 * len(straight):
                shown = ", ".join(sorted(crossed - straight)[:5])
                why = (
                    f"{len(crossed)} targets or sources of {one} are the other one in {other}, {len(straight)} are the"
                    " same: target and source look exchanged in one of the files"
                )
                yield Fault("figures", shown, why, WHOLE_SET)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


RULES: tuple[Rule, ...] = (
    each("m3r-labels", "a picture, metaphor Yes or No, sentiment Positive, Neutral or Negative", _labels),
    each("mapping", "a metaphor has one figure with target and source, anything else none", _mapping),
    each("concepts", "target and source name one concept each, and not the same", _concepts),
    each("references", "explanations are those of the stages ITE, MC, SJ; MC of metaphors only", _references),
    Rule("swapped-languages", "targets of one language are not the sources of another", _swapped),
)
