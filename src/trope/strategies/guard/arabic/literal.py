"""Reasons why a comparison is no figure: it is denied, hearsay, found out, an instruction, pointing, or no sentence."""

from __future__ import annotations

import re

from trope.strategies.guard.arabic.agreement import is_being
from trope.strategies.guard.arabic.candidates import Candidate
from trope.strategies.guard.arabic.manners import same_verb
from trope.strategies.guard.arabic.marker import PARTICLES
from trope.strategies.guard.arabic.phrases import follows, is_preposition
from trope.strategies.guard.arabic.shapes import acts, may_be_verb, surely_verb
from trope.strategies.guard.arabic.verbs import DIFFERS
from trope.strategies.guard.arabic.words import NEARBY, definite, listed, of

_NEGATIONS = frozenset(
    join + word for join in ("", "و", "ف") for word in "ليس ليست لست ليسا ليسوا لسنا لا لم لن ما بلا غير".split()
)


# After `لا`, `لم`: nothing, nobody, and `I see`, `you would say` that there is no such thing.
_NOTHING_LIKE = frozenset("شيء احد مثيل ار يوجد ارى نرى اجد تقل تقولي تقولوا تقارن تحسب تظن".split())


def denied(c: Candidate) -> bool:
    """``ليست بشرتها كالحليب``, ``لا شيء مثل بيت الجدة``, ``لم أر مثل هذا``."""
    start = c.start
    part = c.line[start : c.at]
    if not any(word.plain in _NEGATIONS for word in part):
        return False
    for n, word in enumerate(part):
        form = word.plain.removeprefix("و").removeprefix("ف")
        after = part[n + 1].plain if n + 1 < len(part) else ""
        if form in ("ليس", "ليست", "لست", "ليسا", "ليسوا", "لسنا") and not acts(c.line, start + n + 1, c.at):
            return True
        if c.line[c.at].plain in DIFFERS:
            continue
        if form in ("لا", "لم", "لن", "ما") and (
            after in _NOTHING_LIKE
            or (form in ("لم", "لن") and after in listed("deny") and not acts(c.line, start + n + 2, c.at))
        ):
            return True
    pair = any(word.plain == "ولا" for word in c.line[c.last + 1 : c.last + 4])
    if pair and any(word.plain in ("لم", "لا", "ما") for word in part):
        return True
    if c.at > 1 and c.line[c.at - 2].plain == "ولا":
        return True
    if c.at > 0 and c.line[c.at - 1].plain in ("ولا", "لا", "بلا", "غير"):
        return any(w.plain in ("لم", "ليس", "ليست", "لا") for w in c.line[: c.at - 1]) or c.line[c.at - 1].plain == "لا"
    return False


_FOUND_OUT = frozenset("عرفنا عرفت عرف ادركنا ادركت ادرك فعرفنا فعرفت فادركت فادركنا".split())


def told(c: Candidate) -> bool:
    """``يقال إن في البحيرة مخلوقًا يشبه الأفعى``, ``وأكدت الآثار أنه وشق بالفعل``: hearsay, or what it was."""
    if any(word.plain in listed("reports") for word in c.line[: min(3, c.at)]) and c.marker.kind != "as if":
        return True
    after = c.line[c.last + 1 : c.last + NEARBY]
    if not c.known and c.last == c.marker.noun and any(word.plain == c.form for word in after):
        return True  # somebody's name
    if any(of(word.plain, "turned_out") for word in after):
        return True
    if any(word.plain == "هل" for word in c.line[: min(4, c.at)]):
        return True
    if any(
        word.plain in _FOUND_OUT and after[n + 1].plain in ("انه", "انها", "انهم", "انهما")
        for n, word in enumerate(after[:-1])
    ):
        return True
    seen = any(
        of(word.plain, "guesses") or of(word.plain.removesuffix("نا"), "guesses")
        for word in c.line[max(0, c.at - 8) : c.at]
    )
    heard = c.marker.kind in PARTICLES and c.marker.noun > c.at and c.at > 0
    if heard and seen and c.line[c.at - 1].plain.removesuffix("ا") in ("صوت", "رائحة", "ضوء", "نور", "وقع"):
        return True  # `سمعت صوتًا كصوت بكاء طفل`
    if c.at > 0 and c.line[c.at - 1].plain in ("ما", "شيئا", "شيء") and seen and c.marker.kind == "resembles":
        return True  # `ترى في الفنجان ما يشبه الطائر`
    once = c.marker.kind == "taken for" and re.match(r"[وف]?(?:ظنن|حسبت|حسبن|خلت|خلن)", c.line[c.at].plain) is not None
    if once and any(word.plain.startswith(("فوجد", "فكان", "وكان", "فاذا")) for word in after):
        return True
    if once and any(word.plain in ("ثم", "لكن", "لكنه", "لكنها", "ولكن", "فاذا", "حتى") for word in after):
        return True
    return any(
        word.plain == "فاذا" and n + 1 < len(after) and after[n + 1].plain in ("هو", "هي", "هم", "به", "بها")
        for n, word in enumerate(after)
    ) and c.marker.kind in ("taken for", "as if", "resembles")


