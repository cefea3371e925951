"""A JSON request body of which one field is exchanged; every other byte stays what the client sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class NotReadable(ValueError):
    """A body that is no single JSON object in UTF-8, or that says a field twice."""


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a body, its own fields, and where the value of each stands in the text."""

    text: str
    fields: Mapping[str, Any]
    spans: Mapping[str, tuple[int, int]]

    def with_fields(self, changed: Mapping[str, str]) -> bytes:
        """The body with these texts in place; one that was not there is added as the last field."""
        parts, at = [], 0
        for name in sorted((n for n in changed if n in self.spans), key=lambda n: self.spans[n]):
            start, end = self.spans[name]
            parts += [self.text[at:start], _quoted(changed[name])]
            at = end
        rest = self.text[at:]
        new = [f"{_quoted(name)}: {_quoted(value)}" for name, value in changed.items() if name not in self.spans]
        if new:
            brace = rest.rindex("}")
            comma = ", " if self.fields else ""
            rest = rest[:brace] + comma + ", ".join(new) + rest[brace:]
        return "".join([*parts, rest]).encode()


def read_body(data: bytes) -> Body:
    """Take a body apart; raises `NotReadable`."""
    try:
        text = data.decode()
        return _read(text)
    except (ValueError, IndexError, RecursionError) as error:
        raise NotReadable(type(error).__name__) from None


def _read(text: str) -> Body:
    fields: dict[str, Any] = {}
    spans: dict[str, tuple[int, int]] = {}
    at = _expect(text, _skip(text, 0), "{")
    while text[at] != "}":
        if fields:
            at = _expect(text, at, ",")
        if text[at] != '"':
            raise NotReadable("a field has no name")
        name, at = _DECODER.raw_decode(text, at)
        at = _expect(text, _skip(text, at), ":")
        value, end = _DECODER.raw_decode(text, at)
        if name in fields:
            raise NotReadable("a field is said twice")
        fields[name], spans[name] = value, (at, end)
        at = _skip(text, end)
    if _skip(text, at + 1) != len(text):
        raise NotReadable("something follows the object")
    return Body(text, fields, spans)


def _expect(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise NotReadable(f"expected {sign}")
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _quoted(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can say
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)
