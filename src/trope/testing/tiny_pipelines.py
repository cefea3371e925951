"""Tiny diffusion pipelines of every family Trope knows, with random weights: built in code, no hub.

For tests of generators, of layer strategies, and of plug-ins that wrap a pipeline::

    folder = tiny_pipeline("flux", tmp_path / "flux")
    trope run simile --subject 'diffusers:FOLDER?steps=2&size=64' --strategy 'base,lens?branch=t5' --instrument ssd

Two denoising steps of a 64 x 64 picture take about 0.05 s on one core. What comes out looks like noise, but every
part of the prompt and every layer of every text encoder changes it. Weights of norms are not 1 (with 1, a
norm applied twice or not at all would not show), and the weights that real training starts at zero are not zero
(with 0, a transformer ignores the prompt).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

WORDS = (
    "a photo of a cat sitting on a red mat", "two dogs playing in the green park at night",
    "a blue car next to a tall house", "The cloud over the hill curls like a cat", "three apples on a wooden table",
)  # fmt: skip
QWEN_WORDS = (
    *WORDS,
    "Describe the image by detailing the color, shape, size, texture, quantity, text, spatial relationships of the"
    " objects and background:",
    "You are an AI that reasons about image descriptions. You give structured responses focusing on object"
    " relationships, object attribution and actions without speculation.",
)


def tiny_pipeline(family: str, folder: Path, *, seed: int = 0, **parts: Any) -> Path:
    """Save a tiny pipeline of ``family``, a key of `FAMILIES`, as ``save_pretrained`` does; return its folder.

    ``parts`` are those of the family's builder, e.g. ``layers=12``.
    """
    build(family, seed=seed, **parts).save_pretrained(folder)
    return folder


def build(family: str, *, seed: int = 0, **parts: Any) -> Any:
    """A tiny pipeline of ``family`` in memory, with the random weights of ``seed``."""
    import torch

    if family not in FAMILIES:
        raise ValueError(f"no tiny pipeline {family!r}. Known: {', '.join(FAMILIES)}")
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        pipeline = FAMILIES[family](**parts)
    for name, part in pipeline.components.items():
        if isinstance(part, torch.nn.Module):
            part.eval()
            _stir(part, seed, everything=name in ("unet", "transformer"))
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def _stir(model: Any, seed: int, *, everything: bool) -> None:
    """Move norm weights off 1, and in a denoiser every weight off 0; what was never initialized becomes finite."""
    import torch

    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=random)
            if not torch.isfinite(weight).all() or "pad_token" in name:
                weight.zero_()
            if everything:
                weight.add_(0.05 * noise)
            elif "norm" in name and name.endswith("weight"):
                weight.mul_(1 + 0.3 * noise)


# --- tokenizers, written by hand: trained vocabularies may differ from process to process ---


def clip_tokenizer() -> Any:
    """CLIP's byte-pair encoding; each word of `WORDS` is one token, anything else goes letter by letter."""
    from tokenizers import pre_tokenizers
    from transformers import CLIPTokenizer

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = letters + [letter + "</w>" for letter in letters]
    merges: list[tuple[str, str]] = []
    for word in sorted({word for text in WORDS for word in re.findall("[a-z]+", text.lower())}):
        parts = [*word[:-1], word[-1] + "</w>"]
        made = parts[0]
        for part in parts[1:]:
            if made + part not in tokens:
                tokens.append(made + part)
                merges.append((made, part))
            made += part
    tokens += ["<|startoftext|>", "<|endoftext|>"]  # the end has the highest number, as in the real one
    return CLIPTokenizer(vocab={token: n for n, token in enumerate(tokens)}, merges=merges, model_max_length=77)


def t5_tokenizer() -> Any:
    """T5's unigram model over the words of `WORDS` and single letters."""
    from transformers import T5Tokenizer

    words = sorted({word for text in WORDS for word in text.split()})
    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -4.0), *(("▁" + word, -5.0) for word in words)]
    known = {token for token, _ in vocabulary}
    letters = [(chr(code), -9.0) for code in range(33, 127) if chr(code) not in known]
    return T5Tokenizer(vocab=vocabulary + letters, extra_ids=0)


def qwen_tokenizer() -> Any:
    """Qwen's byte-level encoding with ChatML, as `tiny_models` has it."""
    from trope.testing.tiny_models import tokenizer

    return tokenizer(QWEN_WORDS)


