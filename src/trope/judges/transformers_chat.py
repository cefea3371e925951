"""Chat models that run in this process, by transformers: text in, with or without a picture, text out.

``transformers:FOLDER_OR_HUB_NAME``; with ``base_url`` the same name is asked of a `transformers serve` there.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal

from trope.errors import BackendError, UsageError
from trope.judges.adapters import folder_digest, load_adapter, pixels_of, short_name
from trope.judges.base import Judge
from trope.records import Result
from trope.requests import Ask, Job, Prompt, Reply
from trope.weights import Source, loading, pretrained, require

_SAMPLING = threading.Lock()
DTYPES = ("float32", "bfloat16", "float16")


def transformers_chat(
    model: str,
    base_url: str | None = None,
    revision: str | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    top_k: int | None = None,
    device: str | None = None,
    dtype: str | None = None,
    batch: int = 1,
    adapter: str | None = None,
    concurrency: int = 16,
    timeout: float = 120.0,
    retries: int = 5,
) -> Judge:
    """The model in this process, or at ``base_url``; see `TransformersChat` and `ChatJudge`."""
    from trope.judges.chat import ChatJudge

    if base_url is not None:
        if device is not None or dtype is not None or batch != 1 or adapter is not None:
            raise UsageError(
                "device, dtype, batch and adapter are the server's own: leave them out, or leave base_url out"
            )
        return ChatJudge(
            "transformers", model, base_url, revision, temperature, max_tokens, top_k, concurrency, timeout, retries
        )
    return TransformersChat(model, revision, temperature, max_tokens, top_k, device, dtype, batch, adapter)


class TransformersChat(Judge):
    """A chat model of transformers, with or without eyes, in this process.

    Parameters
    ----------
    model : a folder that ``save_pretrained`` wrote, or a name on a hub. Code that comes with weights is never run.
    revision : of a hub name.
    temperature, max_tokens : override the prompt's.
    top_k : tokens to sample from; 0 or None for all. Greedy replies (temperature 0) do not know it.
    device : default: the first GPU there is, else the CPU.
    dtype : default: bfloat16 on a GPU that has it, else float32.
    batch : greedy prompts without a picture that are answered together. 1 is exact: padding may move the last
        digit of a logit. Sampled replies are always made one by one, so that a seed means the same in every batch.
    adapter : a folder with a LoRA adapter for this model, e.g. one that `trope train` made.
    """

    stay_loaded = False  # a job that opens and closes many times may keep the weights in between

    def __init__(
        self,
        model: str,
        revision: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        top_k: int | None = None,
        device: str | None = None,
        dtype: str | None = None,
        batch: int = 1,
        adapter: str | None = None,
    ) -> None:
        if dtype is not None and dtype not in DTYPES:
            raise UsageError(f"dtype={dtype!r}. Expected one of {', '.join(DTYPES)}")
        if batch < 1:
            raise UsageError(f"batch={batch}. Expected: at least 1")
        self._source, self._from = model, Source(model, revision)
        self._temperature, self._max_tokens, self._top_k = temperature, max_tokens, top_k
        self._device, self._dtype = device, dtype
        self._adapter = None if adapter is None else Path(adapter)
        self._adapter_said = adapter
        self.batch = batch
        self._model: Any = None
        self._tokens: Any = None
        self._processor: Any = None
        self.notes: list[str] = []

    def identity(self) -> Mapping[str, Any]:
        """The weights by content or commit, what overrides the prompt, and where numbers may differ."""
        return {
            "judge": "transformers here", "model": self._from.weights,
            "temperature": self._temperature, "max_tokens": self._max_tokens, "top_k": self._top_k or None,
            "device": self._device, "dtype": self._dtype, "batch": self.batch,
            **({} if self._adapter is None else {"adapter": folder_digest(self._adapter)}),
            **({} if self._adapter is None or (most := pixels_of(self._adapter)) is None else {"max_pixels": most}),
        }  # fmt: skip

    def named(self, name: str) -> str:
        """A folder goes by its own name, not by where it lies; an adapter by its stage and its hash."""
        if self._adapter is not None:
            name = name.replace(f"adapter={self._adapter_said}", f"adapter={short_name(self._adapter)}", 1)
        return name.replace(self._source, Path(self._source).name, 1) if Path(self._source).is_dir() else name

    async def open(self) -> None:
        """Load the weights."""
        if self._model is None:
            require("transformers:")
            await asyncio.to_thread(self._load)

    async def close(self) -> None:
        """Let go of the weights."""
        if not self.stay_loaded:
            self._model = self._tokens = self._processor = None

    def _load(self) -> None:
        with loading(f"chat model {self._source!r}", "a folder or a hub's name of an instruct model"):
            self._load_alone()

    def _load_alone(self) -> None:
        import torch
        import transformers

        device, why = _device(torch, self._device)
        dtype = self._dtype or ("bfloat16" if device.startswith("cuda") and torch.cuda.is_bf16_supported() else None)
        self.notes = [f"{self.name or self._source}: on {device} ({why}) in {dtype or 'float32'}"]
        options: dict[str, Any] = {"dtype": getattr(torch, dtype or "float32")}
        commit = {} if self._from.commit is None else {"revision": self._from.commit}
        options |= commit
        config = transformers.AutoConfig.from_pretrained(self._source, **commit)
        if type(config) in transformers.AutoModelForImageTextToText._model_mapping:
            self._load_eyes(options, commit)
        else:
            self._model = pretrained(transformers.AutoModelForCausalLM, self._source, **options)
            self._tokens = transformers.AutoTokenizer.from_pretrained(self._source, **commit)
        if self._adapter is not None:
            self._model = load_adapter(self._model, self._adapter)
        if not self._tokens.chat_template and not getattr(self._processor, "chat_template", None):
            raise BackendError(f"{self._source!r} has no chat template: it is no chat model. Use an instruct version")
        if self._tokens.pad_token_id is None:
            self._tokens.pad_token = self._tokens.eos_token
        self._model.to(device).eval()

    def _load_eyes(self, options: dict[str, Any], commit: dict[str, str]) -> None:
        from trope.judges.vision import limit_pixels, load_model, load_processor

        self._model = load_model(self._source, **options)
        self._processor, note = load_processor(self._source, **commit)
        self._tokens = self._processor.tokenizer
        self.notes += [note] if note else []
        most = pixels_of(self._adapter) if self._adapter else None
        if most is not None:
            limit_pixels(self._processor, most)
            self.notes.append(f"pictures of at most {most} pixels: what the adapter was trained with")

    def _perform_each(self, jobs: Sequence[Job]) -> list[Result]:
        together = [job for job in jobs if job.picture is None and self._is_greedy(_prompt(job))]
        if len(together) < 2 or len({_prompt(job).max_tokens for job in together}) > 1:
            return [self._guarded(job) for job in jobs]
        try:
            made = dict(zip((job.key for job in together), self._greedy(together), strict=True))
        except Exception as error:  # out of memory, most likely: each on its own says which
            self.notes.append(f"a batch of {len(together)} failed ({type(error).__name__}); its prompts go one by one")
            made = {}
        return [made[job.key] if job.key in made else self._guarded(job) for job in jobs]

    def perform_one(self, job: Job) -> Result:
        """Answer one prompt."""
        assert isinstance(job.request, Ask | Reply)
        prompt = job.request.prompt
        if job.picture is not None and self._processor is None:
            return Result(status="failed", reason=f"{self._source!r} is a text model: it sees no picture")
        inputs = self._inputs([prompt], job.picture)
        return self._generate(inputs, prompt, seed=job.request.attempt)[0]

    def _greedy(self, jobs: Sequence[Job]) -> list[Result]:
        prompts = [_prompt(job) for job in jobs]
        return self._generate(self._inputs(prompts, None), prompts[0], seed=0)

    def _is_greedy(self, prompt: Prompt) -> bool:
        return self._heat(prompt) <= 0

    def _heat(self, prompt: Prompt) -> float:
        return prompt.temperature if self._temperature is None else self._temperature

    def _inputs(self, prompts: Sequence[Prompt], picture: Path | None) -> Any:
        maker = self._processor or self._tokens
        texts = [
            maker.apply_chat_template(
                _messages(p, picture, self._processor is not None), tokenize=False, add_generation_prompt=True
            )
            for p in prompts
        ]
        self._tokens.padding_side = "left"
        if picture is None:
            inputs = self._tokens(texts, return_tensors="pt", padding=len(texts) > 1, add_special_tokens=False)
        else:
            from PIL import Image

            with Image.open(picture) as opened:
                inputs = self._processor(images=[opened.convert("RGB")], text=texts, return_tensors="pt")
        return inputs.to(self._model.device)

    def _generate(self, inputs: Any, prompt: Prompt, *, seed: int) -> list[Result]:
        import torch

        heat, length = self._heat(prompt), self._max_tokens or prompt.max_tokens
        how: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if heat > 0:
            how = {"do_sample": True, "temperature": heat, "top_p": prompt.top_p, "top_k": self._top_k or 0}
        with torch.inference_mode(), self._random(seed) if heat > 0 else nullcontext():
            made = self._model.generate(**inputs, max_new_tokens=length, pad_token_id=self._tokens.pad_token_id, **how)
        new = made[:, inputs["input_ids"].shape[1] :]
        return [self._result(row, inputs["attention_mask"][n], length, how) for n, row in enumerate(new)]

    @contextmanager
    def _random(self, seed: int) -> Iterator[None]:
        """Random numbers of a seed. `generate` draws from the one source of the whole process, so models take turns."""
        import torch

        devices = [self._model.device] if self._model.device.type == "cuda" else []
        with _SAMPLING, torch.random.fork_rng(devices=devices):
            torch.manual_seed(seed)
            yield

    def _result(self, row: Any, mask: Any, length: int, how: Mapping[str, Any]) -> Result:
        ends = self._model.generation_config.eos_token_id
        ends = set(ends if isinstance(ends, list) else [ends])
        said = row.tolist()
        stop = next((n for n, token in enumerate(said) if token in ends), None)
        kept = said if stop is None else said[:stop]
        raw = self._tokens.decode(kept, skip_special_tokens=True)
        provenance = {
            "sampling": {k: v for k, v in how.items() if v is not None},
            "usage": {"prompt_tokens": int(mask.sum()), "completion_tokens": len(kept)},
            "finish_reason": "length" if stop is None and len(said) >= length else "stop",
            "device": str(self._model.device), "dtype": str(self._model.dtype), "versions": _versions(),
        }  # fmt: skip
        return Result(raw=raw, provenance=provenance)


def _prompt(job: Job) -> Prompt:
    assert isinstance(job.request, Ask | Reply)
    return job.request.prompt


def _messages(prompt: Prompt, picture: Path | None, parts: bool) -> list[dict[str, Any]]:
    """The chat, the picture first; templates of text models take plain strings."""
    said: Any = prompt.user
    if parts:
        said = [{"type": "image"}] if picture is not None else []
        said.append({"type": "text", "text": prompt.user})
    system: Any = [{"type": "text", "text": prompt.system}] if parts else prompt.system
    head = [{"role": "system", "content": system}] if prompt.system else []
    return [*head, {"role": "user", "content": said}]


def _device(torch: Any, wanted: str | None) -> tuple[Literal["cpu", "cuda", "mps"] | str, str]:
    if wanted is not None:
        return wanted, "as asked"
    if torch.cuda.is_available():
        return "cuda", f"a GPU is there: {torch.cuda.get_device_name(0)}"
    return "cpu", "no GPU is there"


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("torch", "transformers")}
