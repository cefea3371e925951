"""Judges behind the OpenAI-compatible chat protocol: ``PROVIDER:MODEL``, one class for the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trope.judges.base import Judge
from trope.records import Result
from trope.requests import Ask, Job, Reply
from trope.wire import Endpoint, chat, provider


class ChatJudge(Judge):
    """A multimodal chat model.

    Parameters
    ----------
    model : as the server names it.
    base_url : the server; default the provider's.
    revision : the weights behind the name, where the server does not say; part of the identity.
    temperature : overrides the prompt's (0); ``-1`` sends none, for models that refuse the field.
    max_tokens : overrides the prompt's limit of the reply, for models that think aloud first.
    top_k : candidate tokens to sample from, for servers that take the field.
    concurrency, timeout, retries : as for `openai-images`.
    """

    remote = True
    price_fields = ("input", "output", "image_tokens")

    def __init__(
        self,
        backend_name: str,
        model: str,
        base_url: str | None = None,
        revision: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        top_k: int | None = None,
        concurrency: int = 16,
        timeout: float = 120.0,
        retries: int = 5,
    ) -> None:
        self._provider = provider(backend_name)
        self._model, self._revision = model, revision
        self._temperature, self._max_tokens, self._top_k = temperature, max_tokens, top_k
        self._endpoint = Endpoint(self._provider, base_url, concurrency, timeout, retries)
        self.concurrency = concurrency

    def identity(self) -> Mapping[str, Any]:
        """Provider, model, revision and the fields that override the prompt's; not the address."""
        return {
            "judge": self._provider.name, "model": self._model, "revision": self._revision,
            "temperature": self._temperature, "max_tokens": self._max_tokens,
            **({} if self._top_k is None else {"top_k": self._top_k}),
        }  # fmt: skip

    def worst_case_usd(self, request: Any, price: Mapping[str, float]) -> float:
        """Every byte of text a token, the picture at the price file's ``image_tokens``, the longest reply."""
        prompt = request.prompt
        picture = price["image_tokens"] if request.shown is not None else 0.0
        sent = len((prompt.system or "").encode()) + len(prompt.user.encode()) + picture + 64
        return (sent * price["input"] + (self._max_tokens or prompt.max_tokens) * price["output"]) / 1e6

    def cost_usd(self, result: Result, price: Mapping[str, float]) -> float | None:
        """From the tokens that the server says it counted."""
        usage = result.provenance.get("usage") or {}
        try:
            sent, said = usage["prompt_tokens"], usage["completion_tokens"]
            return float(sent * price["input"] + said * price["output"]) / 1e6
        except (KeyError, TypeError):
            return None

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
        """One request a job."""
        return [await self._endpoint.answer(self._one(job)) for job in jobs]

    async def _one(self, job: Job) -> Result:
        assert isinstance(job.request, Ask | Reply)
        return await chat(
            self._endpoint, self._model, job.request.prompt, picture=job.picture,
            temperature=self._temperature, max_tokens=self._max_tokens, top_k=self._top_k, sample=job.request.attempt,
        )  # fmt: skip
