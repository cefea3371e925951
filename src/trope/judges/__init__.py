"""Judges: multimodal models and people that answer a prompt about a picture in words."""

from trope.judges.base import Judge
from trope.registry import Registry
from trope.wire.providers import PROVIDERS

JUDGES: Registry[Judge] = Registry(
    "judge",
    {
        **dict.fromkeys(PROVIDERS, "trope.judges.chat:ChatJudge"),
        "person": "trope.judges.person:Person",
        "predictions": "trope.judges.predictions:Predictions",
        "transformers": "trope.judges.transformers_chat:transformers_chat",
    },
    group="trope.judges",
)

__all__ = ["JUDGES", "Judge"]
