"""The rules of cleaning and de-duplication, and a manifest of what became of every pair. m3r, section 3.

Of several pairs that say the same, one is canonical: most pixels, then the longest text, then the largest file,
then the lowest hash. Every other pair is merged directly into a canonical one that it is near to; no chain of
resemblances leads from a pair to something unlike it. The order of the input does not matter.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from trope.build.dedupe.cleaning import clean_text, compared
from trope.build.dedupe.hashes import Hashes, picture_hashes
from trope.build.dedupe.likeness import pictures_alike, sequences_alike
from trope.build.dedupe.neighbors import near_pairs
from trope.build.dedupe.records import PairRecord
from trope.errors import PictureError

_HASHES = ("phash", "dhash", "ahash")
_FEW = 200  # texts that are compared one by one; more in one product with all
_LONGEST = 20_000  # characters of a text; matching shares of longer ones take minutes


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts as a near duplicate.

    Attributes
    ----------
    radius : bits of 64 in which at least one of the three hashes may differ, for a pair to be compared at all (ours).
    correlation, error : what 256 x 256 gray pictures must reach, and may not pass.
    empty_error : the same where both texts are empty and cannot tell.
    text : what character TF-IDF cosine and matching share must both reach (both: ours).
    need_text : whether a pair without a text is dropped.
    """

    radius: int = 8
    correlation: float = 0.98
    error: float = 0.06
    empty_error: float = 0.05
    text: float = 0.90
    need_text: bool = True


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one pair: ``kept``, ``merged`` (into another), or ``dropped``; and why.

    ``told`` is what a decoder said of a picture that cannot be read.
    """

    pair: PairRecord
    status: str
    reason: str
    text: str
    hashes: Hashes | None = None
    into: str | None = None
    likeness: dict[str, float] = field(default_factory=dict)
    differing: tuple[str, ...] = ()
    told: str | None = None

    def as_json(self) -> dict[str, Any]:
        """A line of the manifest."""
        line: dict[str, Any] = {"id": self.pair.id, "where": self.pair.where, "status": self.status,
                                "reason": self.reason, "text_sha256": _digest(compared(self.text))}  # fmt: skip
        if self.told is not None:
            line["told"] = self.told
        if self.hashes is not None:
            line |= {"sha256": self.hashes.sha256, "size": [self.hashes.width, self.hashes.height]}
            line |= {name: f"{getattr(self.hashes, name):016x}" for name in _HASHES}
        if self.into is not None:
            line |= {"into": self.into, "likeness": {k: round(v, 6) for k, v in self.likeness.items()}}
        if self.differing:
            line["differing_fields"] = list(self.differing)
        return line


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What is left, in the order of the input, and the fate of every pair."""

    fates: Sequence[Fate]

    @property
    def counts(self) -> Counter[str]:
        """How many pairs by status and reason."""
        return Counter(f"{fate.status}: {fate.reason}" for fate in self.fates)

    def kept(self) -> Iterator[dict[str, Any]]:
        """The canonical records: their fields with the cleaned text, and the ids of all that were merged into them."""
        merged: dict[str, list[str]] = defaultdict(list)
        for fate in self.fates:
            if fate.into is not None:
                merged[fate.into] += [fate.pair.id, *_before(fate.pair)]
        for fate in self.fates:
            if fate.status == "kept":
                fields = {**fate.pair.fields, "id": fate.pair.id, "image": str(fate.pair.image), "text": fate.text}
                known = [fate.pair.id, *_before(fate.pair), *merged[fate.pair.id]]
                yield {**fields, "provenance": list(dict.fromkeys(known))}


def _before(pair: PairRecord) -> list[str]:
    """What was merged into a pair when it was cleaned before."""
    known = pair.fields.get("provenance")
    return [str(name) for name in known] if isinstance(known, list) else []


@dataclass(slots=True)
class _Sound:
    """A pair with a readable picture, and what it is compared by."""

    place: int
    pair: PairRecord
    text: str
    compared: str
    hashes: Hashes

    @property
    def rank(self) -> tuple[Any, ...]:
        size = self.hashes.width * self.hashes.height
        return (-size, -len(self.text), -self.hashes.bytes, self.hashes.sha256, _digest(self.compared), self.pair.id)


def dedupe(pairs: Sequence[PairRecord], rules: Rules | None = None, *, workers: int = 4) -> Cleaned:
    """Clean and de-duplicate.

    Parameters
    ----------
    workers : threads that decode pictures.
    """
    rules = rules or Rules()
    fates: dict[int, Fate] = {}
    sound = list(_readable(pairs, rules, workers, fates))
    sound.sort(key=lambda s: s.rank)
    unique = _exact(sound, fates)
    _near(unique, rules, fates)
    return Cleaned([fates[n] for n in range(len(pairs))])


def _readable(pairs: Sequence[PairRecord], rules: Rules, workers: int, fates: dict[int, Fate]) -> Iterator[_Sound]:
    def hashed(pair: PairRecord) -> Hashes | PictureError:
        try:
            return picture_hashes(pair.image)
        except PictureError as error:
            return error

    with ThreadPoolExecutor(workers) as pool:
        for place, (pair, hashes) in enumerate(zip(pairs, pool.map(hashed, pairs), strict=True)):
            text = clean_text(pair.text)
            if isinstance(hashes, PictureError):
                fates[place] = Fate(pair, "dropped", "unreadable picture", text, told=str(hashes))
            elif rules.need_text and not text:
                why = "no text" if not pair.text.strip() else "no text once marks are stripped"
                fates[place] = Fate(pair, "dropped", why, text, hashes)
            elif len(text) > _LONGEST:
                fates[place] = Fate(pair, "dropped", f"text of more than {_LONGEST} characters", text, hashes)
            else:
                yield _Sound(place, pair, text, compared(text), hashes)


