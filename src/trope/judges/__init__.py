"""Judges: multimodal models (and, later, people) that answer a prompt about a picture in words."""

from trope.judges.base import Judge
from trope.registry import Registry
from trope.wire.providers import PROVIDERS

JUDGES: Registry[Judge] = Registry(
    "judge", dict.fromkeys(PROVIDERS, "trope.judges.chat:ChatJudge"), group="trope.judges"
)

__all__ = ["JUDGES", "Judge"]
