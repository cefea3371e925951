"""Common: no text twice, and none that is nearly another, within a set and across sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from trope.items.rules.base import Fault, Rule
from trope.nouns import Item

NEAR = 0.75
_NGRAMS = {"en": (3, 5), "ar": (3, 5), "zh": (1, 3), "ja": (1, 3)}


def _exact(items: Sequence[Item]) -> Iterator[Fault]:
    from trope.items.tfidf import plain

    seen: dict[tuple[str, str | None, str | None], str] = {}
    for item in items:
        key = (plain(item.text), item.context, item.image)
        if key in seen:
            yield Fault("text", item.text, f"is also the text of {seen[key]}", item.id)
        seen.setdefault(key, item.id)


def _near(items: Sequence[Item]) -> Iterator[Fault]:
    from trope.items.tfidf import plain, similar_pairs

    by_lang: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_lang[item.lang].append(item)
    for lang, of in by_lang.items():
        for pair in similar_pairs([i.text for i in of], NEAR, _NGRAMS[lang]):
            first, second = of[pair.first], of[pair.second]
            if plain(first.text) != plain(second.text):
                yield Fault(
                    "text", second.text,
                    f"is nearly the text of {first.id} (cosine {pair.cosine:.2f}, limit {NEAR}): {first.text!r}",
                    second.id,
                )  # fmt: skip


RULES: tuple[Rule, ...] = (
    Rule("exact-duplicate", "no two items have the same text (case, spaces and width aside)", _exact),
    Rule("near-duplicate", f"no two texts have a character TF-IDF cosine of {NEAR} or more", _near),
)
