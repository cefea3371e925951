"""A comparison with what its sentence says around it, and the questions that reasons and rewrites ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.kinds import is_animate, is_unmade
from trope.strategies.guard.english.markers import Marker
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, NounPhrase
from trope.strategies.guard.english.words import Token, verb_forms
from trope.strategies.guard.lexicon import words

_RELATIVES = frozenset("that which who".split())
# Grounds that can be measured.
SIZES = frozenset(
    "tall short big large small little old young heavy wide deep high long broad many bigger larger taller smaller"
    " higher longer shorter older younger heavier wider deeper".split()
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A comparison with what its sentence says around it.

    ``tenor`` is what is likened, ``near`` the noun phrase right before the marker, ``verb`` the last verb before it,
    ``told`` whether the words are a sentence and no list of things to draw, ``own`` whether the marker stands right
    behind the tenor.
    """

    text: str
    line: Sequence[Token]
    marker: Marker
    tenor: NounPhrase | None
    near: NounPhrase | None
    verb: int | None
    told: bool
    own: bool

    @property
    def vehicle(self) -> NounPhrase:
        """The noun phrase of the vehicle."""
        return self.marker.vehicle

    @property
    def head(self) -> str:
        """The vehicle's noun."""
        return self.line[self.marker.vehicle.last_head].word

    @property
    def before(self) -> str:
        """The word or sign before the marker."""
        return self.line[self.marker.begin - 1].word if self.marker.begin else ""

    def before_at(self, back: int) -> str:
        """The word ``back`` tokens before the marker."""
        n = self.marker.begin - back
        return self.line[n].word if n >= 0 else ""

    @property
    def after(self) -> str:
        """The word or sign after the vehicle."""
        n = self.vehicle.last + 1
        return self.line[n].word if n < len(self.line) else ""

    @property
    def following(self) -> str:
        """The word after the marker, without what is contracted with it."""
        n = self.marker.end + 1
        return self.line[n].word.partition("'")[0] if n < len(self.line) else ""

    @property
    def segment(self) -> int:
        """Where the stretch without a comma begins that the marker stands in."""
        return left.segment_start(self.line, self.marker.begin)

    def noun(self, phrase: NounPhrase | None) -> str:
        """The noun of a phrase."""
        return "" if phrase is None else self.line[phrase.last].word

    @property
    def ground(self) -> str:
        """The word that is compared."""
        return "" if self.marker.ground is None else self.line[self.marker.ground[1]].word

    @property
    def requested(self) -> bool:
        """Whether the sentence orders something."""
        asks = words("en", "requests")
        return self.line[0].word in asks or any(
            a.text == ":" and b.word in asks for a, b in zip(self.line, self.line[1:], strict=False)
        )

    @property
    def imperative(self) -> bool:
        """Whether the sentence tells somebody what to do: `Hold the racket`, `Season it`."""
        first, second = (token.word for token in self.line[:2])
        if second in ("it", "them", "your", "yourself"):
            return not any(first in words("en", name) for name in ("stops", "prepositions", "finite", "modals"))
        return verb_forms().get(first) == "base" and second in DEFINITE | INDEFINITE

    @property
    def made(self) -> bool:
        """Whether the tenor is something that people make, as far as is known."""
        noun = self.noun(self.near or self.tenor)
        return bool(noun) and not is_unmade(noun) and not is_animate(noun)

    @property
    def pronoun(self) -> bool:
        """Whether the tenor is a pronoun."""
        n = self.marker.begin - 1
        words_ = [token.word for token in self.line[max(self.segment, n - 3) : n + 1]]
        return self.tenor is None and any(word.partition("'")[0] in words("en", "agents") for word in words_)

    @property
    def relative(self) -> bool:
        """Whether the verb of looking stands in a relative clause: `a house that looks like a ship`."""
        begin = self.marker.begin + (self.marker.family == "resemble")
        looks = begin > 1 and self.line[begin - 1].word in words("en", "looks") | words("en", "marks_of_looking")
        return looks and (self.line[begin - 2].word in _RELATIVES or self.line[begin - 1].word == "looking")

    @property
    def to_look(self) -> bool:
        """Whether something is done in order that it looks so: `poured to look like`, `make it look like`."""
        n = self.marker.begin
        if self.marker.family == "resemble":
            looks = self.line[n].word == "resemble"
        else:
            n, looks = n - 1, self.before in ("look", "feel", "sound", "smell")
        if not looks or n < 2:
            return False
        done = self.line[n - 2].word
        return (self.line[n - 1].word == "to" and done not in words("en", "tending")) or (
            self.requested and self.before == "look"
        )

    @property
    def antecedent(self) -> NounPhrase | None:
        """What a relative clause of looking is said of."""
        n = self.marker.begin - (self.marker.family != "resemble") - 1
        return left.phrase_before(self.line, self.segment, n) if self.relative and n > self.segment else None

    @property
    def worked(self) -> NounPhrase | None:
        """What a participle before the marker is said of: `a hedge` of `a hedge was clipped to look like`."""
        n = self.marker.begin
        while n > self.segment and self.line[n - 1].word in words("en", "between_made"):
            n -= 1
        n -= 1
        while n > self.segment and self.line[n - 1].word in words("en", "copulas"):
            n -= 1
        return (left.phrase_before(self.line, self.segment, n) if n > 0 else None) or self.tenor

    @property
    def works_a_thing(self) -> bool:
        """Whether that is something people make."""
        noun = self.noun(self.worked)
        return bool(noun) and not is_unmade(noun) and not is_animate(noun)
