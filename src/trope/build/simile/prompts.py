"""What writers and judges are asked, with the published settings, and how a yes or no is read."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from trope.build.simile.phrases import Pair, noun, phrase
from trope.requests import Ask, Prompt, Unreadable

# simile, appendix A.2: sentences are sampled, one a seed, seeds from 1; judges are greedy
MAX_TOKENS, TEMPERATURE, TOP_P, TOP_K = 40, 0.4, 0.9, 50
QUESTIONS = ("natural", "simile", "vehicle", "concrete")
_YES_NO = re.compile(r"(yes|no)\.?", re.IGNORECASE)
_ANSWER_TOKENS = 8  # room for an answer that keeps no format, so that it is seen to keep none


def write(pair: Pair, writer: str, seed: int) -> Ask:
    """Ask a model for one sentence about a pair; each seed (from 1) is a sample of its own."""
    prompt = Prompt(
        _texts()["write"]["user"].strip().replace("{phrase}", phrase(pair)),
        read=str, max_tokens=MAX_TOKENS, temperature=TEMPERATURE, top_p=TOP_P,
    )  # fmt: skip
    return Ask(None, writer, prompt, attempt=seed)


def judge(sentence: str, pair: Pair, question: str, model: str) -> Ask:
    """Put one of the four yes/no questions about a sentence to a model, at temperature 0."""
    asked = _texts()["judge"]["questions"][question].replace("{vehicle}", _bare(pair))
    said = _texts()["judge"]["user"].strip().replace("{question}", asked).replace("{sentence}", sentence)
    return Ask(None, model, Prompt(said, read=read_yes_no, max_tokens=_ANSWER_TOKENS))


def read_yes_no(reply: str) -> bool:
    """Read ``yes`` or ``no``: in any case, with or without a full stop, and nothing else.

    Raises
    ------
    Unreadable : any other word; `yes, because ...` is an answer of a format nobody named.
    """
    match = _YES_NO.fullmatch(reply.strip())
    if match is None:
        raise Unreadable(f"neither yes nor no: {reply.strip()[:60]!r}")
    return match[1].lower() == "yes"


def _bare(pair: Pair) -> str:
    said = noun(pair)
    return said.partition(" ")[2] if said.split()[0] in ("a", "an") else said


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("prompts.toml").read_text("utf-8"))
