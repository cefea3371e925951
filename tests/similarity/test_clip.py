"""CLIPScore and PickScore against transformers by hand, on a tiny CLIP with random weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from trope.errors import BackendError
from trope.flow import Errand, carry_out
from trope.records import Output
from trope.requests import Compare, Measure
from trope.similarity import SIMILARITIES
from trope.store import Store

pytest.importorskip("transformers")
TEXTS = ["A cat on a mat.", "cloud " * 120, "", "the river is a mirror " * 30, "A cat on a mat."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from trope.testing.tiny_vision import tiny_clip

    return tiny_clip(tmp_path_factory.mktemp("clip"))


def _pictures(store: Store, count: int) -> list[str]:
    rng = np.random.default_rng(1)
    shas = []
    for n in range(count):
        path = store.folder / f"{n}.png"
        Image.fromarray(rng.integers(0, 255, (40 + n, 70, 3), dtype=np.uint8)).save(path)
        shas.append(store.adopt(path))
    return shas


def _errand(shas: list[str], texts: list[str], instrument: str) -> Errand:
    def script() -> Iterator[Any]:
        outputs = [Output(f"o{n}", "x", "ok", picture=sha) for n, sha in enumerate(shas)]
        return (yield tuple(Measure(o, instrument, t) for o, t in zip(outputs, texts, strict=True)))

    return Errand("all", script)


def _by_hand(folder: Path, path: Path, text: str) -> tuple[float, float, bool]:
    """Cosine, logit and whether the text was cut, the long way."""
    import torch
    from transformers import CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

    model, tokenizer = CLIPModel.from_pretrained(folder).eval(), CLIPTokenizer.from_pretrained(folder)
    ids = tokenizer(text)["input_ids"]
    cut = len(ids) > 77
    ids = [*ids[:76], tokenizer.eos_token_id] if cut else ids
    pixels = CLIPImageProcessorPil.from_pretrained(folder)(images=Image.open(path).convert("RGB"), return_tensors="pt")
    with torch.no_grad():
        said = model(
            input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), pixel_values=pixels["pixel_values"]
        )
    a, b = said.image_embeds[0], said.text_embeds[0]
    return float(a @ b / a.norm() / b.norm()), float(said.logits_per_image[0, 0]), cut


def test_scores_are_those_of_transformers_by_hand_below_and_above_77_tokens(store: Store, folder: Path) -> None:
    shas = _pictures(store, len(TEXTS))
    clip, pick = (SIMILARITIES.create(f"{kind}:{folder}") for kind in ("clipscore", "pickscore"))
    errands = [_errand(shas, TEXTS, backend.name) for backend in (clip, pick)]
    scores, logits = carry_out(errands, {b.name: b for b in (clip, pick)}, store)
    for n, (text, score, logit) in enumerate(zip(TEXTS, scores, logits, strict=True)):
        cosine, by_hand, cut = _by_hand(folder, store.picture(shas[n]), text)
        assert score.value["score"] == pytest.approx(100 * cosine, abs=1e-5 * 100) and score.value["truncated"] is cut
        assert logit.value["score"] == pytest.approx(by_hand, abs=1e-5)
    assert [s.value["truncated"] for s in scores] == [False, True, False, True, False]


def test_each_text_is_encoded_once_and_a_batch_equals_one_by_one(store: Store, folder: Path) -> None:
    clip: Any = SIMILARITIES.create(f"clipscore:{folder}")
    clip._load()
    seen: list[int] = []
    inner = clip._clip.get_text_features
    clip._clip.get_text_features = lambda **read: seen.append(len(read["input_ids"])) or inner(**read)
    shas = _pictures(store, 4)
    together = carry_out([_errand(shas, ["a cat", "a dog", "a cat", "a cat"], clip.name)], {clip.name: clip}, store)[0]
    assert seen == [2]
    for n, text in enumerate(["a cat", "a dog", "a cat", "a cat"]):
        with Store(store.folder.parent / f"other{n}") as other:
            other.adopt(store.picture(shas[n]))
            one = SIMILARITIES.create(f"clipscore:{folder}")
            alone = carry_out([_errand([shas[n]], [text], one.name)], {one.name: one}, other)[0]
        assert alone[0].value["score"] == pytest.approx(together[n].value["score"], rel=1e-5)


def test_a_model_that_is_none_is_explained(store: Store, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    broken = SIMILARITIES.create(f"clipscore:{tmp_path / 'empty'}")
    with pytest.raises(BackendError, match="cannot be loaded.*Expected"):
        carry_out([_errand(_pictures(store, 1), ["a"], broken.name)], {broken.name: broken}, store)
    clip = SIMILARITIES.create(f"clipscore:{folder}")
    errand = Errand("e", lambda: iter_one(Compare(None, clip.name, (("a", "b"),))))
    with pytest.raises(BackendError, match="cannot compare texts"):
        carry_out([errand], {clip.name: clip}, store)


def iter_one(request: Any) -> Iterator[Any]:
    return (yield request)


def test_the_name_is_the_models_and_moving_it_changes_no_key(folder: Path, tmp_path: Path) -> None:
    import shutil

    moved = shutil.copytree(folder, tmp_path / folder.name)
    one, other = SIMILARITIES.create(f"clipscore:{folder}"), SIMILARITIES.create(f"clipscore:{moved}")
    assert one.name == other.name and one.identity() == other.identity()
    assert SIMILARITIES.create(f"pickscore:{folder}").identity() != one.identity()
