"""Signed tokens: invitations, sessions, forms. Nobody can make or change one without the study's secret."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trope.errors import TropeError

_LONGEST = 4096


class TokenError(TropeError):
    """A token that is no good; says why, never what it held."""


class Signer:
    """Signs and checks tokens of one study.

    Parameters
    ----------
    file : holds the secret; made, readable by its owner only, if it is missing.
    """

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600, exist_ok=True)
            file.chmod(0o600)
            file.write_text(secrets.token_hex(32), "ascii")
        self._key = bytes.fromhex(file.read_text("ascii"))

    def sign(self, kind: str, content: Mapping[str, Any], *, expires: float | None = None) -> str:
        """A token of a kind that holds ``content``; ``expires`` is in seconds since 1970."""
        body = json.dumps({"k": kind, "c": content, "x": expires}, ensure_ascii=True, separators=(",", ":"))
        text = _encode(body.encode("ascii"))
        return f"{text}.{_encode(self._mac(text))}"

    def open(self, kind: str, token: str, *, now: float | None = None) -> dict[str, Any]:
        """What a token holds.

        Raises
        ------
        TokenError : forged, of another kind or study, or expired.
        """
        text, _, mac = token.partition(".")
        try:
            genuine = len(token) <= _LONGEST and hmac.compare_digest(self._mac(text), _decode(mac))
            body = json.loads(_decode(text)) if genuine else None
        except (ValueError, binascii.Error):
            body = None
        if not isinstance(body, dict) or body.get("k") != kind:
            raise TokenError("forged")
        if body["x"] is not None and (time.time() if now is None else now) >= body["x"]:
            raise TokenError("expired")
        content: dict[str, Any] = body["c"]
        return content

    def _mac(self, text: str) -> bytes:
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _decode(text: str) -> bytes:
    return base64.b64decode((text + "=" * (-len(text) % 4)).encode("ascii"), altchars=b"-_", validate=True)
