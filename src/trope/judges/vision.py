"""Multimodal models from a folder or a hub name: the weights' class, and a processor that reads pictures.

Qwen-VL processors also read videos, for which transformers needs torchvision. Trope shows pictures only: where
torchvision is missing, the same processor is made without its video part.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trope.errors import BackendError, MissingExtra, UsageError
from trope.weights import pretrained

_VIDEO = {"qwen2_vl": "Qwen2VLProcessor", "qwen2_5_vl": "Qwen2_5_VLProcessor",
          "qwen3_vl": "Qwen3VLProcessor", "qwen3_vl_moe": "Qwen3VLProcessor"}  # fmt: skip


def load_model(source: str | Path, **options: Any) -> Any:
    """A multimodal model that takes pictures and text and writes text.

    Parameters
    ----------
    source : a folder that `save_pretrained` wrote, or a name on a hub.
    options : of ``from_pretrained``: dtype, attn_implementation, device_map, revision ...

    Raises
    ------
    BackendError : not such a model, or not readable; names the source and the reason.
    """
    transformers = _transformers()
    try:
        return pretrained(transformers.AutoModelForImageTextToText, str(source), **options)
    except (OSError, ValueError) as error:
        raise BackendError(f"no multimodal model can be loaded from {str(source)!r}: {_first_line(error)}") from None


def load_processor(source: str | Path, **options: Any) -> tuple[Any, str | None]:
    """The processor of a multimodal model.

    Returns
    -------
    processor : pictures and messages to tensors.
    note : what was chosen and why, where the choice was not the folder's; None otherwise.

    Raises
    ------
    BackendError : the source has no processor, or one that needs what is not installed.
    """
    transformers = _transformers()
    kind = _model_type(transformers, source, options)
    made: Any = transformers.AutoProcessor
    note = None
    if kind in _VIDEO and not find_spec("torchvision"):
        made = image_only(getattr(transformers, _VIDEO[kind]))
        note = "processor without its video part: torchvision, which only videos need, is not installed"
    try:
        return made.from_pretrained(str(source), **options), note
    except (ImportError, OSError, ValueError) as error:
        raise BackendError(f"no processor can be loaded from {str(source)!r}: {_first_line(error)}") from None


def image_only(processor_class: type) -> type:
    """A processor class of Qwen-VL without its video part; it is saved, and found again, under its own name."""

    def __init__(
        self: Any, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None, **more: Any
    ) -> None:  # no `video_processor` in the signature: transformers then asks for none
        processor_class.__init__(self, image_processor, tokenizer, None, chat_template=chat_template, **more)  # type: ignore[misc]

    return type(processor_class.__name__, (processor_class,), {"__init__": __init__})


def limit_pixels(processor: Any, most: int | None) -> None:
    """Have larger pictures scaled down by the processor; ``most`` None leaves its own limit.

    Raises
    ------
    UsageError : a processor without such a limit.
    """
    if most is None:
        return
    pictures = processor.image_processor
    size = dict(pictures.size)
    if "longest_edge" in size and "shortest_edge" in size:  # Qwen-VL: both are numbers of pixels
        pictures.size = {**size, "longest_edge": most, "shortest_edge": min(size["shortest_edge"], most)}
        for name in ("max_pixels", "min_pixels"):
            if hasattr(pictures, name):
                setattr(pictures, name, pictures.size["longest_edge" if name == "max_pixels" else "shortest_edge"])
    elif "longest_edge" in size:  # Idefics3: a side
        side = int(most**0.5)
        pictures.size = {"longest_edge": min(side, size["longest_edge"])}
    else:
        raise UsageError(f"pictures.max_pixels: {type(pictures).__name__} has no such limit (its size is {size})")


def _model_type(transformers: Any, source: str | Path, options: dict[str, Any]) -> str | None:
    local = Path(source) / "config.json"
    try:
        if local.exists():
            return str(json.loads(local.read_text("utf-8")).get("model_type"))
        return str(transformers.AutoConfig.from_pretrained(str(source), **options).model_type)
    except (OSError, ValueError):
        return None


def _transformers() -> Any:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingExtra("a model that runs here", str(error.name), "local") from None
    return transformers


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
