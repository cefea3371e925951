"""The pages: every command in them can be parsed, every name in it is known, links lead somewhere, tables are whole."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from trope.cli.app import app
from trope.cli.options import split
from trope.experiment.planning import kind_of
from trope.generators import GENERATORS
from trope.judges import JUDGES
from trope.protocols import PROTOCOLS
from trope.registry import parse_spec
from trope.strategies import STRATEGIES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "src").rglob("README.md"))]
_LEFT_OUT = {"…", "..."}  # what a reader fills in


def _names(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _lines(text: str) -> Iterator[str]:
    """Lines of code, those that go on in one; and code within sentences, which need not be whole."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    blocks += re.findall(r"^(?:    +\S.*\n)+", text, re.MULTILINE)
    for block in blocks:
        yield from re.sub(r"\\\n\s*", " ", block).splitlines()
    said = re.findall(r"`(trope [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL).replace("\n", " "))
    yield from (f"{line} …" for line in said)


def commands(text: str) -> Iterator[list[str]]:
    """The words of each ``trope`` command, without ``trope``."""
    for line in _lines(text):
        for part in re.split(r" && | \| | & | &$", line.strip()):
            if part.strip().startswith("trope "):
                yield shlex.split(part, comments=True)[1:]


@cache
def _whole() -> Any:
    return typer.main.get_command(app)


def parse(words: list[str]) -> tuple[Any, dict[str, Any]]:
    """The command and its arguments; exits or raises where the command line would. A name alone is not parsed."""
    command = _whole()
    while words and getattr(command, "commands", None) is not None and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    if words and hasattr(command, "commands") and words[0] not in _LEFT_OUT:
        assert words[0].startswith("-"), f"no command {words[0]!r}"
    options = {opt for parameter in command.params for opt in parameter.opts + parameter.secondary_opts}
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in options]
    assert not unknown, f"{command.name} has no option {unknown[0]}"
    if not words or _LEFT_OUT & set(words) or "--help" in words:
        return command, {}
    return command, command.make_context(command.name, list(words)).params


def _check(words: list[str]) -> None:
    command, given = parse(words)
    if command.name != "run" or not given:
        return
    what = given["what"]
    assert what in PROTOCOLS or what.endswith((".toml", "PROTOCOL")), what
    for spec in split(given["strategy"]):
        assert parse_spec(spec).backend in STRATEGIES, spec
    for spec in split(given["instrument"]):
        kind_of(spec)
    for spec in split(given["model"]):
        assert parse_spec(spec).backend in JUDGES, spec
    for spec in split(given["subject"]):
        backend = parse_spec(spec).backend
        assert backend in (JUDGES if what == "m3r" else GENERATORS) or backend == "dusk", spec


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_every_command_can_be_given(page: Path) -> None:
    wrong = []
    for words in commands(page.read_text("utf-8")):
        try:
            _check(words)
        except (Exception, SystemExit) as error:
            wrong.append(f"trope {shlex.join(words)}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "trope run simile --subjects x", "trope study nothing x", "trope run simile --limit none", "trope study next cats",
        "trope run simile --strategy bsae --subject collage", "trope run vista --instrument sssd --subject collage",
    ],
)  # fmt: skip
def test_the_check_would_notice(line: str) -> None:
    (words,) = commands(f"```sh\n{line}\n```\n")
    with pytest.raises((Exception, SystemExit)):
        _check(words)


def test_commands_are_found() -> None:
    assert len(list(commands((ROOT / "README.md").read_text("utf-8")))) > 15


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_links_lead_somewhere_and_tables_are_whole(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)", text):
        assert target.startswith("http") or (page.parent / target).exists(), target
    cells = 0
    for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
        found = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not (cells and found) or found == cells, line
        cells = found


def test_every_page_is_named_by_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert not [page.name for page in (ROOT / "docs").glob("*.md") if f"(docs/{page.name})" not in readme]
