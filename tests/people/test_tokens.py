"""Tokens: what is signed opens, and nothing else does."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trope.people.tokens import Signer, TokenError


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("secret") / "secret")


def test_round_trip_expiry_and_kind(signer: Signer) -> None:
    token = signer.sign("invite", {"n": "خ"}, expires=100.0)
    assert signer.open("invite", token, now=99.9) == {"n": "خ"}
    with pytest.raises(TokenError, match="expired"):
        signer.open("invite", token, now=100.0)
    with pytest.raises(TokenError, match="forged"):
        signer.open("session", token, now=1.0)


@given(st.data())
def test_no_changed_token_opens(signer: Signer, data: st.DataObject) -> None:
    token = signer.sign("form", {"r": "anna", "v": 3})
    place = data.draw(st.integers(0, token.index(".") - 1))
    letter = data.draw(st.sampled_from("ABCxyz019-_"))
    if token[place] != letter:
        with pytest.raises(TokenError):
            signer.open("form", token[:place] + letter + token[place + 1 :])


@given(st.text(max_size=200))
def test_no_text_is_a_token(signer: Signer, text: str) -> None:
    with pytest.raises(TokenError):
        signer.open("form", text)


def test_the_secret_is_its_owners_alone(tmp_path: Path) -> None:
    first = Signer(tmp_path / "secret")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert Signer(tmp_path / "secret").open("a", first.sign("a", {})) == {}
    with pytest.raises(TokenError):
        Signer(tmp_path / "other").open("a", first.sign("a", {}))
