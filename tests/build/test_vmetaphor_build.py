from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.build.here import trope_here as trope
from tests.build.picture_server import picture, pictures_at
from tests.build.test_vmetaphor_parts import ANNOTATION, OPTIONS, WRITING
from tests.build.writing_server import COLORS, WritingServer

ABOUT = ("--title=Clocks", "--creator=A. B.", "--contact=a@example.org", "--date=2026-01-02")
FIRST, SECOND, THIRD = "Decide whether it makes", "painted anew", "Write the wrong answers"


def planted(**by_color: Any) -> list[dict[str, Any]]:
    """Good replies for every color but for what is given: ``color="reply of stage 1"``."""
    rules: list[dict[str, Any]] = [
        {"contains": FIRST, "color": color, "reply": reply if isinstance(reply, str) else json.dumps(reply)}
        for color, reply in by_color.items()
    ]
    for color in COLORS:
        noted = {"has_metaphor": True, **ANNOTATION, "target": f"{color} alarm clock"}
        written = {**WRITING, "conceptual": WRITING["conceptual"].replace("An alarm", f"A {color} alarm")}
        rules += [
            {"contains": FIRST, "color": color, "reply": json.dumps(noted)},
            {"contains": SECOND, "color": color, "reply": json.dumps(written)},
        ]
    return [*rules, {"contains": THIRD, "reply": json.dumps(OPTIONS)}]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def folder_of(tmp_path: Path, *colors: str) -> None:
    (tmp_path / "pictures").mkdir()
    for color in colors:
        (tmp_path / "pictures" / f"{color}.png").write_bytes(picture(color))


