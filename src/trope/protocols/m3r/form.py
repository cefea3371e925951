"""The form of m3r: the explanations of one reply beside their references, a number from 0 to 1 for each stage."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from trope.nouns import Item
from trope.protocols.forms import Field, Form
from trope.protocols.m3r.judging import references, stages_to_judge
from trope.protocols.m3r.labels import FIELDS, NONE, Labels, gold
from trope.protocols.m3r.reading import Answer, answer_of
from trope.records import Output


def form_about(item: Item, output: Output, call: str, lang: str) -> Form | None:
    """The form of ``explanations``: what the judge is told, stage by stage. Neither of them sees the picture."""
    lang = lang if lang in _texts() else "en"
    say, answer, reference = _texts()[lang], answer_of(output.value), references(item)
    if call != "explanations":
        return None
    fields = [
        Field(
            stage, "score01", f"{say[stage]}: {say['stem']}",
            hint=f"{say['reference']}: {reference[stage]}\n{say['model']}: {answer.explained(stage)}",
        )
        for stage in stages_to_judge(item, answer)
    ]  # fmt: skip
    facts = ((say["right"], _told(gold(item))), (say["given"], _told(answer)))
    return Form(tuple(fields), lang, say["intro"], facts, frozenset(), write=_write, parse=_parse)


def form(item: Item, call: str, lang: str) -> Form | None:
    """None: what is asked depends on the reply, see `form_about`."""
    return None


def _told(labels: Labels | Answer) -> str:
    said = {name: getattr(labels, name) for name in FIELDS}
    return "; ".join(f"{name}: {'–' if value is None else value or NONE}" for name, value in said.items())


def _write(answers: Mapping[str, str]) -> str:
    return json.dumps({stage: float(number) for stage, number in answers.items()}, separators=(",", ":"))


def _parse(raw: str) -> Mapping[str, str]:
    text = raw.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    return {stage: str(number) for stage, number in json.loads(text).items()}


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("form.toml").read_text("utf-8"))