def mistral_tokenizer() -> Any:
    """A plain tokenizer with Mistral's chat template, which walks lists of parts as its processor does."""
    from transformers import PreTrainedTokenizerFast

    parts = "{% for part in message['content'] %}{{ part['text'] }}{% endfor %}"
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=qwen_tokenizer()._tokenizer, pad_token="<|endoftext|>", eos_token="<|endoftext|>",
        extra_special_tokens=["[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[INST]", "[/INST]", "[IMG]"],
    )  # fmt: skip
    tokenizer.chat_template = (
        "{% for message in messages %}{% if message['role'] == 'system' %}[SYSTEM_PROMPT]" + parts + "[/SYSTEM_PROMPT]"
        "{% else %}[INST]" + parts + "[/INST]{% endif %}{% endfor %}"
    )
    return tokenizer


# --- parts that several families share ---


def clip_encoder(tokenizer: Any, *, projected: bool = False, hidden: int = 32, layers: int = 5) -> Any:
    """CLIP's text encoder, with the projection of its pooled vector if ``projected``."""
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

    config = CLIPTextConfig(
        vocab_size=len(tokenizer), hidden_size=hidden, intermediate_size=64, num_hidden_layers=layers,
        num_attention_heads=4, projection_dim=hidden, max_position_embeddings=77, hidden_act="quick_gelu",
        initializer_factor=3.0, bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    return (CLIPTextModelWithProjection if projected else CLIPTextModel)(config)


def t5_encoder(tokenizer: Any, *, hidden: int = 32, layers: int = 4) -> Any:
    """T5's encoder."""
    from transformers import T5Config, T5EncoderModel

    return T5EncoderModel(T5Config(
        vocab_size=len(tokenizer), d_model=hidden, d_kv=8, d_ff=37, num_layers=layers, num_heads=4,
        feed_forward_proj="gated-gelu", pad_token_id=0, eos_token_id=1,
    ))  # fmt: skip


def kl_vae(**config: Any) -> Any:
    """An autoencoder of four latent channels that makes 8 pixels of one."""
    from diffusers import AutoencoderKL

    return AutoencoderKL(**_vae_blocks(), sample_size=64, **config)


def _vae_blocks() -> dict[str, Any]:
    return {
        "in_channels": 3, "out_channels": 3, "latent_channels": 4, "block_out_channels": (8,) * 4,
        "layers_per_block": 1,
        "down_block_types": ("DownEncoderBlock2D",) * 4, "up_block_types": ("UpDecoderBlock2D",) * 4,
        "norm_num_groups": 4,
    }  # fmt: skip


def _flow_vae(shift: float, scaling: float) -> Any:
    return kl_vae(use_quant_conv=False, use_post_quant_conv=False, shift_factor=shift, scaling_factor=scaling)


# --- the seven families ---


def stable_diffusion(layers: int = 5, checked: bool = False) -> Any:
    """Stable Diffusion (Dreamlike): CLIP and a U-Net. ``checked`` adds a safety checker, of random weights too."""
    from diffusers import DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel

    tokenizer = clip_tokenizer()
    unet = UNet2DConditionModel(
        sample_size=8, in_channels=4, out_channels=4, block_out_channels=(32, 64), layers_per_block=1,
        norm_num_groups=8, down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), cross_attention_dim=32, attention_head_dim=8,
    )  # fmt: skip
    scheduler = DDIMScheduler(
        beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", clip_sample=False, set_alpha_to_one=False,
        steps_offset=1,
    )  # fmt: skip
    checker, extractor = _safety() if checked else (None, None)
    return StableDiffusionPipeline(
        vae=kl_vae(), text_encoder=clip_encoder(tokenizer, layers=layers), tokenizer=tokenizer, unet=unet,
        scheduler=scheduler, safety_checker=checker, feature_extractor=extractor, requires_safety_checker=checked,
    )  # fmt: skip


def _safety() -> tuple[Any, Any]:
    """A safety checker that flags everything: its thresholds are below any cosine."""
    import torch
    from diffusers.pipelines.stable_diffusion import StableDiffusionSafetyChecker
    from transformers import CLIPConfig, CLIPImageProcessorPil

    text = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = CLIPConfig(text_config=text, vision_config=text | {"image_size": 32, "patch_size": 16}, projection_dim=16)
    checker = StableDiffusionSafetyChecker(config)
    with torch.no_grad():
        checker.concept_embeds_weights.fill_(-2.0)
    size = {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}
    return checker, CLIPImageProcessorPil(**size)


