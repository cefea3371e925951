"""Every family against its own pipeline: the same picture at the normal layer, bit for bit, and others below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("diffusers")

import torch

from trope.generators.diffusers.painter import Wish
from trope.requests import Layer
from trope.testing.tiny_pipelines import FAMILIES

from .conftest import CAT, DOGS, OPTIONS

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

BRANCHES = {
    "sd": {"clip": (5, 5)},
    "pixart": {"t5": (4, 4)},
    "flux": {"t5": (4, 4), "clip": (5, 5)},
    "sd3": {"t5": (4, 4), "clip-l": (5, 4), "clip-g": (7, 6), "pooled-l": (5, 5), "pooled-g": (7, 7)},
    "qwen-image": {"qwen": (4, 4)},
    "z-image": {"qwen": (4, 3)},
    "flux2": {"mistral": (4, 3)},
}
OWN_CALL: dict[str, dict[str, Any]] = {
    "sd": {},
    "pixart": {"use_resolution_binning": False, "clean_caption": False, "max_sequence_length": 32},
    "flux": {"max_sequence_length": 32},
    "sd3": {"max_sequence_length": 32},
    "qwen-image": {"negative_prompt": " "},
    "z-image": {"max_sequence_length": 64},
    "flux2": {"text_encoder_out_layers": (1, 2, 3), "max_sequence_length": 128},
}
CUTS = [(family, branch, pooled) for family, has in BRANCHES.items() for branch in has for pooled in ("normal", "layer")
        if pooled == "normal" or (family, branch) in {("flux", "t5"), ("sd3", "clip-l"), ("sd3", "clip-g")}]  # fmt: skip


def own_call(family: str, pipeline: Any, text: str, **more: Any) -> Any:
    """Latents of the pipeline's own call."""
    return pipeline(
        prompt=text, num_inference_steps=2, height=64, width=64, generator=torch.Generator().manual_seed(7),
        output_type="latent", **{**OWN_CALL[family], **more},
    ).images[0]  # fmt: skip


def one(painter: Any, text: str, layer: Layer | None = None) -> Any:
    return painter.make([Wish(text, 7, layer=layer)], "latent")[0].pixels


def apart(a: Any, b: Any) -> float:
    return float((a - b).abs().max() / b.abs().max())


@pytest.mark.parametrize("family", FAMILIES)
def test_branches_are_told_from_the_configurations(loaded: Callable[..., Any], family: str) -> None:
    found = loaded(family).branches()
    assert {name: (branch.layers, branch.normal) for name, branch in found.items()} == BRANCHES[family]
    assert {name for name, branch in found.items() if branch.aside} == {n for n in found if n.startswith("pooled")}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_plain_request_is_the_pipelines_own_call(painter: Callable[..., Any], family: str) -> None:
    made = painter(family)
    for text in (CAT, DOGS):
        assert torch.equal(one(made, text), own_call(family, made.pipeline, text))


@pytest.mark.parametrize("family", FAMILIES)
def test_in_half_precision_too(folder: Callable[..., Any], family: str) -> None:
    from trope.generators import GENERATORS

    options = f"steps=2&size=64&dtype=bfloat16{OPTIONS.get(family, '')}"
    made = GENERATORS.create(f"diffusers:{folder(family)}?{options}").painter()
    assert torch.equal(one(made, CAT), own_call(family, made.pipeline, CAT))


@pytest.mark.parametrize(("family", "branch", "pooled"), CUTS)
def test_the_normal_layer_is_the_plain_call_and_every_other_differs(
    painter: Callable[..., Any], family: str, branch: str, pooled: Any
) -> None:
    made = painter(family)
    plain = one(made, CAT)
    layers, normal = BRANCHES[family][branch]
    cut = [one(made, CAT, Layer(branch, index, pooled)) for index in range(layers + 1)]
    same = [index for index, latents in enumerate(cut) if torch.equal(latents, plain)]
    assert same == ([] if family == "flux2" else [normal])
    assert min(apart(latents, plain) for index, latents in enumerate(cut) if index not in same) > 1e-3
    if family == "flux2":
        for index in (1, 4):
            thrice = own_call(family, made.pipeline, CAT, text_encoder_out_layers=(index,) * 3)
            assert torch.equal(cut[index], thrice)


