"""One picture from ``POST /images/generations``, in either of the two forms servers return."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from trope.errors import TransientError
from trope.nouns import Status
from trope.records import Result
from trope.wire.endpoint import Endpoint, is_refusal


async def generate_image(endpoint: Endpoint, fields: Mapping[str, Any]) -> Result:
    """Ask for one picture.

    Returns
    -------
    ``ok`` with the encoded picture; ``refused`` with the server's words; ``failed`` for any other answer
    that has no picture in it.

    Raises
    ------
    TransientError : retries are used up. BackendError : no retry can help.
    """
    body = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
    reply = await endpoint.post("/images/generations", body)
    if reply.status != 200:
        code, message = reply.error
        status: Status = "refused" if is_refusal(code, message) else "failed"
        return Result(status=status, reason=f"HTTP {reply.status} {code} {message}"[:400], billed=False)
    try:
        first = reply.body["data"][0]
        encoded, url = first.get("b64_json"), first.get("url")
    except (KeyError, IndexError, TypeError, AttributeError):
        return Result(status="failed", reason="the answer has no data[0]")
    provenance = {"sent": {k: v for k, v in fields.items() if k != "prompt"}}
    provenance |= {k: first[k] for k in ("revised_prompt", "seed") if first.get(k) is not None}
    provenance |= {k: reply.body[k] for k in ("created", "usage", "model") if reply.body.get(k) is not None}
    if encoded:
        try:
            image = base64.b64decode(encoded, validate=True)
        except (binascii.Error, TypeError, ValueError):
            return Result(status="failed", reason="b64_json is not base64", provenance=provenance)
    elif isinstance(url, str) and url.startswith(("http://", "https://")):
        try:
            image = await endpoint.fetch(url)
        except TransientError as error:
            return Result(status="failed", reason=str(error), provenance=provenance)
    else:
        return Result(status="failed", reason="the answer has neither b64_json nor url", provenance=provenance)
    return Result(image=image, provenance=provenance)
