"""Arabic words: bare forms, the kaf that compares, and where a vehicle begins and ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import Span

_WORD = re.compile(r"[\u0621-\u065f\u0670\u0640\u066e-\u06d3]+")
_SIGNS = re.compile(r"[\u064b-\u065f\u0670\u0640]")
_AFTER = frozenset(
    "في على من إلى الى عن مع تحت فوق بين عند حول خلف أمام قرب وراء داخل خارج بعد قبل حتى ثم أو بلا بدون وسط".split()
)


_WHEN = frozenset("هذا هذه ذلك تلك حين حينما عندما كلما بينما منذ اليوم الليلة الآن وهو وهي وهم".split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its form without vowel signs, and whether no sign stands between it and the word before."""

    text: str
    bare: str
    start: int
    end: int
    joined: bool


def bare(text: str) -> str:
    """Without vowel signs and lengthening; the tanwin's alif stays."""
    return _SIGNS.sub("", text)


def words_of(text: str, start: int, end: int) -> list[Word]:
    """The words of ``text[start:end]``."""
    found: list[Word] = []
    for match in _WORD.finditer(text, start, end):
        if not bare(match.group()):
            continue
        before = text[found[-1].end : match.start()] if found else ""
        found.append(Word(match.group(), bare(match.group()), match.start(), match.end(), not before.strip()))
    return found


@cache
def _kaf_words() -> tuple[str, ...]:
    return tuple(word for word in words("ar", "kaf") if len(word) > 4)


# Endings of number and case, and what they stand for: a pair (`نجمتان`, in construct `حبتي`), many, an accusative.
_NUMBERS = tuple((ending, stem) for ending in ("تان", "تين", "تي", "تا", "ات") for stem in ("ة", "")) + tuple(
    (ending, "") for ending in ("ا", "ين", "ان")
)


@cache
def is_noun(word: str) -> bool:
    """Whether a word is a listed thing, with or without article, case ending and ending of number."""
    word = word.removeprefix("ال")
    known = words("ar", "nouns")
    return word in known or any(
        word.endswith(ending) and len(word) - len(ending) > 1 and word.removesuffix(ending) + stem in known
        for ending, stem in _NUMBERS
    )


_PRESENT = re.compile(r"تن.ا.$|تم.ي$|تمت..$|تمل[أؤك]|تمسك$|تمزق$|تمد$|تمتد$|تن.ث?.$")
_AUGMENTED = re.compile(r"ان[^اوي]{3}ت?$|ا[^ا]ت[^اي]{2}ت?$|است[^اوي]{3}ت?$")  # `انقطع`, `احترق`, `استقبل`
_FEMININE_PAST = re.compile(r".{2,5}(?<![اي])ت$|[اأ].{2,4}ت$")


@cache
def is_verb(word: str) -> bool:
    """Whether a word is a verb: a listed past form, or what begins like a present one and is no listed thing."""
    past = words("ar", "past")
    if word.endswith("وا") and len(word) > 4:
        return True
    if any(word.removesuffix(ending) in past for ending in ("وا", "ت", "ن")):  # `وقفوا`
        return True
    word = word.removeprefix("و").removeprefix("ف") if len(word) > 4 else word
    if (
        len(word) > 4 and word[0] == "س" and word[1] in "يتن" and not is_noun(word) and not word.endswith(("ة", "ات"))
    ):  # `ستمطر`
        return True
    if word in past or any(word.removesuffix(ending) in past for ending in ("ت", "وا", "ن", "ا", "تا")):
        return True
    if word.endswith("ت") and (word[:-1] + "ى" in past or word[:-1] + "ا" in past):
        return True
    if is_noun(word) or word.endswith(("ة", "ية")) or len(word) < 3 or word in words("ar", "no_verb"):
        return False
    if len(word) == 3:
        return word[0] == "ي"
    if (
        _PRESENT.match(word)
        or _AUGMENTED.match(word)
        or (len(word) > 3 and _FEMININE_PAST.match(word) and word not in words("ar", "ends_in_ta"))
    ):
        return True
    if word[0] == "ت" and len(word) == 5 and word[3] in "يا":  # تصوير, تذكار
        return False
    return word[0] == "ي" or (
        word[0] == "ت" and word[:2] != "تا" and not word.endswith("ا") and len(word) > 3 and word[1] not in "م"
    )


def is_adjective(word: Word) -> bool:
    """Whether a word before a marker looks like an adjective that says what carries over."""
    return word.text.endswith(("ًا", "اً")) or (
        word.bare.endswith("ة") and not word.bare.startswith("ال") and not is_noun(word.bare)
    )


_ROOT = re.compile("[اويىأآإئءةت]")


