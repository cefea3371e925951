"""Which examples are fit to learn from. Each reason has a name and is counted; nothing is mended.

Three kinds, after the paper (section 5.1): malformed; unsupported inference; explanations that do not go with the
labels. The rules are ours: the paper's are not printed. Whether an inference is supported by the picture cannot be
told from words, so that kind also takes the verdicts of a model that sees it (`trope train corpus --verify`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from trope.errors import ItemError
from trope.nouns import Item
from trope.protocols.m3r.labels import SENTIMENT, YES, fold, gold
from trope.protocols.m3r.reading import read_answer
from trope.requests import Unreadable
from trope.train.config import Stage
from trope.train.targets import needed, reference, reply_of, written

Kind = Literal["malformed", "unsupported", "mismatch"]
SHORTEST: Final = {"en": 15, "zh": 6}  # characters of an explanation; below, it explains nothing
LONGEST: Final = 2000
_STAGE: Final[Stage] = "C3"  # what every example must be able to fill
_QUOTED = re.compile(r"[“\"「『]([^”\"」』]{3,})[”\"」』]")
_TEXT_SAYS: Final = re.compile(
    r"(?:text|caption|slogan|title|line|文字|文本|标题|标语|口号|文案)\W{0,3}\w{0,12}\W{0,4}$", re.I
)
_DENIES: Final = {
    "en": re.compile(r"\b(no|not an?y?|isn't an?|without an?y?) (visual |multimodal |clear )?metaphors?\b", re.I),
    "zh": re.compile(r"(没有|不是|并非|不存在|不构成|无)[^，。；]{0,4}隐喻"),
}
_SENTIMENTS: Final = {
    "Positive": re.compile(r"\bpositive\b|积极|正面", re.I),
    "Neutral": re.compile(r"\bneutral\b|中性|中立", re.I),
    "Negative": re.compile(r"\bnegative\b|消极|负面", re.I),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why an example is left out: its ``kind``, the rule's ``name``, and what was found."""

    kind: Kind
    name: str
    why: str


Rule = Callable[[Item], str | None]  # what is wrong, or None


def faults(item: Item, verdicts: Mapping[str, Sequence[str]] | None = None) -> list[Fault]:
    """Everything that is wrong with an example, in the order of the rules; empty if it is fit.

    ``verdicts`` holds, by item id, the fields that a verifier found unsupported.
    """
    try:
        gold(item)
    except ItemError as error:
        return [Fault("malformed", "labels", str(error))]
    found = [Fault(kind, name, why) for kind, name, rule in RULES if (why := rule(item)) is not None]
    refused = (verdicts or {}).get(item.id, ())
    if refused:
        found.append(Fault("unsupported", "verifier", f"a verifier found {', '.join(refused)} unsupported"))
    return found


def _no_picture(item: Item) -> str | None:
    return None if item.image else "no picture"


def _incomplete(item: Item) -> str | None:
    metaphor = gold(item).metaphor == YES
    missing = [name for name in needed(_STAGE, metaphor=metaphor) if not reference(item, name)]
    if missing:
        return f"no explanation for {', '.join(missing)}"
    return "a mapping is explained, but there is no metaphor" if not metaphor and reference(item, "mapping") else None


def _length(item: Item) -> str | None:
    shortest = SHORTEST.get(item.lang, SHORTEST["en"])
    for name, text in _texts(item).items():
        if not shortest <= len(text) <= LONGEST:
            return f"{name} has {len(text)} characters, outside {shortest}..{LONGEST}"
    return None


def _wrapped(item: Item) -> str | None:
    for name, text in _texts(item).items():
        if "```" in text or re.match(r'\s*[\[{]\s*"', text) or "<think" in text.casefold():
            return f"{name} holds a code fence, JSON or thoughts, not a sentence: {text[:40]!r}"
    return None


def _unreadable(item: Item) -> str | None:
    try:
        answer = read_answer(reply_of(item, _STAGE))
    except Unreadable as error:
        return f"its reply could not be read: {error}"
    true = gold(item)
    same = (answer.metaphor, answer.target, answer.source, answer.sentiment) == (
        true.metaphor, true.target, true.source, true.sentiment,
    )  # fmt: skip
    return None if same else "its reply does not read back as its labels"


def _language(item: Item) -> str | None:
    if item.lang != "zh":
        return None
    for name, text in _texts(item).items():
        letters = [c for c in text if c.isalpha()]
        if letters and sum(_han(c) for c in letters) < len(letters) / 3:
            return f"{name} is not in the language of the text (zh)"
    return None


def _quotation(item: Item) -> str | None:
    """Words in quotation marks, said to be the text's, that the text does not hold."""
    text = _plain(item.text)
    for name, said in _texts(item).items():
        for found in _QUOTED.finditer(said):
            if _TEXT_SAYS.search(said[: found.start()]) and _plain(found[1]).strip(" .!?。！？…") not in text:
                return f"{name} quotes {found[1]!r} from the text, which does not say so"
    return None


def _unnamed(item: Item) -> str | None:
    said = _plain(reference(item, "mapping"))
    if gold(item).metaphor != YES or not said:
        return None
    missing = [name for name in ("target", "source") if not _named(written(item, name), said)]
    return f"the mapping does not name the {' and the '.join(missing)}" if missing else None


def _denied(item: Item) -> str | None:
    if gold(item).metaphor != YES:
        return None
    pattern = _DENIES.get(item.lang, _DENIES["en"])
    for name in ("evidence", "mapping"):
        if (found := pattern.search(reference(item, name))) is not None:
            return f"the label is Yes, but {name} says {found[0]!r}"
    return None


def _other_sentiment(item: Item) -> str | None:
    said, label = reference(item, "justification"), gold(item).sentiment
    named = [name for name in SENTIMENT if _SENTIMENTS[name].search(said)]
    if named and label not in named:
        return f"the label is {label}, but the justification speaks of {', '.join(named)}"
    return None


RULES: tuple[tuple[Kind, str, Rule], ...] = (
    ("malformed", "picture", _no_picture),
    ("malformed", "explanations", _incomplete),
    ("malformed", "length", _length),
    ("malformed", "wrapping", _wrapped),
    ("malformed", "reading", _unreadable),
    ("malformed", "language", _language),
    ("unsupported", "quotation", _quotation),
    ("mismatch", "mapping", _unnamed),
    ("mismatch", "denial", _denied),
    ("mismatch", "sentiment", _other_sentiment),
)


def _texts(item: Item) -> dict[str, str]:
    found = {name: reference(item, name) for name in ("evidence", "mapping", "justification")}
    return {name: text for name, text in found.items() if text}


def _named(label: str, said: str) -> bool:
    """Whether a label, or a half of its longer words, occurs in a plain text."""
    label = _plain(label)
    if label in said:
        return True
    words = [word for word in re.findall(r"\w+", label) if len(word) > 3]
    if words:
        return 2 * sum(word[: max(4, len(word) - 2)] in said for word in words) >= len(words)
    pairs = [label[n : n + 2] for n in range(len(label) - 1)] if any(map(_han, label)) else []
    return bool(pairs) and 2 * sum(pair in said for pair in pairs) >= len(pairs)


def _plain(text: str) -> str:
    return " ".join(fold(unicodedata.normalize("NFKC", text)).split())


def _han(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff"
