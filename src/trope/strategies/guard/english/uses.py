"""Other uses of the words that compare: nothing is likened, so that it is not in the plan. One reason a function."""

from __future__ import annotations

import re
from collections.abc import Callable

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.case import Case
from trope.strategies.guard.english.kinds import is_person, is_unmade, may_like
from trope.strategies.guard.english.phrases import named
from trope.strategies.guard.english.words import is_participle, is_plural, is_verb_form, verb_forms
from trope.strategies.guard.lexicon import words

_POINTS = frozenset("this that these those".split())
_CLASS = frozenset("most any all other others both some such every each either neither".split())
_CLAUSES = frozenset("if though like".split())
_THEY = frozenset("they we i you he she it".split())
_UNREAL = frozenset("had were was been is would".split())
_CLAUSE_BEGINS = frozenset("until till so that which while and when".split())
_READS = re.compile(r"\s*[\"”’'],?\s*(?:reads?\b|is written|in (?:big |bold )?letters)", re.IGNORECASE)
_BARS = frozenset(
    "i he she we they who whom can could will would may might must shall should do does did also to always really"
    " don't doesn't didn't i'd you'd he'd she'd we'd they'd wouldn't won't n't".split()
)
_BEFORE_SUBJECT = frozenset(["", ",", "and", "but", "that", "what", "how", "if", "when", "which", "as", "do", "would"])


def liking(case: Case) -> bool:
    """`Children like dogs`, `would like a cup`: the verb."""
    if case.line[case.candidate.end].word != "like" or case.candidate.begin != case.candidate.end:
        return False
    before = case.before
    asked = case.line[0].word in words("en", "modals") | {"do", "does", "did"}
    if (
        asked
        and case.verb is None
        and not any(is_verb_form(token.word) for token in case.line[1 : case.candidate.begin])
    ):
        return True
    if before == "you":
        return case.before_at(2) in _BEFORE_SUBJECT
    if before in _BARS or before.endswith("'d"):
        return True
    if before in ("n't",) or (before in words("en", "adverbs_of_liking")):
        return True
    segment = case.segment
    name = case.line[case.candidate.begin - 1].text[:1].isupper() if case.candidate.begin else False
    plural = is_plural(before) and (may_like(before) or (name and not is_unmade(before)))
    return plural and case.verb is None and not _finite(case, segment) and not _drawn(case)


def _drawn(case: Case) -> bool:
    """`birds like black arrows, oil painting`, `Birds like arrows cross the sky`: their verb comes later, or none."""
    if is_participle(case.after) or is_verb_form(case.after) or verb_forms().get(case.after) == "base":
        return True
    if case.told or not case.line[0].text[:1].islower() or is_person(case.before):
        return False
    enjoyed = any(case.head.removesuffix("s") in words("en", name) for name in ("foods", "wanted", "animals"))
    adorned = case.vehicle.last_head > case.vehicle.first and not case.after
    return not enjoyed and (adorned or case.segment > 0 or case.after == ",")


def _finite(case: Case, begin: int) -> bool:
    """Whether a finite verb stands in the stretch before the marker."""
    return any(is_verb_form(token.word) for token in case.line[begin : case.candidate.begin])


def examples(case: Case) -> bool:
    """`fruits like apples`, `things like cups and plates`: of which kind some are named."""
    if case.candidate.family != "like" or case.candidate.begin != case.candidate.end:
        return False
    n = case.candidate.begin - (2 if case.before == "," else 1)
    if case.before == "," and case.line[0].word in words("en", "kinds_of_things"):
        return True
    if n > 1 and case.line[n - 1].word == "of":
        n -= 2  # `birds of prey like kestrels`
    if n < 0 or case.line[n].word not in words("en", "kinds_of_things"):
        return False
    if case.near is not None and case.near.kind in ("the", "pointed") and not is_plural(case.line[n].word):
        return False  # `bowed over her instrument like a mother`
    living = case.line[n].word in words("en", "animals") | words("en", "plants") | {"birds"}
    growing = case.line[n].word in words("en", "natural") or (living and _drawn(case))  # `trees like handwriting`
    alike = any(
        case.head in words("en", name) or case.head.removesuffix("s") in words("en", name)
        for name in ("plants", "animals", "foods")
    )
    several = case.after in ("and", "or")
    return not growing or alike or (case.vehicle.plural and several) or case.vehicle.kind in ("the", "pointed")