def same_root(verb: str, noun: str) -> bool:
    """Whether a verb and a noun of action have the same consonants: `وثب`, `وثبة`; `يتعلق`, `تعلق`."""
    first, second = _ROOT.sub("", verb), _ROOT.sub("", noun)
    return len(first) > 0 and first == second


_QUALITY = re.compile(
    r"(?:قوي|نقي|صلب|هش|رطب|حلو|مر|صاف|قاس|عال|سخي|غني|وفي|ذكي|بهي|ندي|طري|دافئ|حر|رخو|جاف|حاد|خشن|سهل|ضخم|فظ|مرن|مهيب|خجول|كسول|صبور|غيور|حنون|عجول|م[^اوي]{3}|نضر|عذب|وعر|ثقيل)ة?$|..ي.ة?$|.ا..ة?$|م..و.ة?$"
)


def says_how(word: Word) -> bool:
    """Whether a word before a marker is an adjective: by its ending, by its pattern (`خفيف`, `هادئ`), or a color."""
    said = word.bare
    return is_adjective(word) or (
        not said.startswith("ال")
        and not is_noun(said)
        and (said in words("ar", "colors") or _QUALITY.match(said) is not None)
    )


@cache
def likened(text: str, after_adjective: str = "") -> int | None:
    """Where the kaf that compares stands in a word (0, or 1 after a conjunction), or None.

    ``after_adjective`` is the ending of an adjective before it, after which an unlisted thing may stand.
    """
    word = bare(text)
    if len(word) > 4 and word[0] in "وف" and word[1] == "ك" and text[1] == "ك":
        inner = likened(text[1:], after_adjective)
        return None if inner is None else 1
    if len(word) < 3 or (len(word) == 3 and not is_noun(word[1:])) or word[0] != "ك" or text[1] in "\u064b\u064c\u064d":
        return None
    if text.endswith(("ًا", "اً")):  # an accusative: `كيدًا`
        return None
    rest = word[1:]
    definite = rest.startswith("ال") and len(rest) > 3
    noun = rest[2:] if definite else rest
    if (
        noun in words("ar", "no_vehicle")
        or noun in words("ar", "pictures")
        or any(
            noun.startswith(w) and len(noun) - len(w) < 3 and noun[len(w) :] in _ENDINGS
            for w in words("ar", "no_vehicle")
        )
    ):
        return None
    if rest in SHADOWS or rest in words("ar", "holders") or rest in words("ar", "attributes"):
        return 0
    if definite:
        return None if _GRIM.fullmatch(word) and not is_noun(noun) else 0
    if is_noun(rest):
        return 0 if word not in words("ar", "kaf") else None
    if (
        word in words("ar", "kaf")
        or word.startswith(_kaf_words())
        or any(word.removesuffix(e) in words("ar", "kaf") for e in _INFLECTED)
    ):
        return None
    if rest[0] == "ك" and (rest in words("ar", "kaf") or rest.startswith(_kaf_words()) or rest.endswith("ة")):  # `ككرة`
        return 0
    if rest.endswith(("ه", "ها", "هم", "هما", "هن", "نا")):  # kin and habits: `كأمه`, `كعادتها`
        return None
    if (
        after_adjective
        and len(rest) > 2
        and not (after_adjective == "ة" and rest.endswith("ة"))
        and not rest.endswith(("ي", "ية"))
    ):
        return 0
    return 0 if len(rest) > 2 and (rest[0] in _FOREIGN_TO_KAF or (rest.endswith("ة") and len(rest) > 3)) else None


SHADOWS = frozenset("ظله ظلها ظلهم ظلي ظلك ظلنا".split())
_HOLDER = re.compile(r"[^كاوي]ا[^اوي]{2}$")
_RELATIVES = frozenset("الذي التي الذين اللذين اللتين اللاتي اللواتي".split())
_FOREIGN_TO_KAF = "طظصضقخجغمز"
_GRIM = re.compile(r"كالح(?:ا|ة|ين|ون|ات|تان)?|كالسيوم|كالوري.*")
_INFLECTED = (*"ة ه ها هم ي ك نا ات ين ون ا ان ت وا ية يه يات يون تين تان هما كم تي ته تها ى".split(),)
_ENDINGS = frozenset(("ه", "ها", "هم", "ك", "ي", "نا", "هن", "هما"))


