"""Where a Japanese sentence compares: every explicit marker, what it takes (a noun, a clause), what it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trope.strategies.guard.japanese.morphemes import Morpheme, Sentence

Place = Literal["adverb", "noun", "predicate"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A comparison: ``[start, end)`` are its words, ``after`` is where the sentence goes on.

    ``sort`` is `like` (ように, みたい, ごとく), `as_if` (かのように, がごとく: said not to be so), or one of `_OTHERS`.
    ``place`` says what the comparison belongs to: the verb, the noun it stands before, or the end of the sentence.
    """

    sort: str
    of: Literal["noun", "clause"]
    start: int
    end: int
    after: int
    place: Place


# of dialects and of old spelling, that no dictionary knows
_SPOKEN = "み[てで][えぇー]|(?<=の)やう(?=[になだで])|(?<=の)ごと(?![くきしにを、。]|の|が|は)"
_SPOKEN_WORD = re.compile(_SPOKEN)
_LIKE = f"よう|様|みたい|みたく|ごと[くきし]|如[くきし]|{_SPOKEN}"
_ATTRIBUTIVE = "attributive"  # before a noun, else the end of a sentence: decided by what follows
_VERB = (
    (r"(?:る|た|ている|ていた)(?:かの)?(?:ような)?", _ATTRIBUTIVE),
    (r"(?:る|た)?ように", "adverb"),
    ("", "predicate"),
)
_LIKENESS = (
    ("に(?=も|、)?も?、?", "adverb"),
    ("の(?!は|が|を|に|だ)", "noun"),
    ("な(?!の|ん)", "noun"),
    ("と", "adverb"),
    ("", "predicate"),
)
# name, the words after the noun, and by what follows them the place: the first that fits
_OTHERS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("evokes", r"を(?:思|おも|想)わせ|を?(?:彷彿|ほうふつ)と?させ|を(?:連想|想起)させ|を思い(?:起こ|出)させ", _VERB),
    (
        "alike",
        r"(?:のそれ)?に(?:も|は)?(?:よく|どこか|少し|まるで|酷く|そっくり)?(?:酷似し|似(?=[てた]))",
        ((r"(?:た|ている|ていた)", _ATTRIBUTIVE), ("", "predicate")),
    ),
    ("alike", r"(?:にも?)?(?:そっくり|瓜二つ|うりふたつ)", _LIKENESS),
    ("as", r"さながら", (*_LIKENESS[:2], ("(?=だ|で[すあ、]|$)", "predicate"), ("", "adverb"))),
    ("as", r"よろしく", (("、?", "adverb"),)),
    ("as", r"もどき", (("の", "noun"),)),
    ("equal", r"も?顔負け", _LIKENESS),
    ("equal", r"[もと]?同然", _LIKENESS),
    ("equal", r"も同じ(?=だ|で)", (("", "predicate"),)),
    ("grade", r"並み|なみ|ばり|同様", (("に、?", "adverb"), ("の", "noun"), ("(?=だ|で|$)", "predicate"))),
    (
        "grade",
        r"に(?:も|さえ)?(?:負けない|負けぬ|劣らない|劣らぬ|引けを取らない|ひけを取らない|匹敵する)(?:ほどの|くらいの)?",
        (("", _ATTRIBUTIVE),),
    ),
    ("wonder", r"に(?:たとえ|例え|喩え|譬え|なぞらえ)(?=られ|る|て|た)", (("", "predicate"),)),
    ("grade", r"ライク(?=[なに])", (("な", "noun"), ("に", "adverb"))),
    ("degree", r"ほども(?!な)", (("", "adverb"),)),
    ("seems", r"にしか(?=見え)", (("", "predicate"),)),
    ("speck", r"ほど(?=[のに])|[くぐ]らい(?=の)", (("の", "noun"), ("に", "adverb"))),
    ("trace", r"めい|じみ", (("(?:た|ている|ていた)", _ATTRIBUTIVE), ("(?=てて)", "predicate"), ("て", "adverb"))),
    ("trace", r"っぽ", (("い", _ATTRIBUTIVE), ("く(?!て)", "adverb"), ("", "predicate"))),
    ("bearing", r"然(?=と|たる|とし)", (("と(?:した|している)|たる", "noun"), ("として|と", "adverb"))),
    (
        "wonder",
        r"もかくや",
        (
            ("とばかりに|と(?!い|ばかり)", "adverb"),
            ("と(?:いう|ばかりの|思わせる)(?:ほどの|ような)?", "noun"),
            ("", "predicate"),
        ),
    ),
    (
        "wonder",
        r"(?:[かも]?と)(?:見|み)(?:紛|まが|まご)",
        (
            (r"[うわ](?:せる|れる)?(?:ほど|くらい)に?(?!の|だ)", "adverb"),
            (r"[うわ](?:せる|れる)?(?:ほどの|くらいの|ばかりの|ような)?", _ATTRIBUTIVE),
            ("", "predicate"),
        ),
    ),
    (
        "wonder",
        r"か?と(?:見間違(?:う|える)|見違える|間違える|見誤る|錯覚(?:する|させる)|勘違いする)(?=ほど|くらい|ばかり|ような)",
        (
            (r"(?:ほど|くらい)に?(?!の|だ)", "adverb"),
            (r"(?:ほど|くらい|ばかり)の|ような", "noun"),
            ("", "predicate"),
        ),
    ),
    ("wonder", r"か(?:何か)?と(?:思|おも)わせる(?!ほど|くらい)", (("", _ATTRIBUTIVE),)),
    (
        "wonder",
        r"か(?:何か)?と(?:思|おも)(?:う|わせる|える|われる)(?=ほど|くらい|ぐらい|ばかり|よう|の)",
        (
            (r"(?:ほど|くらい|ぐらい|ばかり)(?:に)?(?!の|だ)", "adverb"),
            (r"(?:ほど|くらい|ぐらい|ばかり)?の|ような", "noun"),
            ("", "predicate"),
        ),
    ),
    (
        "wonder",
        r"と(?:い|言|呼)(?:ってもいい|ってもよい|んでもいい)(?=ほど|くらい|ような|よう)",
        (
            (r"(?:ほど|くらい)に?(?!の|だ)", "adverb"),
            (r"(?:ほど|くらい)の|ような", "noun"),
            ("", "predicate"),
        ),
    ),
    (
        "wonder",
        r"とでも(?:い|言|呼)(?:うべき|いたい|いたく|びたい|びたく|ぶべき|う|った|わんばかりの|える)",
        ((r"(?:なる)?(?:ような|よう(?!に))?", "noun"),),
    ),
    (
        "wonder",
        r"といった(?:風情|趣|風|面持ち|貫禄|様子|体|恰好|格好)",
        (("の", "noun"), ("で", "adverb"), ("だ", "predicate")),
    ),
)
_WORD = re.compile(rf"(?P<like>{_LIKE})|" + "|".join(rf"(?P<o{n}>{head})" for n, (_, head, _) in enumerate(_OTHERS)))
_TAILS = [[(re.compile(tail), place) for tail, place in tails] for *_, tails in _OTHERS]
# No marker is without one of these.
_LEAST = re.compile(
    r"よう|様|みたい|みたく|み[てで][えぇー]|やう|ごと|如[くきし]|わせ|させ|似|そっくり|瓜二つ|うりふたつ|さながら|よろしく|もどき|顔負け"
    "|同然|も同じ|並み|なみ|ばり|同様|負けな|負けぬ|劣ら|引けを|ひけを|匹敵|にしか|にたと|に例え|に喩え|に譬え|なぞらえ|ライク|ほど"
    "|[くぐ]らい|めい|じみ|っぽ|然|かくや|紛|まが|まご|間違|見違|見誤|錯覚|勘違|とでも|てもい|てもよ|でもいい|かと|といった"
)


