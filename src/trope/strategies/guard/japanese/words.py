"""Where a Japanese vehicle begins and ends: by its script, by の, and by what was done to it."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.lexicon import either, lists, words
from trope.strategies.guard.plan import Span

LONGEST = 32
_KANJI = "一-龯々〆ヶ"
_KATA = "ァ-ヺー"
# kanji, or kanji + the stem of a verb + kanji (`枯れ木`), not an adjective or an attributive verb (`白い羽`, `眠る羊`)
_RUN = re.compile(
    rf"(?:お|ご)?(?:[{_KANJI}]+[きぎしじちりみびえけげせてねべめれ][{_KANJI}]+|[{_KANJI}]+[りれきぎしちみびけめせえ]|[{_KANJI}{_KATA}]+|[A-Za-zＡ-Ｚａ-ｚ]+)$"
)
_TE = re.compile(rf"[{_KANJI}]+て(?=[{_KANJI}])")
_PLAIN = re.compile(r"(?<=[はがをにで、])[ぁ-ん]{2,6}$")
_TOPICS = re.compile(r"[^の](?:は|が(?![っりるれろらわ]))(?=[^はが]*$|[^は]*$)")
_DESCRIBED = re.compile(rf"(?:[{_KANJI}{_KATA}ぁ-ん]{{1,12}}(?:い|た|る|な|の|う|く|す|ぬ|む|ぶ|ぐ|つ))$")
_UNITS = re.compile(r"(?<=[をにで])")
_ATTRIBUTIVE = re.compile(r"(?:た|る|う|く|す|む|ぶ|ぐ|つ|ぬ)$")


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('ja', 'kana')})$")


@cache
def _fixed() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('ja', 'fixed')})$")


def _run(text: str, begin: int, end: int) -> int | None:
    """Where the noun that ends at ``end`` begins, without what stands before a の."""
    piece = text[begin:end]
    listed = _kana().search(piece)
    run = _RUN.search(piece)
    plain = _PLAIN.search(piece) if text[end : end + 2] == "のよ" and run is None else None
    starts = [m.start() for m in (listed, run, plain) if m is not None]
    if not starts:
        return None
    start = min(starts)
    joined = _TE.match(piece, start) if run is not None and start == run.start() else None
    if joined is not None:
        return begin + joined.end()
    return begin + start


def noun_before(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """The noun right before a marker, and where its phrase with all that describes it begins."""
    fixed = _fixed().search(text[begin:end])
    if fixed is not None:
        return (begin + fixed.start(), end), begin + fixed.start()
    start = _run(text, begin, end)
    if start is None or start == end:
        return None
    stop = end
    noun = text[start:stop]
    if text[start - 1 : start] == "の" and start - 1 > begin:
        inner = _run(text, begin, start - 1)
        if inner is not None and noun in words("ja", "collectives"):
            start, stop = inner, start - 1
        elif (
            inner is not None
            and noun in words("ja", "dependent")
            and text[inner : start - 1] not in words("ja", "places")
        ):
            start = inner
    if stop - start > 10:
        return None
    return (start, stop), _phrase_start(text, begin, start)


def _phrase_start(text: str, begin: int, start: int) -> int:
    """Back over modifiers to the last comma or topic."""
    piece = text[begin:start]
    cut = max(piece.rfind("、"), piece.rfind("。"), piece.rfind("　"))
    for topic in _TOPICS.finditer(piece):
        cut = max(cut, topic.end() - 1)
    if cut < 0 or cut + 1 < len(piece):
        described = _DESCRIBED.search(piece[cut + 1 :])
        if described is None:
            return start
        inner = piece[cut + 1 :]
        # an object or a place before the describing word belongs to another verb: keep the last unit only
        units = _UNITS.split(inner)
        kept = units[-1] if len(units) > 1 and not _attributive(units[-2:]) else inner
        return start - len(kept)
    return start


def _attributive(units: list[str]) -> bool:
    """Whether `水を + 飲みに来た` describe the noun together: the last unit ends in a verb form."""
    return bool(_ATTRIBUTIVE.search(units[-1]))


@cache
def _sayings() -> tuple[tuple[str, str], ...]:
    pairs = (entry.strip().split("|") for entry in lists("ja")["sayings"].split(";") if entry.strip())
    return tuple(sorted(((saying, vehicle) for vehicle, saying in pairs), key=lambda p: -len(p[0])))


def saying_before(text: str, begin: int, end: int, marker: str) -> tuple[Span, int] | None:
    """A fixed saying right before a marker: its vehicle, and where it begins."""
    piece = text[begin:end]
    for said, vehicle in _sayings():
        bare = said.removesuffix("の") if said.endswith("の") and marker.startswith("の") else said
        if piece.endswith(bare) and (bare == said or marker.startswith("の")):
            start = end - len(bare)
            at = text.index(vehicle, start)
            return (at, at + len(vehicle)), start
    return None


_DONE = re.compile(
    rf"(?P<what>[^、。はが]{{1,20}}?)(?P<case>を)(?P<rest>[^、。をはが]{{0,14}}?)(?P<verb>[{_KANJI}ぁ-ん]{{1,8}})[ただ]$"
)


def thing_done(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``墨を流した``: the thing something was done to, and where the clause begins; None for a report."""
    piece = text[begin:end]
    found = _DONE.search(piece)
    if found is None:
        return None
    verb = piece[found.start("rest") : found.end("verb")]
    if verb.endswith(tuple(words("ja", "reports"))):
        return None
    stop = begin + found.end("what")
    noun = noun_before(text, begin + found.start("what"), stop)
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle"):
        return None
    return noun[0], noun[1]


_ACTS = re.compile(r"(?P<what>[^、。はが]{1,20}?)(?P<case>が)(?![っりるれろらわ])[^、。が]{1,16}$")


def thing_acting(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``巨人が踏んだかの``: the thing that would have done it."""
    found = _ACTS.search(text[begin:end])
    if found is None:
        return None
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    return None if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle") else noun


_BEFALLEN = re.compile(
    r"(?:^|[、はがを])(?P<what>[^、。はがをに]{1,14}?)(?:が(?![っりるれろらわ])(?P<verb>[^、。はがをに]{1,8})|に(?P<passive>[^、。はがをに]{1,8}[れめ]))[ただ]$"
)


def thing_befallen(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``糸が切れた``, ``雷に打たれた``: a thing and what happened, unless a person did it or it is reported."""
    found = _BEFALLEN.search(text[begin:end])
    if found is None or (found["verb"] or found["passive"]).endswith(tuple(words("ja", "reports"))):
        return None
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None:
        return None
    said = text[slice(*noun[0])]
    person = said in words("ja", "no_vehicle") or said.endswith(
        ("人", "者", "員", "客", "生", "師", "母", "父", "子", "達", "たち")
    )
    return None if person else noun
