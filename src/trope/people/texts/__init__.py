"""What the pages say, in four languages: one TOML file each, with the same keys."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LANGS = {"en": "English", "zh": "中文", "ja": "日本語", "ar": "العربية"}
RIGHT_TO_LEFT = frozenset({"ar"})


@cache
def texts(lang: str) -> Mapping[str, str]:
    """The texts of a language; English for one we do not have."""
    file = Path(__file__).with_name(f"{lang if lang in LANGS else 'en'}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def direction(lang: str) -> str:
    """``rtl`` or ``ltr``."""
    return "rtl" if lang in RIGHT_TO_LEFT else "ltr"