def remembering(case: Case) -> bool:
    """`She recalls a dream`, `likes nothing so much as a game`: no likeness."""
    if case.before in ("like", "likes", "liked", "love", "loves", "loved", "want", "wants", "enjoy", "enjoys"):
        return case.line[case.candidate.begin].word == "nothing"
    if case.line[case.candidate.begin].word not in ("recall", "recalls", "recalling"):
        return False
    tenor = case.tenor
    return tenor is None or is_person(case.noun(tenor)) or (named(case.line, tenor) and tenor.first > 0) or case.pronoun


def wanting(case: Case) -> bool:
    """`I feel like ramen tonight`."""
    feels = case.before in ("feel", "feels", "felt", "feeling")
    who = case.before_at(2) in ("i", "you", "we", "i'm", "they", "anyone", "anybody", "who", "do", "he", "she")
    if feels and case.vehicle.first == case.vehicle.last and is_participle(case.head) and case.head.endswith("ing"):
        return True  # `felt like talking`
    wanted = case.vehicle.kind == "bare" and not case.vehicle.plural
    return feels and who and (wanted or case.head in words("en", "wanted") | words("en", "foods"))


def quoted_title(case: Case) -> bool:
    """`LIKE A ROLLING STONE`, `Behaves Like a Thief`: the capitals of a title."""
    first = case.line[case.candidate.begin]
    marker = case.line[case.candidate.end]
    head = case.line[case.vehicle.last_head]
    if marker.text.isupper() and head.text.isupper() and not case.text.isupper():
        return True
    before = case.line[case.candidate.end - 1] if case.candidate.end > 1 else first
    if head.text.istitle() and before.text.istitle() and before is not case.line[0] and case.vehicle.kind == "one":
        return True
    started = not any(token.is_word for token in case.line[: case.candidate.begin])
    if started and not (first.text.isupper() and len(first.text) > 2):
        return False
    return marker.text[0].isupper() and len(marker.text) > 2 and not case.text.isupper() and marker is not case.line[0]


def unsaid(case: Case) -> bool:
    """`like a horse` as a line of its own: nothing is likened."""
    last = len(case.line) - 1
    alone = (
        case.candidate.begin == 0
        and case.line[0].word in ("like", "as")
        and not any(token.text in ",—–" for token in case.line)
    )
    first = case.line[0]
    ahead = case.text[: first.start].rpartition("\n")[2].strip()
    if [token.word for token in case.line].count("as") > 3:
        return False  # `as strong as an ox and as stubborn as a mule`
    return alone and case.candidate.family in ("like", "as") and last < 14 and not (first.text[0].isupper() and ahead)


def _done(word: str) -> bool:
    return is_participle(word) and not word.endswith("ing")


def role(case: Case) -> bool:
    """`known as a painter`, `as soon as a bus arrives`, `as many as`: other uses of `as`."""
    if case.candidate.family != "as" or case.candidate.ground is None:
        return False
    first = case.line[case.candidate.ground[0]].word
    if first in ("like", "alike"):
        return is_person(case.head)
    if first == "much":
        return case.candidate.ground[0] == case.candidate.ground[1]
    if case.vehicle.kind == "bare" and case.vehicle.first == case.vehicle.last and _done(case.head):
        return True  # `as good as finished`
    if case.after in ("allows", "allow", "permits", "permit", "demands", "demand", "requires", "gets"):
        return True
    if first == "long" and case.segment == case.candidate.begin and is_verb_form(case.after):
        return True  # `as long as a guest stays`
    alone = case.vehicle.first == case.vehicle.last
    return first in words("en", "no_ground") or (alone and case.head in words("en", "no_things"))


def counted(case: Case) -> bool:
    """`no more than a minute`, `less than a mile`, `a 24mm lens`: an amount."""
    if any(token.word[0].isdigit() for token in case.line[case.vehicle.first : case.vehicle.last + 1]):
        return True
    if case.candidate.family not in ("than", "amount"):
        return False
    return case.head in words("en", "units")


