"""Twins: the text without its figure, and with the vehicle really there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trope.data.coco import CLASSES
from trope.items.rules.base import Fault, Rule, each, span_text
from trope.items.rules.templates import ANY_MARKER, class_words
from trope.items.words import content, stem, words
from trope.nouns import Figure, Item

_PUT_IN = 6  # words that may take the figure's place ("stands red" for "looks like a stop sign")
_SMALL = frozenset({"a", "an", "the", "in", "on", "of", "with", "and"})
_TOO_FAR = 0.34  # share of the text's words a twin must keep


def shared_ends(text: str, twin: str) -> tuple[int, int]:
    """How many characters two texts share at the beginning and at the end, without overlap."""
    most = min(len(text), len(twin))
    head = next((i for i in range(most) if text[i] != twin[i]), most)
    tail = next((i for i in range(most - head) if text[-1 - i] != twin[-1 - i]), most - head)
    return head, tail


def _deleted_simile(item: Item) -> Iterator[Fault]:
    """English: one stretch with marker and vehicle is taken out, a few words may stand in its place."""
    twin, figure = item.twins.deleted, item.figure
    if twin is None or figure is None or figure.spans.marker is None or figure.spans.vehicle is None:
        yield Fault("twins.deleted", str(twin), "a simile has a deleted twin and spans")
        return
    if found := ANY_MARKER.search(twin):
        yield Fault("twins.deleted", twin, f"still holds the marker {found.group()!r}")
    if figure.vehicle_class in CLASSES and (found := class_words(figure.vehicle_class).search(twin)):
        yield Fault("twins.deleted", twin, f"still names the vehicle ({found.group()!r})")
    old, new = _tokens(item.text), _tokens(twin)
    head = next((i for i in range(min(len(old), len(new))) if old[i] != new[i]), min(len(old), len(new)))
    spare = min(len(old), len(new)) - head
    tail = next((i for i in range(spare) if old[-1 - i] != new[-1 - i]), spare)
    gone, put_in = old[head : len(old) - tail], new[head : len(new) - tail]
    whole = _tokens(item.text[figure.spans.marker[0] : figure.spans.vehicle[1]])
    if not _holds(gone, whole):
        yield Fault("twins.deleted", twin, f"changes more than the figure: {' '.join(gone)!r} is what differs")
    elif again := [word for word in put_in if word in _before(gone, whole) and word not in _SMALL]:
        yield Fault("twins.deleted", twin, f"changes more than the figure: {' '.join(again)!r} stood before it")
    elif len(put_in) > _PUT_IN:
        yield Fault("twins.deleted", twin, f"puts {len(put_in)} words in the figure's place, limit {_PUT_IN}")


def _tokens(text: str) -> list[str]:
    return [word.lower() for word in words(text)]


def _before(gone: list[str], figure: list[str]) -> list[str]:
    """What of the taken-out words stands before the figure."""
    first = next((n for n in range(len(gone)) if gone[n : n + 2] == figure[:2]), 0)
    return gone[:first]


def _holds(whole: list[str], part: list[str]) -> bool:
    """Whether ``part`` stands in ``whole`` in order; the first word may have stayed (`as white as` -> `white`)."""
    left = iter(whole)
    kept = [word for word in part if word in whole]
    return len(part) - len(kept) <= 1 and all(word in left for word in kept)


def _literal_simile(item: Item) -> Iterator[Fault]:
    twin, figure = item.twins.literal, item.figure
    if twin is None or figure is None or figure.vehicle_class not in CLASSES:
        yield Fault("twins.literal", str(twin), "a simile has a literal twin and a vehicle class")
        return
    if found := ANY_MARKER.search(twin):
        yield Fault("twins.literal", twin, f"holds the marker {found.group()!r}: it is no figure")
    if not class_words(figure.vehicle_class).search(twin):
        yield Fault("twins.literal", twin, f"does not name the vehicle ({figure.vehicle_class})")
    head = stem(words(figure.tenor or "")[-1]) if words(figure.tenor or "") else ""
    if head and head not in {stem(word) for word in words(twin)}:
        yield Fault("twins.literal", twin, f"does not name the tenor ({figure.tenor})")


def _deleted(item: Item) -> Iterator[Fault]:
    """Any language: vehicle and marker are gone, the rest of the sentence is the same."""
    twin, figure = item.twins.deleted, item.figure
    if twin is None or figure is None:
        yield Fault("twins.deleted", str(twin), "the item has a figure and a deleted twin")
        return
    vehicle = span_text(item, figure.spans.vehicle)
    if vehicle and _names(twin, vehicle, item.lang):
        yield Fault("twins.deleted", twin, f"still names the vehicle ({vehicle!r})")
    marker = span_text(item, figure.spans.marker)
    if _tells(marker) and _counted(twin, marker, item.lang) >= _counted(item.text, marker, item.lang):
        yield Fault("twins.deleted", twin, f"still holds the marker {marker!r}")
    yield from _far(item, "deleted", twin, figure)


def _tells(marker: str) -> bool:
    """Whether a marker can be looked for in another text; ``ك`` and ``如`` stand in too many words."""
    return len(marker) > 1 or marker == "像"


def _far(item: Item, name: str, twin: str, figure: Figure) -> Iterator[Fault]:
    said, kept = _parts(item.text, item.lang), _parts(twin, item.lang)
    share = len(said & kept) / max(1, min(len(said), len(kept)))
    if share < _TOO_FAR:
        yield Fault(
            f"twins.{name}", twin, f"keeps {share:.0%} of what the text shares with it, at least {_TOO_FAR:.0%}"
        )
    if name == "deleted" and figure.spans.vehicle is not None:
        head, tail = shared_ends(item.text, twin)
        start, end = figure.spans.vehicle
        if end <= head or start >= len(item.text) - tail:
            yield Fault(f"twins.{name}", twin, "differs from the text elsewhere than at the vehicle")


def _literal(item: Item) -> Iterator[Fault]:
    twin, figure = item.twins.literal, item.figure
    if twin is None or figure is None:
        yield Fault("twins.literal", str(twin), "the item has a figure and a literal twin")
        return
    vehicle = span_text(item, figure.spans.vehicle) or figure.vehicle
    if not any(_names(twin, said, item.lang, head=True) for said in (vehicle, item.cluster.get("vehicle", ""))):
        yield Fault("twins.literal", twin, f"does not name the vehicle ({vehicle!r})")
    marker = span_text(item, figure.spans.marker)
    if _tells(marker) and _counted(twin, marker, item.lang) >= _counted(item.text, marker, item.lang):
        yield Fault("twins.literal", twin, f"still holds the marker {marker!r}: it is no figure")
    yield from _far(item, "literal", twin, figure)


def _parts(text: str, lang: str) -> frozenset[str]:
    return frozenset(text) if lang in ("zh", "ja") else content(text, lang)


def _names(text: str, said: str, lang: str, *, head: bool = False) -> bool:
    """Whether a text names a thing, in any form of its head word; ``head``: or what a compound ends in."""
    if not said:
        return False
    if lang in ("zh", "ja"):
        return said in text or (head and len(said) > 1 and said[-1] in text)
    if lang == "ar":
        if content(said, lang) & content(text, lang):
            return True
        root = _skeleton(said.split()[0])
        forms = (_skeleton(word) for word in content(text, lang))
        return head and any(form.startswith(root) or form[1:] == root for form in forms)  # after a clitic, too
    last = stem(words(said)[-1]) if words(said) else said
    stems = {stem(word) for word in words(text)}
    return last in stems or (head and any(len(word) > 2 and last.endswith(word) for word in stems))


def _skeleton(word: str) -> str:
    """An Arabic word without vowel marks and weak letters: what its forms have in common."""
    return re.sub(r"[\u064b-\u0652اويىأإآة]", "", word)


def _counted(text: str, marker: str, lang: str) -> int:
    if lang == "en":
        return len(re.findall(rf"\b{re.escape(marker)}\b", text, re.IGNORECASE))
    return text.count(marker)


SIMILE: tuple[Rule, ...] = (
    each("twin-deleted", "the deleted twin is the text without its figure, and nothing else", _deleted_simile),
    each("twin-literal", "the literal twin names tenor and vehicle and holds no marker", _literal_simile),
)
ANY: tuple[Rule, ...] = (
    each("twin-deleted", "the deleted twin names neither vehicle nor marker and keeps the rest", _deleted),
    each("twin-literal", "the literal twin names the vehicle as a thing, without a marker", _literal),
)
