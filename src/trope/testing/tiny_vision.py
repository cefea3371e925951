"""Tiny vision models of the real classes, with random weights: built in code, no hub, the same everywhere.

``tiny_clip``, ``tiny_rtdetr``, ``tiny_dfine``, ``tiny_owlv2`` and ``tiny_grounding_dino`` save a folder that
``from_pretrained`` and the backends `clipscore:`, `rtdetr:` ... read. What they say means nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trope.data.coco import CLASSES

SIDE = 64  # pixels


def tiny_clip(folder: Path, *, seed: int = 0) -> Path:
    """A CLIP model that reads 77 tokens, with its tokenizer and image processor."""
    from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel

    tokenizer, text, vision = _two_towers(layers=3)
    config = CLIPConfig(text_config=text, vision_config=vision, projection_dim=24)
    _save(lambda: CLIPModel(config), folder, seed)
    tokenizer.save_pretrained(folder)
    size = {"height": SIDE, "width": SIDE}
    CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size=size).save_pretrained(folder)
    return folder


def tiny_rtdetr(folder: Path, *, seed: int = 0) -> Path:
    """An RT-DETR with COCO's 80 classes, some under their older names."""
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrResNetConfig

    backbone = RTDetrResNetConfig(
        embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], layer_type="basic",
        downsample_in_bottleneck=False, out_features=["stage2", "stage3", "stage4"],
    )  # fmt: skip
    return _detr(RTDetrForObjectDetection, RTDetrConfig, backbone, [8, 16, 16], folder, seed)


def tiny_dfine(folder: Path, *, seed: int = 0) -> Path:
    """A D-FINE with COCO's 80 classes."""
    from transformers import DFineConfig, DFineForObjectDetection, HGNetV2Config

    backbone = HGNetV2Config(
        stem_channels=[3, 8, 8], stage_in_channels=[8, 8, 16, 16], stage_mid_channels=[8, 8, 8, 8],
        stage_out_channels=[8, 16, 16, 16], stage_num_blocks=[1, 1, 1, 1], stage_numb_of_layers=[1, 1, 1, 1],
        hidden_sizes=[8, 16, 16, 16], out_features=["stage2", "stage3", "stage4"],
    )  # fmt: skip
    return _detr(DFineForObjectDetection, DFineConfig, backbone, [16, 16, 16], folder, seed)


def _detr(model: Any, config: Any, backbone: Any, channels: list[int], folder: Path, seed: int) -> Path:
    from transformers import RTDetrImageProcessorPil

    names = {n: {"couch": "sofa", "tv": "tvmonitor"}.get(name, name) for n, name in enumerate(CLASSES)}
    made = config(
        backbone_config=backbone, encoder_in_channels=channels, feat_strides=[8, 16, 32], encoder_hidden_dim=32,
        encoder_ffn_dim=32, encoder_attention_heads=2, decoder_in_channels=[32, 32, 32], d_model=32,
        decoder_layers=2, decoder_ffn_dim=32, decoder_attention_heads=2, num_queries=12, num_denoising=0,
        id2label=names, label2id={name: n for n, name in names.items()},
    )  # fmt: skip
    _save(lambda: model(made), folder, seed)
    RTDetrImageProcessorPil(size={"height": SIDE, "width": SIDE}).save_pretrained(folder)
    return folder


def tiny_owlv2(folder: Path, *, seed: int = 0) -> Path:
    """An OWLv2."""
    from transformers import Owlv2Config, Owlv2ForObjectDetection, Owlv2ImageProcessorPil

    tokenizer, text, vision = _two_towers(layers=2)
    config = Owlv2Config(text_config=text, vision_config=vision, projection_dim=32)
    _save(lambda: Owlv2ForObjectDetection(config), folder, seed)
    tokenizer.save_pretrained(folder)
    Owlv2ImageProcessorPil(size={"height": SIDE, "width": SIDE}).save_pretrained(folder)
    return folder


def tiny_grounding_dino(folder: Path, *, seed: int = 0) -> Path:
    """A Grounding DINO."""
    from transformers import (
        BertConfig,
        BertTokenizer,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        GroundingDinoImageProcessorPil,
        SwinConfig,
    )

    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        ".",
        "?",
        "a",
        *sorted({w for c in CLASSES for w in c.split()}),
    ]
    tokenizer = BertTokenizer({word: n for n, word in enumerate(words)}, model_max_length=64)
    text = BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37,
        max_position_embeddings=64,
    )  # fmt: skip
    backbone = SwinConfig(
        image_size=2 * SIDE, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2], window_size=2,
        out_features=["stage2", "stage3", "stage4"],
    )  # fmt: skip
    config = GroundingDinoConfig(
        backbone_config=backbone, text_config=text, d_model=32, encoder_layers=2, decoder_layers=2,
        encoder_ffn_dim=32, decoder_ffn_dim=32, encoder_attention_heads=4, decoder_attention_heads=4, num_queries=12,
        max_text_len=64,
    )  # fmt: skip
    _save(lambda: GroundingDinoForObjectDetection(config), folder, seed)
    tokenizer.save_pretrained(folder)
    GroundingDinoImageProcessorPil(size={"shortest_edge": 2 * SIDE, "longest_edge": 2 * SIDE}).save_pretrained(folder)
    return folder


def _two_towers(layers: int) -> tuple[Any, dict[str, int], dict[str, int]]:
    """CLIP's tokenizer, and the configurations of a text encoder that reads 77 tokens and of a vision encoder."""
    from trope.testing.tiny_pipelines import clip_tokenizer

    tokenizer = clip_tokenizer()
    both = {"hidden_size": 32, "intermediate_size": 37, "num_attention_heads": 4}
    text = {
        **both, "vocab_size": len(tokenizer), "num_hidden_layers": layers, "max_position_embeddings": 77,
        "bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }  # fmt: skip
    return tokenizer, text, {**both, "num_hidden_layers": 2, "image_size": SIDE, "patch_size": 16}


def _save(build: Any, folder: Path, seed: int) -> None:
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        build().eval().save_pretrained(folder)