def may_compare(text: str, start: int, end: int) -> bool:
    """Whether any word that compares is there at all: a cheap look before the sentence is analyzed."""
    return _LEAST.search(text, start, end) is not None


def markers(sentence: Sentence) -> Iterator[Marker]:
    """The markers of a sentence in order."""
    text, place = sentence.text, sentence.start
    while found := _WORD.search(text, place, sentence.end):
        place = found.start() + 1
        marker = _like(sentence, found.start()) if found["like"] else _other(sentence, found)
        if marker is not None:
            yield marker
            place = max(place, marker.end)


def _like(sentence: Sentence, start: int) -> Marker | None:
    n = sentence.starting(start)
    stem = sentence.at(n)
    if _SPOKEN_WORD.match(sentence.text, start):
        return _spoken(sentence, start)
    if stem is None or stem.start != start or not _is_like(stem):
        return None
    placed = _place(sentence, n)
    before = sentence.at(n - 1)
    if placed is None or before is None:
        return None
    end, after, place = placed
    asif = sentence.at(n - 2)
    if before.particle("の") and asif is not None and asif.particle("か"):
        clause = sentence.at(n - 3)
        if clause is None:
            return None
        if clause.surface in ("何", "なに", "なん"):  # 飴か何かのように
            outer = sentence.at(n - 4)
            if outer is not None and outer.particle("か"):
                return Marker("like", "noun", outer.start, end, after, place)
            return None
        if clause.predicate and clause.base == "ある":  # 石像であるかのように
            back = n - 4
            while (link := sentence.at(back)) is not None and (link.particle("も") or link.surface in ("で", "でも")):
                back -= 1
            link = sentence.at(back + 1)
            if link is not None and back + 1 < n - 3 and link.sort != "接続助詞":
                return Marker("as_if", "noun", link.start, end, after, place)
        return Marker("as_if", "clause" if clause.predicate else "noun", asif.start, end, after, place)
    if before.particle("が") and stem.surface[0] in "ご如":
        return Marker("as_if", "clause", before.start, end, after, place)
    if before.particle("の"):
        inner = sentence.at(n - 2)
        return None if inner is None else Marker("like", "noun", before.start, end, after, place)
    if before.particle("か") and stem.surface[0] == "み":  # ゼリーか何かみたいに
        outer = sentence.at(n - 3)
        return (
            None
            if outer is None or not outer.particle("か")
            else Marker("like", "noun", outer.start, end, after, place)
        )
    if before.predicate:
        return Marker("like", "clause", stem.start, end, after, place)
    if stem.surface.startswith("み"):
        return Marker("like", "noun", stem.start, end, after, place)
    return None


