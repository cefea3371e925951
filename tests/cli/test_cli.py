"""The command line as a user meets it: a process, its output, its exit code, and never a traceback for a user's error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import DATA, simile, trope
from trope.items import dump_items
from trope.testing import FakeServer

Start = Callable[..., FakeServer]
DARKNET = DATA / "images" / "photos" / "darknet"


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text(dump_items(simile(f"i-{v}", v) for v in ("cat", "dog", "bus", "kite")), "utf-8")
    return path


def test_the_demo_runs_offline_and_says_what_it_is(tmp_path: Path) -> None:
    done = trope("demo", cwd=tmp_path)
    head = " ".join(done.stdout.splitlines()[:5])
    assert "`simile` on 40 English similes" in head and "no image model" in head and "checks the INSTRUMENT" in head
    assert "sensitivity" in done.stdout and "false alarms" in done.stdout
    page = Path(done.stdout.strip().splitlines()[-1].removeprefix("report: "))
    assert page.exists() and page.name == "index.html"
    again = trope("run", "trope-store/runs/demo/run.toml", cwd=tmp_path)
    assert "0 asked now" in again.stdout


def test_photographs_in_a_folder(tmp_path: Path) -> None:
    for n, name in enumerate(("giraffe", "zebra", "bird")):
        photo = "eagle.jpg" if name == "bird" else "giraffe.jpg"
        (tmp_path / "photos").mkdir(exist_ok=True)
        (tmp_path / "photos" / f"p{n}.jpg").write_bytes((DARKNET / photo).read_bytes())
    (tmp_path / "i.jsonl").write_text(
        dump_items(simile(f"p{n}", v) for n, v in enumerate(("giraffe", "zebra", "bird")))
    )
    (tmp_path / "photos" / "stranger.png").write_bytes((DARKNET / "dog.jpg").read_bytes())
    done = trope(
        "run",
        "simile",
        "--subject",
        "folder:photos",
        "--instrument",
        "ssd",
        "--items",
        "i.jsonl",
        "--name",
        "f",
        cwd=tmp_path,
    )
    assert "1 files match no item: stranger.png" in done.stderr
    scores = json.loads(trope("report", "f", "--format", "json", cwd=tmp_path).stdout)
    det = scores["tables"][0]["rows"][0][3]
    assert det["value"] == 1.0 and det["n"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["run", "simile"], 2, "no --subject: nothing to test. It could be folder:FOLDER"),
        (["run", "simile", "--subject", "collage"], 2, "no --instrument"),
        (["run", "m3r", "--subject", "openai:m"], 2, "no --instrument: nothing would look at the replies"),
        (["run", "similie"], 2, "Did you mean 'simile'"),
        (["run", "simile", "--subject", "collage", "--instrument", "ssd", "--seeds", "x"], 2, "--seeds 'x'"),
        (["run", "simile", "--subject", "collage", "--instrument", "ssd", "--retry", "ok"], 2, "--retry 'ok'"),
        (["run", "nothing.toml"], 2, "no experiment file"),
        (["run", "simile", "--subject", "openai-images:m", "--instrument", "ssd"], 1, "OPENAI_API_KEY"),
        (["run", "simile", "--subject", "folder:none", "--instrument", "ssd"], 2, "no such folder"),
        (["report"], 2, "no store at"),
        (["report", "x.zip", "--verify"], 1, "no bundle at"),
        (["items", "validate", "none.jsonl"], 1, "no items at"),
        (["items", "show", "demo", "--id", "nope"], 2, "no item 'nope'"),
        (["items", "stats", "demo", "--by", "colour"], 2, "has no field 'colour'"),
    ],
)
def test_a_user_s_error_is_one_clear_line(tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    done = trope(*arguments, cwd=tmp_path, check=False)
    assert done.returncode == code, done.stderr
    assert message in done.stderr and "Traceback" not in done.stderr + done.stdout


def test_unknown_options_and_values_of_the_parser_end_with_two(tmp_path: Path) -> None:
    for arguments in (["run", "simile", "--nope"], ["report", "--format", "docx"], ["nothing"]):
        done = trope(*arguments, cwd=tmp_path, check=False)
        assert done.returncode == 2 and "Traceback" not in done.stderr


def test_a_real_server_then_nothing_new_then_a_new_judge(server: Start, tmp_path: Path, items: Path) -> None:
    fake = server(refuse=0.0)
    subject = f"openai-images:fake?base_url={fake.url}"
    command = ["run", "simile", "--subject", subject, "--instrument", "ssd", "--items", str(items)]
    trope(*command, cwd=tmp_path)
    assert len(fake.log()) == 4
    assert "0 asked now" in trope(*command, cwd=tmp_path).stdout and len(fake.log()) == 4
    judged = trope(*command, "--instrument", f"vllm:judge?base_url={fake.url}", cwd=tmp_path)
    assert "4 asked now" in judged.stdout and len(fake.log()) == 8
    trope(*command, "--strategy", "base,human", "--seeds", "42,43", cwd=tmp_path)
    assert len(fake.log()) == 8 + 12


def test_the_dry_run_asks_nothing_and_brackets_the_run(server: Start, tmp_path: Path, items: Path) -> None:
    fake = server()
    prices = tmp_path / "prices.toml"
    prices.write_text('["openai-images:fake"]\nimage = 0.05\n')
    command = [
        "run", "simile", "--subject", f"openai-images:fake?base_url={fake.url}", "--instrument", "ssd", "--items", str(items),
        "--strategy", "base,random", "--prices", str(prices),
    ]  # fmt: skip
    dry = trope(*command, "--dry-run", cwd=tmp_path).stdout
    assert "4 to 24 new requests" in dry and "cost at most: 1.2000 USD" in dry and fake.log() == []
    short = trope(*command, "--max-usd", "0.12", cwd=tmp_path, check=False)
    assert short.returncode == 1 and "would be passed" in short.stderr and len(fake.log()) == 2
    assert "Go on with: trope run" in short.stderr
    unknown = trope(*command[:-2], "--max-usd", "1", cwd=tmp_path, check=False)
    assert unknown.returncode == 1 and "price of 'openai-images:fake' lacks image" in unknown.stderr


def _until(happened: Callable[[], object]) -> None:
    """Wait for another process, which takes its time on a busy machine."""
    deadline = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(server: Start, tmp_path: Path) -> None:
    fake = server(latency=0.25)
    command = [
        sys.executable, "-m", "trope", "run", "simile", "--subject", f"openai-images:fake?base_url={fake.url}&concurrency=2",
        "--instrument", "ssd", "--name", "c",
    ]  # fmt: skip
    run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _until(lambda: len(fake.log()) >= 4)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    assert run.returncode == 130 and "Traceback" not in err
    assert "Go on with: trope run" in err and "of 40 cells" in out
    before = len(fake.log())
    resumed = trope("run", "trope-store/runs/c/run.toml", cwd=tmp_path)
    assert "40 of 40 cells" in resumed.stdout and len(fake.log()) == 40 >= before


def test_two_runs_and_a_third_process_share_a_store(server: Start, tmp_path: Path, items: Path) -> None:
    fake = server(latency=0.02)
    base = [
        sys.executable,
        "-m",
        "trope",
        "run",
        "simile",
        "--subject",
        f"openai-images:fake?base_url={fake.url}",
        "--instrument",
        "ssd",
    ]
    runs = [["--strategy", "base"], ["--strategy", "base,human"], ["--strategy", "human", "--seeds", "42,43"]]
    started = [subprocess.Popen([*base, *more], cwd=tmp_path, stdout=subprocess.PIPE, text=True) for more in runs]
    for process in started:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0, out
    for more in runs:
        assert "0 asked now" in trope(*base[3:], *more, cwd=tmp_path).stdout


def test_a_folder_run_is_taken_up_from_anywhere(tmp_path: Path, items: Path) -> None:
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "i-cat.png").write_bytes(
        (DATA / "images" / "photos" / "scikit-image" / "horse.png").read_bytes()
    )
    trope(
        "run",
        "simile",
        "--subject",
        "folder:pics",
        "--instrument",
        "ssd",
        "--items",
        str(items),
        "--name",
        "f",
        cwd=tmp_path,
    )
    for place in (tmp_path, tmp_path / "pics"):
        path = str(tmp_path / "trope-store" / "runs" / "f" / "run.toml")
        again = trope("run", path, cwd=place)
        assert "0 asked now" in again.stdout and not (tmp_path / "pics" / "trope-store").exists()


def test_items_that_ship_are_valid_and_can_be_looked_at(tmp_path: Path) -> None:
    assert "40 items, 0 problems" in trope("items", "validate", "demo", cwd=tmp_path).stdout
    assert trope("items", "show", "demo", cwd=tmp_path).stdout.count("\n") == 40
    assert len(trope("items", "sample", "demo", "-n", "5", cwd=tmp_path).stdout.splitlines()) == 5


def test_a_bundle_travels_and_is_reported_elsewhere(tmp_path: Path, items: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    trope(
        "run",
        "simile",
        "--subject",
        "collage?size=192",
        "--instrument",
        "ssd,truth",
        "--items",
        str(items),
        "--name",
        "r",
        cwd=here,
    )
    trope("report", "r", "--bundle", str(there / "sub" / "r.zip"), cwd=here)
    assert "all equal" in trope("report", "sub/r.zip", "--verify", cwd=there).stdout
    page = there / trope("report", "sub/r.zip", cwd=there).stdout.strip().splitlines()[-1]
    assert page == there / "sub" / "r" / "index.html" and len(list(page.parent.glob("thumbs/*/*.jpg"))) == 4
    same = trope("report", "sub/r.zip", "--format", "json", cwd=there).stdout
    assert json.loads(same) == json.loads(trope("report", "r", "--format", "json", cwd=here).stdout)


def test_a_report_never_replaces_what_is_no_report(tmp_path: Path, items: Path) -> None:
    trope(
        "run",
        "simile",
        "--subject",
        "collage?size=192",
        "--instrument",
        "truth",
        "--items",
        str(items),
        "--name",
        "r",
        cwd=tmp_path,
    )
    mine = tmp_path / "mine" / "data" / "precious.csv"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    done = trope("report", "r", "--out", "mine", cwd=tmp_path, check=False)
    assert done.returncode == 2 and "holds something else" in done.stderr and mine.read_text() == "precious"
    for _ in range(2):  # its own report it may replace
        trope("report", "r", "--out", "new", cwd=tmp_path)
    assert (tmp_path / "new" / "index.html").exists()
    for format in ("md", "csv", "pdf"):
        trope("report", "r", "--format", format, "--out", "new", cwd=tmp_path)


def test_a_second_ctrl_c_drops_what_is_under_way(server: Start, tmp_path: Path) -> None:
    fake = server(busy=1.0, retry_after=100)
    command = [
        sys.executable,
        "-m",
        "trope",
        "run",
        "simile",
        "--subject",
        f"openai-images:fake?base_url={fake.url}",
        "--instrument",
        "ssd",
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) as run:
        assert run.stdout and run.stderr
        _until(fake.log)
        run.send_signal(signal.SIGINT)
        assert any("stopping" in line for line in run.stderr)  # the first one has arrived
        run.send_signal(signal.SIGINT)
        err = run.stderr.read()
    assert run.returncode == 130 and "Traceback" not in err and "Go on with: trope run" in err


def test_doctor_says_what_is_here(tmp_path: Path) -> None:
    said = trope("doctor", cwd=tmp_path).stdout
    for word in ("collage", "ssd", "openai-images", "OPENAI_API_KEY is not set", "numpy", "prices"):
        assert word in said


PLUGIN = """
from PIL import Image
from trope.generators import Generator