@pytest.mark.parametrize(("family", "branch", "pooled"), CUTS)
def test_a_batch_is_one_by_one(painter: Callable[..., Any], family: str, branch: str, pooled: Any) -> None:
    made = painter(family)
    layers, _ = BRANCHES[family][branch]
    wishes = [Wish(text, 7, layer=Layer(branch, index, pooled)) for index in range(layers + 1) for text in (CAT, DOGS)]
    together = made.make([*wishes, Wish(CAT, 8), Wish(DOGS, 7)], "latent")
    alone = [made.make([wish], "latent")[0] for wish in wishes[:: 5 if layers > 4 else 3]]
    for a, b in zip(together[: len(wishes) : 5 if layers > 4 else 3], alone, strict=True):
        assert apart(a.pixels, b.pixels) <= 1e-5
    assert apart(together[-2].pixels, one(made, CAT)) > 1e-3  # another seed, other noise


@pytest.mark.parametrize("family", FAMILIES)
def test_each_text_goes_through_each_encoder_once(painter: Callable[..., Any], family: str) -> None:
    made = painter(family, batch=5)
    passes: dict[str, int] = {}
    hooks = []
    for reader in made.family.readers.values():
        encoder = getattr(made.pipeline, reader.encoder)
        passes[reader.encoder] = 0

        def count(*_: Any, name: str = reader.encoder) -> None:
            passes[name] += 1

        hooks.append(encoder.register_forward_pre_hook(count))
    wishes = [
        Wish(text, 7, layer=Layer(branch, index))
        for branch, (layers, _) in BRANCHES[family].items()
        for index in range(1, layers + 1)
        for text in ((CAT, DOGS) if index == 2 else (CAT,))
    ]
    results = made.paint([*wishes, Wish(CAT, 7), Wish(DOGS, 7)])
    for hook in hooks:
        hook.remove()
    assert {result.status for result in results} == {"ok"}
    guided = family not in ("flux", "flux2")
    assert set(passes.values()) == {2 + guided}  # two texts, and the negative one


def test_a_pooled_vector_follows_at_the_same_share_of_depth(painter: Callable[..., Any]) -> None:
    """FLUX: 4 layers of T5 beside 5 of CLIP. Otherwise the whole prompt is in the pooled vector at every layer."""
    made = painter("flux")
    made.make([Wish(CAT, 7)], "latent")
    vectors = made.read("clip", CAT).pooled

    def vector(index: int, pooled: Any) -> Any:
        row = made.family.row(lambda branch: made.read(branch, CAT), Layer("t5", index, pooled), made.settings)
        return row["pooled_prompt_embeds"]

    for index, at in enumerate((0, 1, 2, 4, 5)):
        assert torch.equal(vector(index, "layer"), vectors[at])
        assert torch.equal(vector(index, "normal"), vectors[5])


def test_stable_diffusion_3_works_without_t5(tmp_path: Any, folder: Callable[..., Any]) -> None:
    import diffusers

    from trope.generators import GENERATORS

    pipeline = diffusers.DiffusionPipeline.from_pretrained(folder("sd3"), text_encoder_3=None, tokenizer_3=None)
    pipeline.save_pretrained(tmp_path / "two")
    generator = GENERATORS.create(f"diffusers:{tmp_path / 'two'}?steps=2&size=64&max_tokens=32")
    assert sorted(generator.branches()) == ["clip-g", "clip-l", "pooled-g", "pooled-l"]
    made = generator.painter()
    assert torch.equal(one(made, CAT), own_call("sd3", made.pipeline, CAT))
