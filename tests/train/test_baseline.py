"""Encoder baselines: the head against scikit-learn, features against transformers, and the way to a prediction file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from PIL import Image

from trope.errors import ItemError, UsageError
from trope.items import dump_items
from trope.judges import JUDGES
from trope.nouns import Figure, Item
from trope.testing.tiny_text import tiny_bert
from trope.train.baseline import baseline, encode, fit


def tiny(kind: str, folder: Path) -> Path:
    """A tiny random encoder of the real class, with the processor its folder needs."""
    import torch
    import transformers as t

    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    seen = {**size, "image_size": 32, "patch_size": 8}
    if kind == "clip":
        words = ["red", "blue", "a", "square", "of"]
        tiny_bert(folder, words, words=words)  # its tokenizer stands in for CLIP's
        text = {**size, "vocab_size": 64, "max_position_embeddings": 16, "eos_token_id": 3, "bos_token_id": 2}
        model: Any = t.CLIPModel(t.CLIPConfig(text_config=text, vision_config=seen, projection_dim=16))
        t.CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}).save_pretrained(
            folder
        )
    else:
        model = t.ViTModel(t.ViTConfig(**seen), add_pooling_layer=False) if kind == "vit" else t.ViTMAEModel(
            t.ViTMAEConfig(**seen, decoder_hidden_size=16, decoder_num_hidden_layers=1, decoder_num_attention_heads=1,
                           decoder_intermediate_size=16))  # fmt: skip
        t.ViTImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def pairs(folder: Path, count: int, first: int = 0) -> list[Item]:
    """Metaphors are red, others blue; texts say nothing."""
    folder.mkdir(exist_ok=True)
    made = []
    for n in range(first, first + count):
        yes = n % 2 == 0
        path = folder / f"i{n}.png"
        tint = (200 + n % 50, 10, 10) if yes else (10, 10, 200 + n % 50)
        Image.new("RGB", (40, 40), tint).save(path)
        made.append(
            Item(
                id=f"i{n}", lang="en", text=f"a square of {n}", image=str(path),
                figures=(Figure(tenor="a", vehicle="b"),) if yes else (),
                labels={"metaphor": "Yes" if yes else "No", "sentiment": ("Positive", "Neutral", "Negative")[n % 3]},
            )
        )  # fmt: skip
    return made


@pytest.mark.parametrize("classes", [2, 3])
def test_the_head_is_the_logistic_regression_of_scikit_learn(classes: int) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    x = rng.normal(size=(80, 6)) * [1, 10, 0.1, 1, 1, 5] + 3
    labels = [str(int(v)) for v in (x[:, 0] + rng.normal(size=80)).round() % classes]
    head = fit(x, labels, l2=2.0)
    scaled = (x - x.mean(0)) / x.std(0)
    peer = linear.LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(scaled, labels)
    scores = head.scores(x)
    mine = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    if classes > 2:  # with two, scikit-learn penalizes one vector where the multinomial model has two
        assert mine == pytest.approx(peer.predict_proba(scaled), abs=1e-4)
    assert np.mean(np.array(head.predict(x)) == peer.predict(scaled)) > 0.97
    slope = np.exp(scores - scores.max(1, keepdims=True))
    slope = slope / slope.sum(1, keepdims=True) - (np.array(labels)[:, None] == np.array(head.classes))
    assert scaled.T @ slope + 2.0 * head.weights == pytest.approx(0, abs=1e-3)  # the minimum, by its gradient
    assert slope.sum(0) == pytest.approx(0, abs=1e-3)


def test_a_constant_column_and_a_single_class() -> None:
    x = np.c_[np.ones(6), np.arange(6.0)]
    assert fit(x, list("aaabbb")).predict(x) == list("aaabbb")
    with pytest.raises(UsageError, match="all 6 training items are a: nothing to tell"):
        fit(x, list("aaaaaa"))


@pytest.mark.parametrize("kind", ["clip", "vit", "mae"])
def test_features_and_predictions(kind: str, tmp_path: Path) -> None:
    folder = tiny(kind, tmp_path / kind)
    training, tested = pairs(tmp_path / "a", 24), pairs(tmp_path / "b", 6, first=100)
    found = encode(kind, str(folder), training)
    assert found.shape == (24, 32) and np.isfinite(found).all()  # clip: 16 of the picture, 16 of the text
    assert encode(kind, str(folder), training[::-1]) == pytest.approx(found[::-1], abs=1e-5)
    rows, report = baseline(kind, str(folder), training, tested)
    assert [row["metaphor"] for row in rows] == ["Yes", "No"] * 3 and [row["id"] for row in rows] == [
        i.id for i in tested
    ]
    assert set(rows[0]) == {"id", "metaphor", "sentiment"}
    assert report["heads"]["metaphor"] == {"classes": {"Yes": 12, "No": 12}, "accuracy on training items": 1.0}


def test_what_is_seen_may_not_be_tested(tmp_path: Path) -> None:
    folder = tiny("vit", tmp_path / "vit")
    items = pairs(tmp_path / "a", 8)
    with pytest.raises(UsageError, match="8 tested items are among the training items, e.g. 'i0'"):
        baseline("vit", str(folder), items, items)
    renamed = [item.model_copy(update={"id": f"new-{item.id}"}) for item in items[:2]]
    with pytest.raises(UsageError, match="2 tested items are among the training items, e.g. 'new-i0'"):
        baseline("vit", str(folder), items, renamed)


def test_what_cannot_be_encoded(tmp_path: Path) -> None:
    folder = tiny("vit", tmp_path / "vit")
    with pytest.raises(UsageError, match="is a 'vit', not a 'clip'. Expected: clip:MODEL"):
        encode("clip", str(folder), [])
    with pytest.raises(UsageError, match="no encoder kind 'resnet'"):
        encode("resnet", str(folder), [])
    with pytest.raises(UsageError, match="cannot be read"):
        encode("vit", str(tmp_path / "nothing"), [])
    bare = pairs(tmp_path / "a", 1)[0].model_copy(update={"image": None})
    with pytest.raises(ItemError, match="'i0' has no image"):
        encode("vit", str(folder), [bare])


def test_the_command_writes_what_a_run_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from typer.testing import CliRunner

    from trope.cli.app import app

    folder = tiny("vit", tmp_path / "vit")
    for name, first in (("train", 0), ("test", 100)):
        (tmp_path / f"{name}.jsonl").write_text(dump_items(pairs(tmp_path / "p", 12, first)), "utf-8")
    out = tmp_path / "vit.jsonl"
    given = ["train", "baseline", f"vit:{folder}", "--items", str(tmp_path / "train.jsonl"), "--predict",
             str(tmp_path / "test.jsonl"), "--out", str(out)]  # fmt: skip
    done = CliRunner().invoke(app, given, catch_exceptions=False)
    assert done.exit_code == 0 and "12 predictions" in done.output
    subject: Any = JUDGES.create(f"predictions:{out}")
    assert len(subject.replies) == 12 and json.loads(subject.replies["i100"])["metaphor"] == "Yes"
    assert json.loads(out.with_suffix(".provenance.json").read_text("utf-8"))["encoder"] == "vit"