class Red(Generator):
    def identity(self):
        return {"generator": "red", "version": 1}

    def draw(self, text, seed):
        return Image.effect_noise((64, 64), 20 + seed % 50).convert("RGB")
"""
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "trope-red"
version = "0.1"
[project.entry-points."trope.generators"]
red = "trope_red:Red"
broken = "trope_nowhere:Nothing"
collage = "trope_red:Red"
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A third-party backend in ten lines, really installed (into a folder of its own)."""
    assert len(PLUGIN.strip().splitlines()) <= 10
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    (source / "trope_red.py").write_text(PLUGIN)
    (source / "pyproject.toml").write_text(PYPROJECT)
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--target",
        str(target),
        str(source),
    ]
    subprocess.run(command, check=True)
    return os.environ | {"PYTHONPATH": str(target)}


def test_a_third_party_backend_works_like_any_other(plugin: dict[str, str], tmp_path: Path, items: Path) -> None:
    command = ["run", "simile", "--subject", "red", "--instrument", "ssd", "--items", str(items)]
    done = trope(*command, cwd=tmp_path, env=plugin)
    assert "4 of 4 cells" in done.stdout and "0 asked now" in trope(*command, cwd=tmp_path, env=plugin).stdout


def test_a_broken_plug_in_is_skipped_with_one_warning(plugin: dict[str, str], tmp_path: Path) -> None:
    said = trope("doctor", cwd=tmp_path, env=plugin)
    assert "trope_red:Red (trope-red)" in said.stdout and "repeats the name of trope.generators.collage" in said.stdout
    broken = trope("run", "simile", "--subject", "broken", "--instrument", "ssd", cwd=tmp_path, env=plugin, check=False)
    assert broken.returncode == 1 and "'broken' is broken" in broken.stderr and "Traceback" not in broken.stderr
    strict = trope("doctor", cwd=tmp_path, env=plugin | {"TROPE_STRICT_PLUGINS": "1"}, check=False)
    assert strict.returncode == 1 and "plug-in 'collage'" in strict.stderr


