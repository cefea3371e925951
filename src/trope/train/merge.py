"""The adapter put into the weights: a folder that any server of the base model can serve."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

from trope.errors import UsageError
from trope.judges.adapters import folder_digest, load_adapter, pixels_of, read_link
from trope.judges.vision import limit_pixels, load_model, load_processor

MERGED = "merged.json"


def merge(adapter: Path, out: Path, *, base: str | None = None, dtype: str = "auto") -> Path:
    """Write base and adapter as one model, with its processor.

    Parameters
    ----------
    base : the base model; default: what the adapter says it was trained on.
    dtype : of the merged weights: ``auto`` keeps the base's, else float32, bfloat16, float16. The sum is made in
        float32 and rounded once.

    Returns
    -------
    ``out``, which also holds ``merged.json``: what was merged into what.

    Raises
    ------
    AdapterError : damaged, or of another base.
    UsageError : no base is known, or ``out`` is there already.
    """
    import torch
    from transformers import AutoConfig

    link = read_link(adapter)
    source = base or (link.base_name if link else None)
    if source is None:
        raise UsageError(f"{str(adapter)!r} does not say which base it is for. Give it: --base FOLDER_OR_NAME")
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{str(out)!r} is not empty. Give a new folder")
    kinds = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
    if dtype not in ("auto", *kinds):
        raise UsageError(f"dtype {dtype!r}. Expected: auto, {', '.join(kinds)}")
    revision = (link.settings.get("revision") if link else None) or None
    options = {"revision": revision} if revision else {}
    kept = AutoConfig.from_pretrained(source, **options).dtype or torch.float32 if dtype == "auto" else kinds[dtype]
    model = load_adapter(load_model(source, dtype=torch.float32, **options), adapter)
    whole = model.merge_and_unload(safe_merge=True)  # raises on NaN rather than merging it
    unfinished = out.with_name(f"{out.name}.unfinished")  # a full disk leaves nothing that looks like a model
    shutil.rmtree(unfinished, ignore_errors=True)
    whole.to(kept).save_pretrained(unfinished)
    processor, _ = load_processor(source, **options)
    limit_pixels(processor, pixels_of(adapter))
    processor.save_pretrained(unfinished)
    said = {
        "adapter": folder_digest(adapter),
        "base": source,
        "dtype": str(kept),
        "link": asdict(link) if link else None,
    }
    (unfinished / MERGED).write_text(json.dumps(said, indent=2, ensure_ascii=False), "utf-8")
    if out.exists():
        out.rmdir()
    return unfinished.rename(out)
