"""Compared clauses: which noun in `كأنه يمشي على طحلب`, `كأن أحدًا نثر ملحًا` a painter would draw."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trope.strategies.guard.arabic.phrases import behind_preposition, follows, is_preposition, is_prepositional, nominal
from trope.strategies.guard.arabic.shapes import is_present, is_quality, is_verb, may_be_verb
from trope.strategies.guard.arabic.words import FEMININE, Word, accusative, definite, listed, owned

# Between `كأنه` and what is said: pronouns, and words that only say of what or how much.
_OVER = frozenset("هو هي هم قد هما هن من مصنوع مصنوعة كلها كله كلهم".split())
_EVERY = ("كل", "بعض")
_FARTHEST = 8  # words from the beginning of a compared clause to its noun, at most


def of_predicate(line: Sequence[Word], n: int, who: str = "", *, guessing: bool = True) -> int | None:
    """The compared noun of what is said of a pronoun: ``كأنه | رغيف``, ``كأنك | تمشي على طحلب``; None: a guess.

    ``who`` is the pronoun's ending; without ``guessing`` verbs of mind count as any other: ``كمن يبحث عن خاتم``.
    """
    while follows(line, n) and line[n].plain in _OVER:
        n += 1
    if n >= len(line) or not line[n].joined:
        return None
    word = line[n]
    if word.plain in listed("not_words"):
        return None
    if is_preposition(word):
        if who == "ي" and follows(line, n + 1) and line[n + 1].plain.endswith("ي"):
            return None  # `كأني في بيتي`
        if word.plain == "على" and follows(line, n + 1) and line[n + 1].plain in listed("intents"):
            return None
        return _thing_behind(line, n, after_preposition=True)
    if who == "ي" and word.plain.startswith("بال"):
        return _said_of(line, n)  # `كأني بالبحر شيخ يغط في نومه`
    first_person = (who == "ي" and word.bare[0] == "أ") or (
        who == "نا" and word.plain[0] == "ن" and len(word.plain) < 6
    )
    joins = word.plain[0] in "وف" and word.plain not in listed("past")  # nothing joins right behind a marker
    if who == "ي" and word.plain.endswith(("تك", "ته", "تها", "تكم")) and not accusative(word):
        return None  # `كأني رأيتك`
    agrees = not (who == "ه" and word.plain[0] == "ت") and not (who == "ها" and word.plain[0] == "ي")
    if first_person or (_surely_does(line, n) and not joins and (agrees or word.plain in listed("past"))):
        return _done_to(line, n, guessing=guessing and who != "ك")
    if (joins or (not agrees and is_present(word.plain))) and len(word.plain) > 2:
        return n
    if not nominal(word) or (owned(word) and not follows(line, n + 1)):
        return None
    if _state(line, n) and not _of_another_gender(who, word.plain):
        return _made_of(line, n)
    return n


def _of_another_gender(who: str, form: str) -> bool:
    """``الحافلة تسعل كأنها مريض``: what does not agree is no state of the subject."""
    return (who == "ها" and not form.endswith(FEMININE)) or (who == "ه" and form.endswith("ة"))


def _made_of(line: Sequence[Word], n: int) -> int | None:
    """``كأنها مفروشة بالمسامير``, ``كأنه مصنوع من بسكويت``."""
    if not follows(line, n + 1) or line[n].plain not in listed("made_of"):
        return None
    word = line[n + 1]
    if word.plain[0] == "ب" and len(word.plain) > 3 and not owned(word, 1):
        return n + 1
    if word.plain == "من" and follows(line, n + 2) and nominal(line[n + 2]):
        return n + 2
    return None


def of_clause(line: Sequence[Word], n: int) -> int | None:
    """The compared noun of a clause with its own subject: ``كأن | أحدا نثر ملحا``, ``كأن | السماء سقف``."""
    if n >= len(line) or not line[n].joined:
        return None
    word = line[n]
    if is_preposition(word) or is_prepositional(word.plain):
        return _thing_behind(line, n, after_preposition=False)
    subject = word.plain.removesuffix("ا") if accusative(word) else word.plain
    if (subject in listed("nobody") or word.plain in listed("nobody")) and follows(line, n + 1):
        if follows(line, n + 2) and is_quality(line[n + 1].plain) and may_be_verb(line[n + 2].plain):
            return _done_to(line, n + 2)  # `كأن يدا خفية نثرت سكرا`
        does = not is_preposition(line[n + 1]) and not is_quality(line[n + 1].plain) and not accusative(line[n + 1])
        if _surely_does(line, n + 1) or may_be_verb(line[n + 1].plain) or (does and not definite(line[n + 1])):
            return _done_to(line, n + 1)
        if line[n + 1].plain == "ما":
            return None
    if word.plain in ("شيئا", "شيء"):
        return None
    if word.plain in _EVERY and follows(line, n + 2):
        return _said_of(line, n + 1)
    if word.plain in listed("past_or_noun") and follows(line, n + 1) and is_prepositional(line[n + 1].plain):
        return _done_to(line, n)  # `كأنما نفخ عليها مارد`
    if definite(word) or owned(word) or (follows(line, n + 1) and _possessed(line, n)):
        return _said_of(line, n)
    if is_verb(word.plain) and not accusative(word):
        return _done_to(line, n)
    return n


def _surely_does(line: Sequence[Word], n: int) -> bool:
    """Whether word ``n`` is a verb of the clause and no noun."""
    word = line[n]
    if definite(word) or accusative(word) or re.match(r"أ..ا.$|أسود$", word.bare):
        return False
    passive = (
        word.text[1:2] == "\u064f"
        and len(word.plain) < 6
        and follows(line, n + 1)
        and (is_preposition(line[n + 1]) or owned(line[n + 1]))
    )
    return is_verb(word.plain) or word.plain in listed("guesses") or passive


def _possessed(line: Sequence[Word], n: int) -> bool:
    after = line[n + 1]
    return not accusative(line[n]) and nominal(line[n]) and (definite(after) or (owned(after) and nominal(after)))


def _state(line: Sequence[Word], n: int) -> bool:
    """``كأنه نائم``: how somebody is, and no thing; a participle that is described names somebody."""
    form = line[n].plain.removesuffix("ا") if accusative(line[n]) else line[n].plain
    described = follows(line, n + 1) and (
        is_present(line[n + 1].plain) or (is_quality(line[n + 1].plain) and nominal(line[n + 1]))
    )
    if form in listed("states"):
        return not described or form[0] == "ا"
    passive = re.match(r"م..و.ة?$|مت.{2,4}ة?$", form) is not None and form not in listed("no_quality")
    return passive and not described


def _said_of(line: Sequence[Word], n: int) -> int | None:
    """The noun that is said of a known subject."""
    m = n + 1
    if (
        follows(line, m)
        and line[m].plain in ("على", "في", "فوق", "علي", "تحت")
        and follows(line, m + 1)
        and nominal(line[n])
    ):
        rest = line[m + 1 : n + _FARTHEST]
        if not any(nominal(word) and not definite(word) and not owned(word) for word in rest[1:]):
            return n  # `كأن الطير على رؤوسهم`
    while m < min(len(line), n + _FARTHEST) and line[m].joined:
        word = line[m]
        if is_preposition(word) and not definite(word):
            m += 2 if word.plain not in ("حتى", "ثم", "او", "بل") else 1
            continue
        if _surely_does(line, m):
            if word.plain[0] == "س" or word.plain == "سوف":
                return None
            return _done_to(line, m)
        object_behind = follows(line, m + 1) and owned(line[m + 1]) and nominal(line[m + 1])
        if object_behind and len(word.plain) == 3 and not definite(word):
            return _done_to(line, m)  # `كأن الكون كتم أنفاسه`: a verb
        if not (definite(word) or owned(word)) and nominal(word) and word.plain not in ("كله", "كلها"):
            return _made_of(line, m) if _state(line, m) else m
        m += 1
    return None


def _thing_behind(line: Sequence[Word], n: int, *, after_preposition: bool) -> int | None:
    """The new thing in ``كأن في صدره جمرة``, or of ``كأنه في فرن``."""
    for m in range(n + 1, min(len(line), n + _FARTHEST)):
        word = line[m]
        if not word.joined:
            return None
        if definite(word) and m + 1 == len(line) and m > n + 1:
            return m  # `كأن على رؤوسهم الطير`
        mine = is_preposition(line[m - 1]) and word.plain.endswith("ي") and len(word.plain) > 3 and follows(line, m + 1)
        if (
            mine
            or is_preposition(word)
            or definite(word)
            or owned(word)
            or word.plain in ("كل", "واحد", "واحدة", "بعض")
        ):
            continue
        if line[m - 1].plain in _EVERY:
            continue
        if _surely_does(line, m):
            return _done_to(line, m)
        if word.plain == "حلم":
            return None
        if nominal(word) and not (m > n + 1 and after_preposition and is_quality(word.plain)):
            return m
    return None


def _object(word: Word) -> bool:
    """With the alif of an object, its tanwin left out: ``فتح فرنا``."""
    return (word.plain.endswith("ا") and len(word.plain) > 3 and not word.plain.endswith(("ها", "وا", "نا"))) or (
        len(word.plain) == 4 and word.plain.endswith("نا")
    )


def _done_to(line: Sequence[Word], n: int, *, guessing: bool = True) -> int | None:
    """The thing in ``كأنه ابتلع جمرة``, ``كأنها تمشي على شوك``; None where the clause guesses or names nothing new."""
    if line[n].plain in listed("minds") or (
        guessing and (line[n].plain in listed("guesses") or line[n].plain.removeprefix("س") in listed("guesses"))
    ):
        return None
    walked_on: int | None = None
    if line[n].plain[0] == "س" and is_present(line[n].plain):
        return None
    for m in range(n + 1, min(len(line), n + _FARTHEST)):
        word = line[m]
        another = word.plain[0] == "و" and word.plain not in listed("waw") and is_verb(word.plain)
        if not word.joined or another or word.plain in listed("particles"):
            return walked_on
        if is_preposition(word):
            continue
        if definite(word):
            walked_on = m if not guessing or (m == n + 2 and line[n + 1].plain == "على") else walked_on
            continue
        mine = (
            word.plain.endswith("ي")
            and len(word.plain) > 3
            and follows(line, m + 1)
            and behind_preposition(line, m + 1) > 0
        )
        if (
            mine
            or (owned(word) and (not word.plain.endswith("نا") or is_preposition(line[m - 1])))
            or word.plain in listed("nobody")
            or not (nominal(word) or _object(word))
        ):
            continue
        if accusative(word) and is_quality(word.plain.removesuffix("ا")) and not follows(line, m + 1):
            continue
        return m
    return walked_on
