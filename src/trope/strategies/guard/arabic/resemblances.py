"""Reasons of a real resemblance: kin, two of a kind, tastes, examples, what is seen in a cloud."""

from __future__ import annotations

import re
from functools import lru_cache

from trope.strategies.guard.arabic.candidates import Candidate
from trope.strategies.guard.arabic.marker import PARTICLES, WORDS
from trope.strategies.guard.arabic.phrases import follows, nominal
from trope.strategies.guard.arabic.shapes import acts, is_quality, is_verb, says_quality, surely_verb
from trope.strategies.guard.arabic.words import NEARBY, TANWIN, Word, definite, listed, of, owned


def owned_or_kin(c: Candidate) -> bool:
    """``يشبه أباه``, ``مثل زملائه``: somebody's own people and things."""
    word = c.line[c.marker.noun]
    form = word.plain[c.marker.letter :]
    if c.marker.clause and c.marker.kind == "as if":
        return False
    if form in _SHADOWS:
        return False
    kin = listed("kin")
    if form in kin and form[-1] in "يهاو" and len(form) > 2:
        return True
    if form in kin and follows(c.line, c.last + 1) and c.line[c.last + 1].plain in ("له", "لها", "لهم", "لنا", "لي"):
        return True
    if owned(word, c.marker.letter):
        return True
    if c.last > c.marker.noun - 1 and follows(c.line, c.last + 1) and owned(c.line[c.last + 1]) and not c.known:
        after = c.line[c.last + 1]
        return nominal(after) and of(after.plain, "kin") and not _bodily(form)
    if follows(c.line, c.last + 1) and c.line[c.last + 1].plain in kin and c.line[c.last + 1].plain[-1] == "ي":
        return not _bodily(form)
    both = c.line[c.last + 1].plain if follows(c.line, c.last + 1) else ""
    return c.noun in ("احدهما", "احداهما", "بعض", "بعضهما", "بعضهم") or both in ("الاخرى", "الاخر")


_SHADOWS = frozenset("ظله ظلها ظلهم ظلي ظلك ظلنا".split())


def _bodily(form: str) -> bool:
    return form in listed("attributes") or form in ("حضن", "عين", "كف", "دعاء")


def two_of_a_kind(c: Candidate) -> bool:
    """``جلبابا كجلباب جده``, ``كلب مثل الذئب``, ``حيوان كالوشق``: the same noun, its kind, or its sibling."""
    before = c.line[max(0, c.at - NEARBY) : c.at]
    itself = c.form
    near = [*c.line[max(0, c.at - 12) : c.at], *c.line[c.at + 1 : c.marker.noun]]
    if any(same(word.plain, c.noun) or same(word.plain, itself) for word in near):
        return True
    if any(_plural_of(word.plain, itself, 4) for word in near):
        return True
    found = c.head
    if found is None:
        return False
    n, head = found
    if _plural_of(head.plain, itself, 3):
        return True
    beside = any(of(word.plain, "animals") for word in c.line[max(0, n - 1) : c.at])
    if of(c.noun, "animals") and beside and not acts(c.line, n, c.at):
        return not acts(c.line, c.start, c.at) or not says_quality(c.line[c.at - 1])
    if not definite(head) and of(head.plain, "hypernyms") and c.marker.kind in WORDS:
        return True
    return bool(before) and c.marker.kind == "resembles" and _a_name(c, head)


_LONG = re.compile("[اوي]")


