"""`diffusers`: what a pipeline is known by, what it is told, and what it says when something is wrong."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("diffusers")

import numpy as np
import torch

from trope.errors import BackendError, UnknownName, UsageError
from trope.generators import GENERATORS
from trope.generators.diffusers.files import pipeline_files
from trope.generators.diffusers.hardware import ROOM, choose_offload, out_of_memory, place
from trope.generators.diffusers.painter import Wish
from trope.generators.diffusers.settings import presets
from trope.requests import Generate, Job, Layer
from trope.testing import check_generator

from .conftest import CAT, DOGS

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
LONG = "a cat sitting on a red mat and " * 20


def make(folder: Path, **options: Any) -> Any:
    return GENERATORS.create(f"diffusers:{folder}?" + "&".join(f"{k}={v}" for k, v in options.items()))


def jobs(*requests: Generate, seed: int = 42) -> list[Job]:
    return [Job(str(n), request, seed, "item") for n, request in enumerate(requests)]


# --- what it is known by ---


def test_the_name_has_no_path_and_no_device(folder: Callable[..., Path]) -> None:
    made = make(folder("sd"), steps=2, size=64, device="cpu", batch=3, offload="none")
    assert made.name == "diffusers:sd?size=64&steps=2"
    assert made.batch == 3


def test_identity_knows_weights_and_every_setting(folder: Callable[..., Path], tmp_path: Path) -> None:
    base = make(folder("sd"), steps=2, size=64)
    assert base.identity() == make(folder("sd"), steps=2, size="64x64", batch=2, device="cpu").identity()
    others = [{"steps": 3}, {"size": 128}, {"guidance": 4.5}, {"dtype": "bfloat16"}]
    digests = {make(folder("sd"), **{"steps": 2, "size": 64, **other}).identity_digest for other in others}
    assert len(digests | {base.identity_digest}) == 5
    shutil.copytree(folder("sd"), tmp_path / "sd")
    assert make(tmp_path / "sd", steps=2, size=64).identity_digest == base.identity_digest
    scheduler = tmp_path / "sd" / "scheduler" / "scheduler_config.json"
    scheduler.write_text(scheduler.read_text().replace('"steps_offset": 1', '"steps_offset": 0'))
    assert make(tmp_path / "sd", steps=2, size=64).identity_digest != base.identity_digest
    json.dumps(base.identity())


def test_big_files_are_hashed_once(folder: Callable[..., Path], tmp_path: Path, monkeypatch: Any) -> None:
    from trope import weights

    before = pipeline_files(str(folder("sd"))).weights
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(weights, "_MEMO_FROM", 1000)
    assert pipeline_files(str(folder("sd"))).weights == before
    (memo,) = tmp_path.rglob("weights.json")
    kept = json.loads(memo.read_text())
    assert any("unet" in name for name in kept)
    memo.write_text(json.dumps(dict.fromkeys(kept, "0" * 64)))
    assert pipeline_files(str(folder("sd"))).weights != before  # it was not read again


def test_the_normal_layer_has_the_key_of_no_layer(folder: Callable[..., Path]) -> None:
    made = make(folder("sd3"), steps=2, size=64)

    def key(layer: Layer | None) -> str:
        return str(made.key(Generate(CAT, layer=layer), 42, "item"))

    plain = key(None)
    assert key(Layer("t5", 4)) == key(Layer("clip-l", 4, "layer")) == key(Layer("pooled-g", 7)) == plain
    assert key(Layer("t5", 3, "layer")) == key(Layer("t5", 3)) != plain
    assert key(Layer("clip-l", 3, "layer")) != key(Layer("clip-l", 3))
    assert made.group(Generate(CAT)) is None
    assert made.group(Generate(CAT, layer=Layer("t5", 3))) == CAT
    with pytest.raises(BackendError, match=r"no branch 'clip-b'. Did you mean 'clip-[lg]'\?"):
        key(Layer("clip-b", 3))
    with pytest.raises(BackendError, match="no layer 5 of 't5'. Expected: 0 to 4"):
        key(Layer("t5", 5))


def test_a_hub_id_is_known_by_its_commit(folder: Callable[..., Path], tmp_path: Path, monkeypatch: Any) -> None:
    commit = "a" * 40
    cache = tmp_path / "models--owner--tiny"
    shutil.copytree(folder("pixart"), cache / "snapshots" / commit)
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub._snapshot_download.constants.HF_HUB_CACHE", str(tmp_path))
    made = GENERATORS.create("diffusers:owner/tiny?steps=2&size=64")
    assert made.name == "diffusers:owner/tiny?size=64&steps=2"
    assert made.identity()["weights"] == f"owner/tiny@{commit}"
    assert made.branches()["t5"].layers == 4
    assert made.draw(CAT, 42).status == "ok"
    with pytest.raises(BackendError, match=r"the hub does not give 'owner/other': .*download it first"):
        GENERATORS.create("diffusers:owner/other")


# --- what it is told ---


def test_presets_are_the_published_settings() -> None:
    table = presets()
    simile = [of for name, of in table.items() if name.startswith("simile-")]
    assert len(simile) == 5
    assert all((of["size"], of["steps"], of["guidance"]) == ("768", 30, 4.5) for of in simile)
    sizes = {name: of["size"] for name, of in table.items() if name.startswith("vmetaphor-")}
    assert sizes == {
        "vmetaphor-flux": "1024", "vmetaphor-sd3.5": "1024", "vmetaphor-qwen-image": "1328", "vmetaphor-flux2": "1024",
        "vmetaphor-z-image": "1024",
    }  # fmt: skip


@pytest.mark.parametrize("name", presets())
def test_every_preset_fits_its_family(name: str, folder: Callable[..., Path], tmp_path: Path) -> None:
    from trope.generators.diffusers.families import FAMILIES

    table = presets()[name]
    assert set(table) <= {"model", "pipeline", "size", "steps", "guidance", "dtype", "batch", "note"}
    assert table["pipeline"] in FAMILIES
    tiny = {
        "StableDiffusionPipeline": "sd",
        "PixArtAlphaPipeline": "pixart",
        "FluxPipeline": "flux",
        "StableDiffusion3Pipeline": "sd3",
        "QwenImagePipeline": "qwen-image",
        "ZImagePipeline": "z-image",
        "Flux2Pipeline": "flux2",
    }
    more = {"text_layers": "1-2-3"} if table["pipeline"] == "Flux2Pipeline" else {}
    made = make(folder(tiny[table["pipeline"]]), preset=name, **more)
    settings = made.settings
    assert (str(settings.width), settings.steps, settings.guidance) == (
        table["size"],
        table["steps"],
        table["guidance"],
    )
    assert settings.dtype == table["dtype"]
    assert make(folder(tiny[table["pipeline"]]), preset=name, steps=3, **more).settings.steps == 3


def test_without_options_the_pipelines_own_settings(folder: Callable[..., Path]) -> None:
    settings = make(folder("sd")).settings
    assert (settings.width, settings.height, settings.steps, settings.guidance) == (64, 64, 50, 7.5)
    assert settings.dtype == "float32"  # as stored


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("sd", "size=60", r"size='60'. Expected: multiples of 8 pixels, up to 4096"),
        ("flux", "size=72", r"multiples of 16"),
        ("sd", "size=big", r"size='big'. Expected: pixels, e.g. 768 or 1024x768"),
        ("sd", "steps=0", r"steps=0. Expected: 1 or more"),
        ("sd", "guidance=-1", r"guidance=-1.0. Expected: 0 or more"),
        ("sd", "guidance=nan", r"guidance=nan. Expected"),
        ("sd", "dtype=int4", r"dtype='int4'. Expected: auto, float32, bfloat16, float16"),
        ("sd", "offload=disk", r"offload='disk'. Expected: auto, none, model, sequential"),
        ("sd", "batch=0", r"batch=0. Expected: at least 1"),
        ("sd", "true_guidance=2", r"a StableDiffusionPipeline has no option 'true_guidance'"),
        ("sd", "max_tokens=99", r"a StableDiffusionPipeline has no option 'max_tokens'"),
        ("flux2", "steps=2", r"this text encoder has 4 layers, and 10, 20, 30 are to be read.*text_layers=A-B-C"),
        ("flux2", "text_layers=one", r"text_layers='one'. Expected: numbers of layers, e.g. 10-20-30"),
        (
            "sd",
            "preset=simile-flux",
            r"preset 'simile-flux' is for a FluxPipeline, and this is a StableDiffusionPipeline",
        ),
        ("sd", "revision=main", r"revision='main' is for a hub id, and this is a folder"),
    ],
)
def test_options_that_cannot_be_meant(folder: Callable[..., Path], family: str, options: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        GENERATORS.create(f"diffusers:{folder(family)}?{options}")


def test_names_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no preset 'simile-flix'. Did you mean 'simile-flux'\?"):
        GENERATORS.create("diffusers?preset=simile-flix")
    with pytest.raises(UsageError, match="'diffusers' names no model"):
        GENERATORS.create("diffusers?steps=2")
    with pytest.raises(UsageError, match="no such folder, and no hub id"):
        GENERATORS.create(f"diffusers:{tmp_path / 'nowhere'}")
    with pytest.raises(BackendError, match=r"no model_index.json there"):
        GENERATORS.create(f"diffusers:{tmp_path}")


# --- a folder that lacks something ---


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("vae", r"lacks a component: vae \(AutoencoderKL\) is listed in model_index.json, but its folder is not there"),
        ("scheduler/scheduler_config.json", r"scheduler \(DDIMScheduler\) .* but its configuration is not there"),
        ("unet/diffusion_pytorch_model.safetensors", r"unet \(UNet2DConditionModel\) .* but a file of weights"),
        ("text_encoder/config.json", r"text_encoder \(CLIPTextModel\) .* but its configuration is not there"),
    ],
)
def test_a_part_that_is_missing(folder: Callable[..., Path], tmp_path: Path, broken: str, message: str) -> None:
    shutil.copytree(folder("sd"), tmp_path / "sd")
    lost = tmp_path / "sd" / broken
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    with pytest.raises(BackendError, match=message):
        make(tmp_path / "sd")


def test_parts_that_are_not_listed_or_not_whole(folder: Callable[..., Path], tmp_path: Path) -> None:
    shutil.copytree(folder("sd"), tmp_path / "sd")
    index = tmp_path / "sd" / "model_index.json"
    table = json.loads(index.read_text())
    index.write_text(json.dumps(table | {"text_encoder": [None, None]}))
    with pytest.raises(BackendError, match="lacks a component: a StableDiffusionPipeline needs text_encoder"):
        make(tmp_path / "sd")
    index.write_text(json.dumps(table))
    (tmp_path / "sd" / "unet" / "x.safetensors.index.json").write_text('{"weight_map": {"a": "x-00001.safetensors"}}')
    with pytest.raises(BackendError, match=r"but x-00001.safetensors \(of 1 files of weights\) is not there"):
        make(tmp_path / "sd")
    index.write_text("{")
    with pytest.raises(BackendError, match="model_index.json cannot be read"):
        make(tmp_path / "sd")


def test_weights_that_cannot_be_loaded(folder: Callable[..., Path], tmp_path: Path) -> None:
    shutil.copytree(folder("sd"), tmp_path / "sd")
    (tmp_path / "sd" / "vae" / "diffusion_pytorch_model.safetensors").write_bytes(b"\x08" + b"\0" * 7 + b"{}      ")
    with pytest.raises(BackendError, match="lacks weights, and made-up ones would paint noise: Some weights of Auto"):
        make(tmp_path / "sd", size=64).painter()
    (tmp_path / "sd" / "vae" / "diffusion_pytorch_model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(BackendError, match=r"pipeline .* cannot be loaded: "):
        make(tmp_path / "sd", size=64).painter()


@pytest.mark.parametrize("part", ["text_encoder", "unet"])
def test_one_weight_that_is_missing(folder: Callable[..., Path], tmp_path: Path, part: str) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder("sd"), tmp_path / "sd")
    (path,) = (tmp_path / "sd" / part).glob("*.safetensors")
    weights = load_file(path)
    del weights[sorted(weights)[3]]
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(BackendError, match="lacks weights, and made-up ones would paint noise"):
        make(tmp_path / "sd", size=64).painter()


# --- what it does ---


def test_pictures_are_reproducible(loaded: Callable[..., Any]) -> None:
    check_generator(loaded("sd"), CAT)


def test_a_picture_says_how_it_was_made(loaded: Callable[..., Any], capsys: Any) -> None:
    made = loaded("flux")
    plain, cut, again = asyncio.run(
        made.perform(jobs(Generate(CAT), Generate(CAT, layer=Layer("t5", 2)), Generate(CAT, attempt=1)))
    )
    assert (plain.status, cut.status) == ("ok", "ok")
    assert plain.image.size == (64, 64)
    told = plain.provenance
    assert told["settings"] == {
        "width": 64, "height": 64, "steps": 2, "guidance": 3.5, "true_guidance": 1.0, "max_tokens": 32, "dtype": "float32"
    }  # fmt: skip
    assert (told["seed"], told["batch"], told["device"], told["offload"]) == (42, 3, "cpu", "none")
    assert set(told["versions"]) == {"torch", "diffusers", "transformers"}
    assert told["weights"] == made.files.weights
    assert cut.provenance["layer"] == ["t5", 2, "normal"]
    assert again.provenance["seed"] not in (42, 43)
    assert plain.value == {"tokens": {"t5": 11, "clip": 16}}
    assert plain.image.tobytes() != cut.image.tobytes() != again.image.tobytes()


def test_device_and_dtype_are_told_with_the_reason(folder: Callable[..., Path], capsys: Any) -> None:
    make(folder("sd"), steps=2, size=64, dtype="bfloat16", device="cpu").painter()
    assert capsys.readouterr().err.splitlines()[-1] == (
        "diffusers:sd?dtype=bfloat16&size=64&steps=2: cpu, as asked; 1.8 MB of weights; bfloat16 (the weights are stored"
        " in float32), slow on a CPU: dtype=float32 may be faster, as another subject"
    )


def test_half_precision_paints_too(folder: Callable[..., Path]) -> None:
    made = make(folder("flux"), steps=2, size=64, dtype="bfloat16", max_tokens=32)
    (result,) = asyncio.run(made.perform(jobs(Generate(CAT, layer=Layer("t5", 3)))))
    assert (result.status, result.provenance["settings"]["dtype"]) == ("ok", "bfloat16")


def test_what_clip_does_not_read_is_told(painter: Callable[..., Any]) -> None:
    result, short = painter("flux").paint([Wish(LONG, 1), Wish(CAT, 1)])
    cut = result.value["cut"]["clip"]
    assert (result.value["tokens"]["clip"], cut["read"]) == (77, 77)
    assert cut["tokens"] > 200 and cut["lost"].endswith("a cat sitting on a red mat and")
    kept = LONG.strip().removesuffix(cut["lost"]).strip()
    assert LONG.startswith(kept) and 0 < len(kept.split()) < 75
    assert "cut" not in short.value


@pytest.mark.parametrize("family", ["sd", "pixart", "sd3", "qwen-image", "z-image"])
def test_a_negative_prompt_counts(painter: Callable[..., Any], family: str) -> None:
    made = painter(family)
    plain, same, other = made.make(
        [Wish(CAT, 7), Wish(CAT, 7, negative=made.family.negative), Wish(CAT, 7, negative="a red mat")], "latent"
    )
    assert torch.allclose(plain.pixels, same.pixels, rtol=1e-4, atol=1e-4)
    assert (plain.pixels - other.pixels).abs().max() > 1e-2


def test_a_negative_prompt_that_would_do_nothing_is_not_taken(painter: Callable[..., Any], loaded: Any) -> None:
    for family, why in (("flux2", "takes no negative prompt"), ("flux", "is not guided")):
        bad, good = painter(family).paint([Wish(CAT, 7, negative="a mat"), Wish(CAT, 7)])
        assert bad.status == "not_applicable" and why in bad.reason
        assert good.status == "ok"


def test_flux_is_guided_by_true_guidance(folder: Callable[..., Path]) -> None:
    made = make(folder("flux"), steps=2, size=64, max_tokens=32, true_guidance=3)
    painter = made.painter()
    ours = painter.make([Wish(CAT, 7, negative="a mat")], "latent")[0].pixels
    own = painter.pipeline(
        prompt=CAT, negative_prompt="a mat", true_cfg_scale=3.0, num_inference_steps=2, height=64, width=64,
        max_sequence_length=32, generator=torch.Generator().manual_seed(7), output_type="latent",
    ).images[0]  # fmt: skip
    assert torch.equal(ours, own)


def test_a_pipeline_nobody_described_paints_what_it_is_told(folder: Callable[..., Path], tmp_path: Path) -> None:
    from diffusers import DiffusionPipeline, StableDiffusionPAGPipeline

    parts = DiffusionPipeline.from_pretrained(folder("sd")).components
    StableDiffusionPAGPipeline(**parts, requires_safety_checker=False).save_pretrained(tmp_path / "pag")
    made = make(tmp_path / "pag", steps=2, size=64)
    assert made.branches() == {}
    first, second = asyncio.run(made.perform(jobs(Generate(CAT), Generate(DOGS))))
    assert first.status == second.status == "ok"
    alone = made.draw(DOGS, 42)
    pixels = [np.asarray(result.image).astype(int) for result in (alone, second)]
    assert np.abs(pixels[0] - pixels[1]).max() <= 1
    with pytest.raises(BackendError, match="no branch 'clip'. Branches: none"):
        made.material(Generate(CAT, layer=Layer("clip", 1)))


# --- what goes wrong ---


def test_out_of_memory_halves_the_batch_and_says_so(painter: Callable[..., Any]) -> None:
    made = painter("sd", batch=8)
    calls = []

    def full(_module: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        rows = (arguments[0] if arguments else named["sample"]).shape[0] // 2
        calls.append(rows)
        if rows > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")

    hook = made.pipeline.unet.register_forward_pre_hook(full, with_kwargs=True)
    try:
        results = made.paint([Wish(CAT, seed) for seed in range(7)])
    finally:
        hook.remove()
    assert [result.status for result in results] == ["ok"] * 7
    assert [result.provenance["batch"] for result in results] == [2, 2, 2, 2, 2, 2, 1]
    assert calls == [7, 4, 2, 2, 2, 2, 2, 2, 1, 1]  # two steps each
    assert [result.provenance["seed"] for result in results] == list(range(7))
    assert made.told == [
        "diffusers:sd?size=64&steps=2: out of memory with 7 pictures at once; going on with 4",
        "diffusers:sd?size=64&steps=2: out of memory with 4 pictures at once; going on with 2",
    ]
    assert out_of_memory(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
    assert not out_of_memory(RuntimeError("shapes do not fit"))


def test_out_of_memory_with_one_picture_ends_it(painter: Callable[..., Any]) -> None:
    made = painter("sd", batch=2)

    def full(*_: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    hook = made.pipeline.unet.register_forward_pre_hook(full)
    try:
        with pytest.raises(BackendError, match=r"out of memory with one picture at a time. Choose a smaller size="):
            made.paint([Wish(CAT, 1), Wish(CAT, 2)])
    finally:
        hook.remove()


@pytest.mark.parametrize("family", ["sd", "pixart", "flux"])
def test_latents_that_are_no_numbers_fail_alone(painter: Callable[..., Any], family: str) -> None:
    made = painter(family)
    clean = made.paint([Wish(CAT, seed) for seed in range(3)])

    def spoil(_module: Any, _arguments: Any, output: Any) -> Any:
        output[0][1::3] = float("nan")  # the second of three pictures, in both halves of guidance
        return output

    denoiser = getattr(made.pipeline, "unet", None) or made.pipeline.transformer
    hook = denoiser.register_forward_hook(spoil)
    try:
        results = made.paint([Wish(CAT, seed) for seed in range(3)])
    finally:
        hook.remove()
    assert [result.status for result in results] == ["ok", "failed", "ok"]
    assert results[1].reason == "the latents are not numbers (NaN or infinite) in float32; another dtype may help"
    assert results[1].image is None
    assert results[0].image.tobytes() == clean[0].image.tobytes()


def test_one_text_that_breaks_does_not_take_the_others_along(painter: Callable[..., Any]) -> None:
    made = painter("sd")

    def break_down(_module: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        states = named["encoder_hidden_states"]
        if any(torch.equal(row, bad) for row in states):
            raise RuntimeError("an index is out of range")

    bad = made.read("clip", DOGS).layers[5][0]
    hook = made.pipeline.unet.register_forward_pre_hook(break_down, with_kwargs=True)
    try:
        results = made.paint([Wish(CAT, 1), Wish(DOGS, 1), Wish(CAT, 2)])
    finally:
        hook.remove()
    assert [result.status for result in results] == ["ok", "failed", "ok"]
    assert results[1].reason == "RuntimeError: an index is out of range"


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_safety_checker_that_blanks(folder: Callable[..., Path]) -> None:
    made = make(folder("sd", checked=True), steps=2, size=64)
    (result,) = asyncio.run(made.perform(jobs(Generate(CAT))))
    assert result.status == "blank"
    assert result.reason == "the pipeline's safety checker replaced the picture"


def test_encodings_are_bounded(painter: Callable[..., Any]) -> None:
    from trope.generators.diffusers.encoding import Encodings

    made = painter("sd")
    one = made.read("clip", CAT)
    kept = Encodings(most=2 * one.bytes)
    asked = []

    def get(name: str) -> None:
        kept.get(name, lambda: asked.append(name) or one)

    for name in "ababcab":
        get(name)
    assert "".join(asked) == "abcab"  # c pushes a out, a pushes b out


# --- where it runs ---


def test_off_loaded_parts_paint_the_same(painter: Callable[..., Any], folder: Callable[..., Path]) -> None:
    """With the CPU as the device that parts are moved to: what is read outside the pipeline's call finds its weights."""
    from diffusers import DiffusionPipeline

    from trope.generators.diffusers.painter import Painter

    plain = painter("sd3")
    pipeline = DiffusionPipeline.from_pretrained(folder("sd3"))
    pipeline.set_progress_bar_config(disable=True)
    pipeline.enable_model_cpu_offload(device="cpu")
    moved = Painter(pipeline, plain.family, plain.settings, 8, "moved")
    wishes = [Wish(CAT, 7), Wish(DOGS, 7, layer=Layer("t5", 1)), Wish(CAT, 7, layer=Layer("clip-g", 3, "layer"))]
    for a, b in zip(plain.make(wishes, "latent"), moved.make(wishes, "latent"), strict=True):
        assert (a.pixels - b.pixels).abs().max() <= 1e-5 * a.pixels.abs().max()


def test_what_is_off_loaded_follows_from_the_memory() -> None:
    gb = 10**9
    assert choose_offload(30 * gb, 20 * gb, 140 * gb) == ("none", "30.0 GB of weights fit in 140.0 GB free")
    assert choose_offload(34 * gb, 24 * gb, 30 * gb)[0] == "model"
    offload, why = choose_offload(34 * gb, 24 * gb, 24 * gb)
    assert (offload, why) == (
        "sequential",
        "not even the largest part (24.0 GB) fits in 24.0 GB free: layer by layer, slow",
    )
    assert ROOM < 24 * gb


def test_a_device_that_is_not_there() -> None:
    if torch.cuda.is_available():
        pytest.skip("it is there")
    with pytest.raises(UsageError, match=r"device='cuda' is not there. Expected: auto, "):
        place("cuda", "auto", {"unet": 1})
    with pytest.raises(UsageError, match="offload='model' needs a CUDA device, and this is cpu"):
        place("cpu", "model", {"unet": 1})
    assert (
        place("auto", "auto", {"unet": 5_000_000}).why == "no CUDA device and no Apple GPU is there; 5.0 MB of weights"
    )
