"""A real local multimodal server for tests: transformers' own OpenAI-compatible server, a tiny random Qwen2.5-VL.

Everything is real (weights, picture processor, tokenizer, sampling, HTTP) but what the model has learned: nothing.
Its replies are noise, so whatever reads them must say `unparsed`. In a test module::

    from tests.local_server import LocalServer

    @pytest.fixture(scope="module")
    def local(tmp_path_factory):
        with LocalServer(tmp_path_factory.mktemp("model")) as server:   # skips the test if an extra is missing
            yield server

    def test_it(local):
        trope run vista ... --instrument f"transformers:{local.model}?base_url={local.url}"
        # the same spec is a subject that is a multimodal model, or a chat model for `--model`
        assert local.answered() == 3                                    # chat completions with HTTP 200 so far

About 12 s on one core (two imports of transformers), 0.1 to 0.3 s a reply of 64 tokens; a byte is a token. The
server has no `response_format`. No hub, no torchvision: processors without video are enough for pictures.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

MODEL = "tiny-qwen-vl"
CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}{% else %}"
    "{% for c in m['content'] %}{% if c['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif 'text' in c %}{{ c['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIGNS = ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")


class LocalServer:
    """The server as a context manager, in a process of its own.

    Attributes
    ----------
    url : the base URL, with ``/v1``.
    model : the name it answers to.
    folder : where the model's files are, for tests that load it themselves.
    """

    def __init__(self, folder: Path, seed: int = 0) -> None:
        for name in ("torch", "transformers", "fastapi", "uvicorn"):
            if find_spec(name) is None:  # looked for, not loaded: it is the server's process that needs it
                pytest.skip(f"the local server needs {name}")
        self.model, self.folder, self.url = MODEL, folder / MODEL, ""
        self._seed, self._log = seed, folder / "server.log"

    def __enter__(self) -> LocalServer:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, str(Path(__file__).resolve()), MODEL, str(port), str(self._seed)]
        env = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, cwd=self.folder.parent, env=env, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2).close()
            except OSError:
                time.sleep(0.1)
            else:
                self.url = f"http://127.0.0.1:{port}/v1"
                return self
        self._process.kill()
        raise RuntimeError(f"the local server did not start:\n{self._log.read_text('utf-8', 'replace')[-3000:]}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def answered(self) -> int:
        """How many chat completions it has answered."""
        return self._log.read_text("utf-8", "replace").count('POST /v1/chat/completions HTTP/1.1" 200')


def make_model(folder: Path, seed: int = 0) -> None:
    """Write a tiny Qwen2.5-VL with random weights and a byte-level tokenizer to ``folder``."""
    import torch
    import transformers
    from tokenizers import pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = transformers.Qwen2Tokenizer(
        vocab={sign: n for n, sign in enumerate(alphabet)}, merges=[], model_max_length=16384,
        extra_special_tokens=list(SIGNS),
    )  # fmt: skip
    tokenizer.chat_template, tokenizer.eos_token = CHAT, "<|im_end|>"
    number = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.2,
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 1e6},
            "bos_token_id": None, "eos_token_id": number("<|im_end|>"), "pad_token_id": tokenizer.pad_token_id,
            "max_position_embeddings": 16384,
        },
        vision_config={
            "depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": 32,
            "patch_size": 14, "fullatt_block_indexes": [1], "window_size": 56,
        },
        image_token_id=number("<|image_pad|>"), video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"), vision_end_token_id=number("<|vision_end|>"),
        tie_word_embeddings=False,
    )  # fmt: skip
    torch.manual_seed(seed)
    model = transformers.Qwen2_5_VLForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        eos_token_id=number("<|im_end|>"), pad_token_id=tokenizer.pad_token_id
    )
    pictures = transformers.Qwen2VLImageProcessorPil(patch_size=14, merge_size=2, min_pixels=784, max_pixels=3136)
    model.save_pretrained(folder)
    _processor()(pictures, tokenizer, chat_template=CHAT).save_pretrained(folder)


def _processor() -> Any:
    """Qwen2.5-VL's processor for pictures alone: its part for films needs torchvision. Registered for `Auto`."""
    import transformers

    class PictureProcessor(transformers.Qwen2_5_VLProcessor):  # type: ignore[misc]
        def __init__(self, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None) -> None:
            super().__init__(image_processor, tokenizer, None, chat_template=chat_template)

    transformers.AutoProcessor.register(transformers.Qwen2_5_VLConfig, PictureProcessor, exist_ok=True)
    return PictureProcessor


def _serve(model: str, port: str, seed: str) -> None:
    if not Path(model).exists():
        make_model(Path(model), int(seed))
    else:
        _processor()
    from transformers.cli.serve import Serve

    Serve(force_model=model, device="cpu", host="127.0.0.1", port=int(port))


if __name__ == "__main__":
    _serve(*sys.argv[1:])