def _spoken(sentence: Sentence, start: int) -> Marker | None:
    """`鰻みでぇにする`, `蝶番のごと鳴る`."""
    text = sentence.text
    end = start + (2 if text[start] in "ごや" else 3)
    n = sentence.ending(start)
    if n is None:
        return None
    begin = sentence.morphemes[n].start if sentence.morphemes[n].particle("の") else start
    of: Literal["noun", "clause"] = "clause" if sentence.morphemes[n].predicate else "noun"
    place: Place = "adverb" if text[start] == "ご" or text.startswith("に", end) else "predicate"
    place = "noun" if text.startswith("な", end) and not text.startswith(("なの", "なん"), end) else place
    after = end + (text[end : end + 1] in ("に", "な") and place != "predicate")
    return Marker("like", of, begin, after, after, place)


def _is_like(stem: Morpheme) -> bool:
    if stem.base == "ごとし" or stem.normal in ("如し", "ごとし"):
        return True
    return stem.kind == "形状詞" and stem.sort == "助動詞語幹"


def _place(sentence: Sentence, n: int) -> tuple[int, int, Place] | None:
    """Where the marker's words end, where the sentence goes on, and what the comparison belongs to."""
    stem, following = sentence.morphemes[n], sentence.at(n + 1)
    if stem.surface in ("みたく", "ごとく", "如く"):
        return stem.end, _past(sentence, n + 1, "、"), "adverb"
    if stem.surface in ("ごとき", "如き"):
        return stem.end, stem.end, "noun"
    if following is None or stem.surface in ("ごとし", "如し"):
        return stem.end, stem.end, "predicate"
    if following.surface == "に":
        return following.end, _past(sentence, n + 2, "も、", "、"), "adverb"
    if following.surface == "な":
        beyond = sentence.at(n + 2)
        if beyond is None or beyond.surface in ("の", "ん"):
            return stem.end, stem.end, "predicate"
        return following.end, following.end, "noun"
    if following.surface in ("なら", "らしい") or following.particle("の"):
        return None
    return stem.end, stem.end, "predicate"


def _past(sentence: Sentence, n: int, *skipped: str) -> int:
    """Where the sentence goes on behind a comma."""
    before = sentence.morphemes[n - 1].end
    for words in skipped:
        if sentence.text.startswith(words, before):
            return before + len(words)
    return before


def _other(sentence: Sentence, found: re.Match[str]) -> Marker | None:
    number = next(n for n in range(len(_OTHERS)) if found[f"o{n}"])
    n = sentence.ending(found.start())
    if n is None:
        return None
    sort = _OTHERS[number][0]
    said = sort == "alike" and sentence.morphemes[n].sort == "準体助詞"  # `小豆を揺する|のにそっくり`
    if not said and not _can_be_compared(sentence.morphemes[n]):
        return None
    for tail, place in _TAILS[number]:
        fits = tail.match(sentence.text, found.end(), sentence.end)
        if fits is None:
            continue
        after = fits.end()
        if place == _ATTRIBUTIVE:
            place = "noun" if _goes_on(sentence, after) else "predicate"
        if place == "predicate":
            after = found.end()
        elif place == "adverb" and sentence.text.startswith("、", after):
            after += 1
        end = after - 1 if sentence.text[after - 1] == "、" else after
        if said:
            return Marker(sort, "clause", sentence.morphemes[n].start, end, after, place)  # type: ignore[arg-type]
        return Marker(sort, "noun", found.start(), end, after, place)  # type: ignore[arg-type]
    return None


def _can_be_compared(last: Morpheme) -> bool:
    return last.kind not in ("助詞", "助動詞", "補助記号", "連体詞") and not (
        last.predicate and "連用形" not in last.form
    )


def _goes_on(sentence: Sentence, place: int) -> bool:
    """Whether a noun, or what describes one, follows."""
    n = sentence.starting(place)
    following = sentence.at(n)
    if following is None or following.start != place:
        return False
    return following.kind not in ("助詞", "助動詞", "補助記号", "接続詞") and following.sort != "助動詞語幹"
