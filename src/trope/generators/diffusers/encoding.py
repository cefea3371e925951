"""What text encoders make of a text, layer by layer: one forward pass each, kept for as long as it fits.

``hidden_states`` has one entry more than the encoder has layers; entry 0 is what goes into the first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

_WHOLE = 10**6  # tokens; longer than any prompt
MOST_BYTES = 2 * 2**30  # of hidden states kept; a text beyond is encoded again when it comes back


@dataclass(frozen=True, slots=True)
class Encoding:
    """One text as one encoder hands it on, for every layer it could be cut at.

    Attributes
    ----------
    layers : a tensor of shape (1, tokens, width) a layer, 0 to the last; empty where only `pooled` is used.
    pooled : a tensor of shape (1, width) a layer; empty where there is none.
    mask : which tokens are text, shape (1, tokens); None where the family uses none.
    tokens, limit : how many tokens the whole text has, and how many are read at most.
    lost : the end of the text that was not read; empty if it was read whole.
    """

    layers: tuple[Any, ...]
    pooled: tuple[Any, ...]
    mask: Any
    tokens: int
    limit: int
    lost: str

    @property
    def bytes(self) -> int:
        """Memory of the tensors."""
        return sum(t.numel() * t.element_size() for t in (*self.layers, *self.pooled))


class Encodings:
    """The latest encodings, up to a number of bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._kept: OrderedDict[Hashable, Encoding] = OrderedDict()

    def get(self, key: Hashable, encode: Callable[[], Encoding]) -> Encoding:
        """What is kept under ``key``, or else what ``encode`` makes."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = encode()
        self._kept[key] = made
        self._bytes += made.bytes
        while self._bytes > self._most and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._bytes -= old.bytes
        return made


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text cut to what an encoder reads, padded to that length; and what was cut off."""

    ids: Any
    mask: Any
    count: int
    limit: int
    lost: str


def tokenize(tokenizer: Any, text: str, limit: int, *, pad: bool = True) -> Tokens:
    """Cut as the tokenizer cuts (its end token is kept), and say what of the text is lost."""
    whole = tokenizer(text, truncation=True, max_length=_WHOLE).input_ids  # a limit, else it warns of its own
    made = tokenizer(
        [text], padding="max_length" if pad else False, max_length=limit, truncation=True, return_tensors="pt"
    )
    read = [n for n, used in zip(made.input_ids[0].tolist(), made.attention_mask[0].tolist(), strict=True) if used]
    return Tokens(made.input_ids, made.attention_mask, len(whole), limit, lost_of(tokenizer, whole, read))


def lost_of(tokenizer: Any, whole: Sequence[int], read: Sequence[int]) -> str:
    """The text of those tokens of ``whole`` that ``read``, its beginning with an end put on, leaves out."""
    if len(whole) <= len(read):
        return ""
    same = next((n for n, (a, b) in enumerate(zip(whole, read, strict=False)) if a != b), len(read))
    lost: str = tokenizer.decode(whole[same:], skip_special_tokens=True)
    return lost.strip()


def clip(pipeline: Any, encoder: Any, tokens: Tokens, *, sequence: str | None, pooled: bool, masked: bool) -> Encoding:
    """CLIP's text encoder.

    Parameters
    ----------
    sequence : ``normed``, each layer through the final norm; ``raw``, as it is; None, not kept.
    pooled : also the vector at the end token of each layer, through the final norm and, if there is one, the
        projection.
    """
    ids = tokens.ids.to(pipeline._execution_device)
    mask = tokens.mask.to(ids.device) if masked else None
    made = encoder(ids, attention_mask=mask, output_hidden_states=True)
    norm = getattr(encoder, "text_model", encoder).final_layer_norm
    project = getattr(encoder, "text_projection", None)
    whole = made.last_hidden_state
    states = made.hidden_states
    normed = (*(norm(state) for state in states[:-1]), whole)
    vectors: tuple[Any, ...] = ()
    if pooled:
        last = made.text_embeds if project is not None else made.pooler_output
        ends = [state[:, _end(ids, encoder.config.eos_token_id)] for state in normed[:-1]]
        vectors = (*(end if project is None else project(end) for end in ends), last)
    layers = {"normed": normed, "raw": states, None: ()}[sequence]
    return _encoding(tokens, encoder.dtype, layers, vectors)


def _end(ids: Any, eos: int) -> int:
    """Where CLIP reads its pooled vector: at the first end token, or in old configurations at the highest id."""
    row = ids[0]
    return int(row.argmax() if eos == 2 else (row == eos).int().argmax())


def t5(pipeline: Any, encoder: Any, tokens: Tokens, *, masked: bool) -> Encoding:
    """T5's encoder; each layer through the final norm, which its last hidden state has been through already."""
    ids = tokens.ids.to(pipeline._execution_device)
    mask = tokens.mask.to(ids.device) if masked else None
    made = encoder(ids, attention_mask=mask, output_hidden_states=True)
    norm = encoder.encoder.final_layer_norm
    layers = (*(norm(state) for state in made.hidden_states[:-1]), made.last_hidden_state)
    return _encoding(tokens, encoder.dtype, layers, (), tokens.mask if masked else None)


def language_model(pipeline: Any, encoder: Any, tokens: Tokens, norm: Callable[[Any], Any] | None = None) -> Encoding:
    """A language model used as encoder; each layer but the last through ``norm``, or raw."""
    device = pipeline._execution_device
    more = {"logits_to_keep": 1} if hasattr(encoder, "lm_head") else {}  # nothing is predicted
    made = encoder(
        input_ids=tokens.ids.to(device), attention_mask=tokens.mask.to(device), output_hidden_states=True,
        use_cache=False, **more,
    )  # fmt: skip
    states = made.hidden_states
    layers = states if norm is None else (*(norm(state) for state in states[:-1]), states[-1])
    return _encoding(tokens, encoder.dtype, layers, (), tokens.mask)


def _encoding(tokens: Tokens, dtype: Any, layers: Sequence[Any], pooled: Sequence[Any], mask: Any = None) -> Encoding:
    """Off the accelerator, whose memory is for denoising."""
    return Encoding(
        tuple(t.to("cpu", dtype) for t in layers), tuple(t.to("cpu", dtype) for t in pooled), mask,
        tokens.count, tokens.limit, tokens.lost,
    )  # fmt: skip
