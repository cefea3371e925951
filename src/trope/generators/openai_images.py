"""`openai-images:MODEL`: any server that speaks ``POST /v1/images/generations``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trope.generators.base import Generator, draw_seed
from trope.records import Result
from trope.requests import Generate, Job
from trope.wire import Endpoint, generate_image, provider


class OpenAIImages(Generator):
    """Pictures over HTTP.

    Parameters
    ----------
    model : as the server names it.
    base_url : the server; default the `openai` provider's (needs OPENAI_API_KEY).
    revision : the weights behind the name, where the server does not say; part of the identity.
    size : as the server names it, e.g. ``1024x1024``; None leaves it to the server.
    quality : as the server names it; None leaves it to the server.
    send_seed : send ``seed`` (a field that OpenAI itself refuses and most open servers know).
    concurrency : requests under way at once, at most; fewer when the server asks for less.
    timeout : seconds for one request.
    retries : further tries after a transient failure.
    """

    remote = True
    price_fields = ("image",)

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        revision: str | None = None,
        size: str | None = None,
        quality: str | None = None,
        send_seed: bool = False,
        concurrency: int = 8,
        timeout: float = 300.0,
        retries: int = 5,
    ) -> None:
        self._fields = {"model": model, "size": size, "quality": quality}
        self._revision, self._send_seed = revision, send_seed
        self._endpoint = Endpoint(provider("openai"), base_url, concurrency, timeout, retries)
        self.concurrency = concurrency

    def identity(self) -> Mapping[str, Any]:
        """The kind of endpoint, every field it is sent, the revision; not its address."""
        return {
            "generator": "openai-images", **self._fields, "revision": self._revision, "send_seed": self._send_seed
        }  # fmt: skip

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """One picture costs what the price file says an ``image`` costs."""
        return price["image"]

    def cost_usd(self, result: Result, price: Mapping[str, float]) -> float | None:
        """As planned for a picture; a refusal is free."""
        return 0.0 if result.status == "refused" else price.get("image")

    async def open(self) -> None:
        """Open the connection pool."""
        await self._endpoint.open(cautious=self.cautious)

    async def close(self) -> None:
        """Close the connection pool."""
        await self._endpoint.close()

    def hurry(self) -> None:
        """Wait and retry no more."""
        self._endpoint.hurry()

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """One request a job; a policy refusal is `refused`, all else that does not end well `failed`."""
        return [await self._endpoint.answer(generate_image(self._endpoint, self._body(job))) for job in jobs]

    def _body(self, job: Job) -> dict[str, Any]:
        assert isinstance(job.request, Generate)
        fields = {k: v for k, v in self._fields.items() if v is not None} | {"prompt": job.request.text, "n": 1}
        return fields | ({"seed": draw_seed(job.seed, job.request.attempt)} if self._send_seed else {})
