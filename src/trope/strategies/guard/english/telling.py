"""Whether English words tell something (a finite verb) or list what is to be drawn (a prompt of keywords)."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.words import Token, is_verb_form, verb_forms
from trope.strategies.guard.lexicon import words

_SUBJECTS = frozenset("he she they we i".split())
# What comes after these is no main clause.
_SUBORDINATE = frozenset("that which who whose where if though while when because until so as like".split())


def is_told(line: Sequence[Token]) -> bool:
    """Whether a main verb makes this a sentence; without a full stop a word that may be a noun is none."""
    ended = line[-1].text in (".", "!", "?", '"', "”", "…", "'", "’")
    return any(_main_verb(line, n, ended) for n in range(len(line)))


def _main_verb(line: Sequence[Token], n: int, ended: bool) -> bool:
    word, before = line[n].word, line[n - 1].word if n else ""
    kind = verb_forms().get(word)
    if before in left.RELATIVES or before == "to":
        return False
    if "'" in word and word.partition("'")[0] in _SUBJECTS | {"it", "there", "you"}:
        return True
    if before in _SUBJECTS and (kind is not None or is_verb_form(word)):
        return True
    finite = word in words("en", "finite") or word in words("en", "modals")
    if finite and (ended or not _subordinate(line, n)):
        return True
    goes_on = n + 1 < len(line) and line[n + 1].is_word
    sure = ended or (goes_on and word not in words("en", "nouns_too") and not _subordinate(line, n))
    if kind == "third" and sure and left.is_verb_here(line, 0, n):
        return True
    if kind == "base" and ended and left.is_verb_here(line, 0, n):
        return True
    past = _past(word, kind) and (ended or kind != "past" or word in words("en", "only_past"))
    return past and n > 0 and line[n - 1].is_word and not _participle_here(line, n)


def _subordinate(line: Sequence[Token], n: int) -> bool:
    """Whether a word stands in a clause that hangs on another, since the last sign."""
    return any(token.word in _SUBORDINATE for token in line[left.segment_start(line, n) : n])


def _past(word: str, kind: str | None) -> bool:
    return kind == "past" or (kind is None and len(word) > 4 and word.endswith("ed"))


def _participle_here(line: Sequence[Token], n: int) -> bool:
    """Whether a past form after a noun may be a participle: no subject of its own that is told of."""
    if any(token.word in _SUBJECTS or token.word in ("it", "you", "who") for token in line[max(0, n - 2) : n]):
        return False
    subject = left.subject_of(line, left.segment_start(line, n), n) or left.subject_of(line, 0, n)
    if subject is None or subject.kind in ("one", "several"):
        return True
    return subject.kind == "bare" and line[n].word.endswith("ed")
