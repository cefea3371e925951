"""A whole chapter, paragraph by paragraph, as JSON lines that a killed run goes on with."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trope import __version__
from trope.errors import UsageError
from trope.records import key_of

_PARAGRAPH = re.compile(r"(?:^|(?<=\n))[^\S\n]*\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")

_BEGINS = b'{"paragraph"'


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: its text without the blank lines around it, and the line of the file it begins at, from 1."""

    text: str
    line: int


def paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text: runs of lines that are not blank."""
    found, line, at = [], 1, 0
    for match in _PARAGRAPH.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append(Paragraph(match.group().rstrip("\r"), line))
    return found


def asked(paragraph: str, *how: str | None) -> str:
    """The hash of a paragraph and of all that can change what is said of it, Trope's version included."""
    return key_of(__version__, paragraph, *how)


def standing(path: Path, hashes: Sequence[str]) -> tuple[int, int]:
    """How many whole lines of an earlier run still answer these paragraphs, and how many bytes they are.

    Raises
    ------
    UsageError : the file is there and was not written by `trope guard text`.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return 0, 0
    except OSError as error:
        raise UsageError(f"--out {str(path)!r} cannot be read: {error.strerror or error}") from None
    count = size = 0
    matching = True
    for n, line in enumerate(lines):
        if n == len(lines) - 1 and not line.endswith(b"\n"):
            break  # the line a killed run was at
        said = _hash(line)
        if said is None:
            raise UsageError(f"--out {str(path)!r}: line {n + 1} is not from trope guard text. Name another file")
        matching = matching and n < len(hashes) and said == hashes[n]
        if matching:
            count, size = count + 1, size + len(line)
    if lines and lines[0][: len(_BEGINS)] != _BEGINS[: len(lines[0])]:
        raise UsageError(f"--out {str(path)!r} is not from trope guard text. Name another file")
    return count, size


def _hash(line: bytes) -> str | None:
    try:
        value = json.loads(line)
        return str(value["sha256"]) if value["paragraph"] else None
    except (ValueError, KeyError, TypeError):
        return None