def test_odd_pictures_never_end_a_run(tmp_path: Path) -> None:
    odd = DATA / "images" / "odd"
    names = [p.name for p in sorted(odd.iterdir()) if p.suffix not in (".tsv", ".txt", "")]
    Image.new("RGB", (40, 40)).save(tmp_path / "black.png")
    made = []
    (tmp_path / "p").mkdir()
    rows = ["item,file"]
    for n, name in enumerate([*names, "black.png"]):
        (tmp_path / "p" / name).write_bytes(((tmp_path if name == "black.png" else odd) / name).read_bytes())
        rows.append(f"o{n},{name}")
        made.append(simile(f"o{n}", "cat", text=f"Cloud {n} curls over the hill like a cat."))
    (tmp_path / "p" / "manifest.csv").write_text("\n".join(rows))
    (tmp_path / "i.jsonl").write_text(dump_items(made))
    done = trope(
        "run",
        "simile",
        "--subject",
        "folder:p",
        "--instrument",
        "ssd",
        "--items",
        "i.jsonl",
        "--name",
        "odd",
        cwd=tmp_path,
    )
    assert "4 failed" in done.stdout and "3 blank" in done.stdout
    table = json.loads(trope("report", "odd", "--format", "json", cwd=tmp_path).stdout)
    (row,) = next(t for t in table["tables"] if t["name"] == "statuses")["rows"]
    assert row[3] == len(names) - 6 and row[7] == 4 and row[8] == 3  # ok, failed, blank (two of the odd ones are)
