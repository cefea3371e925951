"""Which column is which field, shown and never guessed."""

from __future__ import annotations

import pytest

from tests.items.helpers import kinds
from trope.errors import UsageError
from trope.items.columns import ALIASES, looks_flat, map_columns, simple


def test_names_are_compared_without_case_width_and_spaces() -> None:
    assert simple(" Source Domain ") == simple("source-domain") == simple("sourceDomain") == "source_domain"
    assert simple("ＴＥＸＴ") == "text"


def test_no_alias_means_two_fields() -> None:
    names = [name for field, aliases in ALIASES.items() for name in (field, *aliases)]
    assert len(names) == len(set(names))
    assert all(simple(name) == name for name in names)


def test_aliases_are_shown() -> None:
    mapped, found = map_columns(["id", "Sentence", "source", "target", "lang", "who"], {}, "a.csv")
    assert mapped == {"id": "id", "Sentence": "text", "source": "vehicle", "target": "tenor", "lang": "lang"}
    assert [str(f) for f in found] == [
        "a.csv: text: 'Sentence': is read as text, by its name [column]",
        "a.csv: vehicle: 'source': is read as vehicle, by its name [column]",
        "a.csv: tenor: 'target': is read as tenor, by its name [column]",
        "a.csv: 'who': is not read [column]",
    ]


@pytest.mark.parametrize(
    "header", [["句子", "喻体", "本体"], ["例文", "喩辞", "被喩辞"], ["الجملة", "المشبه به", "المشبه"]]
)
def test_names_in_three_languages(header: list[str]) -> None:
    assert list(map_columns(header, {}, "a.csv")[0].values()) == ["text", "vehicle", "tenor"]


def test_a_source_alone_may_be_a_book() -> None:
    mapped, found = map_columns(["proverb", "source"], {}, "a.json")
    assert mapped == {"proverb": "text"}
    assert found[-1].why == (
        "is not read: without a tenor it may be anything. If it is the vehicle: --column source=vehicle"
    )
    assert map_columns(["proverb", "source"], {"source": "vehicle"}, "a.json")[0]["source"] == "vehicle"


def test_what_the_user_says_goes_first() -> None:
    mapped, _ = map_columns(["text", "caption"], {"text": "-", "caption": "text"}, "a.csv")
    assert mapped == {"caption": "text"}


def test_two_columns_for_one_field() -> None:
    _, found = map_columns(["text", "caption", "vehicle", "source", "tenor"], {}, "a.csv")
    assert [f.why for f in found if f.level == "fatal"] == [
        "columns 'text' and 'caption' all mean text. Leave one unread, e.g. --column caption=-",
        "columns 'vehicle' and 'source' all mean vehicle. Leave one unread, e.g. --column source=-",
    ]
    _, found = map_columns(["text", "text"], {}, "a.csv")
    assert "2 columns have this name; rename them" in found[0].why


def test_no_text() -> None:
    _, found = map_columns(["I", "0072"], {}, "a.tsv")
    assert kinds(found, "fatal") == ["header"]
    assert "no column is the text. Columns: I, 0072." in found[-1].why


def test_columns_and_fields_that_do_not_exist() -> None:
    with pytest.raises(UsageError, match=r"no column 'txt' in a.csv. Did you mean 'text'\? There are: id, text"):
        map_columns(["id", "text"], {"txt": "text"}, "a.csv")
    with pytest.raises(UsageError, match=r"no field 'vehicel' for column 'id'. Did you mean 'vehicle'\?"):
        map_columns(["id", "text"], {"id": "vehicel"}, "a.csv")


@pytest.mark.parametrize(
    ("names", "flat"),
    [(["id", "lang", "text"], False), (["id", "text", "figures"], False), (["id", "lang", "textt"], False),
     (["id", "sentence"], True), (["id", "text", "vehicle"], True), (["proverb", "source"], True)],
)  # fmt: skip
def test_rows_of_a_table_and_items(names: list[str], flat: bool) -> None:
    assert looks_flat(names) is flat
