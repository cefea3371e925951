"""The guard by hand: what a plan says and what its prompts are, as data and as plain text."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from trope.strategies.guard.plan import Plan
from trope.strategies.guard.renderers import RENDERERS, negative


def advice(plan: Plan) -> dict[str, Any]:
    """A plan and every prompt made from it; the same keys whatever the text is."""
    return {
        "plan": plan.as_dict(),
        "changes": not plan.abstains,
        "prompts": {name: render(plan) for name, render in RENDERERS.items()},
        "negative_prompt": negative(plan)[1],
    }


def dumped(value: Any) -> str:
    """JSON on one line, in its own letters where these can be written."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(value)
    return text


def readable(said: Mapping[str, Any]) -> str:
    """What `advice` returned, for a person at a terminal."""
    plan = said["plan"]
    lines = [f"language {plan['lang']}, plan by {plan['maker']}, {len(plan['figures'])} figure(s)"]
    for n, figure in enumerate(plan["figures"], 1):
        lines += _figure(n, figure)
    if not said["changes"]:
        return "\n".join([*lines, "Nothing is to be kept out of the picture: the prompt stays as it is."])
    for name, prompt in said["prompts"].items():
        same = prompt == plan["text"]
        lines += ["", f"{name}:" + (" the prompt as it is" if same else "")] + ([] if same else [visible(prompt)])
    lines += ["", f"negative prompt: {visible(said['negative_prompt']) or 'none'}"]
    return "\n".join(lines)


def _figure(n: int, figure: Mapping[str, Any]) -> list[str]:
    words = figure["words"]
    fate = "is meant to be seen" if figure["seen"] else "is not to be drawn"
    lines = [f"{n}. “{visible(words['vehicle'])}” in “{visible(words['phrase'])}” {fate}: {visible(figure['why'])}"]
    if words["tenor"]:
        lines.append(f"   said of: {visible(words['tenor'])}")
    if figure["qualities"] and not figure["seen"]:
        lines.append(f"   to carry over: {visible(', '.join(figure['qualities']))}")
    lines.append(f"   confidence {figure['confidence']:g}")
    return lines


def visible(text: str) -> str:
    """Text as a terminal may have it: what would move the cursor or turn the line around is written out."""
    return "".join(sign if sign == "\n" or _harmless(sign) else f"\\u{ord(sign):04x}" for sign in text)


def _harmless(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind not in ("Cc", "Cs", "Zl", "Zp") and not ("\u202a" <= sign <= "\u202e" or "\u2066" <= sign <= "\u2069")
