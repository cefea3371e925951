"""Bytes to text: nothing is guessed, everything is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.items.helpers import file, kinds
from trope.errors import ItemError, UnknownName
from trope.items import How, inspect_items, read_items
from trope.items.encodings import decode

LINE = '{"id": "a", "lang": "zh", "text": "月亮像一把镰刀。"}\n'


def test_utf8_is_read_without_a_word() -> None:
    assert decode(LINE.encode(), "a.jsonl") == (LINE, "utf-8", [])


@pytest.mark.parametrize(("codec", "label"), [("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("utf-32", "UTF-32")])
def test_a_byte_order_mark_is_believed_and_noted(codec: str, label: str, tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", LINE.encode(codec))
    read = inspect_items(path)
    assert [i.text for i in read.items] == ["月亮像一把镰刀。"]
    assert [(f.kind, f.level) for f in read.findings] == [("byte-order-mark", "note")]
    assert label in read.findings[0].why
    assert read_items(path) == read.items


def test_a_byte_order_mark_that_lies() -> None:
    text, _, found = decode(b"\xef\xbb\xbfabc\xff", "a.csv")
    assert text is None
    assert "byte order mark of UTF-8, but is not UTF-8 at byte 3" in found[0].why


def test_ascii_for_100_kilobytes_and_gb18030_after(tmp_path: Path) -> None:
    rows = "id,sentence,lang\n" + "".join(f"a{n},The path number {n} is long and bends.,en\n" for n in range(3000))
    data = rows.encode() + "z,月亮像一把镰刀。,zh\n".encode("gb18030")
    assert len(rows) > 100_000
    path = file(tmp_path, "late.csv", data)
    read = inspect_items(path)
    assert read.items == []
    assert kinds(read.findings) == ["encoding"]
    said = str(read.findings[0])
    assert "late.csv, line 3002: is not UTF-8" in said
    assert f"the {len(rows) + 2} bytes before it are plain ASCII" in said
    assert "as GB18030: 'z,月亮像一把镰刀。,zh'" in said
    with pytest.raises(ItemError, match="is not UTF-8"):
        read_items(path)
    items = read_items(path, How(encoding="gb18030"))
    assert len(items) == 3001
    assert items[-1].text == "月亮像一把镰刀。"


def test_euc_jp_that_also_decodes_as_gb18030_is_not_chosen(tmp_path: Path) -> None:
    data = "id,text,lang\nb,月は鎌のように光る。,ja\n".encode("euc_jp")
    data.decode("gb18030")  # it does decode: silent nonsense
    path = file(tmp_path, "jp.csv", data)
    said = str(inspect_items(path).findings[0])
    assert "Several encodings fit, and Trope does not choose" in said
    assert "as EUC-JP: 'b,月は鎌のように光る。,ja'" in said
    assert "as GB18030: " in said
    assert read_items(path, How(encoding="euc_jp"))[0].text == "月は鎌のように光る。"
    wrong = inspect_items(path, How(encoding="gb18030"))
    assert kinds(wrong.findings, "note") == ["encoding"]
    assert "The same bytes are valid as EUC-JP: 'b,月は鎌のように光る。,ja'" in wrong.findings[0].why


def test_shipped_examples_of_both() -> None:
    """The two files in `tests/data/text`: the same traps, as bytes on disk."""
    for name, encoding in (("ambiguous-euc-jp.tsv", "euc_jp"), ("late-gb18030.csv", "gb18030")):
        assert kinds(inspect_items(DATA / "text" / name).findings, "fatal") == ["encoding"]
        assert read_items(DATA / "text" / name, How(encoding=encoding))


def test_utf16_without_a_mark_is_named() -> None:
    text, _, found = decode("id,text\n1,月\n".encode("utf-16-le"), "a.csv")
    assert text is None
    assert "--encoding utf-16-le" in found[0].why
    assert "--encoding utf-16-be" in decode("id,text\n1,a\n".encode("utf-16-be"), "a.csv")[2][0].why


def test_bytes_that_fit_nothing() -> None:
    _, _, found = decode(b"id,text\n1,\x81\xff\xfe\x81\n", "a.csv")
    assert "It fits no encoding that Trope knows of: save it as UTF-8" in found[0].why


def test_one_byte_code_pages_are_named_when_nothing_else_fits() -> None:
    data = "id,text\n1,caf\xe9 noir\n".encode("cp1252")
    assert "as Windows-1252: ',café noir'" in decode(data, "a.csv")[2][0].why
    assert "café" in (decode(data, "a.csv", "cp1252")[0] or "")


def test_a_stated_encoding_that_is_wrong() -> None:
    text, _, found = decode("é".encode("latin-1") + b"\n", "a.csv", "utf-8")
    assert text is None
    assert "is not utf-8: byte 0 is 0xE9" in found[0].why
    with pytest.raises(UnknownName, match=r"no encoding 'gb18303'. Did you mean 'gb18030'"):
        decode(b"", "a.csv", "gb18303")


def test_a_stated_encoding_of_a_utf8_file_is_noted() -> None:
    text, _, found = decode("id,text\n1,月光月光\n".encode(), "a.csv", "gb18030")
    assert text is not None  # it decodes, into nonsense
    assert "The same bytes are valid as utf-8: '1,月光月光'" in found[0].why


def test_lost_characters_are_counted() -> None:
    _, _, found = decode("a\nb�\nc�\n".encode(), "a.csv")
    assert found[0].kind == "broken-character"
    assert "2 lines hold U+FFFD" in found[0].why
