"""Character TF-IDF: the weights of scikit-learn, and every pair that reaches the threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from trope.items import tfidf
from trope.items.tfidf import char_tfidf, plain, similar_pairs

TEXTS = [
    "The fog lies like a blanket over the harbor.",
    "The fog lies like a gray blanket over the harbor.",
    "Rain drums on the roof of the shed.",
    "雾像一条灰毯子。",
    "",
    "ab",
    "THE  FOG lies like a blanket over the harbor.",
]


def test_weights_are_those_of_scikit_learn() -> None:
    ours = char_tfidf(TEXTS)
    theirs = TfidfVectorizer(analyzer="char", ngram_range=(3, 5), preprocessor=plain).fit_transform(TEXTS)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose((ours @ ours.T).toarray(), (theirs @ theirs.T).toarray(), atol=1e-12)


def test_a_weight_by_hand() -> None:
    """ "abc" and "abd", pairs of characters: ab in both, bc and bd in one. idf(ab) = ln(3/3) + 1 = 1,
    idf(bc) = ln(3/2) + 1 = 1.4055; cosine = 1 / (1 + 1.4055²) = 0.3361."""
    (pair,) = similar_pairs(["abc", "abd"], 0.3, (2, 2))
    assert pair.cosine == pytest.approx(1 / (1 + (np.log(1.5) + 1) ** 2), abs=1e-12)


def test_pairs_are_found_most_alike_first() -> None:
    found = similar_pairs(TEXTS, 0.6)
    assert [(p.first, p.second) for p in found] == [(0, 6), (0, 1), (1, 6)]
    assert found[0].cosine == 1.0


def test_nothing_to_compare() -> None:
    assert similar_pairs([], 0.5) == []
    assert similar_pairs(["", "a"], 0.5) == []


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1])
def test_thresholds_that_mean_nothing(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        similar_pairs(TEXTS, threshold)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abc d", max_size=14), min_size=2, max_size=30), st.sampled_from([0.2, 0.5, 0.75, 0.9, 1.0]))
def test_no_pair_is_missed(texts: list[str], threshold: float) -> None:
    matrix = char_tfidf(texts, (1, 3))
    cosine = (matrix @ matrix.T).toarray()
    wanted = {(i, j) for i in range(len(texts)) for j in range(i + 1, len(texts)) if cosine[i, j] >= threshold - 1e-12}
    assert {(p.first, p.second) for p in similar_pairs(texts, threshold, (1, 3))} == wanted


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{word} and {word} again, {n}" for n in range(12) for word in ("fog", "rain", "snow")]
    whole = similar_pairs(texts, 0.7)
    monkeypatch.setattr(tfidf, "_BLOCK", 5)
    monkeypatch.setattr(tfidf, "_PAIRS", 3)
    assert similar_pairs(texts, 0.7) == whole
    assert whole


def test_one_pair_in_thousands_of_texts() -> None:
    rng = np.random.default_rng(1)
    letters = rng.integers(0, 26, (2000, 6))
    words = ["".join(chr(97 + n) for n in row) for row in letters]
    texts = [" ".join(words[n] for n in row) for row in rng.integers(0, 2000, (4000, 9))]
    texts[77] = texts[3_000] + " x"
    assert [(p.first, p.second) for p in similar_pairs(texts, 0.9)] == [(77, 3_000)]
