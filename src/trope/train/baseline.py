"""Encoder baselines of m3r: features of a frozen encoder, a linear head for each label, predictions as a file.

CLIP gives its picture and its text embedding (in English; its text encoder reads 77 tokens and cuts the rest); ViT
and MAE give the picture's vector and no text. Heads are multinomial logistic regressions with an L2 penalty, fitted
to the end: no seed, no epochs. They give labels only: open fields and explanations stay unsaid, and `trope run m3r
--subject predictions:FILE` then shows a dash for what hangs on them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trope.errors import ItemError, MissingExtra, UsageError
from trope.items import items_digest
from trope.nouns import Item
from trope.protocols.m3r.labels import CATEGORICAL, gold
from trope.records import digest

Floats = NDArray[np.float64]
KINDS: Final = ("clip", "vit", "mae")
BATCH: Final = 32


@dataclass(frozen=True)
class Head:
    """One linear head: standardized features times ``weights`` plus ``bias``, the largest wins."""

    classes: tuple[str, ...]
    center: Floats
    scale: Floats
    weights: Floats
    bias: Floats

    def scores(self, features: Floats) -> Floats:
        """Log-odds up to a constant; shape (n, classes)."""
        found: Floats = (features - self.center) / self.scale @ self.weights + self.bias
        return found

    def predict(self, features: Floats) -> list[str]:
        """The class of each row; of equal ones the first."""
        return [self.classes[n] for n in self.scores(features).argmax(axis=1).tolist()]


def fit(features: Floats, labels: Sequence[str], *, l2: float = 1.0) -> Head:
    r"""Multinomial logistic regression.

    Parameters
    ----------
    features : shape (n, d); each column is put to mean 0 and SD 1 (a constant one to 0).
    labels : one a row, of at least two classes.
    l2 : the penalty on the weights (not the bias).

    Returns
    -------
    The head that minimizes :math:`-\sum_i \log p(y_i) + \frac{l2}{2} \|W\|^2`, by L-BFGS.

    Raises
    ------
    UsageError : fewer than two classes.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    classes = tuple(sorted(set(labels)))
    if len(classes) < 2:
        raise UsageError(
            f"all {len(labels)} training items are {classes[0] if classes else 'missing'}: nothing to tell"
        )
    center, spread = features.mean(0), features.std(0)
    scale = np.where(spread > 1e-12, spread, 1.0)
    x = (features - center) / scale
    n, d, k = len(x), x.shape[1], len(classes)
    truth = np.zeros((n, k))
    truth[np.arange(n), [classes.index(label) for label in labels]] = 1.0

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[: d * k].reshape(d, k), flat[d * k :]
        logits = x @ weights + bias
        log_p = logits - logsumexp(logits, axis=1, keepdims=True)
        slope = np.exp(log_p) - truth
        value = -(truth * log_p).sum() + 0.5 * l2 * (weights**2).sum()
        return float(value), np.concatenate([(x.T @ slope + l2 * weights).ravel(), slope.sum(0)])

    best = minimize(loss, np.zeros(d * k + k), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "gtol": 1e-6})
    return Head(classes, center, scale, best.x[: d * k].reshape(d, k), best.x[d * k :])


def encode(kind: str, model: str, items: Sequence[Item], *, device: str | None = None) -> Floats:
    """Features of each item's picture (and text, for CLIP); shape (n, d).

    Parameters
    ----------
    kind : one of `KINDS`.
    model : a folder, or a name on a hub.

    Raises
    ------
    UsageError : another kind, or a model of another kind. ItemError : an item without a readable picture.
    """
    try:
        import torch
        from transformers import AutoConfig
    except ImportError as error:
        raise MissingExtra("trope train baseline", error.name or "transformers", "metrics") from None
    if kind not in KINDS:
        raise UsageError(f"no encoder kind {kind!r}. Expected: {', '.join(KINDS)}")
    try:
        found = AutoConfig.from_pretrained(model).model_type
    except (OSError, ValueError) as error:
        raise UsageError(f"encoder {model!r} cannot be read: {str(error).splitlines()[0]}") from None
    wanted = "vit_mae" if kind == "mae" else kind
    if found != wanted:
        raise UsageError(f"encoder {model!r} is a {found!r}, not a {wanted!r}. Expected: {kind}:MODEL of that kind")
    where = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    features = {"clip": _clip, "vit": _vit, "mae": _mae}[kind](model, where)
    rows = []
    with torch.inference_mode():
        for start in range(0, len(items), BATCH):
            part = items[start : start + BATCH]
            rows.append(features([_picture(item) for item in part], [item.text for item in part]))
    return np.concatenate(rows).astype(np.float64)


Features = Callable[[list[Any], list[str]], NDArray[Any]]