def done_by_people(c: Candidate) -> bool:
    """``كما يجلس البدو``: people do the same."""
    if c.marker.kind != "as it does":
        return False
    if c.known and c.form.endswith("ية"):  # `كما يتكلم العربية`
        return True
    verb = c.line[c.at + 1].plain
    if verb[0] == "ت" and verb.endswith(("ين", "ون")):  # `كما تمسكين القلم`
        return True
    return of(c.form, "crowd") or (c.known and of(c.form, "kin")) or _both_do_it(c)


def _both_do_it(c: Candidate) -> bool:
    """``كما دخل الحصان الساحة، دخل الفارس``, ``أشرب الماء كما يشرب الرجل القهوة``: one verb, two who do it."""
    verb, line = c.line[c.at + 1].plain, c.line
    being = is_being(line[c.marker.noun]) or line[c.marker.noun].bare == "المرأة"  # in plain letters a mirror as well
    if not (c.known and being):
        return False
    if c.at == 0:
        return any(may_be_verb(word.plain) and same_verb(verb, word.plain) for word in line[c.last + 1 :][:NEARBY])
    its_own = follows(line, c.last + 1) and definite(line[c.last + 1]) and not of(c.form, "animals")
    return its_own and any(may_be_verb(word.plain) and same_verb(verb, word.plain) for word in line[c.start : c.at])


_IMPERATIVE = re.compile(r"ا[^لاتن][^ا]{1,2}ي?$")


def instructed(c: Candidate) -> bool:
    """``ارفع ذراعيك مثل المدربة``: do as somebody does."""
    first = c.line[0].plain if c.line[0].bare[0] not in "أإ" else ""
    person = of(c.form, "people") or of(c.form, "roles_played")
    orders = _IMPERATIVE.match(first) or first in ("قف", "قم", "نم", "سر", "خذ", "كن", "مد")
    if c.marker.kind == "as if" and orders and first not in listed("past") and person:
        return first not in listed("orders")  # `امش كما لو أنك جندي`
    if c.marker.kind == "as it does" and _IMPERATIVE.match(first) and first not in listed("past"):
        return first not in listed("orders") and not acts(c.line, 1, c.at)  # `افرد العجين كما تفرد عجينة البيتزا`
    if _IMPERATIVE.match(first) is None or c.at == 0 or first in listed("past"):
        return False
    return c.known and person


def points(c: Candidate) -> bool:
    """``كالعادة``, ``مثل أي يوم آخر``, ``كغيره``: a habit, a measure, a word that points."""
    form = c.line[c.marker.noun].plain[c.marker.letter :]
    if of(c.noun, "no_vehicle") or of(form, "no_vehicle"):
        return True
    stem = next((form.removesuffix(end) for end in ("ته", "تها", "تهم", "ها", "هم", "ه") if form.endswith(end)), form)
    if stem != form and (stem in listed("no_vehicle") or stem + "ة" in listed("no_vehicle")):
        return True
    if follows(c.line, c.last + 1) and c.line[c.last + 1].plain in ("اخر", "اخرى", "الاخر", "الاخرى"):
        return not (follows(c.line, c.last + 2) and definite(c.line[c.last + 2]))
    return is_preposition(c.line[c.marker.noun]) and c.marker.letter == 0


def alone(c: Candidate) -> bool:
    """``كصقر ...`` at the very beginning compares only if a sentence follows."""
    if c.at > 0 or c.marker.kind not in ("kaf", "like", "done as", "more"):
        return False
    if c.known and c.marker.kind == "like":  # `مثل المنتخب بلاده`
        after = c.last + 1
        while follows(c.line, after) and definite(c.line[after]):
            after += 1
        if follows(c.line, after) and not surely_verb(c.line[after]) and not of(c.line[after].plain, "linking"):
            return True
    rest = c.line[c.last + 1 :]
    if any(surely_verb(word) or of(word.plain, "linking") for word in rest[:NEARBY]):
        return False
    return True
