"""Other uses of the words that compare: nothing is likened, so that it is not in the plan. One reason a function."""

from __future__ import annotations

import re
from collections.abc import Callable

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.candidates import Candidate
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


def liking(c: Candidate) -> bool:
    """`Children like dogs`, `would like a cup`: the verb."""
    if c.line[c.marker.end].word != "like" or c.marker.begin != c.marker.end:
        return False
    before = c.before
    asked = c.line[0].word in words("en", "modals") | {"do", "does", "did"}
    if asked and c.verb is None and not any(is_verb_form(token.word) for token in c.line[1 : c.marker.begin]):
        return True
    if before == "you":
        return c.before_at(2) in _BEFORE_SUBJECT
    if before in _BARS or before.endswith("'d"):
        return True
    if before in ("n't",) or (before in words("en", "adverbs_of_liking")):
        return True
    segment = c.segment
    name = c.line[c.marker.begin - 1].text[:1].isupper() if c.marker.begin else False
    plural = is_plural(before) and (may_like(before) or (name and not is_unmade(before)))
    return plural and c.verb is None and not _finite(c, segment) and not _drawn(c)


def _drawn(c: Candidate) -> bool:
    """`birds like black arrows, oil painting`, `Birds like arrows cross the sky`: their verb comes later, or none."""
    if is_participle(c.after) or is_verb_form(c.after) or verb_forms().get(c.after) == "base":
        return True
    if c.told or not c.line[0].text[:1].islower() or is_person(c.before):
        return False
    enjoyed = any(c.head.removesuffix("s") in words("en", name) for name in ("foods", "wanted", "animals"))
    adorned = c.vehicle.last_head > c.vehicle.first and not c.after
    return not enjoyed and (adorned or c.segment > 0 or c.after == ",")


def _finite(c: Candidate, begin: int) -> bool:
    """Whether a finite verb stands in the stretch before the marker."""
    return any(is_verb_form(token.word) for token in c.line[begin : c.marker.begin])


def examples(c: Candidate) -> bool:
    """`fruits like apples`, `things like cups and plates`: of which kind some are named."""
    if c.marker.family != "like" or c.marker.begin != c.marker.end:
        return False
    n = c.marker.begin - (2 if c.before == "," else 1)
    if c.before == "," and c.line[0].word in words("en", "kinds_of_things"):
        return True
    if n > 1 and c.line[n - 1].word == "of":
        n -= 2  # `birds of prey like kestrels`
    if n < 0 or c.line[n].word not in words("en", "kinds_of_things"):
        return False
    if c.near is not None and c.near.kind in ("the", "pointed") and not is_plural(c.line[n].word):
        return False  # `bowed over her instrument like a mother`
    living = c.line[n].word in words("en", "animals") | words("en", "plants") | {"birds"}
    growing = c.line[n].word in words("en", "natural") or (living and _drawn(c))  # `trees like handwriting`
    alike = any(
        c.head in words("en", name) or c.head.removesuffix("s") in words("en", name)
        for name in ("plants", "animals", "foods")
    )
    several = c.after in ("and", "or")
    return not growing or alike or (c.vehicle.plural and several) or c.vehicle.kind in ("the", "pointed")


def remembering(c: Candidate) -> bool:
    """`She recalls a dream`, `likes nothing so much as a game`: no likeness."""
    if c.before in ("like", "likes", "liked", "love", "loves", "loved", "want", "wants", "enjoy", "enjoys"):
        return c.line[c.marker.begin].word == "nothing"
    if c.line[c.marker.begin].word not in ("recall", "recalls", "recalling"):
        return False
    tenor = c.tenor
    return tenor is None or is_person(c.noun(tenor)) or (named(c.line, tenor) and tenor.first > 0) or c.pronoun


def wanting(c: Candidate) -> bool:
    """`I feel like ramen tonight`."""
    feels = c.before in ("feel", "feels", "felt", "feeling")
    who = c.before_at(2) in ("i", "you", "we", "i'm", "they", "anyone", "anybody", "who", "do", "he", "she")
    if feels and c.vehicle.first == c.vehicle.last and is_participle(c.head) and c.head.endswith("ing"):
        return True  # `felt like talking`
    wanted = c.vehicle.kind == "bare" and not c.vehicle.plural
    return feels and who and (wanted or c.head in words("en", "wanted") | words("en", "foods"))


def quoted_title(c: Candidate) -> bool:
    """`LIKE A ROLLING STONE`, `Behaves Like a Thief`: the capitals of a title."""
    first = c.line[c.marker.begin]
    marker = c.line[c.marker.end]
    head = c.line[c.vehicle.last_head]
    if marker.text.isupper() and head.text.isupper() and not c.text.isupper():
        return True
    before = c.line[c.marker.end - 1] if c.marker.end > 1 else first
    if head.text.istitle() and before.text.istitle() and before is not c.line[0] and c.vehicle.kind == "one":
        return True
    started = not any(token.is_word for token in c.line[: c.marker.begin])
    if started and not (first.text.isupper() and len(first.text) > 2):
        return False
    return marker.text[0].isupper() and len(marker.text) > 2 and not c.text.isupper() and marker is not c.line[0]


def unsaid(c: Candidate) -> bool:
    """`like a horse` as a line of its own: nothing is likened."""
    last = len(c.line) - 1
    alone = (
        c.marker.begin == 0 and c.line[0].word in ("like", "as") and not any(token.text in ",—–" for token in c.line)
    )
    first = c.line[0]
    ahead = c.text[: first.start].rpartition("\n")[2].strip()
    if [token.word for token in c.line].count("as") > 3:
        return False  # `as strong as an ox and as stubborn as a mule`
    return alone and c.marker.family in ("like", "as") and last < 14 and not (first.text[0].isupper() and ahead)


