"""LoRA adapters on multimodal models: what they are by their content, and which base each belongs on.

An adapter that `trope train` made carries ``chain.json``: its own hash, its parent's, the base model it was trained
on, and what it was trained with. An adapter is never put on a base it was not made for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trope.errors import MissingExtra, TropeError

CHAIN = "chain.json"
WEIGHTS = "adapter_model.safetensors"
_SAMPLES = 64  # values of each tensor that a base's fingerprint reads


class AdapterError(TropeError):
    """An adapter that is damaged, or of another base."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the chain.

    Attributes
    ----------
    sha256 : of this adapter's weights.
    parent : sha256 of the adapter it was trained from, None for a fresh one.
    base, base_name : fingerprint of the base model, and where it was loaded from.
    stage : C1, C2, C3 or grpo.
    steps : updates made.
    corpus : sha256 of the examples it learned from.
    settings : the whole configuration.
    versions : of the libraries.
    """

    sha256: str
    parent: str | None
    base: str
    base_name: str
    stage: str
    steps: int
    corpus: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def tensors_digest(tensors: Iterable[tuple[str, Any]]) -> str:
    """SHA-256 of named tensors, whatever their order: names, types, shapes and every byte."""
    import torch

    whole = hashlib.sha256()
    for name, tensor in sorted(tensors):
        flat = tensor.detach().to("cpu").contiguous()
        whole.update(f"{name} {flat.dtype} {tuple(flat.shape)}\n".encode())
        whole.update(flat.view(-1).view(torch.uint8).numpy().tobytes())
    return whole.hexdigest()


def adapter_digest(model: Any, name: str = "default") -> str:
    """The hash of an adapter in memory; equal to `folder_digest` of what is saved of it."""
    from peft import get_peft_model_state_dict

    return tensors_digest(get_peft_model_state_dict(model, adapter_name=name).items())


def folder_digest(folder: Path) -> str:
    """The hash of a saved adapter's weights.

    Raises
    ------
    AdapterError : no adapter there, or a damaged file.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    path = folder / WEIGHTS
    if not path.exists():
        raise AdapterError(f"no adapter in {str(folder)!r}: {WEIGHTS} is missing")
    try:
        return tensors_digest(load_file(path).items())
    except (SafetensorError, OSError) as error:
        raise AdapterError(f"{str(path)!r} is damaged: {error}") from None


def short_name(folder: Path) -> str:
    """What an adapter is called in tables: its stage, if it says one, and the start of its hash."""
    link = read_link(folder)
    stage = f"{link.stage}@" if link else ""
    return f"{stage}{folder_digest(folder)[:8]}"


def base_fingerprint(model: Any) -> str:
    """A hash of a base model that does not depend on the precision it was loaded in.

    Reads names, shapes and up to 64 evenly spaced values of every tensor, rounded to bf16: a second for 8 billion
    weights. LoRA layers are left out, so a model with adapters on it has the fingerprint of its base.
    """
    import torch

    whole = hashlib.sha256()
    for name, tensor in sorted(model.named_parameters()):
        if "lora_" in name:
            continue
        plain = name.replace("base_model.model.", "").replace(".base_layer.", ".")
        flat = tensor.detach().reshape(-1)
        places = torch.linspace(0, flat.numel() - 1, min(_SAMPLES, flat.numel()), dtype=torch.float64).long()
        values = flat[places.to(flat.device)].to(torch.bfloat16).cpu().view(torch.int16)
        whole.update(f"{plain} {tuple(tensor.shape)}\n".encode())
        whole.update(values.numpy().tobytes())
    return whole.hexdigest()


def read_link(folder: Path) -> Link | None:
    """What an adapter says of itself; None if nothing (it was made elsewhere)."""
    try:
        return Link(**json.loads((folder / CHAIN).read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise AdapterError(f"{str(folder / CHAIN)!r} cannot be read: {error}") from None


def pixels_of(folder: Path) -> int | None:
    """The limit on a picture's pixels that an adapter was trained with; None if none, or if it does not say."""
    link = read_link(folder)
    limit: int | None = link.settings.get("pictures", {}).get("max_pixels") if link else None
    return limit


def load_adapter(base: Any, folder: Path, *, trainable: bool = False) -> Any:
    """A saved adapter on its base.

    Raises
    ------
    AdapterError : another base, damaged weights, or weights that did not arrive whole.
    """
    try:
        from peft import PeftModel
    except ImportError:
        raise MissingExtra("an adapter", "peft", "train") from None

    told, said = read_link(folder), folder_digest(folder)
    if told is not None and told.sha256 != said:
        raise AdapterError(f"the weights in {str(folder)!r} are not those that {CHAIN} names: the file was changed")
    if told is not None and told.base != (found := base_fingerprint(base)):
        raise AdapterError(
            f"the adapter in {str(folder)!r} was trained on another base: {told.base_name!r} "
            f"(fingerprint {told.base[:12]}), not this one ({found[:12]}). Give the base it was made for"
        )
    try:
        model = PeftModel.from_pretrained(base, str(folder), is_trainable=trainable)
    except (RuntimeError, ValueError) as error:
        raise AdapterError(f"the adapter in {str(folder)!r} does not fit this base: {str(error)[:300]}") from None
    if not _arrived(model, folder):
        raise AdapterError(
            f"the adapter in {str(folder)!r} does not fit this base: not all of its weights have a place"
        )
    return model


def _arrived(model: Any, folder: Path) -> bool:
    """Whether a model holds every saved weight; peft holds those of 16 bits in 32."""
    import torch
    from peft import get_peft_model_state_dict
    from safetensors.torch import load_file

    held, saved = get_peft_model_state_dict(model, adapter_name="default"), load_file(folder / WEIGHTS)
    return held.keys() == saved.keys() and all(
        torch.equal(held[name].detach().cpu().to(tensor.dtype), tensor) for name, tensor in saved.items()
    )
