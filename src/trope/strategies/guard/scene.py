"""Around the figures: a prompt's language, the parts that are written for a machine, and what the world holds."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from trope.strategies.guard.plan import Span

_SCRIPTS = (
    ("ja", re.compile(r"[ぁ-ゖァ-ヺ]")),
    ("ar", re.compile(r"[\u0621-\u064a]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
)
# Syntax of prompt tools, and text to be rendered or spoken: nothing in it is read or changed.
_PROTECTED = re.compile(
    r"""<[^<>\n]{1,200}>                      # <lora:name:0.8>, <embedding>
      | \([^()\n]{1,300}:\s*-?\d*\.?\d+\s*\)  # (word:1.3)
      | \[[^\[\]\n]{1,300}:[^\[\]\n]{0,300}\] # [from:to:0.5]
      | \{[^{}\n]{1,300}\}                    # {one|other}
      | "[^"\n]{1,400}" | “[^”\n]{1,400}” | «[^»\n]{1,400}» | 「[^」\n]{1,400}」 | 『[^』\n]{1,400}』
      | ‘[^’\n]{1,200}’(?![A-Za-z])
      | (?<![A-Za-z0-9])'[^'\n]{1,200}'(?![A-Za-z0-9])
      | https?://\S+ | (?<=\s)--\w+(?:\s+[^\s-]\S*)? | `[^`\n]{1,300}`
    """,
    re.VERBOSE,
)
_REAL = {
    "en": re.compile(r"\b(?:real|really|actual|actually|exists?|truly|literal|literally)\b", re.I),
    "zh": re.compile(r"真的|真实|真有|确有|存在|实有|真正的"),
    "ja": re.compile(r"本物|実在|実際に|本当に|ほんもの"),
    "ar": re.compile(r"حقيقي|حقا|حقًا|فعلا|فعلًا|موجود"),
}
_NOT = re.compile(r"\b(?:no|not|never|isn't|aren't|nobody)\b|不是|没有|并非|ではな|いない|ليس|لا ", re.I)
_CLAUSE = re.compile(r"[^.;!?。；！？،؛\n]+")


@dataclass(frozen=True, slots=True)
class Protected:
    """Spans in order that no figure may touch."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def touches(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` overlaps one of them."""
        n = bisect_left(self.ends, start + 1)
        return n < len(self.starts) and self.starts[n] < end


def protected(text: str) -> Protected:
    """The parts of a prompt that are written for a machine or to be rendered as text."""
    spans = [match.span() for match in _PROTECTED.finditer(text) if not _speech(text, *match.span())]
    return Protected(tuple(start for start, _ in spans), tuple(end for _, end in spans))


_QUOTES = "\"“«「『‘'"
_WRITTEN = re.compile(
    r"\b(?:say|says|saying|said|read|reads|reading|word|words|text|title|titled|caption|label|labeled|written|write|sign|letters|logo)\b"
    r"|写|字|标|题|印|刻|書|文字|看板|ロゴ|題|كتب|كتابة|عبارة|كلمة|لافتة",
    re.IGNORECASE,
)


def _speech(text: str, start: int, end: int) -> bool:
    """Whether a quotation is what somebody says in a story, and not words to be rendered.

    In a passage it is speech unless a word for writing stands before it; in a prompt it must also end like a
    sentence inside the quotes and be no short one.
    """
    if text[start] not in _QUOTES:
        return False
    before = text[max(0, start - 30) : start]
    written = _WRITTEN.search(before) is not None and not before.rstrip().endswith((",", "：", "，", ":"))
    if len(text) >= _PASSAGE:
        return not written
    if text[start] == "«" and (_SAID.match(text, end) or _SAID.search(text[max(0, start - 12) : start])):
        return not written
    if text[start] == "「" and end - start >= 8:
        said = text[end : end + 1] not in ("の", "を", "は", "が", "も", "に", "で")
        return said and not (written or _INSCRIBED.match(text, end) or _NAMED.search(before))
    least = 8 if text[start + 1] >= "\u3000" else 12
    return end - start >= least and text[end - 2] in ".,!?…。，！？؟،" and not written


_PASSAGE = 150
_SAID = re.compile(  # beside an Arabic quotation
    r"\s*[،,:]?\s*[وف]?(?:قال|همس|صاح|أجاب|سأل|رد|صرخ|تمتم|أضاف)(?:ت|وا)?(?![\u0621-\u064a])"
)
_INSCRIBED = re.compile(  # after a Japanese quotation: words on a sign, a title
    r"[^「」。、]{0,8}(?:書|記|文字|タイトル|題|ロゴ|プリント|印|刻|看板|短冊|掛け軸|ポスター|筆|二行|入れ|入り|という|といった|との|とは)"
)
_NAMED = re.compile(  # before it, also with a colon: `文字を入れてください：「…」`
    r"(?:店名|名前|曲名|書名|題名|合言葉|看板|表紙)(?:は|が|に|には|、)?$"
    r"|(?:文字|文言|タイトル|題|見出し|コピー|字幕|テキスト|看板|ラベル|ロゴ)[^「」。、]{0,12}[:：]\s*$"
)


def infer_language(text: str) -> str:
    """`ja` with any kana, else `ar` or `zh` where its letters are the most, else `en`."""
    counts = {lang: len(pattern.findall(text)) for lang, pattern in _SCRIPTS}
    latin = len(re.findall(r"[A-Za-z]", text))
    if counts["ja"] and counts["ja"] + counts["zh"] >= latin:
        return "ja"
    best = max(("ar", "zh"), key=lambda lang: counts[lang])
    return best if counts[best] and counts[best] * 2 >= latin else "en"


_TAKEN_UP = 200


class World:
    """What else a text and its context say of a thing; each noun is looked up once, however often it is asked for."""

    def __init__(self, text: str, context: str, lang: str) -> None:
        self._text, self._context, self._lang = text, context, lang
        self._starts: dict[str, list[int]] = {}
        self._real: dict[str, bool] = {}
        self._in_context: dict[str, bool] = {}

    def real(self, noun: str) -> bool:
        """Whether the context calls the thing real: in one clause with a word for `real`, not denied."""
        if noun not in self._real:
            there, real = _mentions(noun, self._lang), _REAL.get(self._lang)
            self._real[noun] = real is not None and any(
                there.search(clause) and real.search(clause) and not _NOT.search(clause)
                for clause in _CLAUSE.findall(self._context)
            )
        return self._real[noun]

    def elsewhere(self, noun: str, but: Span) -> bool:
        """Whether the text names the thing outside the span ``but``, or the context does."""
        if noun not in self._starts:
            pattern = _mentions(noun, self._lang)
            self._starts[noun] = [match.start() for match in pattern.finditer(self._text)]
            self._in_context[noun] = pattern.search(self._context) is not None
        starts = self._starts[noun]
        inside = bisect_left(starts, but[1]) - bisect_left(starts, but[0])
        return self._in_context[noun] or len(starts) > inside

    def taken_up(self, noun: str, after: int) -> bool:
        """Whether the text goes on to speak of it as there: `look like dogs. All of the dogs wear hats`."""
        if self._lang != "en":
            return False
        again = re.compile(
            rf"\b(?:the|these|those|each|every|its)\s+(?:\w+\s+)?{_stem(noun)}(?:s|es)?\b", re.IGNORECASE
        )
        return again.search(self._text, after, after + _TAKEN_UP) is not None


def _stem(noun: str) -> str:
    return re.escape(noun.lower().removesuffix("s"))


def _mentions(noun: str, lang: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_stem(noun)}(?:s|es)?\b", re.IGNORECASE) if lang == "en" else re.compile(re.escape(noun))
