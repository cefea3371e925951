"""Words of a text, in the four languages: counted, and reduced to what two texts can share."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from trope.data import ROOT

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HAN_KANA = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]+")
_MARKS = re.compile(r"[\u064b-\u0652\u0670\u0640]")
# a single letter in front is as often the root's own, so it goes only where much is left
_AR_FRONT = re.compile(r"^(?:(?:وال|فال|بال|كال|لل|ال)(?=..)|[وفبكل](?=....))")
_AR_BACK = re.compile(r"(?:هما|هم|هن|ها|ه|ة|ان|ين|ون|ات|ي|ا)$")


@cache
def word_list(name: str) -> frozenset[str]:
    """A list in ``data/words``: one entry a line, ``#`` begins a comment."""
    lines = (ROOT / "words" / f"{name}.txt").read_text("utf-8").splitlines()
    return frozenset(line.split("#")[0].strip() for line in lines if line.split("#")[0].strip())


def words(text: str) -> list[str]:
    """Words as a reader counts them: letters and digits, inner hyphens and apostrophes."""
    return _WORD.findall(text)


def content(text: str, lang: str) -> frozenset[str]:
    """What of a text another text can repeat.

    English: content words without their endings. Arabic: words without vowel marks, articles, clitics and the
    commonest endings. Chinese and Japanese: pairs of neighboring characters.
    """
    text = unicodedata.normalize("NFKC", text)
    if lang in ("zh", "ja"):
        return frozenset(run[i : i + 2] for run in _HAN_KANA.findall(text) for i in range(len(run) - 1))
    stop = word_list(f"stop_{lang}")
    if lang == "ar":
        return frozenset(_arabic(w) for w in words(_MARKS.sub("", text)) if w not in stop)
    return frozenset(stem(w) for w in words(text.casefold().replace("-", " ")) if w not in stop and len(w) > 1)


def stem(word: str) -> str:
    """An English word without plural, possessive, ``-ing``, ``-ed`` and final ``e``; not a lemma.

    >>> stem("knives"), stem("knife"), stem("carried"), stem("carry"), stem("running")
    ('knif', 'knif', 'carry', 'carry', 'run')
    """
    word = word.casefold().replace("’", "'").removesuffix("'s").removesuffix("'")
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("ves") and len(word) > 4:
        word = word[:-3] + "f"
    elif word.endswith(("sses", "ches", "shes", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ied", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and re.search("[aeiouy]", base):
            word = base + "y" if ending == "ied" else base
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _arabic(word: str) -> str:
    word = re.sub("[أإآ]", "ا", word)
    word = _AR_FRONT.sub("", word)
    return _AR_BACK.sub("", word) if len(word) > 4 else word
