"""Numbers that the four papers print, recomputed by this room's functions from other numbers that they print."""

from __future__ import annotations

import pytest

from trope.stats import r_from_d, rank, spearman, spearman_brown

# vmetaphor: overall MCQ accuracy and overall dimension score of 11 models, in the tables' order (Seedream 5.0 Lite,
# Nano Banana 2, GPT Image 1.5, FLUX.1-dev, SD 3.5 Large, Z-Image, Qwen-Image, FLUX.2-dev, OmniGen2, Bagel, Janus-Pro)
TABLE_1_MCQ = [78.5, 84.8, 85.4, 68.4, 70.8, 72.4, 74.9, 76.0, 61.4, 67.0, 73.0]
TABLE_8_MCQ = [82.0, 85.5, 85.8, 76.4, 77.4, 78.9, 79.6, 80.9, 73.7, 76.6, 79.4]
TABLE_1_DIMENSIONS = [3.86, 4.11, 4.30, 3.19, 3.25, 3.21, 3.52, 3.62, 2.74, 2.99, 3.12]
TABLE_8_DIMENSIONS = [3.84, 4.17, 4.27, 3.24, 3.26, 3.28, 3.50, 3.64, 2.86, 3.05, 3.30]


def test_vmetaphor_two_judges_order_models_alike() -> None:
    assert round(spearman(TABLE_1_MCQ, TABLE_8_MCQ).value, 3) == 0.991
    assert round(spearman(TABLE_1_DIMENSIONS, TABLE_8_DIMENSIONS).value, 3) == 0.936


def test_vmetaphor_the_best_five_have_the_same_ranks() -> None:
    for first, second in ((TABLE_1_MCQ, TABLE_8_MCQ), (TABLE_1_DIMENSIONS, TABLE_8_DIMENSIONS)):
        best = rank(first) <= 5
        assert (rank(first)[best] == rank(second)[best]).all()


def test_vista_one_rater_and_twelve() -> None:
    assert spearman_brown(0.784, 12) == pytest.approx(0.978, abs=5e-4)
    assert spearman_brown(0.978, 1 / 12) == pytest.approx(
        0.784, abs=5e-3
    )  # 0.978 is rounded, and steep to go down from


def test_simile_r_belongs_to_d_and_the_share_of_detections() -> None:
    assert r_from_d(2.99, 0.40) == pytest.approx(0.826, abs=5e-4)