def _clip(model: str, device: Any) -> Features:
    from transformers import AutoTokenizer, CLIPImageProcessorPil, CLIPModel

    loaded: Any = CLIPModel.from_pretrained(model).eval().to(device)
    tokenizer, pictures = AutoTokenizer.from_pretrained(model), CLIPImageProcessorPil.from_pretrained(model)
    longest = loaded.config.text_config.max_position_embeddings

    def features(images: list[Any], texts: list[str]) -> NDArray[Any]:
        read = tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt").to(device)
        seen = pictures(images, return_tensors="pt").to(device)
        both = loaded(input_ids=read["input_ids"], attention_mask=read["attention_mask"], **seen)
        return np.hstack([both.image_embeds.cpu().numpy(), both.text_embeds.cpu().numpy()])

    return features


def _vit(model: str, device: Any) -> Features:
    from transformers import ViTImageProcessorPil, ViTModel

    loaded: Any = ViTModel.from_pretrained(model, add_pooling_layer=False).eval().to(device)
    pictures = ViTImageProcessorPil.from_pretrained(model)

    def features(images: list[Any], texts: list[str]) -> NDArray[Any]:
        states = loaded(**pictures(images, return_tensors="pt").to(device)).last_hidden_state
        found: NDArray[Any] = states[:, 0].cpu().numpy()  # the class token
        return found

    return features


def _mae(model: str, device: Any) -> Features:
    import torch
    from transformers import ViTImageProcessorPil, ViTMAEModel

    loaded: Any = ViTMAEModel.from_pretrained(model, mask_ratio=0.0).eval().to(device)
    pictures = ViTImageProcessorPil.from_pretrained(model)
    patches = (loaded.config.image_size // loaded.config.patch_size) ** 2

    def features(images: list[Any], texts: list[str]) -> NDArray[Any]:
        seen = pictures(images, return_tensors="pt").to(device)
        order = torch.arange(patches, device=device, dtype=torch.float32).expand(len(images), -1)  # none is masked
        states = loaded(**seen, noise=order).last_hidden_state
        found: NDArray[Any] = states[:, 1:].mean(1).cpu().numpy()  # the mean of the patches
        return found

    return features


def _picture(item: Item) -> Any:
    from PIL import Image

    if item.image is None:
        raise ItemError(f"item {item.id!r} has no image; a baseline looks at pictures")
    try:
        with Image.open(item.image) as opened:
            return opened.convert("RGB")
    except OSError as error:
        raise ItemError(f"item {item.id!r}: image {item.image!r} cannot be read: {error}") from None


def baseline(
    kind: str, model: str, training: Sequence[Item], tested: Sequence[Item], *, l2: float = 1.0,
    device: str | None = None,
) -> tuple[list[dict[str, str]], dict[str, Any]]:  # fmt: skip
    """Fit the two heads and predict.

    Returns
    -------
    rows : ``{"id", "metaphor", "sentiment"}`` for each tested item, in order.
    report : what was fitted on what, and how well it fits what it has seen.

    Raises
    ------
    UsageError : an item is both seen and tested, by its id or by picture and text.
    """
    seen = {item.id for item in training} | {_pair(item) for item in training}
    shared = [item.id for item in tested if item.id in seen or _pair(item) in seen]
    if shared:
        raise UsageError(f"{len(shared)} tested items are among the training items, e.g. {shared[0]!r}")
    truth = [gold(item) for item in training]
    old, new = (encode(kind, model, items, device=device) for items in (training, tested))
    said: dict[str, list[str]] = {}
    fitted: dict[str, Any] = {}
    for name in CATEGORICAL:
        labels = [getattr(true, name) for true in truth]
        head = fit(old, labels, l2=l2)
        said[name] = head.predict(new)
        right = np.mean([a == b for a, b in zip(head.predict(old), labels, strict=True)])
        fitted[name] = {"classes": dict(Counter(labels)), "accuracy on training items": float(right)}
    rows = [{"id": item.id, **{name: said[name][n] for name in said}} for n, item in enumerate(tested)]
    report = {
        "encoder": kind, "model": Path(model).name, "features": int(old.shape[1]), "l2": l2,
        "training": {"items": len(training), "sha256": items_digest(_bare(training))},
        "tested": {"items": len(tested), "sha256": items_digest(_bare(tested))}, "heads": fitted,
    }  # fmt: skip
    return rows, report


def write(rows: Sequence[Mapping[str, str]], report: Mapping[str, Any], out: Path) -> Path:
    """Write a prediction file, and beside it what it came from; returns the latter's path."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    beside = out.with_suffix(".provenance.json")
    beside.write_text(json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
    return beside


def _pair(item: Item) -> str:
    return digest([Path(item.image or "").read_bytes().hex() if item.image else None, item.text.strip()])


def _bare(items: Sequence[Item]) -> list[Item]:
    """Items without where their pictures lie."""
    return [item.model_copy(update={"image": None}) for item in items]
