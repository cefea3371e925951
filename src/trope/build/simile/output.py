"""The files of a build of similes: items, every judged sentence, every drop, tables, and how it was made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from trope.build.simile.loop import Built, Candidate, Settings
from trope.build.simile.prompts import MAX_TOKENS, TEMPERATURE, TOP_P
from trope.build.simile.tables import build_tables
from trope.items import dump_items
from trope.store.files import write_durably

PROMPTS = Path(__file__).with_name("prompts.toml")


def write_build(built: Built, settings: Settings, folder: Path, how: dict[str, Any]) -> list[Path]:
    """Write what was built; each file is whole or not there.

    Parameters
    ----------
    how : what else made the set what it is, e.g. the specs of the models.

    Returns
    -------
    The files: ``items.jsonl``, ``candidates.jsonl``, ``drops.jsonl``, ``summary.md``, ``build.json``.
    """
    items = dump_items(candidate.item for candidate in built.kept)
    record = {
        **how,
        "writers": list(settings.writers),
        "decoding": {"max_tokens": MAX_TOKENS, "temperature": TEMPERATURE, "top_p": TOP_P, "first_seed": 1},
        "limits": {"rounds": settings.rounds, "calls": settings.calls},
        "rounds": built.rounds, "calls": built.calls, "ended": built.ended,
        "pairs": len(settings.pairs), "missing": [str(pair) for pair in built.missing],
        "prompts_sha256": hashlib.sha256(PROMPTS.read_bytes()).hexdigest(),
        "items_sha256": hashlib.sha256(items.encode()).hexdigest(),
    }  # fmt: skip
    texts = {
        "items.jsonl": items,
        "candidates.jsonl": "".join(map(_line, built.judged)),
        "drops.jsonl": "".join(drop.line() for drop in built.drops),
        "summary.md": "# Similes as built\n\n" + "\n".join(t.markdown() for t in build_tables(built, settings)),
        "build.json": json.dumps(record, ensure_ascii=False, indent=2) + "\n",
    }
    for name, text in texts.items():
        write_durably(folder / name, text.encode())
    return [folder / name for name in texts]


def _line(candidate: Candidate) -> str:
    plain = {
        "id": candidate.item.id, "text": candidate.item.text, "vehicle": candidate.pair.vehicle,
        "template": candidate.pair.template, "writer": candidate.writer, "seed": candidate.seed,
        "points": candidate.points, "most": candidate.most, "group": candidate.group, "votes": dict(candidate.votes),
    }  # fmt: skip
    return json.dumps(plain, ensure_ascii=False) + "\n"
