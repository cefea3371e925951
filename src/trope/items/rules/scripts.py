"""Common: a text is in the script of its language and not broken. Strict: so is its punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from trope.items.rules.base import Fault, Rule, each, texts_of
from trope.nouns import Item

_LETTERS = {
    "en": re.compile(r"[A-Za-z]"),
    "zh": re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"),
    "ja": re.compile(r"[\u3041-\u30ff\u3400-\u9fff]"),
    "ar": re.compile(r"[\u0620-\u064a]"),
}
_NAMES = {"en": "Latin", "zh": "Han", "ja": "kana or kanji", "ar": "Arabic"}
_FOREIGN = {
    "en": re.compile(r"[\u0400-\u04ff\u0590-\u08ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]+"),
    "zh": re.compile(r"[\u0400-\u08ff\u3041-\u3096\u30a1-\u30fa\uac00-\ud7af]+"),
    "ja": re.compile(r"[\u0400-\u08ff\uac00-\ud7af]+"),
    "ar": re.compile(r"[\u0400-\u05ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]+"),
}
_ANY_SCRIPT = (".ground", "prompts.conceptual", "prompts.descriptive", "prompts.style")  # often kept in English
_BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\uf8ff\ufff9-\uffff]")
# UTF-8 read as Windows-1252 or GBK, and what replaced what could not be read
_MOJIBAKE = re.compile(r"[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œ]|â€|锟斤拷|烫烫烫|�")
# everything a text of the strict sets may hold besides letters of its script
_STRICT = {
    "en": re.compile(r"[A-Za-zéèêñáïöüçâ0-9 .,;:?!'\"()–-]"),
    "zh": re.compile(r"[\u4e00-\u9fff，。；：？！、“”‘’《》（）／…—0-9]"),
    "ja": re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff々、。「」『』・？！（）]"),
    "ar": re.compile(r"[\u0621-\u063a\u0641-\u0652\u0670 ،؛؟.:!«»()-]"),
}
_CLOSED = re.compile(r"[.?!。？！؟][\"”」』»)]?$")
_ASKS = {"en": re.compile(r"[?.]$"), "zh": re.compile("？$"), "ja": re.compile("か。$|？$"), "ar": re.compile("؟$")}
_SPACING = {
    "en": re.compile(r"\s[.,;:?!)]|\(\s|[,;:?!](?=[A-Za-z])|\.\.(?!\.)"),
    "zh": re.compile(r"[，。；：？！、]{2}|^[，。；：？！、]"),
    "ja": re.compile(r"[、。]{2}|^[、。]|、」"),
    "ar": re.compile(r"\s[،؛؟.:!»]|[،؛](?!\s)|«\s|اً"),
}


def _script(item: Item) -> Iterator[Fault]:
    for field, text, lang in texts_of(item):
        if field in ("gloss", "reason"):  # these are in English and quote the item's language
            if not _LETTERS["en"].search(text):
                yield Fault(field, text, "has no Latin letter; gloss and reason are in English")
        elif lang != "en" and not _LETTERS[lang].search(text) and not field.endswith(_ANY_SCRIPT):
            yield Fault(field, text, f"has no {_NAMES[lang]} letter, but the item's language is {lang}")
        elif found := _FOREIGN[lang].search(text):
            yield Fault(field, text, f"holds {found.group()!r}, which is not the script of {lang}")


def _readable(item: Item) -> Iterator[Fault]:
    for field, text, _ in texts_of(item):
        if found := _MOJIBAKE.search(text):
            yield Fault(field, text, f"holds {found.group()!r}: it was once read in a wrong encoding")
        elif found := _INVISIBLE.search(text):
            yield Fault(field, text, f"holds the invisible character U+{ord(found.group()):04X}")
        elif unicodedata.normalize("NFC", text) != text:
            yield Fault(field, text, "is not in Unicode's normal form C: equal texts may compare as different")


def _bidi(item: Item) -> Iterator[Fault]:
    for field, text, _ in texts_of(item):
        if found := _BIDI.search(text):
            yield Fault(field, text, f"holds the bidi mark U+{ord(found.group()):04X}; the order is the text's own")


def _punctuation(item: Item) -> Iterator[Fault]:
    for field, text, lang in texts_of(item):
        if field in ("gloss", "reason"):
            continue
        odd = dict.fromkeys(c for c in text if not _STRICT[lang].match(c))
        if lang == "zh" and " " in odd and item.cluster.get("layout") == "verse":
            del odd[" "]
        if odd:
            yield Fault(field, text, f"holds {''.join(odd)!r}: not among the letters and marks of {lang}")
        elif found := _SPACING[lang].search(text):
            yield Fault(field, text, f"punctuation or spacing is off at {found.group()!r}")
        for left, right in ("“”", "「」", "«»", "()", "（）", "《》"):
            if text.count(left) != text.count(right):
                yield Fault(field, text, f"{left} and {right} do not pair up")


def _simplified(item: Item) -> Iterator[Fault]:
    if item.lang != "zh":
        return
    for field, text, lang in texts_of(item):
        found = [c for c in text if lang == "zh" and _traditional(c)]
        if found:
            yield Fault(field, text, f"holds the traditional character {found[0]!r}; the set is in simplified script")


@cache
def _traditional(character: str) -> bool:
    """A Han character that Big5 has and GB 2312 lacks; a few that both scripts share are not told apart."""
    if not _LETTERS["zh"].match(character):
        return False
    return _encodes(character, "big5") and not _encodes(character, "gb2312")


def _encodes(character: str, codec: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _ends(item: Item) -> Iterator[Fault]:
    closed = _CLOSED.search(item.text) is not None
    for field, text, lang in texts_of(item):
        if field.startswith("twins.") and (_CLOSED.search(text) is not None) != closed:
            yield Fault(field, text, "a twin ends with a full stop if the text does, and only then")
        elif field.endswith(".stem") and not _ASKS[lang].search(text):
            yield Fault(field, text, "a stem ends like a question (or, in English, like a request)")
        elif ".options." in field and re.search(r"[,;:，；：、،؛]$", text):
            yield Fault(field, text, "an option does not end in a comma, colon or semicolon")


RULES: tuple[Rule, ...] = (
    each("script", "every text has letters of its language's script and none of another", _script),
    each("readable", "no broken or invisible characters, Unicode form C", _readable),
    each("bidi", "no bidi marks", _bidi),
)
STRICT: tuple[Rule, ...] = (
    each("punctuation", "only the letters and marks of the language, spaced and paired as it does", _punctuation),
    each("simplified", "Chinese is in simplified script", _simplified),
)
SENTENCES = each("sentence-end", "twins end as their text does, stems like questions, options without a comma", _ends)
