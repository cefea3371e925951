"""Similarity metrics: instruments that give one number for a picture and a text, or for two texts."""

from trope.registry import Registry
from trope.similarity.base import Similarity

SIMILARITIES: Registry[Similarity] = Registry(
    "similarity",
    {
        "clipscore": "trope.similarity.clip:ClipScore",
        "pickscore": "trope.similarity.clip:PickScore",
        "bertscore": "trope.similarity.bertscore:BertScore",
        "sentence-encoder": "trope.similarity.sentences:SentenceEncoder",
    },
    group="trope.similarities",
)

__all__ = ["SIMILARITIES", "Similarity"]
