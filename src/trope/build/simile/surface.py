"""Replies of writers put into one spelling: quotation marks, white space, the first letter, the full stop."""

from __future__ import annotations

import re
import unicodedata

from trope.requests import Unreadable

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": "–", "\u00a0": " "})
_QUOTED = re.compile(r"([\"'*_`]+)(.*)\1", re.DOTALL)
_NEXT = re.compile(r"[.!?][\"']?\s+\S")


def sentence_of(reply: str) -> str:
    """The one sentence of a reply.

    Curly quotation marks become plain, white space single; quotation marks or emphasis around the whole are taken
    off; the first letter is a capital, and a missing full stop is added (a sentence cut at 40 tokens has too many
    words anyway).

    Raises
    ------
    Unreadable : nothing, several lines or sentences, or a label or greeting in front.
    """
    text = unicodedata.normalize("NFC", reply).translate(_PLAIN).strip()
    if len([line for line in text.splitlines() if line.strip()]) > 1:
        raise Unreadable("several lines, expected one sentence")
    text = " ".join(text.split())
    while match := _QUOTED.fullmatch(text):
        text = match[2].strip()
    if not text:
        raise Unreadable("an empty reply")
    if _NEXT.search(text):
        raise Unreadable("several sentences, expected one")
    if ":" in text:
        raise Unreadable("a colon: something stands before the sentence")
    if text[-1] not in ".!?":
        text = text.rstrip(",;- ") + "."
    return text[0].upper() + text[1:]