class Build:
    """The command in a folder, against one server."""

    def __init__(self, folder: Path, server: WritingServer, source: str = "pictures") -> None:
        self.folder, self.server = folder, server
        self.command = ["items", "build", "vmetaphor", source, f"--model=vllm:j?base_url={server.url}&concurrency=2",
                        "--out=built", "--allow-address=127.0.0.1"]  # fmt: skip

    def run(self, *more: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return trope(*self.command, *more, cwd=self.folder, check=check)

    def asked(self) -> int:
        return len(self.server.log())

    def stage(self, name: str) -> dict[str, dict[str, Any]]:
        return {line.pop("id"): line for line in lines(self.folder / "built" / f"{name}.jsonl")}

    def drops(self) -> dict[str, str]:
        return {line["what"]: line["reason"] for line in lines(self.folder / "built" / "drops.jsonl")}


@contextmanager
def building(tmp_path: Path, *colors: str, latency: float = 0.0, **by_color: Any) -> Iterator[Build]:
    folder_of(tmp_path, *colors)
    with WritingServer(planted(**by_color), latency) as server:
        yield Build(tmp_path, server)


def test_pictures_that_cannot_be_had_are_lines_of_the_manifest_and_nothing_is_fetched_or_asked_twice(
    tmp_path: Path,
) -> None:
    with WritingServer(planted()) as server, pictures_at("User-agent: *\nDisallow: /secret") as web:
        places = [f"{web.url}/{name}" for name in ("red.png", "gone.png", "page.jpg", "large.png", "broken.png",
                                                   "secret/blue.png", "red.gif", "white.png", "bomb.png")]  # fmt: skip
        places += [f"{web.url}/to/?place=http://169.254.169.254/a.png", "http://10.0.0.1/a.png", "gopher://a/b"]
        (tmp_path / "list.txt").write_text("\n".join(places))
        build = Build(tmp_path, server, "list.txt")
        build.run()
        why = {line["place"].removeprefix(web.url): (line["stage"], line["reason"], line["why"])
               for line in lines(tmp_path / "built" / "drops.jsonl")}  # fmt: skip
        assert {place: found[:2] for place, found in why.items()} == {
            "/gone.png": ("picture", "http"), "/page.jpg": ("picture", "no-picture"),
            "/large.png": ("picture", "too-large"), "/broken.png": ("picture", "unreadable"),
            "/secret/blue.png": ("picture", "robots"), "/red.gif": ("picture", "duplicate"),
            "/white.png": ("picture", "blank"), "/bomb.png": ("picture", "unreadable"),
            "/to/?place=http://169.254.169.254/a.png": ("picture", "private-address"),
            "http://10.0.0.1/a.png": ("picture", "private-address"), "gopher://a/b": ("picture", "address"),
        }  # fmt: skip
        assert "HTTP 404" in why["/gone.png"][2] and "HTML" in why["/page.jpg"][2]
        assert "60,000" in why["/large.png"][2] and "redirects to" in why["/to/?place=http://169.254.169.254/a.png"][2]
        (item,) = lines(tmp_path / "built" / "items.jsonl")
        assert item["image"] == places[0]
        assert build.asked() == 3
        assert [entry["color"] for entry in server.log()] == ["red", "red", None]  # stage 3 shows no picture
        build.run()
        assert build.asked() == 3 and Counter(web.paths)["/red.png"] == 1


def test_replies_that_do_not_fit_drop_their_picture_and_no_other(tmp_path: Path) -> None:
    eleven = [{"source": f"s{n}", "target": f"t{n}"} for n in range(11)]
    bad = {
        "blue": {"has_metaphor": False, "why": "a\u2028product"}, "green": "I see\u2028a rooster.",
        "yellow": {"has_metaphor": True, **ANNOTATION, "mappings": []},
        "cyan": {"has_metaphor": True, **ANNOTATION, "mappings": eleven},
        "purple": {"has_metaphor": True, **ANNOTATION, "source": "weather vane"},  # which is a wrong option, too
    }  # fmt: skip
    with building(tmp_path, "red", *bad, **bad) as build:
        said = build.run().stdout
        found = {line["what"]: (line["stage"], line["reason"]) for line in lines(tmp_path / "built" / "drops.jsonl")}
    assert found == {
        "vm-blue": ("stage1", "no-metaphor"), "vm-green": ("stage1", "unparsed"), "vm-yellow": ("stage1", "unparsed"),
        "vm-cyan": ("stage1", "unparsed"), "vm-purple": ("check", "options"),
    }  # fmt: skip
    assert [item["id"] for item in lines(tmp_path / "built" / "items.jsonl")] == ["vm-red"]
    assert "dropped at stage1: 3 unparsed" in said
    checked = trope("items", "validate", "built/items.jsonl", cwd=tmp_path)
    assert "0 problems" in checked.stdout
    decide(tmp_path / "built" / "verify.csv", red={"decision": "keep", "verified_by": "Ann"})
    trope("items", "build", "release", "built", *ABOUT, cwd=tmp_path)
    card = (tmp_path / "release" / "README.md").read_text("utf-8")
    assert "1 of 1 pictures came from a folder and have no address" in card and "robots.txt" not in card


def test_a_person_edits_removes_and_adds_lines_between_stages(tmp_path: Path) -> None:
    with building(tmp_path, "red", "blue", "green", "black", green={"has_metaphor": False}) as build:
        build.run("--stage", "1")
        assert build.asked() == 4 and not (tmp_path / "built" / "stage2.jsonl").exists()
        first = build.stage("stage1")
        assert list(first) == ["vm-black", "vm-blue", "vm-red"]
        first["vm-red"]["target"] = "church bell"  # edited
        del first["vm-blue"]  # taken out
        first["vm-green"] = {**ANNOTATION, "target": "green alarm clock"}  # put in: the person sees one
        path = tmp_path / "built" / "stage1.jsonl"
        path.write_text("".join(json.dumps({"id": name, **fields}) + "\n" for name, fields in first.items()))
        said = build.run().stdout
        assert "stage1.jsonl: 3 lines, 2 by a person" in said
        assert build.stage("stage1") == first
        later = [entry["text"] for entry in build.server.log()[4:]]
        assert sum("church bell" in text for text in later) == 2  # stages 2 and 3 are told
        assert not any("blue alarm clock" in text for text in later)
        assert build.drops() == {"vm-blue": "by-a-person"}
        items = {item["id"]: item for item in lines(tmp_path / "built" / "items.jsonl")}
        assert set(items) == {"vm-black", "vm-green", "vm-red"}
        assert items["vm-red"]["figures"][0]["tenor"] == "church bell"
        count = build.asked()
        build.run()
        assert build.asked() == count
        # a line of stage 2, edited, is not written over; only what depends on it is asked anew
        second = build.stage("stage2")
        second["vm-black"]["descriptive"] = second["vm-black"]["descriptive"].replace("a pillow", "a cushion")
        path = tmp_path / "built" / "stage2.jsonl"
        path.write_text("".join(json.dumps({"id": name, **fields}) + "\n" for name, fields in second.items()))
        build.run()
        assert build.asked() == count + 1 and "a cushion" in build.server.log()[-1]["text"]
        # a line that cannot be meant stops the build and says where it is
        path.write_text(path.read_text().replace('"style"', '"stile"', 1))
        wrong = build.run(check=False)
        assert wrong.returncode == 1 and "stage2.jsonl, line 1: vm-black: " in wrong.stderr


def test_what_a_person_wrote_outlives_what_it_was_made_from(tmp_path: Path) -> None:
    """Another model sees no metaphor at all: the row that was signed stays, and so does the line that was edited."""
    folder_of(tmp_path, "red", "blue")
    blind = {"model": "k", "contains": FIRST, "reply": '{"has_metaphor": false}'}
    with WritingServer([blind, *planted()]) as server:
        build = Build(tmp_path, server)
        build.run()
        decide(tmp_path / "built" / "verify.csv", red={"decision": "keep", "verified_by": "Ann"})
        second = tmp_path / "built" / "stage2.jsonl"
        second.write_text(second.read_text().replace("vector", "woodcut", 1))  # of vm-blue, which comes first
        build.run(f"--model=vllm:k?base_url={server.url}")
        assert build.stage("stage1") == {} and list(build.stage("stage2")) == ["vm-blue"]
        assert build.drops() == {"vm-blue": "no-metaphor"}
        assert [item["id"] for item in lines(tmp_path / "built" / "items.jsonl")] == ["vm-red"]
        trope("items", "build", "release", "built", *ABOUT, cwd=tmp_path)
        build.run()
        assert {i["id"]: "woodcut" in i["prompts"]["style"] for i in lines(tmp_path / "built" / "items.jsonl")} == {
            "vm-blue": True, "vm-red": False,
        }  # fmt: skip
        # a signed row whose picture is gone stays in the sheet, out of the items and out of the release
        (tmp_path / "pictures" / "red.png").write_bytes(b"no picture any more")
        build.run()
        assert build.drops() == {"vm-red": "unreadable"}
        said = trope("items", "build", "release", "built", *ABOUT, cwd=tmp_path, check=False)
        assert "no row of verify.csv is to be released" in said.stderr
        assert "vm-red" in (tmp_path / "built" / "verify.csv").read_text("utf-8-sig")
        first = tmp_path / "built" / "stage1.jsonl"
        first.write_text("")  # the line of vm-blue is taken out, and with it all that came of it
        (tmp_path / "pictures" / "red.png").write_bytes(picture("red"))
        build.run()
        assert build.drops() == {"vm-blue": "by-a-person"}
        assert [item["id"] for item in lines(tmp_path / "built" / "items.jsonl")] == ["vm-red"]


def test_a_killed_build_goes_on_and_repeats_nothing(tmp_path: Path) -> None:
    with building(tmp_path, *COLORS, latency=0.08) as build:
        process = subprocess.Popen([sys.executable, "-m", "trope", *build.command], cwd=tmp_path,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        until = time.monotonic() + 60
        while sum(entry["done"] for entry in build.server.log()) < 11:  # in the middle of stage 2
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        build.run()
        assert len(lines(tmp_path / "built" / "items.jsonl")) == 8
        assert 24 <= build.asked() <= 24 + 2  # what was under way may be asked again
        count = build.asked()
        said = build.run().stdout
        assert build.asked() == count and "0 asked now, 24 answers were stored" in said


def decide(path: Path, **decisions: dict[str, str]) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update(decisions.get(row["id"].removeprefix("vm-"), {}))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")  # as spreadsheet programs of half of Europe do
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("released")
    with WritingServer(planted()) as server, pictures_at() as web:
        names = ("red.png", "blue.png", "green.png", "cyan.png", "yellow.png", "gone.png")
        rows = [f"{web.url}/{name},https://example.org/{name}" for name in names]
        (tmp_path / "list.csv").write_text("url,page\n" + "\n".join(rows))
        build = Build(tmp_path, server, "list.csv")
        build.run()
        ids = {line["place"].rpartition("/")[2].partition(".")[0]: line["id"].removeprefix("vm-")
               for line in lines(tmp_path / "built" / "pictures.jsonl")}  # fmt: skip
        kept = {"decision": "keep", "verified_by": "Ann; Bo"}
        decide(
            tmp_path / "built" / "verify.csv",
            **{ids["red"]: {**kept, "target": "kitchen alarm"}, ids["blue"]: {"decision": "Drop", "note": "unclear"},
               ids["green"]: {"decision": "keep"}, ids["cyan"]: {**kept, "Q1_wrong1": "cyan ALARM  clock"}},
        )  # fmt: skip
        build.run()  # what a person decided survives
    said = trope("items", "build", "release", "built", *ABOUT, cwd=tmp_path)
    assert "release: 1 items" in said.stdout
    return tmp_path / "release"


def test_a_release_holds_what_people_signed_and_no_pictures(released: Path) -> None:
    (item,) = lines(released / "items.jsonl")
    assert item["figures"][0]["tenor"] == item["questions"][0]["options"][0] == "kitchen alarm"
    assert item["verified_by"] == ["Ann", "Bo"]
    assert item["image"].endswith("/red.png") and item["labels"]["page"] == "https://example.org/red.png"
    assert {path.name for path in released.iterdir()} == {"items.jsonl", "croissant.json", "README.md", "drops.jsonl"}
    reasons = Counter(line["reason"] for line in lines(released / "drops.jsonl"))
    assert reasons == {"http": 1, "by-a-person": 1, "unsigned": 1, "options": 1, "undecided": 1}
    card = (released / "README.md").read_text("utf-8")
    for said in (
        "# Clocks",
        "a@example.org",
        "CC-BY-4.0",
        "2 in all,\n1 of 1 lines by more than one",
        "fetched only where robots.txt permits it",
        "| mapping | 2 |",
    ):
        assert said in card
    checked = trope("items", "validate", "release/items.jsonl", cwd=released.parent)
    assert "0 problems" in checked.stdout


def test_croissant_metadata_describes_the_file(released: Path) -> None:
    import hashlib

    described = json.loads((released / "croissant.json").read_text("utf-8"))
    data = (released / "items.jsonl").read_bytes()
    (file,) = described["distribution"]
    assert (file["sha256"], file["contentSize"]) == (hashlib.sha256(data).hexdigest(), f"{len(data)} B")
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    (records,) = described["recordSet"]
    first = json.loads(data.splitlines()[0])
    for field in records["field"]:
        assert field["source"]["extract"]["column"] in first
        assert field["source"]["fileObject"]["@id"] == file["@id"]
        assert field["@id"] == f"items/{field['name']}"


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib", "ignore::DeprecationWarning:mlcroissant")
def test_croissant_s_own_reader_accepts_it(released: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    data = mlcroissant.Dataset(str(released / "croissant.json"))
    assert data.metadata.issues.report() == ""
    (record,) = list(data.records("items"))
    assert record["items/target"] == [b"kitchen alarm"]


def test_releasing_what_is_not_there_or_into_the_build_is_said(tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    none = trope("items", "build", "release", "built", *ABOUT, cwd=tmp_path, check=False)
    assert none.returncode == 1 and "no verify.csv in 'built'" in none.stderr
    same = trope("items", "build", "release", "built", *ABOUT, "--out=built", cwd=tmp_path, check=False)
    assert same.returncode == 2 and "is the folder of the build" in same.stderr