def pixart(layers: int = 4) -> Any:
    """PixArt: T5 and a transformer that reads it by cross-attention."""
    from diffusers import DPMSolverMultistepScheduler, PixArtAlphaPipeline, PixArtTransformer2DModel

    tokenizer = t5_tokenizer()
    transformer = PixArtTransformer2DModel(
        sample_size=8, num_layers=2, patch_size=2, attention_head_dim=8, num_attention_heads=3, caption_channels=32,
        in_channels=4, cross_attention_dim=24, out_channels=8, attention_bias=True, num_embeds_ada_norm=1000,
        activation_fn="gelu-approximate", norm_type="ada_norm_single", norm_elementwise_affine=False, norm_eps=1e-6,
    )  # fmt: skip
    return PixArtAlphaPipeline(
        tokenizer=tokenizer, text_encoder=t5_encoder(tokenizer, layers=layers), vae=kl_vae(), transformer=transformer,
        scheduler=DPMSolverMultistepScheduler(),
    )  # fmt: skip


def flux(layers: int = 4, clip_layers: int = 5) -> Any:
    """FLUX.1: T5 for the sequence, CLIP for the pooled vector."""
    from diffusers import FlowMatchEulerDiscreteScheduler, FluxPipeline, FluxTransformer2DModel

    clip, t5 = clip_tokenizer(), t5_tokenizer()
    transformer = FluxTransformer2DModel(
        patch_size=1, in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=(4, 4, 8), guidance_embeds=True,
    )  # fmt: skip
    return FluxPipeline(
        scheduler=FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True), vae=_flow_vae(0.1159, 0.3611),
        text_encoder=clip_encoder(clip, layers=clip_layers), tokenizer=clip,
        text_encoder_2=t5_encoder(t5, layers=layers), tokenizer_2=t5, transformer=transformer,
    )  # fmt: skip


def stable_diffusion_3(layers: int = 4, clip_layers: tuple[int, int] = (5, 7)) -> Any:
    """Stable Diffusion 3.5: two CLIPs and T5, all in one sequence, and two pooled vectors."""
    from diffusers import FlowMatchEulerDiscreteScheduler, SD3Transformer2DModel, StableDiffusion3Pipeline

    clip_l, clip_g, t5 = clip_tokenizer(), clip_tokenizer(), t5_tokenizer()
    transformer = SD3Transformer2DModel(
        sample_size=8, patch_size=2, in_channels=4, num_layers=2, attention_head_dim=8, num_attention_heads=4,
        caption_projection_dim=32, joint_attention_dim=96, pooled_projection_dim=32 + 48, out_channels=4,
        pos_embed_max_size=16,
    )  # fmt: skip
    return StableDiffusion3Pipeline(
        transformer=transformer, scheduler=FlowMatchEulerDiscreteScheduler(shift=3.0), vae=_flow_vae(0.0609, 1.5305),
        text_encoder=clip_encoder(clip_l, projected=True, layers=clip_layers[0]), tokenizer=clip_l,
        text_encoder_2=clip_encoder(clip_g, projected=True, hidden=48, layers=clip_layers[1]), tokenizer_2=clip_g,
        text_encoder_3=t5_encoder(t5, hidden=96, layers=layers), tokenizer_3=t5,
    )  # fmt: skip


