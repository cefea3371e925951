"""Tiny multimodal models of real classes, with random weights: built in code, no hub, the same on every machine.

For tests of training and of whatever loads a model from a folder::

    folder = tiny_model("qwen3-vl", tmp_path / "base", words=["a text whose words become one token each"])
    model, (processor, _) = load_model(folder), load_processor(folder)

They answer nonsense until trained. A model has about 200,000 weights and reads a picture as four tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

HIDDEN = 64
SHARPNESS = 4.0
_LAST_NORM = ("language_model.norm.weight", "text_model.norm.weight")
IM_START, IM_END = "<|im_start|>", "<|im_end|>"
_SPECIAL = (IM_START, IM_END, "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
_IDEFICS = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>",
            *(f"<row_{row}_col_{column}>" for row in (1, 2) for column in (1, 2)))  # fmt: skip
_WORDS = ("system", "user", "assistant", "You are a helpful assistant.", "Describe the image in one short sentence.")


def tiny_model(family: str, folder: Path, *, words: Iterable[str] = (), seed: int = 0) -> Path:
    """Save a tiny model and its processor, as ``save_pretrained`` does.

    Parameters
    ----------
    family : a key of `FAMILIES`.
    words : texts whose words become single tokens, so that replies are short; anything else is read by bytes.
    seed : of the random weights.

    Returns
    -------
    The folder, which `trope.judges.vision.load_model` and ``from_pretrained`` read.
    """
    import torch

    if family not in FAMILIES:
        raise ValueError(f"no tiny model {family!r}. Known: {', '.join(FAMILIES)}")
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model, processor = FAMILIES[family](list(words))
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def chat_template(image: str) -> str:
    """A chat template in ChatML, with ``image`` where a message holds a picture."""
    part = f"{{% if part['type'] == 'image' %}}{image}{{% elif 'text' in part %}}{{{{ part['text'] }}}}{{% endif %}}"
    return (
        "{% for message in messages %}" + IM_START + "{{ message['role'] }}\n"
        "{% if message['content'] is string %}{{ message['content'] }}"
        "{% else %}{% for part in message['content'] %}" + part + "{% endfor %}{% endif %}" + IM_END + "\n{% endfor %}"
        "{% if add_generation_prompt %}" + IM_START + "assistant\n{% endif %}"
    )


def tokenizer(words: Sequence[str]) -> Any:
    """Byte-level BPE in the manner of Qwen: every byte is a token, and so is every word of ``words``.

    Merges are written by hand, letter by letter: a trained vocabulary may differ from process to process.
    """
    from tokenizers import pre_tokenizers
    from transformers import Qwen2Tokenizer

    splitter = Qwen2Tokenizer()._tokenizer.pre_tokenizer
    vocabulary = {letter: n for n, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    merges: list[tuple[str, str]] = []
    for text in (*_WORDS, *words):
        for word, _ in splitter.pre_tokenize_str(text):
            made = word[0]
            for letter in word[1:]:
                if made + letter not in vocabulary:
                    vocabulary[made + letter] = len(vocabulary)
                    merges.append((made, letter))
                made += letter
    made_of = Qwen2Tokenizer(
        vocab=vocabulary, merges=merges, model_max_length=4096, extra_special_tokens=list(_SPECIAL),
        eos_token=IM_END, pad_token="<|endoftext|>",
    )  # fmt: skip
    made_of.chat_template = chat_template("<|vision_start|><|image_pad|><|vision_end|>")
    return made_of


def _text_config(tokens: Any, **more: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokens), "hidden_size": HIDDEN, "intermediate_size": 96, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": HIDDEN // 4, "initializer_range": 0.1,
        "max_position_embeddings": 4096, "bos_token_id": None, "eos_token_id": tokens.eos_token_id,
        "pad_token_id": tokens.pad_token_id, **more,
    }  # fmt: skip


def _qwen_tokens(tokens: Any) -> dict[str, int]:
    names = {"image_token_id": "<|image_pad|>", "video_token_id": "<|video_pad|>",
             "vision_start_token_id": "<|vision_start|>", "vision_end_token_id": "<|vision_end|>"}  # fmt: skip
    return {field: tokens.convert_tokens_to_ids(token) for field, token in names.items()}


def _ready(model: Any, tokens: Any) -> Any:
    """Generation settings, and a last norm that lets logits be large: a LoRA on frozen layers can then be sure."""
    import torch
    from transformers import GenerationConfig

    with torch.no_grad():
        next(p for name, p in model.named_parameters() if name.endswith(_LAST_NORM)).fill_(SHARPNESS)
    model.generation_config = GenerationConfig(
        eos_token_id=tokens.eos_token_id, pad_token_id=tokens.pad_token_id, do_sample=True
    )
    return model.eval()


def qwen3_vl(words: Sequence[str] = ()) -> tuple[Any, Any]:
    """Qwen3-VL: three vision blocks, two of them handed on to the text model; pictures of 64 x 64."""
    import transformers

    from trope.judges.vision import image_only

    tokens = tokenizer(words)
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 5e6, "mrope_interleaved": True}
    config = transformers.Qwen3VLConfig(
        text_config=_text_config(tokens, rope_parameters=rope),
        vision_config={
            "depth": 3, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": HIDDEN,
            "patch_size": 16, "spatial_merge_size": 2, "temporal_patch_size": 2, "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0, 1],
        },
        tie_word_embeddings=True, **_qwen_tokens(tokens),
    )  # fmt: skip
    pictures = transformers.Qwen2VLImageProcessorPil(
        patch_size=16, merge_size=2, image_mean=[0.5] * 3, image_std=[0.5] * 3,
        size={"shortest_edge": 32 * 32, "longest_edge": 64 * 64},
    )  # fmt: skip
    processor = image_only(transformers.Qwen3VLProcessor)(pictures, tokens, chat_template=tokens.chat_template)
    return _ready(transformers.Qwen3VLForConditionalGeneration(config), tokens), processor


def qwen2_5_vl(words: Sequence[str] = ()) -> tuple[Any, Any]:
    """Qwen2.5-VL: two vision blocks, one with window attention; pictures of 56 x 56."""
    import transformers

    from trope.judges.vision import image_only

    tokens = tokenizer(words)
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 1e6}
    config = transformers.Qwen2_5_VLConfig(
        text_config=_text_config(tokens, rope_parameters=rope),
        vision_config={
            "depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": HIDDEN,
            "patch_size": 14, "fullatt_block_indexes": [1], "window_size": 56,
        },
        tie_word_embeddings=False, **_qwen_tokens(tokens),
    )  # fmt: skip
    pictures = transformers.Qwen2VLImageProcessorPil(
        patch_size=14, merge_size=2, size={"shortest_edge": 28 * 28, "longest_edge": 56 * 56}
    )
    processor = image_only(transformers.Qwen2_5_VLProcessor)(pictures, tokens, chat_template=tokens.chat_template)
    return _ready(transformers.Qwen2_5_VLForConditionalGeneration(config), tokens), processor


def idefics3(words: Sequence[str] = ()) -> tuple[Any, Any]:
    """Idefics3 (also SmolVLM's family): a SigLIP-like tower and a Llama; pictures of 64 x 64, not split into tiles."""
    import transformers

    tokens = tokenizer(words)
    tokens.add_special_tokens({"additional_special_tokens": list(_IDEFICS)})
    tokens.chat_template = chat_template("<image>")
    image = tokens.convert_tokens_to_ids("<image>")
    config = transformers.Idefics3Config(
        text_config=_text_config(tokens, model_type="llama"),
        vision_config={
            "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 64, "patch_size": 16,
        },
        image_token_id=image, scale_factor=2, pad_token_id=tokens.pad_token_id, tie_word_embeddings=False,
    )  # fmt: skip
    pictures = transformers.Idefics3ImageProcessorPil(
        size={"longest_edge": 64}, max_image_size={"longest_edge": 64}, do_image_splitting=False
    )
    processor = transformers.Idefics3Processor(pictures, tokens, image_seq_len=4, chat_template=tokens.chat_template)
    return _ready(transformers.Idefics3ForConditionalGeneration(config), tokens), processor


FAMILIES: dict[str, Callable[[Sequence[str]], tuple[Any, Any]]] = {
    "qwen3-vl": qwen3_vl,
    "qwen2.5-vl": qwen2_5_vl,
    "idefics3": idefics3,
}
