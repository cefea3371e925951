"""The house: which room may import which, what loads when, and that nothing is promised that is not there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import trope

SOURCE = Path(trope.__file__).parent

# Imports go down only. Rooms on one line do not import each other.
FLOORS = [
    ["cli"],
    ["report", "proxy", "people", "train", "build"],
    ["experiment"],
    ["protocols"],
    ["strategies"],
    ["flow"],
    ["generators", "judges", "detectors", "similarity"],
    ["wire", "items"],
    ["store"],
    ["backend", "registry", "weights"],
    ["requests"],
    ["records"],
    ["stats", "nouns"],
    ["data"],
    ["errors"],
]
ASIDE = {"testing", "__init__", "__main__"}  # for others' tests, and the front door
LEVEL = {room: n for n, floor in enumerate(FLOORS) for room in floor}


def _imports(path: Path, *, typing_too: bool) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text("utf-8"))
    if not typing_too:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                node.body = []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "trope":
            names = [node.module] if node.module != "trope" else [f"trope.{a.name}" for a in node.names]
            found += [(name, node.lineno) for name in names]
        elif isinstance(node, ast.Import):
            found += [(a.name, node.lineno) for a in node.names if a.name.split(".")[0] == "trope"]
    return found


def test_imports_go_down_only() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room in ASIDE:
            continue
        assert room in LEVEL, f"{room} is on no floor: add it to FLOORS and to docs/design.md"
        for name, line in _imports(path, typing_too=False):
            parts = name.split(".")
            other = parts[1] if len(parts) > 1 else None
            if other is None or other == room or other.startswith("__"):
                continue
            if other in ASIDE or LEVEL.get(other, -1) <= LEVEL[room]:
                wrong.append(f"{path.relative_to(SOURCE)}:{line}: {room} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_the_design_names_every_room_on_its_floor() -> None:
    page = (Path(__file__).parents[1] / "docs" / "design.md").read_text("utf-8")
    tree = page.partition("    src/trope/\n")[2].partition("\n\n")[0]
    drawn = [[room.rstrip("/") for room in re.split(r" {2,}", line.strip())[0].split()] for line in tree.splitlines()]
    assert [set(floor) for floor in drawn] == [set(floor) for floor in FLOORS]
    there = {p.parent.name if p.name == "__init__.py" else p.stem for p in SOURCE.glob("*.py")} - {SOURCE.name}
    there |= {p.parent.name for p in SOURCE.glob("*/__init__.py")}
    assert there == LEVEL.keys() | (ASIDE - {"__init__"})


@pytest.mark.parametrize(
    "statement", ["import trope", "import sys; sys.argv = ['trope', '--help']; from trope.cli.app import app"]
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str) -> None:
    heavy = ["numpy", "scipy", "PIL", "torch", "onnxruntime", "aiohttp", "matplotlib", "jinja2", "pydantic"]
    code = f"{statement}\nimport sys\nprint([n for n in {heavy!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_resolve_and_are_sorted() -> None:
    assert sorted(trope.__all__) == trope.__all__
    for name in trope.__all__:
        assert getattr(trope, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = trope.nothing


def test_every_module_says_what_it_is() -> None:
    silent = [str(p) for p in SOURCE.rglob("*.py") if not ast.get_docstring(ast.parse(p.read_text("utf-8")))]
    assert not silent


def test_no_module_hides_two_nouns() -> None:
    long = {str(p.relative_to(SOURCE)): n for p in SOURCE.rglob("*.py") if (n := len(p.read_text().splitlines())) > 500}
    assert not long
