"""Reasons that lie in an order: likeness that is ordered, sewn, baked, played, painted, or a use made of something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trope.strategies.guard.arabic.candidates import Candidate
from trope.strategies.guard.arabic.marker import PARTICLES, PREDICATES
from trope.strategies.guard.arabic.phrases import follows, is_preposition
from trope.strategies.guard.arabic.resemblances import many
from trope.strategies.guard.arabic.shapes import acts, is_quality, is_verb, says_quality
from trope.strategies.guard.arabic.words import FEMININE, Word, definite, listed, of, owned, stem_of


def shaped(c: Candidate) -> bool:
    """``على شكل زرافة``, ``مصمم كثعبان``, and a text that begins by ordering a design."""
    if c.marker.kind == "shape" or c.form in ("شكل", "هيئة", "مظهر"):
        return True
    if c.before is not None and c.before.plain in ("شكلا", "بحيث", "هيئة", "الشكل"):
        return True
    plainly = c.before is not None and not says_quality(c.before) and not acts(c.line, c.start, c.at)
    if (
        c.design
        and plainly
        and c.marker.kind not in ("more", "done as", "as it does", "taken for")
        and not owned(c.line[c.at - 1])
    ):
        return True
    near = range(max(0, c.at - 5), c.at)
    if any(
        c.line[n].plain in ("تصميمه", "تصميمها", "شكله", "شكلها", "بنائه", "بنائها")
        for n in range(c.at + 1, c.marker.noun)
    ):
        return True
    if c.at > 0 and re.match(r"[وف]?[يت]?جعل[ت]?(?:ه|ها|هم)$", c.line[c.at - 1].plain) and c.marker.kind == "resembles":
        return True  # `مكياج يجعلها تشبه كليوباترا`
    return any(
        (
            c.line[n].plain in listed("made")
            or c.line[n].plain
            in ("لتبدو", "ليبدو", "ليبدوا", "ليشبه", "لتشبه", "ليظهر", "لتظهر", "ليصبح", "لتصبح", "ليصير", "لتصير")
        )
        and not owned(c.line[n])
        and not acts(c.line, n + 1, c.at)
        for n in near
    ) or c.line[c.at].plain in ("ليشبه", "لتشبه", "ليحاكي", "لتحاكي")


def ordered(c: Candidate) -> bool:
    """``ارسم قطة كالنمر`` orders the look, ``ارسم طفلة ترقص كريشة`` and ``قطة سوداء كالليل`` do not."""
    first = next(
        (n for n in range(max(0, c.at - 5), c.at) if c.line[n].plain in listed("orders") and not definite(c.line[n])),
        None,
    )
    if c.line[0].plain in listed("orders"):
        first = 0
    if first is not None and of(c.form, "people") and not c.described:
        return True
    if first is None or acts(c.line, first + 1, c.at) or not c.line[c.at].joined:
        return False
    if c.before is None or says_quality(c.before) or owned(c.before):
        return False
    return not any(word.bare[0] == "ل" and len(word.bare) > 3 for word in c.line[first + 1 : c.at])


def product(c: Candidate) -> bool:
    """``مصباح كأنه زهرة``, ``كرسي ظهره كأنه جناح``: a new thing that is made, and nothing done before the marker."""
    if (
        c.marker.kind in ("as it does", "more", "done as")
        or c.before is None
        or (c.described and c.marker.kind != "resembles")
    ):
        return False
    if c.marker.noun > c.at + 1 and c.line[c.at + 1].plain == "في":
        return False  # `تحاكي في لمعانها زئبقًا`
    start = c.start
    first = c.line[start]
    new = not (follows(c.line, start + 1) and definite(c.line[start + 1]))
    if (
        new
        and not definite(first)
        and not owned(first)
        and of(first.plain, "products")
        and not acts(c.line, start + 1, c.at)
        and not any(is_preposition(word) and word.plain != "من" for word in c.line[start : c.at])
    ):
        return not any(
            of(word.plain, "linking") and word.plain not in ("يبدو", "تبدو") for word in c.line[start : c.at]
        )
    found = c.head
    if found is None:
        return False
    n, head = found
    if not _agrees(c, head) or (n > 0 and is_preposition(c.line[n - 1]) and c.marker.kind in PARTICLES):
        return False
    construct = n > 0 and head.joined and of(c.line[n - 1].plain, "products") and not definite(c.line[n - 1])
    if construct and not definite(head):
        return True
    made = of(head.plain, "products") or (head.plain[0] == "ب" and head.plain[1:] in listed("products"))
    return not definite(head) and not owned(head) and made


def _agrees(c: Candidate, head: Word) -> bool:
    """Whether ``كأنه`` or ``تشبه`` agrees with the noun before it, so that it is said of that."""
    form = c.line[c.at].plain
    feminine = form.endswith("كانها") or form in ("تشبه", "تحاكي", "تضاهي", "تماثل")
    masculine = form.endswith("كانه") or form in ("يشبه", "يحاكي", "يضاهي", "يماثل")
    return not (masculine and head.plain.endswith("ة")) and not (feminine and not _feminine_looking(head.plain))


def _feminine_looking(form: str) -> bool:
    return form.endswith((*FEMININE, "اء")) or many(form) or len(form) < 4


def played(c: Candidate) -> bool:
    """``طفل يقفز مثل الضفدع، يقلد زملاءه``: imitation, costume, camouflage."""
    near = range(max(0, c.at - 8), min(len(c.line), c.last + 9))
    meant = (c.line[n].plain for n in range(max(1, c.at - 2), c.at) if c.line[n - 1].plain in ("كي", "لكي", "كيما"))
    if any(form in ("يبدو", "تبدو", "ابدو", "نبدو", "يبدوا", "يظهر", "تظهر") for form in meant):
        return True
    if any(
        c.line[n].plain in listed("imitation") and not c.at <= n <= c.last and not _uniform(c.line, n) for n in near
    ):
        return True
    if c.before is not None and c.before.plain in listed("false"):
        return True
    for n in range(max(0, c.at - 5), c.at):
        if stem_of(c.line[n].plain, "worn") and is_verb(c.line[n].plain):
            moved = acts(c.line, n + 1, c.at)
            if not moved and (owned(c.line[c.at - 1]) or n == c.at - 1 or of(c.form, "people")):
                return True
            if moved and of(c.form, "people") and c.marker.kind in PARTICLES:
                return True
    return False


def _uniform(line: Sequence[Word], n: int) -> bool:
    """``بزي أبيض``: clothes of a color."""
    if line[n].plain == "زي" and n > 0 and not any(stem_of(word.plain, "worn") for word in line[max(0, n - 3) : n]):
        return (
            line[n].joined
            and not is_preposition(line[n - 1])
            and not (follows(line, n + 1) and is_quality(line[n + 1].plain))
        )
    return (
        line[n].plain == "بزي"
        and follows(line, n + 1)
        and (line[n + 1].plain in listed("colors") or line[n + 1].plain == "موحد")
    )


def pictured(c: Candidate) -> bool:
    """``بأسلوب يشبه الرسوم``, ``تبدو كصورة``: style and medium."""
    if of(c.form, "pictures"):
        return any(
            of(word.plain, "pictures") or word.plain.removesuffix("ه").removesuffix("ها") in listed("orders")
            for word in c.line[: c.at]
        )
    first = c.line[c.start]
    if of(first.plain, "pictures") and not definite(first) and of(c.line[c.at - 1].plain, "linking"):
        return True  # `صورة تبدو كأنها التقطت بكاميرا قديمة`
    found = c.head
    if found is None or c.marker.kind not in PREDICATES:
        return False
    head = found[1].plain
    if found[0] > 0 and is_preposition(c.line[found[0] - 1]):
        return False
    return of(head, "pictures") or head in ("خلفية", "الوان", "نسيج", "اسلوب", "باسلوب", "الخلفية")


def a_part_played(c: Candidate) -> bool:
    """``تعمل كمعلمة``, ``استخدم الحجر كمطرقة``: a part or a use; ``تعمل كالآلة`` compares."""
    if c.line[c.marker.noun].plain in ("اي", "اية"):
        return of(c.noun, "roles_played") or of(c.noun, "people")
    if c.marker.kind != "kaf" or c.known:
        return False
    before = c.line[max(0, c.at - 8) : c.at]
    if any(word.plain.startswith("بصفت") for word in before):
        return True
    if (
        any(stem_of(word.plain, "roles") and word.plain[0] != "م" and not definite(word) for word in before)
        and not of(c.noun, "animals")
        and c.noun not in _WORKS
    ):
        return True
    if (
        follows(c.line, c.last + 2)
        and c.line[c.last + 1].plain in ("لا", "وليس")
        and c.line[c.last + 2].plain[0] == "ك"
    ):
        return True  # `كطبيب لا كصديق`
    role = of(c.noun, "roles_played") or of(c.form, "roles_played") or of(c.noun, "no_vehicle")
    if any(word.plain in listed("used") for word in before):
        put = any(word.plain in _PUTS for word in before)
        return role or (put and of(c.noun, "products"))
    if c.at == 0:
        return role or of(c.form, "people")
    found = c.head
    return found is not None and of(found[1].plain, "products") and not definite(found[1]) and not c.described


_PUTS = frozenset("وضع وضعت يضع تضع ضع نضع ترك جعل جعلت".split())
_WORKS = ("الة", "نحلة", "نملة", "محرك", "ساعة", "ماكينة", "ثور")
