"""Loading models: one at a time, whole, and never by running what a folder brings along."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trope import weights
from trope.errors import BackendError, MissingExtra
from trope.weights import file_digest, loading, pretrained, require, weights_digest

# as transformers and diffusers do it: at the end of the import another module takes the place of the first
LAZY = """
import sys, time, types
time.sleep(0.3)
whole = types.ModuleType(__name__)
whole.utils = types.SimpleNamespace(logging=types.SimpleNamespace(disable_progress_bar=lambda: None))
whole.AutoModel = object
sys.modules[__name__] = whole
"""
TWO_THREADS = """
import threading, time
from trope.weights import loading
def load(n):
    time.sleep(n * 0.1)
    with loading("a model", "a model"):
        import transformers
        print(transformers.AutoModel.__name__)
for thread in [threading.Thread(target=load, args=(n,)) for n in range(3)]:
    thread.start()
"""


def test_models_that_load_in_several_threads_do_so_one_by_one(tmp_path: Path) -> None:
    """Without turns, the second thread would find the module of the first, empty for good."""
    (tmp_path / "transformers.py").write_text(LAZY)
    path = os.pathsep.join([str(tmp_path), str(Path(weights.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr) == (["object"] * 3, "")


def test_a_folder_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(b"weights")
        (tmp_path / name / "README.md").write_text(name)
    assert weights_digest(tmp_path / "a") == weights_digest(tmp_path / "b")
    (tmp_path / "b" / "chat_template.jinja").write_text("{{ messages }}")
    assert weights_digest(tmp_path / "a") != weights_digest(tmp_path / "b")


def test_every_byte_of_a_big_file_counts(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(weights, "_MEMO_FROM", 1000)
    file = tmp_path / "big.safetensors"
    file.write_bytes(b"0" * 3000)
    first = file_digest(file)
    file.write_bytes(b"0" * 1500 + b"1" + b"0" * 1499)
    os.utime(file, ns=(1, 1))
    assert file_digest(file) != first == file_digest_of(b"0" * 3000)
    (memo,) = tmp_path.rglob("weights.json")
    memo.write_text("broken")
    assert file_digest(file) != first


def file_digest_of(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def test_what_is_not_installed_is_said() -> None:
    with pytest.raises(MissingExtra, match="no_such_package"):
        require("clipscore", packages=("no_such_package",))


# --- folders that are damaged, not whole, or hostile ---


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    from trope.testing.tiny_vision import tiny_clip

    return tiny_clip(tmp_path_factory.mktemp("clip"))


def load(folder: Path) -> Any:
    import transformers

    with loading(f"a model in {folder.name}", "a CLIP model"):
        return pretrained(transformers.CLIPModel, str(folder))


def test_a_weight_that_is_missing_is_not_made_up(clip: Path, tmp_path: Path, capsys: Any) -> None:
    from safetensors.torch import load_file, save_file

    assert load(clip).config.projection_dim == 24
    file = shutil.copytree(clip, tmp_path / "less") / "model.safetensors"
    tensors = load_file(file)
    del tensors["visual_projection.weight"]
    save_file(tensors, file, metadata={"format": "pt"})
    with pytest.raises(BackendError, match=r"lacks 1 of the weights of a CLIPModel, e.g. visual_projection.weight"):
        load(tmp_path / "less")
    assert load_unused(tmp_path / "less") is not None
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(BackendError, match=r"a model in less cannot be loaded: .*Expected: a CLIP model"):
        load(tmp_path / "less")


def load_unused(folder: Path) -> Any:
    import transformers

    return pretrained(transformers.CLIPModel, str(folder), unused=("visual_projection.",))


class Bomb:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.target),)


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
def test_a_pickle_that_would_run_code_is_refused(clip: Path, tmp_path: Path) -> None:
    import torch

    folder = shutil.copytree(clip, tmp_path / "evil")
    (folder / "model.safetensors").unlink()
    torch.save({"logit_scale": Bomb(tmp_path / "boom")}, folder / "pytorch_model.bin")
    with pytest.raises(BackendError, match=r"its weights are a pickle that holds more than tensors"):
        load(folder)
    assert not (tmp_path / "boom").exists()


def test_a_name_on_a_hub_is_known_by_the_commit_that_is_loaded(tmp_path: Path, monkeypatch: Any) -> None:
    pytest.importorskip("torch")
    from trope.detectors import DETECTORS
    from trope.judges import JUDGES
    from trope.similarity import SIMILARITIES
    from trope.testing.tiny_vision import tiny_clip, tiny_rtdetr

    for name, make in (("clip", tiny_clip), ("detr", tiny_rtdetr)):
        cache = tmp_path / f"models--owner--{name}"
        make(cache / "snapshots" / name.ljust(40, "0"))
        (cache / "refs").mkdir()
        (cache / "refs" / "main").write_text(name.ljust(40, "0"))
    for place in ("", "._snapshot_download"):
        monkeypatch.setattr(f"huggingface_hub{place}.constants.HF_HUB_CACHE", str(tmp_path))
    metric, detector = SIMILARITIES.create("clipscore:owner/clip"), DETECTORS.create("rtdetr:owner/detr")
    assert metric.identity()["weights"] == "clip".ljust(40, "0")
    assert detector.identity()["weights"] == "detr".ljust(40, "0")
    assert detector.classes and detector.parts[1].config.num_queries  # type: ignore[attr-defined]
    with pytest.raises(BackendError, match=r"the hub does not give 'owner/none': .*a folder is named by its path"):
        JUDGES.create("transformers:owner/none").identity()
