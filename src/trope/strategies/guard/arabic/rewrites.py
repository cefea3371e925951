"""What a rewrite takes out of an Arabic sentence, and what it puts there, so that the sentence stands."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.arabic.agreement import governed_letter, is_being, joined_letter, known_noun
from trope.strategies.guard.arabic.carried import Said, bare_without, in_its_place, postured
from trope.strategies.guard.arabic.marker import PREDICATES, VERBS, Marker
from trope.strategies.guard.arabic.phrases import follows, is_preposition, nominal
from trope.strategies.guard.arabic.shapes import is_present, is_quality, is_verb, part_start, says_quality, surely_verb
from trope.strategies.guard.arabic.tenors import does
from trope.strategies.guard.arabic.verbs import DIFFERS, NOT
from trope.strategies.guard.arabic.words import Word, definite, listed, of, owned
from trope.strategies.guard.plan import Span

# What is said must follow these.
_ASKS_ON = frozenset("الا انه انها انهم انني اني انك اننا انا هو هي هم انت نحن لكنه لكنها".split())
_ENDS = ".!?؟…"


def rewritten(
    text: str, line: Sequence[Word], marker: Marker, end: int, said: Said, *, sure: bool
) -> tuple[Span, str | None]:
    """The span that goes, and what comes in its place; None: the sentence would not stand and no quality is known."""
    at = marker.at
    stop = line[end].end
    if at == 0:
        return _fronted(line, marker, end)
    if not _may_go(line, at):
        return (_begin(text, line, at, end), stop), None
    if line[at - 1].plain in ("نحو", "بشكل", "بطريقة") and line[at].joined and at > 1:
        at -= 2 if line[at - 2].plain == "على" else 1  # `على نحو يذكر بنهر`
    if line[at].plain in DIFFERS:
        at = next((n for n in range(at - 1, max(0, at - 4), -1) if line[n].plain in NOT), at)
    begin = _begin(text, line, at, end)
    if marker.kind == "more":
        return (line[at].end, stop), "" if sure else None
    if sure:
        cut = _whole_clause(line, at)
        if cut is not None:
            return (_begin(text, line, cut, end), stop), ""
        wanting = bare_without(marker, said)
        instead = in_its_place(text, line, marker, said) if wanting or postured(line, marker, said) else None
        if instead is not None:
            return (begin, stop), instead
        if wanting and not _may_be_bare(line, said):
            return (begin, stop), None
        face = line[at - 1].plain in ("وجهه", "وجهها") and not follows(line, end + 1)  # who has one is drawn with it
        if _leaves_a_part(line, at) and not face:
            return (begin, stop), None
        if stands(text, line, marker):
            cut = _of_the_part(line, marker, end, said)
            return (begin if cut is None else _begin(text, line, cut, end), stop), ""
    if follows(line, end + 1) and says_quality(line[end + 1]) and line[at].joined and _predicate(line, marker):
        return (begin, stop), ""  # `قلبك كالبحر واسع`
    new = not sure and not definite(line[marker.noun], marker.letter) and not (said.tenor and said.tenor.beside)
    doubtful = new and follows(line, end + 1) and is_verb(line[end + 1].plain)  # `الأم كشمعة تحترق`: which of them?
    instead = None if doubtful else in_its_place(text, line, marker, said)
    if instead is not None:
        return (begin, stop), instead
    if said.tenor is not None and said.tenor.head == at - 1 > 0 and owned(line[at - 1]) and is_being(line[at - 2]):
        return (begin, stop), None  # no `رجل ظهره | يجر عربة`
    goes_on = sure and follows(line, end + 1) and line[at].joined and nominal(line[at - 1])
    goes_on = goes_on and not _leaves_a_part(line, at)
    if goes_on and surely_verb(line[end + 1]) and not joined_letter(line[end + 1]):
        return (begin, stop), ""  # `النجوم كالألماس تلمع`
    return (begin, stop), None


def _may_be_bare(line: Sequence[Word], said: Said) -> bool:
    """No ``ذات عينين`` alone, and no ``رجل وجهه`` before more."""
    noun = None if said.tenor is None else known_noun(line[said.tenor.head], said.tenor.letter)
    return not (said.tenor is not None and said.tenor.beside and noun is not None and noun.dual)


def _leaves_a_part(line: Sequence[Word], at: int) -> bool:
    """Whether a part of somebody would stand there with nothing said of it: ``صياد، يداه``, ``جدتي شعرها``."""
    part = at - 1
    if part < 1 or not line[at].joined or not owned(line[part]):
        return False
    if known_noun(line[part]) is None or is_being(line[part]):
        return False
    if line[part].joined and not is_being(line[part - 1], governed_letter(line[part - 1])):
        return False
    start = part_start(line, at)
    done = any(does(line, n, start, at) for n in range(start, part))
    return not done and any(is_being(word, governed_letter(word)) for word in line[max(0, part - 4) : part])


def _of_the_part(line: Sequence[Word], marker: Marker, end: int, said: Said) -> int | None:
    """A part of somebody of which nothing is left to say goes too: ``، وجهه كخريطة``, ``عجوز وجهه كخريطة``."""
    part = marker.at - 1
    if said.tenor is None or said.tenor.head != part or not owned(line[part]) or follows(line, end + 1) or part == 0:
        return None
    before = line[part - 1]
    person = is_being(before, governed_letter(before)) and not definite(before) and not owned(before)
    return part if not line[part].joined or (person and known_noun(line[part]) is not None) else None


def _may_go(line: Sequence[Word], at: int) -> bool:
    """Whether nothing right before asks for the comparison: ``أنه كحجر``, ``إلا كحجر``, ``مثل المدرب كمثل طباخ``."""
    before = line[at - 1].plain.removeprefix("و").removeprefix("ف").removeprefix("ل")
    asks = before in _ASKS_ON
    return not (asks and line[at].joined) and line[0].plain not in ("مثل", "ما", "وما")


def _begin(text: str, line: Sequence[Word], at: int, end: int) -> int:
    """Where the cut begins: behind the word before; behind its comma only where the sentence goes on at once."""
    between = text[line[at - 1].end : line[at].start]
    if between.strip() and follows(line, end + 1):
        return line[at].start - (len(between) - len(between.rstrip()))
    if between.strip() not in ("", "،", ","):
        return line[at].start
    return line[at - 1].end


def _fronted(line: Sequence[Word], marker: Marker, end: int) -> tuple[Span, str | None]:
    """``مثل نمر متأهب، كان الحارس يراقب``: up to the sentence that follows."""
    whole = (marker.span[0], line[end].end)
    if end + 1 >= len(line) or marker.span[0] != line[0].start or marker.kind not in ("kaf", "like", "as if", "more"):
        return whole, None
    goes_on = any(surely_verb(word) or of(word.plain, "linking") for word in line[end + 1 : end + 5])
    return ((marker.span[0], line[end + 1].start), "") if goes_on else (whole, None)


def _whole_clause(line: Sequence[Word], at: int) -> int | None:
    """The first word of a clause that only compares and may go whole: ``حتى صار كالكرة``, ``، تبدو كالكرة``."""
    for n in range(at, max(-1, at - 6), -1):
        form = line[n].plain
        if form == "حتى" and n > 0 and n + 1 <= at and (of(line[n + 1].plain, "linking") or n + 1 == at):
            return None if any(says_quality(word) for word in line[n + 2 : at]) else n
        if not line[n].joined:
            linked = form in listed("linking") and form[0] in "يت"
            return n if n > 0 and n < at and linked and not any(definite(w) for w in line[n + 1 : at]) else None
    return None


def stands(text: str, line: Sequence[Word], marker: Marker) -> bool:
    """Whether the sentence stands without the comparison."""
    at = marker.at
    if marker.kind == "serves":
        return False
    before = line[at - 1]
    person = of(before.plain.removesuffix("ا"), "people")  # `بطل كسوبرمان`
    if line[at].joined and says_quality(before) and not person:
        return marker.kind != "resembles" or not _verb_last(line, at)
    if not line[at].joined:
        return marker.kind in (*PREDICATES, "as it does", "taken for")
    start = part_start(line, at)
    for n in range(at - 1, start - 1, -1):
        if of(line[n].plain, "linking"):
            return any(_predicated(line, k) for k in range(n + 1, at))
        if does(line, n, start, at):
            return marker.kind != "resembles" or not definite(before)
    if marker.kind in VERBS:
        new = not any(
            definite(word) or owned(word) or of(word.plain, "kin") for word in line[start : min(at, start + 2)]
        )
        return (new and nominal(before)) or _keywords(text, line)  # `جسر معلق يشبه خيطًا`
    if any(is_preposition(word) for word in line[start + 1 : at]):
        return True
    return _keywords(text, line)


def _predicated(line: Sequence[Word], n: int) -> bool:
    return says_quality(line[n]) and known_noun(line[n]) is None and not is_preposition(line[n - 1])


def _verb_last(line: Sequence[Word], at: int) -> bool:
    return is_present(line[at - 1].plain)


def _keywords(text: str, line: Sequence[Word]) -> bool:
    """Whether this is a list of what to draw, in which a noun may stand alone."""
    rest = text[line[-1].end : line[-1].end + 3].strip()
    listed_parts = sum(not word.joined for word in line) > 1
    first = line[0].plain
    return listed_parts and rest[:1] not in tuple(_ENDS) and not is_verb(first) and not of(first, "linking")


def _predicate(line: Sequence[Word], marker: Marker) -> bool:
    """Whether the comparison is what is said of a subject, so that a quality can stand in its place."""
    if marker.kind not in PREDICATES or (marker.clause and marker.kind != "as if"):
        return False
    before = line[marker.at - 1]
    return (
        definite(before)
        or owned(before)
        or of(before.plain, "linking")
        or (nominal(before) and not is_quality(before.plain))
    )