def _done(word: str) -> bool:
    return is_participle(word) and not word.endswith("ing")


def role(c: Candidate) -> bool:
    """`known as a painter`, `as soon as a bus arrives`, `as many as`: other uses of `as`."""
    if c.marker.family != "as" or c.marker.ground is None:
        return False
    first = c.line[c.marker.ground[0]].word
    if first in ("like", "alike"):
        return is_person(c.head)
    if first == "much":
        return c.marker.ground[0] == c.marker.ground[1]
    if c.vehicle.kind == "bare" and c.vehicle.first == c.vehicle.last and _done(c.head):
        return True  # `as good as finished`
    if c.after in ("allows", "allow", "permits", "permit", "demands", "demand", "requires", "gets"):
        return True
    if first == "long" and c.segment == c.marker.begin and is_verb_form(c.after):
        return True  # `as long as a guest stays`
    alone = c.vehicle.first == c.vehicle.last
    return first in words("en", "no_ground") or (alone and c.head in words("en", "no_things"))


def counted(c: Candidate) -> bool:
    """`no more than a minute`, `less than a mile`, `a 24mm lens`: an amount."""
    if any(token.word[0].isdigit() for token in c.line[c.vehicle.first : c.vehicle.last + 1]):
        return True
    if c.marker.family not in ("than", "amount"):
        return False
    return c.head in words("en", "units")


def said_of_more(c: Candidate) -> bool:
    """`more snow than rain`, `rather than`, `other than`: how much there is."""
    if c.marker.family != "than" or c.marker.ground is not None:
        return False
    if c.head in words("en", "wanted") or (is_person(c.head) and (c.pronoun or is_person(c.noun(c.tenor)))):
        return True
    return c.vehicle.plural or c.vehicle.kind not in ("bare", "one")


def instructed(c: Candidate) -> bool:
    """`Hold the racket as if you were shaking hands`: how to do it."""
    if c.marker.family == "clause" and c.following == "you" and c.line[c.marker.end].word in _CLAUSES:
        return c.imperative
    first, second = (token.word for token in c.line[:2])
    if first in words("en", "acts") and (second == "like" or c.line[1].word.endswith("ly")):
        return True
    if not c.imperative:
        return False
    between = {token.word for token in c.line[: c.marker.begin]}
    return c.marker.family == "like" and c.segment == 0 and not between & _CLAUSE_BEGINS


def rendered(c: Candidate) -> bool:
    """`"You're like a brother to me," reads the card`: words to be seen as such."""
    end = c.line[-1].end
    return _READS.match(c.text, end) is not None or _READS.search(c.text, c.line[c.vehicle.last].end, end) is not None


def lettered(c: Candidate) -> bool:
    """`a banner that says sweet as honey`, `with the caption: Fly like an eagle`: words to be written there."""
    ahead = [token.word for token in c.line[: c.marker.begin]]
    says = next((n for n, word in enumerate(ahead) if word in words("en", "saying")), len(ahead))
    if says == len(ahead):
        return False
    if ahead[says] == ":":
        return says > 2 and ahead[says - 1] in words("en", "inscriptions")
    return any(word in words("en", "bears_text") | words("en", "inscriptions") for word in ahead[:says])


def as_ever(c: Candidate) -> bool:
    """`like they always do`, `as travelers do`: what is so."""
    if c.after == "used" and is_person(c.head):
        return True  # `pasta like grandma used to make`
    if c.marker.family != "clause":
        return False
    marker = c.line[c.marker.end].word
    if marker == "like" and c.before not in left.BE | left.CONTRACTED and c.following in _THEY:
        clause = [token.word for token in c.line[c.marker.end + 1 : c.vehicle.first]]
        return not any(word in _UNREAL or word.partition("'")[2] in ("s", "d", "re") for word in clause)
    people = is_person(c.head) or (may_like(c.head) and c.head not in words("en", "animals"))
    return marker == "as" and people and c.vehicle.kind == "bare"


def deictic(c: Candidate) -> bool:
    """`like this dog`, `like most towns`, `like any other`: something pointed at, or a whole class."""
    first = c.line[c.vehicle.first].word
    if first == "any" and c.marker.family == "than":
        return False
    return first in _POINTS or first in _CLASS or c.line[c.vehicle.last].word in _CLASS


def idiom(c: Candidate) -> bool:
    """`like crazy`, `like new`, `as if by magic`: a saying without a thing in it."""
    if len(c.head) < 2:
        return True
    alone = c.vehicle.head == c.vehicle.last_head
    if c.marker.family == "like" and c.before in words("en", "copulas") and c.head in words("en", "units") and alone:
        return True
    return c.head in words("en", "never_things") or (
        c.vehicle.first == c.vehicle.last_head and c.head in words("en", "no_things")
    )


def weather(c: Candidate) -> bool:
    """`It looks like rain`: a forecast."""
    if c.head not in words("en", "weather") or c.vehicle.kind != "bare":
        return False
    return c.before in words("en", "copulas") and (c.tenor is None or c.before_at(2) == "it")


OTHER_USES: tuple[Callable[[Candidate], bool], ...] = (
    liking, unsaid, examples, wanting, remembering, quoted_title, role, counted, said_of_more, instructed, rendered,
    lettered, as_ever, deictic, idiom, weather,
)  # fmt: skip


def other_use(c: Candidate) -> bool:
    """Whether the words that compare say something else here."""
    return any(use(c) for use in OTHER_USES)
