"""What is stripped from a text before it is compared or kept: marks of where it came from, not what it says."""

from __future__ import annotations

import re
import unicodedata

# A hashtag is a mark when it stands alone; "#1 choice" and "C#" are words.
_HASHTAG = re.compile(r"(?<!\w)[#＃][^\W\d_]\w*[#＃]?")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+", re.IGNORECASE)
# what a search or a download leaves behind: "query: ...", "id=12345", "source_id: ab-12"
_LABELED = re.compile(
    r"(?:^|(?<=[\s;,|(\[]))(?:query|keyword|(?:source|image|post|item)[ _-]?id|id|编号|检索词)"
    r"\s*[:=：]\s*(?:\"[^\"\n]*\"|“[^”\n]*”|[^;|\n]{1,80}[;|]|[\w./-]+)[;,|]?",
    re.IGNORECASE,
)
# zero-width signs, byte order marks and control characters say nothing; line ends are white space
_UNSEEN = re.compile(r"[\u200b\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def clean_text(text: str) -> str:
    """A text as it is kept: no hashtags, addresses, queries and source ids, single spaces.

    Letters keep their form (no NFKC here): what is kept is what people wrote.
    """
    bare = _UNSEEN.sub("", text)
    for mark in (_ADDRESS, _LABELED, _HASHTAG):
        bare = mark.sub(" ", bare)
    return " ".join(bare.split())


def compared(text: str) -> str:
    """A text as exact duplicates are found by: NFKC, single spaces; case matters. m3r, section 3."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
