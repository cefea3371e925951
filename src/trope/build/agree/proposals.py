"""What annotators propose: read from one file each, or asked of models through the store."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trope.backend import Backend
from trope.build.asking import Asker, one
from trope.errors import ItemError, UsageError
from trope.judges.predictions import read_predictions
from trope.nouns import Item
from trope.protocols.m3r.labels import NONE, YES, Labels
from trope.protocols.m3r.prompting import LANGUAGES, MAX_TOKENS, SCHEMA, read, wordings
from trope.protocols.m3r.reading import NOTHING, Answer, answer_of, read_answer
from trope.requests import Ask, Prompt, Unreadable

Proposals = Mapping[str, Mapping[str, Answer]]  # annotator -> item id -> what was proposed


def complete(answer: Answer) -> Labels | None:
    """The tuple of an answer, or None where a field is missing, or target and source do not go with the label."""
    if None in (answer.metaphor, answer.target, answer.source, answer.sentiment):
        return None
    texts = (answer.target, answer.source)
    fits = NONE not in texts if answer.metaphor == YES else texts == (NONE, NONE)
    if not fits:
        return None
    return Labels(str(answer.metaphor), str(answer.target), str(answer.source), str(answer.sentiment))


def read_annotators(files: Sequence[Path], encoding: str | None = None) -> dict[str, dict[str, Answer]]:
    """Proposals of one annotator a file, in the form of prediction files; the file's name is the annotator's.

    A reply that cannot be read is an answer without a valid field. ``encoding`` is that of the files that are not
    UTF-8 (nor marked as UTF-16).

    Raises
    ------
    UsageError : a file that is not there or cannot be read, two of one name.
    """
    found: dict[str, dict[str, Answer]] = {}
    for file in files:
        if not file.is_file():
            raise UsageError(f"no proposals at {str(file)!r}. Expected: one file an annotator (.jsonl, .csv, .tsv)")
        if file.stem in found:
            raise UsageError(f"two files are called {file.stem!r}; the name says who the annotator is")
        found[file.stem] = {
            item: _read(reply) for item, reply in read_predictions(file, _unless_utf8(file, encoding)).items()
        }
    return found


def ask_annotators(
    items: Sequence[Item], annotators: Mapping[str, Backend], pictures: Mapping[str, str], asker: Asker, language: str
) -> dict[str, dict[str, Answer]]:
    """Ask every model about every item, in the words of m3r's `definitions`; each answer is stored.

    Parameters
    ----------
    pictures : item id -> SHA-256 of its stored picture.
    language : of the prompt: `item`, `en` or `zh`.
    """
    texts = wordings(language)["definitions"]
    if strange := [item for item in items if item.lang not in texts]:
        raise ItemError(
            f"item {strange[0].id!r} is in {strange[0].lang!r}; there are prompts in {', '.join(LANGUAGES)}. Name one"
            " for all: --language en"
        )
    errands = [
        one(f"{name}-{item.id}", _question(item, name, texts[item.lang], pictures[item.id]))
        for name in annotators
        for item in items
    ]
    records = iter(asker(errands))
    return {name: {item.id: _answer(next(records)) for item in items} for name in annotators}


def _question(item: Item, annotator: str, wording: str, picture: str) -> Any:
    prompt = Prompt(wording.replace("{text}", item.text), read, max_tokens=MAX_TOKENS, schema=SCHEMA)
    return lambda: Ask(None, annotator, prompt, picture=picture)


def _answer(record: Any) -> Answer:
    return answer_of(record.value) if record is not None and record.ok else NOTHING


def _unless_utf8(file: Path, encoding: str | None) -> str | None:
    data = file.read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else encoding
    return None


def _read(reply: str) -> Answer:
    try:
        return read_answer(reply)
    except Unreadable:
        return NOTHING