@lru_cache(maxsize=16384)
def same(word: str, noun: str) -> bool:
    """Whether a word names the same thing as the noun: with article, number or owner."""
    if len(word) > 4 and word[0] in "بلك" and word[1:] == noun:
        return True
    if len(word) > 3 and word[0] == "و" and word not in listed("waw") and same(word[1:], noun):
        return True
    word = word.removeprefix("ال") if len(word) > 4 else word
    if noun[-1] in "كي" and len(noun) > 4 and word[-1] in "كيه" and word[:-1] == noun[:-1]:
        return True  # `هاتفي مثل هاتفك`
    if len(noun) > 3 and word == noun.removesuffix("نا"):
        return True
    noun = noun.removesuffix("ا") if len(noun) > 3 else noun
    if len(noun) < 3:
        return word == noun
    stem = noun.removesuffix("ة")
    bones, others = _LONG.sub("", word), _LONG.sub("", noun)
    if (
        len(bones) > 1
        and word not in ("فيه", "فيها", "فوه")
        and bones == others
        and len(word) != len(noun)
        and "و" in word + noun
        and "ا" in word + noun
    ):
        return True  # `باب`, `أبواب`
    inflected = [noun + ending for ending in ("", "ا", "ه", "ها", "ين", "ان")]
    inflected += [stem + ending for ending in ("ته", "تها", "ات")]
    of_somebody = [noun.removesuffix(owner) for owner in ("ي", "ك", "نا")]
    of_somebody += [noun.removesuffix(owner) + "ة" for owner in ("تك", "تي") if noun.endswith(owner)]
    one = noun.removesuffix("ات") if len(noun) > 4 else noun
    return word in inflected or word in of_somebody or word in (one, one + "ة")


@lru_cache(maxsize=16384)
def _plural_of(word: str, noun: str, least: int) -> bool:
    """``فستان``, ``فساتين``: the same consonants, at least so many, in another pattern."""
    word = word.removeprefix("ال").removesuffix("ا")
    bones = _LONG.sub("", word)
    return len(bones) >= least and bones == _LONG.sub("", noun) and len(word) != len(noun) and word[0] == noun[0]


def _a_name(c: Candidate, head: Word) -> bool:
    """``رجل يشبه تشارلي شابلن``: a person beside a person's name."""
    if not of(head.plain, "people") or c.known:
        return False
    word = c.line[c.marker.noun]
    if word.plain.endswith("ا") and len(word.plain) > 5 and not word.text.endswith(TANWIN):
        return True
    after = c.line[c.marker.noun + 1] if follows(c.line, c.marker.noun + 1) else None
    return (
        after is not None
        and len(word.plain) > 4
        and word.plain.endswith(("ي", "و", "ا"))
        and nominal(after)
        and not is_quality(after.plain)
    )


def natural(c: Candidate) -> bool:
    """``سحابة تشبه الأرنب``: what children see in it."""
    before = c.line[max(0, c.at - NEARBY) : c.at]
    hides = any(word.plain in ("يختبئ", "تختبئ", "يتوارى", "تتوارى", "يندس", "تندس") for word in before)
    if hides and any(of(word.plain, "mimics") for word in before):
        return True
    if of(c.form, "animals") and not c.described and c.marker.kind in ("like", "kaf", "as if"):
        part = c.line[c.start : c.at]
        return any(word.plain in ("غيمة", "سحابة", "صخرة") for word in part)
    if c.marker.kind != "resembles" or c.described:
        return False
    found = c.head
    if found is not None and not owned(found[1]):
        names = (
            (found[1].plain, c.line[found[0] - 1].plain) if found[0] > 0 and definite(found[1]) else (found[1].plain,)
        )
        if any(of(name, "mimics") for name in names):
            return True
    near = range(max(c.start, c.at - 4), c.at)
    return any(
        (c.line[n].plain in listed("nature") or c.line[n].plain in ("الصخرة", "الصخور"))
        and not acts(c.line, n + 1, c.at)
        and (definite(c.line[n]) or not (follows(c.line, n + 1) and definite(c.line[n + 1])))
        for n in near
    )


def tasted(c: Candidate) -> bool:
    """``طعمها مثل طعم الجبنة``: a taste, a smell, a measure really is like another."""
    form = c.line[c.marker.noun].plain[c.marker.letter :].removeprefix("ال")
    return form in listed("senses") and any(_shares(word.plain, form) for word in c.line[max(0, c.at - 8) : c.at])


