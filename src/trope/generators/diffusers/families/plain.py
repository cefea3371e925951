"""Any other pipeline: it gets the prompt and nothing is known of its insides."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from trope.generators.diffusers.encoding import Encoding
from trope.generators.diffusers.families.base import Family, Row
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.settings import Settings


class Plain(Family):
    """No branches; what no option says is left to the pipeline."""

    size = None
    multiple = 8
    negative = None

    def guided(self, settings: Settings) -> bool:
        """Left to the pipeline, which makes up its own negative prompt."""
        return False

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """The caller puts the text in: nothing is encoded here."""
        return {}

    def joined(self, rows: Sequence[Row]) -> Row:
        """Texts as lists."""
        return {name: [row[name] for row in rows] for name in rows[0]}

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """Guidance, where one was given and the pipeline has it."""
        known = inspect.signature(pipeline.__call__).parameters
        given = {"guidance_scale": settings.guidance}
        return {name: value for name, value in given.items() if value is not None and name in known}
