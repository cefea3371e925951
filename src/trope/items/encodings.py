"""Bytes to text. UTF-8 is read; anything else is read only if a mark or the user says so."""

from __future__ import annotations

import codecs
import re

from trope.errors import UnknownName
from trope.items.findings import Finding

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# what files in the four languages are in when they are not in UTF-8, the likelier first
CANDIDATES = ("gb18030", "euc_jp", "shift_jis", "big5", "euc_kr", "cp1256", "cp1252")
# code pages of one byte read almost anything, so they are named only when no other candidate fits
_ONE_BYTE = ("cp1256", "cp1252")
_NAMES = {"gb18030": "GB18030", "euc_jp": "EUC-JP", "shift_jis": "Shift_JIS", "big5": "Big5", "euc_kr": "EUC-KR",
          "cp1256": "Windows-1256", "cp1252": "Windows-1252"}  # fmt: skip


def decode(data: bytes, name: str, encoding: str | None = None) -> tuple[str | None, str, list[Finding]]:
    """The text of a file, or None with a fatal finding.

    Parameters
    ----------
    data : the whole file; a beginning is not enough, for a file may be ASCII for 100 KB and something else after.
    name : of the file, for findings.
    encoding : what the user says it is; None for UTF-8, or what a byte order mark says.

    Returns
    -------
    text, encoding, findings : the encoding that was used, as Python names it.

    Raises
    ------
    UnknownName : no such encoding.
    """
    if encoding is not None:
        return _declared(data, name, encoding)
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return _marked(data, name, codec)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, "unknown", [_unknown(data, name, error)]
    if "\0" in text:
        guess = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
        why = f"holds zero bytes, as UTF-16 without a byte order mark does. If it is that: --encoding {guess}"
        return None, "unknown", [Finding("encoding", "fatal", _line(data, data.index(0), name), "", "", why)]
    return text, "utf-8", _broken(text, name)


def _marked(data: bytes, name: str, codec: str) -> tuple[str | None, str, list[Finding]]:
    label = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32"}[codec]
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        why = f"begins with the byte order mark of {label}, but is not {label} at byte {error.start} ({error.reason})"
        return None, codec, [Finding("encoding", "fatal", name, "", "", why)]
    note = Finding("byte-order-mark", "note", name, "", "", f"read as {label}, as the mark at its beginning says")
    return text, codec, [note, *_broken(text, name)]


def _declared(data: bytes, name: str, encoding: str) -> tuple[str | None, str, list[Finding]]:
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        raise UnknownName("encoding", encoding, ["utf-8", "utf-16", *CANDIDATES]) from None
    for mark, marked in _BOMS:
        if data.startswith(mark) and codec.replace("-", "_").startswith(marked[:6].replace("-", "_")):
            codec = marked
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        where = _line(data, error.start, name)
        why = f"is not {encoding}: byte {error.start} is 0x{data[error.start]:02X} ({error.reason})"
        return None, codec, [Finding("encoding", "fatal", where, "", "", why)]
    found = _broken(text, name)
    others = _also(data, codec)
    if others:
        shown = "; ".join(f"{_NAMES.get(other, other)}: {sample!r}" for other, sample in others)
        at = _first_odd(data)
        why = f"read as {encoding}, as you say: {_sample(data, at, codec)!r}. The same bytes are valid as {shown}"
        found.append(Finding("encoding", "note", _line(data, at, name), "", "", why))
    return text, codec, found


def _unknown(data: bytes, name: str, error: UnicodeDecodeError) -> Finding:
    at = error.start
    before = data[:at]
    ascii_only = f" (the {at} bytes before it are plain ASCII)" if before and before.isascii() else ""
    fitting = _also(data, "utf-8")
    readings = "; ".join(f"as {_NAMES[codec]}: {sample!r}" for codec, sample in fitting)
    if not fitting:
        advice = "It fits no encoding that Trope knows of: save it as UTF-8"
    elif len(fitting) == 1:
        advice = f"It can be read {readings}. If that is right: --encoding {fitting[0][0]}"
    else:
        advice = (
            f"Several encodings fit, and Trope does not choose: {readings}. Say which, e.g. --encoding {fitting[0][0]}"
        )
    why = f"is not UTF-8: byte {at} is 0x{data[at]:02X}{ascii_only}. {advice}"
    return Finding("encoding", "fatal", _line(data, at, name), "", "", why)


def _also(data: bytes, codec: str) -> list[tuple[str, str]]:
    """Other encodings the whole file is valid in, each with how the first line that is not ASCII reads."""
    if data.isascii() or codec.startswith(("utf-16", "utf-32")):
        return []
    at = _first_odd(data)
    fitting: list[tuple[str, str]] = []
    for other in ("utf-8", *CANDIDATES):
        if other == codec or (other in _ONE_BYTE and any(found not in _ONE_BYTE for found, _ in fitting)):
            continue
        try:
            text = data.decode(other)
        except UnicodeDecodeError:
            continue
        if other in _ONE_BYTE and (codec in CANDIDATES[:5] or re.search(r"[\x80-\x9f\u200c-\u200f]", text)):
            continue
        fitting.append((other, _sample(data, at, other)))
    return fitting


def _first_odd(data: bytes) -> int:
    found = re.search(rb"[\x80-\xff]", data)
    return found.start() if found else 0


def _sample(data: bytes, at: int, codec: str) -> str:
    """Some characters from the line around byte ``at``."""
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at)
    line = data[start : end if end >= 0 else len(data)].decode(codec, "replace").strip()
    odd = next((n for n, c in enumerate(line) if not c.isascii()), 0)
    return line[max(0, odd - 4) : odd + 24]


def _line(data: bytes, at: int, name: str) -> str:
    return f"{name}, line {data.count(bytes([10]), 0, at) + 1}"


def _broken(text: str, name: str) -> list[Finding]:
    """Characters that an earlier program put where it could not read."""
    lines = [n for n, line in enumerate(text.split("\n"), start=1) if "\ufffd" in line]
    if not lines:
        return []
    where = f"{name}, line {lines[0]}"
    why = f"{len(lines)} lines hold U+FFFD, which stands for something lost before; the file's source has the text"
    return [Finding("broken-character", "note", where, "", "\ufffd", why)]
