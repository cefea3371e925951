"""One LoRA adapter carried through all stages, and the chain of hashes that proves it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trope.errors import UsageError
from trope.judges.adapters import (
    CHAIN,
    AdapterError,
    Link,
    adapter_digest,
    base_fingerprint,
    folder_digest,
    load_adapter,
    read_link,
)
from trope.train.config import AdapterConfig

__all__ = [
    "AdapterError",
    "Link",
    "adapter_digest",
    "base_fingerprint",
    "check_chain",
    "continued_adapter",
    "folder_digest",
    "fresh_adapter",
    "load_adapter",
    "read_link",
    "target_layers",
    "versions",
    "write_link",
]

_TEXT_PARTS = ("language_model", "text_model")  # Qwen-VL and most others; Idefics3


def fresh_adapter(base: Any, config: AdapterConfig, seed: int) -> tuple[Any, str]:
    """A new LoRA adapter on a base; the first one does nothing yet.

    Returns
    -------
    model : with the adapter ``default``, which alone is trainable.
    targets : the regular expression of the layers it sits on.
    """
    from peft import LoraConfig, get_peft_model
    from transformers import set_seed

    targets = target_layers(base, config.targets)
    set_seed(seed)
    lora = LoraConfig(
        r=config.r, lora_alpha=config.alpha, lora_dropout=config.dropout, target_modules=targets, task_type="CAUSAL_LM"
    )
    return get_peft_model(base, lora), targets


def continued_adapter(base: Any, folder: Path, config: AdapterConfig) -> Any:
    """A saved adapter on its base, to be trained further.

    Raises
    ------
    AdapterError : see `load_adapter`.
    UsageError : its rank, alpha or dropout is not the configured one, which the next link would claim.
    """
    model = load_adapter(base, folder, trainable=True)
    made = model.peft_config["default"]
    has = {"r": made.r, "alpha": made.lora_alpha, "dropout": made.lora_dropout}
    other = {name: value for name, value in has.items() if value != getattr(config, name)}
    if other:
        told = ", ".join(f"{name} {value} (configured: {getattr(config, name)})" for name, value in other.items())
        settings = " ".join(f"--set adapter.{name}={value}" for name, value in other.items())
        raise UsageError(f"the adapter in {str(folder)!r} has {told}. One adapter is carried through: {settings}")
    return model


def target_layers(model: Any, targets: str) -> str:
    """The regular expression of the layers an adapter sits on.

    Raises
    ------
    UsageError : it meets no linear layer.
    """
    import re

    from torch import nn

    names = [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]
    if targets in ("text", "text-attention"):
        part = next((p for p in _TEXT_PARTS if any(f".{p}." in f".{name}" for name in names)), None)
        if part is None:
            raise UsageError(
                f"adapter.targets = {targets!r}: no language model found in {type(model).__name__}. Expected: a "
                "regular expression over its modules"
            )
        kept = {name.rpartition(".")[2] for name in names if f".{part}." in f".{name}" and not name.endswith("lm_head")}
        if targets == "text-attention":
            kept = {name for name in kept if re.fullmatch("[qkvo]_proj", name)}
        targets = rf"(.*\.)?{part}\..*\.({'|'.join(sorted(kept))})"
    if not any(re.fullmatch(targets, name) for name in names):
        raise UsageError(f"adapter.targets = {targets!r} meets no linear layer. There are e.g. {', '.join(names[:3])}")
    return targets


def write_link(folder: Path, link: Link) -> None:
    """Say of an adapter what it is; written last, so that a folder with a link is whole."""
    from trope.store.files import write_durably

    write_durably(folder / CHAIN, json.dumps(asdict(link), indent=2, ensure_ascii=False, sort_keys=True).encode())


def check_chain(folders: Iterable[Path]) -> list[Link]:
    """The links of adapters that should follow each other, oldest first.

    Raises
    ------
    AdapterError : a link missing, weights changed since, or a parent that is not the one before.
    """
    links: list[Link] = []
    for folder in folders:
        link = read_link(folder)
        if link is None:
            raise AdapterError(f"{str(folder)!r} has no {CHAIN}")
        if link.sha256 != folder_digest(folder):
            raise AdapterError(f"the weights in {str(folder)!r} are not those that {CHAIN} names")
        if links and link.parent != links[-1].sha256:
            raise AdapterError(f"{str(folder)!r} was not trained from the adapter before it")
        if links and link.base != links[-1].base:
            raise AdapterError(f"{str(folder)!r} was trained on another base than the adapter before it")
        links.append(link)
    return links


def versions() -> dict[str, str]:
    """Versions of what a training depends on."""
    from importlib.metadata import version

    from trope import __version__

    return {"trope": __version__, **{name: version(name) for name in ("torch", "transformers", "trl", "peft")}}
