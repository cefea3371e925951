"""How long an example is to a model, picture included. What is too long is an error or is left out; nothing is cut.

TRL would cut a long example at its limit, which can cut a picture's tokens in two. So its own limit is switched off,
and every example is measured beforehand with the model's own processor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trope.errors import ItemError
from trope.train.config import PictureConfig
from trope.train.examples import Example, Examples


@dataclass(frozen=True, slots=True)
class Length:
    """Tokens of one example. ``picture`` counts those of the picture, which are part of ``prompt``."""

    prompt: int
    picture: int
    reply: int

    @property
    def whole(self) -> int:
        """Prompt and reply."""
        return self.prompt + self.reply


def measure(processor: Any, examples: Examples, row: Example) -> Length:
    """The length of one example: the very tensors that training would see."""
    from PIL import Image

    with Image.open(examples.path(row)) as picture:
        content = [{"type": "image", "image": picture.convert("RGB")}, {"type": "text", "text": row.prompt}]
    asked = processor.apply_chat_template(
        [[{"role": "user", "content": content}]], add_generation_prompt=True, tokenize=True, return_dict=True
    )
    prompt = asked["input_ids"][0]
    image = image_token(processor)
    reply = len(processor.tokenizer(row.reply, add_special_tokens=False)["input_ids"]) + 2  # end of turn, line end
    return Length(len(prompt), sum(token == image for token in prompt), reply)


def image_token(processor: Any) -> int:
    """The id of the token that stands for a piece of a picture."""
    found = getattr(processor, "image_token_id", None)
    if found is None:
        found = processor.tokenizer.convert_tokens_to_ids(getattr(processor, "image_token", "<image>"))
    return int(found)


def fitting(
    processor: Any, examples: Examples, config: PictureConfig, tell: Callable[[str], None], *,
    whole: int | None = None, prompt: int | None = None,
) -> tuple[Examples, list[Length]]:  # fmt: skip
    """The examples within the limits (``whole``: with the reply; ``prompt``: without), and their lengths.

    Raises
    ------
    ItemError : one is too long and ``too_long`` is ``error``, a picture cannot be read, or none is left; says how
        many, how long, and what would help.
    """
    kept: list[Example] = []
    lengths: list[Length] = []
    long: list[tuple[Example, Length]] = []
    for row in examples.rows:
        try:
            length = measure(processor, examples, row)
        except OSError as error:
            raise ItemError(f"{examples.name}: picture {row.picture} of {row.id}: {error}") from None
        over = (whole is not None and length.whole > whole) or (prompt is not None and length.prompt > prompt)
        if over:
            long.append((row, length))
        else:
            kept.append(row)
            lengths.append(length)
    if long:
        _say_long(examples, long, config, whole, prompt, tell)
    if not kept:
        raise ItemError(f"{examples.name}: no example is within the token limit")
    most = max(lengths, key=lambda length: length.whole)
    tell(
        f"{examples.name}: {len(kept)} examples, the longest {most.whole} tokens (picture {most.picture}, reply "
        f"{most.reply}); {len(long)} left out as too long; none is cut"
    )
    return examples.only(kept), lengths


def _say_long(
    examples: Examples, long: list[tuple[Example, Length]], config: PictureConfig, whole: int | None,
    prompt: int | None, tell: Callable[[str], None],
) -> None:  # fmt: skip
    limit = f"{whole} tokens" if whole is not None else f"{prompt} prompt tokens"
    row, worst = max(long, key=lambda pair: pair[1].whole)
    said = (
        f"{examples.name}: {len(long)} of {len(examples.rows)} examples are over the limit of {limit}; the longest, "
        f"{row.id}, has {worst.whole} ({worst.picture} of the picture, {worst.prompt - worst.picture} of the prompt, "
        f"{worst.reply} of the reply)"
    )
    if config.too_long == "drop":
        tell(f"{said}: left out, as pictures.too_long = 'drop' says")
        return
    raise ItemError(
        f"{said}. Nothing is cut. Set pictures.max_pixels (now {config.max_pixels}), raise the limit, or leave them "
        "out: pictures.too_long = 'drop'"
    )
