"""Text encoders on this machine: from a folder or by name, cut at a layer, texts in batches of like length.

torch and transformers are loaded when an encoder is, and only then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from trope.errors import BackendError
from trope.weights import loading, pretrained

if TYPE_CHECKING:
    import torch

TOKENS: Final = 4096  # padded tokens a forward pass; more is no faster on a CPU
ROWS: Final = 1024


class States(NamedTuple):
    """Hidden states of some texts.

    Attributes
    ----------
    rows : the numbers of the texts.
    hidden : (rows, tokens, size).
    mask : (rows, tokens), where there are tokens.
    own : (rows, tokens), where they are the text's own, and not what stands at its ends.
    """

    rows: list[int]
    hidden: torch.Tensor
    mask: torch.Tensor
    own: torch.Tensor


class Encoder:
    """A transformer encoder without the layers that nobody reads.

    Parameters
    ----------
    model : a folder, or a name that a hub or its cache knows.
    layer : the hidden state to read, 0 = embeddings; None for the last.
    longest : tokens a text may have; None for what the tokenizer and the positions allow.

    Raises
    ------
    BackendError : the model cannot be loaded, has no such layer, or is no encoder whose layers can be counted.
    """

    def __init__(
        self, model: str, *, layer: int | None, revision: str | None = None, device: str | None = None,
        longest: int | None = None,
    ) -> None:  # fmt: skip
        hint = "" if Path(model).is_dir() else "; a local folder is named by its path, e.g. ./models/NAME"
        with loading(f"text encoder {model!r}", f"a text encoder with its tokenizer{hint}"):
            import torch
            from transformers import AutoModel, AutoTokenizer

            self.tokenizer: Any = AutoTokenizer.from_pretrained(model, revision=revision)
            loaded: Any = pretrained(AutoModel, model, unused=("pooler.",), revision=revision, dtype=torch.float32)
        self.model = _cut(loaded, layer, model).eval().requires_grad_(False)
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.model.to(self.device)
        limits = [self.tokenizer.model_max_length, getattr(loaded.config, "max_position_embeddings", None), longest]
        self.longest = min(int(limit) for limit in limits if limit)
        if loaded.config.model_type in ("roberta", "xlm-roberta", "camembert"):  # positions begin after the padding's
            self.longest = min(self.longest, loaded.config.max_position_embeddings - loaded.config.pad_token_id - 1)
        self.unknown: int | None = self.tokenizer.unk_token_id
        self.ends: set[int] = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id} - {None}
        self._ends = torch.tensor(sorted(self.ends), dtype=torch.long)

    def tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[bool]]:
        """Token ids of each text with its special tokens, and whether it had to be cut."""
        if not texts:
            return [], []
        ids = self._read(texts)
        cut = [len(row) > self.longest for row in ids]
        for n in (n for n, was in enumerate(cut) if was):
            ids[n] = self.tokenizer(texts[n], truncation=True, max_length=self.longest)["input_ids"]
        return ids, cut

    def _read(self, texts: Sequence[str]) -> list[list[int]]:
        """All tokens of each text; where the tokenizer is a fast one, without the offsets that nobody reads."""
        backend = getattr(self.tokenizer, "backend_tokenizer", None)
        if backend is None:
            read: list[list[int]] = self.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
            return read
        backend.no_truncation()  # a call with truncation leaves it on
        backend.no_padding()
        return [encoding.ids for encoding in backend.encode_batch_fast(list(texts))]

    def states(self, ids: Sequence[Sequence[int]]) -> Iterator[States]:
        """What the layer says of each text, given by its token ids: the longest texts first."""
        import torch

        order = sorted(range(len(ids)), key=lambda n: -len(ids[n]))
        while order:
            width = len(ids[order[0]])
            count = min(len(order), ROWS, max(1, TOKENS // width))
            batch, order = order[:count], order[count:]
            lengths = torch.tensor([len(ids[n]) for n in batch])
            mask = torch.arange(width) < lengths[:, None]
            padded = torch.full((count, width), self.tokenizer.pad_token_id or 0)
            padded[mask] = torch.tensor([token for n in batch for token in ids[n]])
            asked = {} if bool(mask.all()) else {"attention_mask": mask.to(self.device, torch.long)}
            with torch.inference_mode():
                hidden = self.model(input_ids=padded.to(self.device), **asked)[0]
            yield States(batch, hidden, mask, mask & ~torch.isin(padded, self._ends))


def _cut(model: Any, layer: int | None, name: str) -> Any:
    """Drop the layers above ``layer``: its hidden state is then the last one."""
    import torch

    model = model.encoder if hasattr(model, "decoder") and hasattr(model, "encoder") else model
    stack: Any = getattr(model, "encoder", None) or getattr(model, "transformer", None)
    layers = getattr(stack, "layer", None)
    if not isinstance(layers, torch.nn.ModuleList):
        raise BackendError(
            f"text encoder {name!r} is a {type(model).__name__}, whose layers cannot be counted here. Expected: an"
            " encoder such as BERT, RoBERTa, XLM-R, ELECTRA, MPNet or DistilBERT"
        )
    if layer is None:
        return model
    if not 0 <= layer <= len(layers):
        raise BackendError(
            f"layer {layer} of {name!r} does not exist: it has layers 0 (embeddings) to {len(layers)}. Expected: one of"
            " these, e.g. 9 of bert-base-multilingual-cased"
        )
    stack.layer = layers[:layer]
    return model
