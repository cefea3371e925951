"""One turn with a multimodal chat model: the picture first, then the words."""

from __future__ import annotations

import base64
import json
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any

from trope.nouns import Status
from trope.records import Result
from trope.requests import Prompt
from trope.wire.endpoint import Endpoint, Reply, is_refusal

# Stands for the picture while the body is made, so that megabytes of base64 are not scanned for escapes.
# Random, since the text beside it is anybody's.
_MARK = f"@picture-{secrets.token_hex(16)}@"
_TYPES = {".png": "image/png", ".jpg": "image/jpeg"}


async def chat(
    endpoint: Endpoint,
    model: str,
    prompt: Prompt,
    *,
    picture: Path | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    top_k: int | None = None,
    sample: int = 0,
) -> Result:
    """Put a prompt to a model and keep its reply word for word.

    ``sample`` numbers further samples of one prompt; from 1 on it is sent as the seed, where the provider takes one.

    Returns
    -------
    ``ok`` with ``raw`` (which may be empty, and will then be unreadable); ``refused`` when the server or the
    model says so; ``failed`` for any other error that is an answer.

    Raises
    ------
    TransientError : retries are used up. BackendError : no retry can help.
    """
    sampling = _sampling(endpoint, top_k, sample)
    body = _body(endpoint, model, prompt, picture, temperature, max_tokens, sampling)
    reply = await endpoint.post("/chat/completions", body)
    provenance = _provenance(reply)
    if reply.status != 200:
        code, message = reply.error
        status: Status = "refused" if is_refusal(code, message) else "failed"
        reason = f"HTTP {reply.status} {code} {message}"[:400]
        return Result(status=status, reason=reason, provenance=provenance, billed=False)
    try:
        choice = reply.body["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
    except (KeyError, IndexError, TypeError, AttributeError):
        reason = "the answer has no choices[0].message"
        return Result(status="failed", reason=reason, provenance=provenance)
    provenance["finish_reason"] = choice.get("finish_reason")
    if refusal or choice.get("finish_reason") == "content_filter":
        said = text if isinstance(text, str) else None
        return Result(status="refused", raw=said, reason=str(refusal or "content filter"), provenance=provenance)
    return Result(raw=text if isinstance(text, str) else "", provenance=provenance)  # an empty reply is a reply


def _sampling(endpoint: Endpoint, top_k: int | None, sample: int) -> dict[str, int]:
    fields = {} if top_k is None else {"top_k": top_k}
    return fields | ({"seed": sample} if sample and endpoint.provider.seeds else {})


def _body(
    endpoint: Endpoint,
    model: str,
    prompt: Prompt,
    picture: Path | None,
    temperature: float | None,
    max_tokens: int | None,
    sampling: dict[str, int],
) -> bytes:
    parts: list[dict[str, Any]] = []
    if picture is not None:  # first: servers reuse what they computed for a shared beginning
        parts.append({"type": "image_url", "image_url": {"url": f"data:{_TYPES[picture.suffix]};base64,{_MARK}"}})
    parts.append({"type": "text", "text": prompt.user})
    messages: list[dict[str, Any]] = [{"role": "user", "content": parts}]
    if prompt.system:
        messages.insert(0, {"role": "system", "content": prompt.system})
    fields: dict[str, Any] = {
        "model": model,
        "messages": messages,
        endpoint.provider.max_tokens: max_tokens or prompt.max_tokens,
        "temperature": prompt.temperature if temperature is None else temperature,
    }
    if fields["temperature"] == -1:
        del fields["temperature"]
    if prompt.top_p is not None:
        fields["top_p"] = prompt.top_p
    fields |= sampling
    if prompt.schema is not None and endpoint.provider.schemas:
        schema = {"name": "reply", "strict": True, "schema": prompt.schema}
        fields["response_format"] = {"type": "json_schema", "json_schema": schema}
    text = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if picture is None:
        return text
    head, tail = text.split(_MARK.encode(), 1)
    return b"".join((head, _base64(picture), tail))


@lru_cache(maxsize=32)
def _base64(picture: Path) -> bytes:
    # content-addressed: the same path is the same picture for ever
    return base64.b64encode(picture.read_bytes())


def _provenance(reply: Reply) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if isinstance(reply.body, dict):
        kept = {k: reply.body[k] for k in ("model", "system_fingerprint", "usage") if reply.body.get(k)}
    if "x-request-id" in reply.headers:
        kept["request_id"] = reply.headers["x-request-id"]
    return kept