def vehicle_at(text: str, line: Sequence[Word], n: int, prefix: int) -> tuple[Span, int] | None:
    """The vehicle's noun at word ``n`` behind ``prefix`` letters, and the number of its last word."""
    if n >= len(line):
        return None
    start, word = line[n].start + prefix, line[n].bare[prefix:]
    follows = line[n + 1].bare if n + 1 < len(line) and line[n + 1].joined else ""
    if word in ("أي", "اي", "أية") and is_noun(follows) and follows not in words("ar", "people"):
        return (
            None
            if n + 2 < len(line) and line[n + 2].bare in ("آخر", "اخر", "أخرى")
            else vehicle_at(text, line, n + 1, 0)
        )
    holder = word in words("ar", "holders") or (_HOLDER.match(word) and not is_noun(word))
    if holder and (is_noun(follows) if word in words("ar", "holders") else follows.startswith("ال")):
        return vehicle_at(text, line, n + 1, 0)  # `كأهل القبور`, `كقابض الجمر`
    if word in words("ar", "no_vehicle") or (word.startswith(("الذ", "الت")) and word in _RELATIVES):
        return None
    while start < line[n].end and _SIGNS.match(text[start]):
        start += 1
    if text.startswith("ال", start) and line[n].end - start > 3:
        start, word = start + 2, word[2:]
        while start < line[n].end and _SIGNS.match(text[start]):
            start += 1
    if len(word) < 2 or word in _AFTER or word in words("ar", "no_vehicle"):
        return None
    end, last = line[n].end, n
    while end > start and text[end - 1] in "\u064b\u064c\u064d":  # tanwin
        end -= 1
    if text[start : line[n].end].endswith(("ًا", "اً")) and line[n].end - start > 4:
        end = line[n].end - 2
    if n + 1 < len(line) and line[n + 1].joined:
        if word.removesuffix("ا") in words("ar", "collectives") and not line[n].bare[prefix:].startswith("ال"):
            skip = 2 if line[n + 1].bare == "من" else 1
            if n + skip < len(line) and (skip == 2 or is_noun(line[n + 1].bare)):
                inner = line[n + skip]
                begin = inner.start + (2 if inner.bare.startswith("ال") else 0)
                return (begin, inner.end), n + skip
        second = line[n + 1].bare
        new = not second.startswith("ال") and not line[n].bare[prefix:].startswith("ال") and second not in _AFTER
        if new and not is_verb(second) and second not in words("ar", "past") and second not in words("ar", "colors"):
            agrees = not word.endswith("ة") or second.endswith(("ة", "ت", "ي", "اء"))
            if (is_noun(second) and second[0] not in "وفبل") or (
                not agrees and len(second) > 3 and second[0] not in "وفبليت"
            ):
                return (start, line[n + 1].end), n + 1
        if (
            word in words("ar", "construct")
            and (is_noun(second) or (second.endswith("ة") and second[1] != "ا"))
            and not second.startswith("ال")
        ):
            return (start, line[n + 1].end), n + 1
        named = line[n + 1].bare
        relation = named.endswith("ية") if word.endswith("ة") else named.endswith("ي") and len(named) > 3
        if relation and not named.startswith("ال") and not line[n].bare[prefix:].startswith("ال"):
            return (start, line[n + 1].end), n + 1
    return (start, end), last


def could_be_thing(word: str) -> bool:
    """Whether an unlisted word after `كأنه` looks like a noun and not like a verb or a participle."""
    if is_noun(word):
        return True
    if len(word) < 4 or word[0] in "يتمأا" or word[1] == "ا":
        return False
    if word.endswith("ة"):
        return word[2] != "ي" or len(word) > 5
    return not word.endswith(("ت", "ي", "ون", "ين", "ان", "ا", "وا", "ه", "ها", "هم")) and not (
        len(word) == 4 and word[2] in "يو"
    )


def end_of(line: Sequence[Word], follows: int, last: int, prefix: int, *, clause: bool) -> tuple[int, bool]:
    """The last word of the comparison, and whether that is clear.

    A new thing takes its adjective or a clause up to the next sign; a known one takes adjectives with the article.
    """
    n = last
    definite = line[follows].bare[prefix:].startswith("ال")
    while n + 1 < len(line) and line[n + 1].joined:
        word = line[n + 1].bare
        if word in _AFTER:
            return n, False
        if word in _WHEN:
            return n, True
        if definite:
            if word.startswith("ال"):
                n += 1
                continue
            if word.startswith("وال"):
                n += 1
                continue
            return n, word[0] in "فو" or is_verb(word)
        if word[0] in "وف" and len(word) > 3 and not clause and is_verb(word):
            return n, True
        n += 1
    return n, True


@cache
def _stems(name: str) -> re.Pattern[str]:
    return re.compile(rf"[وف]?(?:ا|ي|ت|ن|م|أ|مت|يت|تت)?(?:{either('ar', name)})")


def has_stem(word: str, name: str) -> bool:
    """Whether a verb form comes from a listed stem, with the letters that a verb takes before it."""
    return _stems(name).match(word) is not None