def _exact(sound: Sequence[_Sound], fates: dict[int, Fate]) -> list[_Sound]:
    """The same file and the same text (NFKC): all but the first in rank go."""
    first: dict[tuple[str, str], _Sound] = {}
    for one in sound:
        kept = first.setdefault((one.hashes.sha256, one.compared), one)
        if kept is not one:
            fates[one.place] = _merged(one, kept, "exact duplicate", {})
    return list(first.values())


def _near(unique: Sequence[_Sound], rules: Rules, fates: dict[int, Fate]) -> None:
    screens = [_Screen([getattr(one.hashes, name) for one in unique], rules.radius) for name in _HASHES]
    texts = _Texts([one.compared for one in unique])
    for n, one in enumerate(unique):
        likely = sorted(set().union(*(screen.near(n) for screen in screens)))
        alike = ((m, _alike(unique[m], one, said, rules)) for m, said in texts.near(n, likely, rules.text))
        into = next(((m, seen) for m, seen in alike if seen), None)
        if into is None:
            for screen in screens:
                screen.keep(n)
            fates[one.place] = Fate(one.pair, "kept", "canonical", one.text, one.hashes)
        else:
            fates[one.place] = _merged(one, unique[into[0]], "near duplicate", into[1])


class _Screen:
    """The kept pairs whose hash is near, by one kind of hash; pairs of one hash are held together."""

    def __init__(self, hashes: Sequence[int], radius: int) -> None:
        values, self._value = np.unique(np.array(hashes, np.uint64), return_inverse=True)
        self._around: list[list[int]] = [[n] for n in range(len(values))]
        for first, second in near_pairs(values, radius).tolist():
            self._around[first].append(second)
            self._around[second].append(first)
        self._kept: list[list[int]] = [[] for _ in values]

    def near(self, n: int) -> Iterator[int]:
        """The kept ones near pair ``n``."""
        return (m for value in self._around[self._value[n]] for m in self._kept[value])

    def keep(self, n: int) -> None:
        """Pair ``n`` is kept."""
        self._kept[self._value[n]].append(n)


def _alike(a: _Sound, b: _Sound, said: dict[str, float], rules: Rules) -> dict[str, float] | None:
    """The numbers that make two pairs of like texts near duplicates, or None."""
    seen = pictures_alike(a.pair.image, b.pair.image)
    empty = not a.compared and not b.compared
    if seen.correlation < rules.correlation or seen.error > (rules.empty_error if empty else rules.error):
        return None
    return {"correlation": seen.correlation, "error": seen.error, **said}


class _Texts:
    """Likeness of texts: the item validators' character TF-IDF, and the share of matching characters."""

    def __init__(self, texts: Sequence[str]) -> None:
        from trope.items.tfidf import char_tfidf

        self._texts = texts
        first: dict[str, int] = {}
        self._same = np.array([first.setdefault(text, n) for n, text in enumerate(texts)], int)
        # languages written without spaces say in one to three characters what others say in three to five
        self._dense = np.array([any("\u3040" <= c <= "\u9fff" for c in text) for text in texts], bool)
        self._rows = {dense: char_tfidf(texts, (1, 3) if dense else (3, 5)) for dense in set(self._dense.tolist())}
        self._line = {dense: np.zeros(rows.shape[1]) for dense, rows in self._rows.items()}

    def near(self, one: int, others: Sequence[int], least: float) -> Iterator[tuple[int, dict[str, float]]]:
        """Those of ``others`` with a like text, in order: cosine and matching share; neither if both are empty."""
        if not others:
            return
        text = self._texts[one]
        places, cosines = np.array(others), self._cosines(one, others)
        close = (cosines >= least) | (self._same[places] == self._same[one])
        for other, cosine in zip(places[close].tolist(), cosines[close].tolist(), strict=True):
            if self._texts[other] == text:
                yield other, {"tfidf": 1.0, "sequence": 1.0} if text else {}
            elif (share := sequences_alike(self._texts[other], text)) >= least:
                yield other, {"tfidf": cosine, "sequence": share}

    def _cosines(self, one: int, others: Sequence[int]) -> npt.NDArray[np.float64]:
        """Cosine with each of ``others``; 0 with texts of the other way of writing."""
        dense = bool(self._dense[one])
        rows, line = self._rows[dense], self._line[dense]
        mine = slice(rows.indptr[one], rows.indptr[one + 1])
        line[rows.indices[mine]] = rows.data[mine]
        if len(others) > _FEW:
            found = (rows @ line)[others]
        else:
            parts = [slice(rows.indptr[n], rows.indptr[n + 1]) for n in others]
            found = np.array([rows.data[part] @ line[rows.indices[part]] for part in parts], float)
        line[rows.indices[mine]] = 0.0
        found[self._dense[others] != dense] = 0.0
        return np.asarray(found)


def _merged(one: _Sound, into: _Sound, reason: str, likeness: dict[str, float]) -> Fate:
    apart = {"id", "image", "text", "provenance"}
    differing = tuple(
        name
        for name in one.pair.fields.keys() & into.pair.fields.keys()
        if name.casefold() not in apart and one.pair.fields[name] != into.pair.fields[name]
        and one.pair.fields[name] not in (one.pair.id, one.pair.text, one.pair.image.name)
    )  # fmt: skip
    return Fate(one.pair, "merged", reason, one.text, one.hashes, into.pair.id, likeness, tuple(sorted(differing)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