def said_of_more(case: Case) -> bool:
    """`more snow than rain`, `rather than`, `other than`: how much there is."""
    if case.candidate.family != "than" or case.candidate.ground is not None:
        return False
    if case.head in words("en", "wanted") or (
        is_person(case.head) and (case.pronoun or is_person(case.noun(case.tenor)))
    ):
        return True
    return case.vehicle.plural or case.vehicle.kind not in ("bare", "one")


def instructed(case: Case) -> bool:
    """`Hold the racket as if you were shaking hands`: how to do it."""
    if case.candidate.family == "clause" and case.following == "you" and case.line[case.candidate.end].word in _CLAUSES:
        return case.imperative
    first, second = (token.word for token in case.line[:2])
    if first in words("en", "acts") and (second == "like" or case.line[1].word.endswith("ly")):
        return True
    if not case.imperative:
        return False
    between = {token.word for token in case.line[: case.candidate.begin]}
    return case.candidate.family == "like" and case.segment == 0 and not between & _CLAUSE_BEGINS


def rendered(case: Case) -> bool:
    """`"You're like a brother to me," reads the card`: words to be seen as such."""
    end = case.line[-1].end
    return (
        _READS.match(case.text, end) is not None
        or _READS.search(case.text, case.line[case.vehicle.last].end, end) is not None
    )


def lettered(case: Case) -> bool:
    """`a banner that says sweet as honey`, `with the caption: Fly like an eagle`: words to be written there."""
    ahead = [token.word for token in case.line[: case.candidate.begin]]
    says = next((n for n, word in enumerate(ahead) if word in words("en", "saying")), len(ahead))
    if says == len(ahead):
        return False
    if ahead[says] == ":":
        return says > 2 and ahead[says - 1] in words("en", "inscriptions")
    return any(word in words("en", "bears_text") | words("en", "inscriptions") for word in ahead[:says])


def as_ever(case: Case) -> bool:
    """`like they always do`, `as travelers do`: what is so."""
    if case.after == "used" and is_person(case.head):
        return True  # `pasta like grandma used to make`
    if case.candidate.family != "clause":
        return False
    marker = case.line[case.candidate.end].word
    if marker == "like" and case.before not in left.BE | left.CONTRACTED and case.following in _THEY:
        clause = [token.word for token in case.line[case.candidate.end + 1 : case.vehicle.first]]
        return not any(word in _UNREAL or word.partition("'")[2] in ("s", "d", "re") for word in clause)
    people = is_person(case.head) or (may_like(case.head) and case.head not in words("en", "animals"))
    return marker == "as" and people and case.vehicle.kind == "bare"


def deictic(case: Case) -> bool:
    """`like this dog`, `like most towns`, `like any other`: something pointed at, or a whole class."""
    first = case.line[case.vehicle.first].word
    if first == "any" and case.candidate.family == "than":
        return False
    return first in _POINTS or first in _CLASS or case.line[case.vehicle.last].word in _CLASS


def idiom(case: Case) -> bool:
    """`like crazy`, `like new`, `as if by magic`: a saying without a thing in it."""
    if len(case.head) < 2:
        return True
    alone = case.vehicle.head == case.vehicle.last_head
    if (
        case.candidate.family == "like"
        and case.before in words("en", "copulas")
        and case.head in words("en", "units")
        and alone
    ):
        return True
    return case.head in words("en", "never_things") or (
        case.vehicle.first == case.vehicle.last_head and case.head in words("en", "no_things")
    )


def weather(case: Case) -> bool:
    """`It looks like rain`: a forecast."""
    if case.head not in words("en", "weather") or case.vehicle.kind != "bare":
        return False
    return case.before in words("en", "copulas") and (case.tenor is None or case.before_at(2) == "it")


OTHER_USES: tuple[Callable[[Case], bool], ...] = (
    liking, unsaid, examples, wanting, remembering, quoted_title, role, counted, said_of_more, instructed, rendered,
    lettered, as_ever, deictic, idiom, weather,
)  # fmt: skip