def qwen_image(layers: int = 4) -> Any:
    """Qwen-Image: a multimodal language model (Qwen2.5-VL) reads the prompt."""
    from diffusers import (
        AutoencoderKLQwenImage,
        FlowMatchEulerDiscreteScheduler,
        QwenImagePipeline,
        QwenImageTransformer2DModel,
    )
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    tokenizer = qwen_tokenizer()
    number = tokenizer.convert_tokens_to_ids
    config = Qwen2_5_VLConfig(
        text_config={
            "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": layers,
            "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.2, "bos_token_id": None,
            "eos_token_id": number("<|im_end|>"), "pad_token_id": tokenizer.pad_token_id,
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 1e6},
            "max_position_embeddings": 4096,
        },
        vision_config={
            "depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": 32,
            "patch_size": 14, "fullatt_block_indexes": [1], "window_size": 56,
        },
        image_token_id=number("<|image_pad|>"), video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"), vision_end_token_id=number("<|vision_end|>"),
        tie_word_embeddings=False,
    )  # fmt: skip
    transformer = QwenImageTransformer2DModel(
        patch_size=2, in_channels=16, out_channels=4, num_layers=2, attention_head_dim=16, num_attention_heads=3,
        joint_attention_dim=32, guidance_embeds=False, axes_dims_rope=(8, 4, 4),
    )  # fmt: skip
    vae = AutoencoderKLQwenImage(
        base_dim=24, z_dim=4, dim_mult=[1, 2, 4, 4], num_res_blocks=1, attn_scales=[],
        temperal_downsample=[False, True, True], latents_mean=[0.0] * 4, latents_std=[1.0] * 4,
    )  # fmt: skip
    return QwenImagePipeline(
        scheduler=FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True), vae=vae,
        text_encoder=Qwen2_5_VLForConditionalGeneration(config), tokenizer=tokenizer, transformer=transformer,
    )  # fmt: skip


def z_image(layers: int = 4) -> Any:
    """Z-Image: a language model (Qwen3), read at the layer before its last."""
    from diffusers import FlowMatchEulerDiscreteScheduler, ZImagePipeline, ZImageTransformer2DModel
    from transformers import Qwen3Config, Qwen3Model

    tokenizer = qwen_tokenizer()
    encoder = Qwen3Model(Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=layers,
        num_attention_heads=4, num_key_value_heads=2, head_dim=8, initializer_range=0.2, bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, max_position_embeddings=1024,
    ))  # fmt: skip
    transformer = ZImageTransformer2DModel(
        all_patch_size=(2,), all_f_patch_size=(1,), in_channels=4, dim=32, n_layers=2, n_refiner_layers=1, n_heads=2,
        n_kv_heads=2, norm_eps=1e-5, qk_norm=True, cap_feat_dim=32, rope_theta=256.0, t_scale=1000.0,
        axes_dims=[8, 4, 4], axes_lens=[1024, 64, 64],
    )  # fmt: skip
    return ZImagePipeline(
        scheduler=FlowMatchEulerDiscreteScheduler(shift=3.0), vae=_flow_vae(0.1159, 0.3611), text_encoder=encoder,
        tokenizer=tokenizer, transformer=transformer,
    )  # fmt: skip


def flux_2(layers: int = 4) -> Any:
    """FLUX.2: a multimodal language model (Mistral 3), read at three of its layers.

    The real one reads layers 10, 20 and 30; with few layers say which, e.g. ``text_layers=1-2-3``.
    """
    from diffusers import (
        AutoencoderKLFlux2,
        FlowMatchEulerDiscreteScheduler,
        Flux2Pipeline,
        Flux2Transformer2DModel,
    )
    from transformers import Mistral3Config, Mistral3ForConditionalGeneration

    tokenizer = mistral_tokenizer()
    config = Mistral3Config(
        text_config={
            "model_type": "mistral", "vocab_size": len(tokenizer), "hidden_size": 16, "intermediate_size": 37,
            "num_hidden_layers": layers, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
            "initializer_range": 0.2, "max_position_embeddings": 1024, "bos_token_id": None,
            "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id,
        },
        vision_config={
            "model_type": "pixtral", "hidden_size": 16, "intermediate_size": 37, "num_hidden_layers": 1,
            "num_attention_heads": 4, "image_size": 32, "patch_size": 8, "num_channels": 3,
        },
        image_token_index=tokenizer.convert_tokens_to_ids("[IMG]"),
    )  # fmt: skip
    transformer = Flux2Transformer2DModel(
        patch_size=1, in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=48, timestep_guidance_channels=256, axes_dims_rope=(4, 4, 4, 4),
    )  # fmt: skip
    vae = AutoencoderKLFlux2(**_vae_blocks(), sample_size=32, use_quant_conv=False, use_post_quant_conv=False)
    return Flux2Pipeline(
        scheduler=FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True), vae=vae,
        text_encoder=Mistral3ForConditionalGeneration(config), tokenizer=tokenizer, transformer=transformer,
    )  # fmt: skip


FAMILIES: dict[str, Callable[..., Any]] = {
    "sd": stable_diffusion,
    "pixart": pixart,
    "flux": flux,
    "sd3": stable_diffusion_3,
    "qwen-image": qwen_image,
    "z-image": z_image,
    "flux2": flux_2,
}
