"""Small items that keep every common rule, and files to read them from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trope.items.rules import rules_for
from trope.nouns import Item

TEXTS = {
    "en": "The fog over the harbor lies like a gray blanket.",
    "zh": "码头上的雾像一条灰毯子。",
    "ja": "港の霧は灰色の毛布のように広がる。",
    "ar": "الضباب فوق الميناء مثل بطانية رمادية.",
}


def item(id: str = "a", lang: str = "en", **fields: Any) -> Item:
    """An item about fog and a blanket, in any of the languages."""
    parts = {"en": ("fog", "blanket", "like"), "zh": ("雾", "毯子", "像"), "ja": ("霧", "毛布", "のように"),
             "ar": ("ضباب", "بطانية", "مثل")}[lang]  # fmt: skip
    text = fields.pop("text", TEXTS[lang])
    spans = {name: [text.index(said), text.index(said) + len(said)]
             for name, said in zip(("tenor", "vehicle", "marker"), parts, strict=True) if said in text}  # fmt: skip
    figure = {"tenor": parts[0], "vehicle": parts[1], "ground": "soft", "form": "simile",
              "mechanism": "perceptual_resemblance", "spans": spans}  # fmt: skip
    figure |= fields.pop("figure", {})
    return Item.model_validate({"id": id, "lang": lang, "text": text, "figures": [figure], **fields})


def broken(rule: str, *items: Item, kind: str = "common") -> list[str]:
    """What one rule says of some items."""
    found = next(r for r in rules_for(kind) if r.name == rule)
    return [f"{p.field}: {p.why}" for p in found.problems(items)]


def file(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file as it stands, line ends and all."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def kinds(findings: Any, level: str | None = None) -> list[str]:
    """The kinds of some findings, in order."""
    return [f.kind for f in findings if level is None or f.level == level]
