"""`openai-images:MODEL`: any server that speaks ``POST /v1/images/generations``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trope.errors import TransientError
from trope.generators.base import Generator, draw_seed
from trope.records import Generate, Job, Result
from trope.wire import Endpoint, generate_image, provider

if TYPE_CHECKING:
    from trope.store import Store


class OpenAIImages(Generator):
    """Pictures over HTTP.

    Parameters
    ----------
    model : as the server names it.
    base_url : the server; default the `openai` provider's (needs OPENAI_API_KEY).
    size : as the server names it, e.g. ``1024x1024``; None leaves it to the server.
    quality : as the server names it; None leaves it to the server.
    send_seed : send ``seed`` (a field that OpenAI itself refuses and most open servers know).
    concurrency : requests under way at once, at most; fewer when the server asks for less.
    timeout : seconds for one request.
    retries : further tries after a transient failure.
    """

    remote = True

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        size: str | None = None,
        quality: str | None = None,
        send_seed: bool = False,
        concurrency: int = 8,
        timeout: float = 300.0,
        retries: int = 5,
    ) -> None:
        self._fields = {"model": model, "size": size, "quality": quality}
        self._send_seed = send_seed
        self.concurrency = concurrency
        self._endpoint = Endpoint(provider("openai"), base_url, concurrency, timeout, retries)

    def identity(self) -> Mapping[str, Any]:
        """The kind of endpoint and every field it is sent; not its address."""
        return {"generator": "openai-images", **self._fields, "send_seed": self._send_seed}

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """One picture costs what the price file says an ``image`` costs."""
        from trope.errors import BudgetError

        if "image" not in price:
            raise BudgetError(f"the price of {self.spec.partition('?')[0]!r} lacks 'image' (US dollars a picture)")
        return price["image"]

    async def open(self, store: Store) -> None:
        """Open the connection pool."""
        await self._endpoint.open()

    async def close(self) -> None:
        """Close the connection pool."""
        await self._endpoint.close()

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """One request a job; a policy refusal is `refused`, all else that does not end well `failed`."""
        return [await self._one(job) for job in jobs]

    async def _one(self, job: Job) -> Result:
        assert isinstance(job.request, Generate)
        fields = {k: v for k, v in self._fields.items() if v is not None} | {
            "prompt": job.request.text,
            "n": 1,
        }
        if self._send_seed:
            fields["seed"] = draw_seed(job.seed, job.request.attempt)
        try:
            return await generate_image(self._endpoint, fields)
        except TransientError as error:
            return Result(status="failed", reason=str(error))
