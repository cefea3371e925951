"""The guard's word lists: every one is read, none says a word twice, and the helpers read them as they are written."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import trope.strategies.guard as guard
from trope.strategies.guard.lexicon import lists, rows

FOLDERS = {"en": "english", "zh": "chinese", "ja": "japanese", "ar": "arabic"}
# Names that are made of a part that is written in the code and one that is written in a list.
MADE = {"en": r"\w+_marks", "zh": r"(?:quality|tenor|fits)_\w+", "ja": r"(?!)", "ar": r"(?!)"}
# Words that stand in tables, in which a word may come again.
TABLES = {"en": {"irregular", "other_things"}, "zh": set(), "ja": {"senses", "manners", "sayings"}, "ar": set()}


@pytest.mark.parametrize("lang", FOLDERS)
def test_every_list_is_read(lang: str) -> None:
    folder = Path(guard.__file__).parent / FOLDERS[lang]
    code = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    named = set(re.findall(r'"(\w+)"', code)) | set(re.findall(r"'(\w+)'", code))
    if lang == "ja":
        named |= {row.split("|")[1].strip() for row in rows("ja", "senses")}  # kinds of tenors are lists
    assert [name for name in lists(lang) if name not in named and not re.fullmatch(MADE[lang], name)] == []


@pytest.mark.parametrize("lang", FOLDERS)
def test_no_list_has_a_word_twice(lang: str) -> None:
    for name, text in lists(lang).items():
        if name not in TABLES[lang] and not name.endswith("_marks") and ";" not in text:
            assert [word for word, times in Counter(text.split()).items() if times > 1] == [], name


def test_rows_stand_between_semicolons() -> None:
    assert ("go", "went", "gone") in {tuple(row.split()) for row in rows("en", "irregular")}
    assert all(row == row.strip() != "" for row in rows("en", "other_things"))
