"""What a Japanese sentence is about."""

from __future__ import annotations

from trope.strategies.guard.japanese.morphemes import Sentence
from trope.strategies.guard.japanese.phrases import Noun, owner, simple_noun
from trope.strategies.guard.lexicon import words


def topic(sentence: Sentence, before: int) -> Noun | None:
    """What a sentence is about: the last noun before は, が, も or って; else a bare noun before a comma."""
    within = False  # a clause that says why or when: its が is its own
    for n in range(before - 1, 0, -1):
        m = sentence.morphemes[n]
        within = within or (m.sort == "接続助詞" and m.surface not in ("て", "で", "が"))
        exclaimed = m.particle("と") and _then(sentence, n + 1)  # `怒り方ときたら`
        exclaimed = exclaimed or (m.sort == "終助詞" and sentence.morphemes[n + 1].surface == "、")  # `かみなりね、`
        exclaimed = exclaimed or (m.particle("を") and sentence.morphemes[n + 1].normal in ("例える", "たとえる"))
        if exclaimed or m.particle("は", "も", "って") or (m.particle("が") and m.sort == "格助詞" and not within):
            last = n - 1
            while last and sentence.morphemes[last].kind == "助詞":
                last -= 1
            noun = simple_noun(sentence, last)
            if noun is not None:
                inside = owner(sentence, noun) if noun.words in words("ja", "insides") else None
                return inside or noun
            span = (sentence.morphemes[last].start, sentence.morphemes[last].end)
            return Noun(last, last, span, sentence.quote(*span), sentence.morphemes[last])
    for n in range(before - 1, 0, -1):
        if sentence.morphemes[n].surface == "、":
            noun = simple_noun(sentence, n - 1)
            said = noun is not None and (noun.head.nominal or noun.head.kind == "代名詞")  # `お前、`
            return noun if said else None
    return None


def _then(sentence: Sentence, n: int) -> bool:
    verb, end = sentence.at(n), sentence.at(n + 1)
    return verb is not None and end is not None and verb.normal in ("来る", "言う", "云う") and end.surface == "たら"


def has_subject(sentence: Sentence, start: int, end: int) -> bool:
    """Whether there is a topic or a subject between two morphemes."""
    return any(
        m.particle("は", "も") or (m.particle("が") and m.sort == "格助詞") for m in sentence.morphemes[start:end]
    )