def _shares(word: str, form: str) -> bool:
    word = word.removeprefix("ال")
    return word[:3] == form[:3] or word in listed("senses")


def among(c: Candidate) -> bool:
    """``حيوانات مثل الماعز والدجاج``, ``أدوات كالمطرقة والمفك``: examples of a kind."""
    if c.marker.kind not in PARTICLES:
        return False
    nxt = c.line[c.last + 1] if follows(c.line, c.last + 1) else None
    joined = (
        nxt is not None
        and nxt.plain[0] == "و"
        and len(nxt.plain) > 3
        and nxt.plain not in listed("waw")
        and not is_verb(nxt.plain)
    )
    found = c.head
    goes_on = nxt is not None and (
        nxt.plain.startswith("وال")
        or nxt.plain == "او"
        or (joined and any(many(word.plain) for word in c.line[max(0, c.at - 2) : c.at]))
    )
    if found is None:  # `حيوانات ليلية، كالبومة والقنفذ`
        kind = any(of(word.plain, "generic") for word in c.line[max(0, c.at - 3) : c.at])
        return goes_on and (c.at == 0 or (kind and not c.line[c.at].joined))
    if nxt is not None and nxt.plain == "او":
        return not c.described
    joined_kind = joined and any(of(c.line[n].plain, "generic") for n in range(max(0, found[0] - 1), c.at))
    goes_on = goes_on or joined_kind
    kinds = [c.line[n] for n in range(max(0, found[0] - 1), c.at) if of(c.line[n].plain, "generic")]
    if kinds and goes_on:
        return True
    if c.described:
        return False
    if not c.known and any(word.plain in listed("named_kinds") for word in kinds):
        return True  # `شخصية مثل سبونج بوب`
    if kinds and (
        goes_on or (c.known and not definite(kinds[-1]) and not owned(kinds[-1]) and not acts(c.line, 0, c.at))
    ):
        return True
    if not goes_on or says_quality(c.line[c.at - 1]) or c.last + 2 >= len(c.line):
        return (
            goes_on
            and not says_quality(c.line[c.at - 1])
            and any(many(word.plain) for word in c.line[max(0, c.at - 2) : c.at])
        )
    clause = surely_verb(c.line[c.last + 2]) and follows(c.line, c.last + 2)  # `كالتمثال والناس يمرون`
    return not clause and any(many(word.plain) for word in c.line[max(0, c.at - 2) : c.at])


def many(form: str) -> bool:
    """Whether a plain form has the shape of a plural."""
    return _PLURAL.match(form) is not None


# `سيارات`, `معلمون`; `أقلام`, `أجنحة`, `مصابيح`, `قوارب`, `قلوب`, `رسائل`
_PLURAL = re.compile(r".*(?:ات|ون|ين)$|(?:ال)?(?:ا..ا.|ا...ة|م.ا.ي?.|.وا.ي?.|.[^ا]و.|.[^ا]ائ.)$")


def hybrid(c: Candidate) -> bool:
    """``نصفه الأعلى كإنسان``: parts of a creature, to be drawn."""
    return any(
        word.plain.startswith(("نصفه", "نصفها", "ونصفه", "ونصفها", "براس")) for word in c.line[max(0, c.at - 3) : c.at]
    )


def serves(c: Candidate) -> bool:
    """``يعتبر الجسر بمثابة بوابة``: what serves as another; somebody who is said to be a thing is likened to it."""
    if c.marker.kind != "serves":
        return False
    if not any(definite(word) for word in c.line[: c.at]):
        return not any(of(word.plain, "linking") for word in c.line[: c.at])
    somebody = any(of(w.plain, name) for w in c.line[: c.at] for name in ("people", "kin", "roles_played"))
    return not (somebody and any(of(word.plain, "linking") for word in c.line[: c.at]))
