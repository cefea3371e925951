"""The reply grammar: an answer is read only from the place its format names; all else is `Unreadable`.

No option is guessed, no synonym accepted, no first digit taken out of a sentence. Three formats:

letters   one line a question, ``Q1: B``, in any order, nothing else
ratings   one line a scale, ``harmony: 4``, nothing else
json      one object, alone or in one code fence, with exactly the expected keys
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from trope.requests import Unreadable

_LONGEST = 100_000  # characters; what is longer is no reply in any of these formats


def read_letters(reply: str, options: Mapping[str, str]) -> dict[str, str]:
    """Read ``Q1: B`` lines.

    Parameters
    ----------
    reply : the judge's words.
    options : question id to its letters, e.g. ``{"Q1": "ABCD"}``.

    Returns
    -------
    Question id to letter, every question answered.

    Raises
    ------
    Unreadable : a line of another form, a question twice, missing or unknown, a letter it does not have.
    """
    answers = _lines(reply, options, r"([A-Za-z])[.)]?")
    letters = {name: letter.upper() for name, letter in answers.items()}
    for name, letter in letters.items():
        if letter not in options[name]:
            raise Unreadable(f"{name}: {letter!r} is none of {'/'.join(options[name])}")
    return letters


def read_ratings(reply: str, scales: Sequence[str], low: int = 1, high: int = 5) -> dict[str, int]:
    """Read ``scale: 4`` lines, whole numbers from ``low`` to ``high``; raises `Unreadable` as above."""
    answers = _lines(reply, dict.fromkeys(scales, ""), r"(\d{1,3})")
    ratings = {name: int(number) for name, number in answers.items()}
    for name, number in ratings.items():
        if not low <= number <= high:
            raise Unreadable(f"{name}: {number} is not in {low}..{high}")
    return ratings


def read_json(reply: str, keys: Sequence[str]) -> dict[str, Any]:
    """Read one JSON object that has exactly ``keys``.

    Raises
    ------
    Unreadable : text around it, two objects, a key twice, missing or unknown, NaN or Infinity, half a surrogate pair.
    """
    value = read_object(reply)
    if set(value) != set(keys):
        odd = sorted(set(value) ^ set(keys))
        raise Unreadable(f"keys missing or unknown: {', '.join(odd)}")
    return value


def read_object(reply: str) -> dict[str, Any]:
    """Read one JSON object, whatever its keys, for a format that says itself what a missing one means.

    Raises
    ------
    Unreadable : as `read_json`, but for missing and unknown keys.
    """
    text = _bounded(reply).strip()
    fenced = re.fullmatch(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", text, re.DOTALL)
    if fenced:
        text = fenced[1].strip()
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"not one JSON object: {error.msg} at character {error.pos}") from None
    except Unreadable:
        raise
    except ValueError:  # a whole number of over 4,300 digits
        raise Unreadable("a number of more digits than are read") from None
    if not isinstance(value, dict):
        raise Unreadable(f"expected a JSON object, got {type(value).__name__}")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unreadable("an escape that stands for half a character") from None
    return value


def _lines(reply: str, names: Mapping[str, str], answer: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _bounded(reply).strip().splitlines():
        if not line.strip():
            continue
        match = re.fullmatch(rf"\s*(\w+)\s*:\s*{answer}\s*", line, re.ASCII)
        if match is None:
            raise Unreadable(f"a line that is not 'name: answer': {line.strip()[:60]!r}")
        name = match[1]
        if name not in names:
            raise Unreadable(f"{name!r} was not asked")
        if name in found:
            raise Unreadable(f"{name!r} is answered twice")
        found[name] = match[2]
    missing = [name for name in names if name not in found]
    if missing:
        raise Unreadable(f"no answer to {', '.join(missing)}")
    return found


def _bounded(reply: str) -> str:
    if len(reply) > _LONGEST:
        raise Unreadable(f"{len(reply):,} characters long")
    return reply


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Unreadable("a key is given twice")
    return value


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is not a number")
