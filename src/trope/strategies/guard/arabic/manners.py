"""Comparison of how something is done and of degree: `كما تنطفئ شمعة`, `وثب وثبة النمر`, `أرق من النسيم`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.marker import Marker
from trope.strategies.guard.arabic.phrases import follows, is_preposition, nominal
from trope.strategies.guard.arabic.shapes import is_quality, is_verb, may_be_verb, says_quality
from trope.strategies.guard.arabic.words import Word, definite, listed, of, owned


def as_it_does(line: Sequence[Word], at: int) -> Marker | None:
    """``كما تنطفئ شمعة``: a verb and who does it; ``كما في``, ``كما قال`` compare nothing."""
    if not follows(line, at + 2) or (line[at + 1].plain[0] not in "يت" and not is_verb(line[at + 1].plain)):
        return None
    verb = line[at + 1].plain
    if (
        verb in listed("says")
        or verb.removesuffix("ه") in listed("says")
        or verb.removesuffix("ها") in listed("says")
        or of(verb, "linking")
    ):
        return None
    if verb.endswith(("ه", "ها")) and verb not in _ENDS_IN_HA:
        return None  # `كما رسمه دافيد`: the same thing
    noun = at + 2
    if is_preposition(line[noun]) and follows(line, at + 4) and not definite(line[at + 4]):
        noun = at + 4
    if line[noun].plain == "المرء" and follows(line, noun + 1):
        noun += 1
    if not nominal(line[noun]) or owned(line[noun]):
        return None
    return Marker("as it does", (line[at].start, line[at].end), at, noun, 0, clause=True)


_ENDS_IN_HA = frozenset("تتجه يتجه يشبه تشبه ينتبه تنتبه يتوه تتوه يكره تكره تتنبه يتنزه تتنزه يتأوه تتأوه".split())


def just_as(line: Sequence[Word], at: int) -> Marker | None:
    """``ركض كما الغزال``: a noun right behind it."""
    if at == 0 or not follows(line, at + 1) or not definite(line[at + 1]) or is_verb(line[at + 1].plain):
        return None
    return Marker("like", (line[at].start, line[at].end), at, at + 1)


def more(line: Sequence[Word], at: int) -> Marker | None:
    """``أحلى من العسل``: more of a quality than the thing that stands for it."""
    thing = line[at + 2]
    if line[at].plain in listed("colors") and (
        not definite(thing) or at == 0 or not (definite(line[at - 1]) or owned(line[at - 1]))
    ):
        return None  # `ضوء أزرق من الباب`
    if not nominal(thing) or owned(thing) or of(thing.plain, "no_vehicle") or of(thing.plain, "people"):
        return None
    if any(word.plain in listed("by_measure") for word in line[at + 3 : at + 6] if word.joined):
        return None  # `أسرع من القطار بعشر دقائق`
    return Marker("more", (line[at].start, line[at + 1].end), at, at + 2)


# Patterns of the nouns of action, each with its name or a word that has it.
_ACTIONS = {
    "فعل": "[^اتيم][^اوي][^اوي]",
    "نوم": "[^اوي]و[^اوي]",
    "سير": "[^اوي]ي[^اوي]",
    "فعلة": "[^اوي]{3}ة",
    "فعول": "[^اوي][^ا]و[^اوي]",
    "فعيل": "[^اوي]{2}ي[^اوي]",
    "فعلان": "[^او]{3}ان",
    "دوران": "[^اوي]و[^اوي]ان",
    "انفعال": "ان[^ا]{2}ا[^وي]",
    "افتعال": "ا[^اوي]ت[^اوي]ا[^وي]",
    "استفعال": "است[^اوي]{2}ا[^وي]",
    "تفعل": "ت[^اوي]{3,4}",
    "فعللة": "[^اوي]{4}ة",
    "تفاعل": "ت[^اوي]ا[^اوي]{2}",
    "تراخ": "ت[^اوي]ا[^اوي]",
    "افعال": "ا[^اوي]{2}ا[^وي]",
}
_ACTION = re.compile(f"(?:{'|'.join(_ACTIONS.values())})$")
_WEAK = re.compile("[اويىئءة]")


def _bones(form: str) -> str:
    """The consonants of a form, a doubled one once."""
    return re.sub(r"(.)\1", r"\1", _WEAK.sub("", form))


def _root(bones: str) -> str:
    """Without the letters of a derived form: ``انفتح``, ``تفتح``, ``استدار``."""
    for letters in ("ست", "ن", "ت"):
        if bones.startswith(letters) and len(bones) - len(letters) > 2:
            return bones[len(letters) :]
    return bones


@lru_cache(maxsize=8192)
def _verb_bones(verb: str, bones: str) -> bool:
    """Whether a verb has these consonants, without the letters of its person."""
    return any(_root(_bones(stem)) == bones for stem in _verb_stems(verb))


def same_verb(verb: str, other: str) -> bool:
    """Whether two forms are of one verb: ``يشرب``, ``شربت``."""
    return any(
        len(bones) > 1 and _verb_bones(other, bones) for stem in _verb_stems(verb) if (bones := _root(_bones(stem)))
    )


def _verb_stems(verb: str) -> list[str]:
    stems = [verb, verb.removeprefix("و").removeprefix("ف")]
    stems += [stem[1:] for stem in tuple(stems) if stem and stem[0] in "يتنم"]
    stems += [
        stem.removesuffix(end)
        for stem in tuple(stems)
        for end in ("ت", "ون", "ان", "ن", "وا", "ين", "نا")
        if stem.endswith(end)
    ]
    return stems


def done_as(line: Sequence[Word], at: int) -> Marker | None:
    """``وثب وثبة النمر``: somebody does it the way a thing does; the verb and its noun have the same bones."""
    if at == 0 or not line[at].joined or not follows(line, at + 1) or line[at].plain in listed("cognate_objects"):
        return None
    thing = line[at + 1]
    if is_preposition(line[at]) or not nominal(thing) or owned(thing) or definite(line[at]) or thing.plain[:3] == "كال":
        return None
    if of(thing.plain, "occasions") or (
        not definite(thing)
        and says_quality(thing)
        and (thing.plain not in listed("states") or thing.plain.endswith("ة"))
    ):
        return None
    form = line[at].plain
    if line[0].plain in ("كما", "مثلما") and is_verb(form):
        return None  # `كما يشرب الرجل القهوة تشرب المرأة الشاي`
    if form not in listed("doings") and not _ACTION.match(form):
        return None
    bones = _root(_bones(form.removesuffix("ان").removesuffix("ات") if len(form) > 4 and form[0] != "ا" else form))
    for word in line[max(0, at - 10) : at]:
        acting = may_be_verb(word.plain) or (word.plain[0] == "م" and len(word.plain) > 3)
        if len(bones) > 1 and acting and not definite(word) and _verb_bones(word.plain, bones):
            return Marker("done as", (line[at].start, line[at].end), at, at + 1)
    return None


def measure(line: Sequence[Word], at: int, trait: int) -> Marker | None:
    """``بخفة الفراشة``: a quality in the measure of a thing."""
    thing = line[trait + 1]
    form = thing.plain.removeprefix("ال")
    if not nominal(thing) or owned(thing) or is_quality(form) or form[0] == "ك" or at == 0:
        return None
    return Marker("done as", (line[at].start, line[trait].end), at, trait + 1)
