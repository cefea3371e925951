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
    rf"(?:お|ご)?(?:[{_KANJI}]+[ぁ-ん]?[きぎしじちりみびえけげせてねべめれ][{_KANJI}]+|[{_KANJI}]+[りれきぎしちみびけめせえ]|[{_KANJI}{_KATA}]+|[A-Za-zＡ-Ｚａ-ｚ]+)$"
)
_TE = re.compile(rf"[{_KANJI}]+て(?=[{_KANJI}])")
_PLAIN = re.compile(r"(?:(?<=[はがをにで、])|(?<=[一-龯]の)|^)[ぁ-ん]{2,6}$")
# a noun that ends in kana, where の or みたい shows that it is one: `雨だれ`, `縄ばしご`
_MIXED = re.compile(
    rf"[{_KANJI}{_KATA}]+(?![はがをにでとものへや]|から|まで|だけ|ほど|など|より|たち|さん|ばか|くら|かも|いの)[ぁ-ん]{{1,3}}$"
)
_INFLECTED = tuple("るうくすつぬむぶぐただいなてでにをはがらも")
_TOPICS = re.compile(r"[^の、。](?:は|が(?![っりるれろらわ]))(?=[^はが]*$|[^は]*$)")
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
    nominal = text.startswith("のよ", end) or (text.startswith("みた", end) and not piece.endswith(_INFLECTED))
    plain = _PLAIN.search(piece) if nominal and run is None else None
    object_of = text.startswith("を", end)
    mixed = _MIXED.search(piece) if (nominal and not piece.endswith(_INFLECTED)) or object_of else None
    mixed = mixed if run is None else None
    starts = [m.start() for m in (listed, run, plain, mixed) if m is not None]
    if not starts:
        return None
    start = min(starts)
    compound = _kana().search(piece[:start]) if start else None  # `おもちゃ箱`
    if compound is not None:
        return begin + compound.start()
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
    r"(?:^|[、はがをに])(?P<what>[^、。はがをに]{1,14}?)(?:が(?![っりるれろらわ])(?P<verb>[^、。はがをに]{1,8})|[にで](?P<passive>[^、。はがをに]{1,8}[れめ]))[ただ]$"
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
    if person:
        return None
    clause = max(text.rfind(mark, begin, noun[1]) for mark in "、はがを")
    return noun[0], max(begin, clause + 1) if text[noun[1] - 1 : noun[1]] == "に" else noun[1]


_WORKS = re.compile(
    r"(?:^|[、はがもに])(?P<what>[^、。はがをに]{1,12}?)(?P<case>を|が(?![っりるれろらわ])|に)(?P<verb>[^、。をに]{1,7})$"
)
_COMES = re.compile(r"(?:来|くる|集ま|入|寄りつ|住|増|育)")
_ACTS_ON = re.compile(
    r"(?:^|[、。は])(?P<what>[^、。はがをに]{1,12}?)が(?![っりるれろらわ])[^、。はがをに]{1,10}を[^、。をに]{1,7}$"
)
_NEXT = re.compile(r"、([^、。はが]{1,12})[はが](?![っりるれろらわ])")
_PURPOSE = re.compile(
    r"[^。]*(?:言|頼|命|願|祈|勧|促|求め|伝え|気をつけ|心がけ|設定|注意|指示|お願い|合図|準備|工夫)|(?:し|する|な)[てっりるた]"
)
_POTENTIAL = re.compile(r"(?<![らわかさま])(?:[えけせてねへめれげべ]る|見える|聞こえる|できる|ない)$")


def thing_at_work(text: str, begin: int, end: int, after: str) -> tuple[Span, int] | None:
    """``小鳥がついばむ``, ``磁石に引かれる``, ``樽を転がす``: in its plain form before ように, and no purpose.

    A purpose takes a verb of no will or of being able; so an animal that does something is a likeness, and so is a
    thing that draws or pushes somebody; what is done to a thing is one where the sentence is about nobody.
    """
    if _PURPOSE.match(after):
        return None
    active = _ACTS_ON.search(text[begin:end])
    if active is not None and active["what"].endswith(tuple(words("ja", "animals"))):
        return noun_before(text, begin + active.start("what"), begin + active.end("what"))  # `母鳥が雛を守るように`
    found = _WORKS.search(text[begin:end])
    if found is None:
        return None
    verb, case = found["verb"], found["case"]
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle"):
        return None
    said = text[slice(*noun[0])]
    person = said.endswith(tuple(words("ja", "persons")))
    if case == "に":
        return noun if verb.endswith("れる") and not person else None
    if _POTENTIAL.search(verb):
        return None
    if case == "が" and _COMES.match(verb):  # `鳥が来るように巣箱を掛けた`
        return None
    if case == "が" and said.endswith(tuple(words("ja", "animals"))):
        return noun
    subject = _NEXT.match(after)  # `枯れ葉が舞うように、蝶が`
    if (
        subject is not None
        and not person
        and (unfeeling(subject[1]) or subject[1].endswith(tuple(words("ja", "animals"))))
    ):
        return noun
    topics = list(_TOPICS.finditer(text[begin : begin + found.start("what")]))
    return noun if topics and unfeeling(text[begin : begin + topics[-1].end() - 1]) else None


def unfeeling(topic: str) -> bool:
    """Whether what a sentence is about is surely nobody: landscape, weather, sounds, light."""
    return topic.endswith(tuple(words("ja", "natural") - words("ja", "persons"))) and not topic.endswith(
        tuple(words("ja", "persons") | words("ja", "animals"))
    )


def akin(noun: str, following: str) -> bool:
    """``柴犬に似た犬``, ``桜のような白い花``: two of a kind."""
    said = re.split(r"[、。をがはにでと]", following)[0]
    for kind in ("animals", "plants"):
        if noun.endswith(tuple(words("ja", kind))) and _KIN[kind].search(said):
            return True
    if said.endswith(tuple(words("ja", "classes"))) or (
        noun.endswith(_SITES) and said.endswith(("場所", "ところ", "所"))
    ):
        return True
    return noun in words("ja", "cities") and any(place in said for place in "街町国市村都島")


_SITES = ("カフェ", "店", "館", "園", "施設", "センター", "駅", "学校")
_KIN = {
    "animals": re.compile(r"(?:[犬猫狼狐鳥魚虎熊馬蛇獣虫]|動物|ネコ|イヌ)(?:$|の$)"),
    "plants": re.compile(r"(?:[花木草葉]|鉢植え|植木|盆栽)(?:$|の)"),
}
