"""A tiny multilingual BERT of the real classes, with random weights: built in code, no hub, the same everywhere.

For tests of text metrics. Its vectors mean nothing; equal texts are equal, and cosines of random vectors spread.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_bert(
    folder: Path,
    texts: Iterable[str],
    *,
    words: Iterable[str] = (),
    layers: int = 4,
    hidden: int = 32,
    positions: int = 64,
    seed: int = 0,
) -> Path:
    """Save a cased WordPiece BERT. It knows the letters of ``texts``, at and after a word's beginning, and ``words``.

    Returns
    -------
    The folder, which ``from_pretrained``, `bertscore:FOLDER` and bert-score read.
    """
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    letters = sorted({letter for text in texts for letter in text if not letter.isspace()})
    pieces = list(dict.fromkeys([*_SPECIAL, *letters, *(f"##{letter}" for letter in letters), *words]))
    tokenizer = BertTokenizer(
        {piece: n for n, piece in enumerate(pieces)}, do_lower_case=False, strip_accents=False,
        model_max_length=positions,
    )  # fmt: skip
    config = BertConfig(
        vocab_size=len(pieces), hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=4,
        intermediate_size=2 * hidden, max_position_embeddings=positions, initializer_range=0.2,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
