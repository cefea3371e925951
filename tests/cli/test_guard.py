"""`trope guard` as people type it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.conftest import trope
from trope.cli.guard import guard
from trope.errors import TropeError, UsageError
from trope.generators.collage import Collage
from trope.proxy.ledger import Ledger
from trope.proxy.note import Note
from trope.testing import FakeServer

CAT = "The fog crept over the harbor like a cat, <lora:mist:0.8>."
PLAIN = """\
language en, plan by rules, 1 figure(s)
1. “cat” in “a cat” is not to be drawn: an explicit simile: the vehicle only says what something is like
   said of: The fog
   confidence 0.9

instruct:
The fog crept over the harbor like a cat, <lora:mist:0.8>.

How to read the comparisons in this text:
- “The fog” is what the picture shows; “a cat” only says what it is like. Draw no cat: not as an object, an icon, \
a pattern or a written word. Let the subject's own shape, color, light, texture and posture say it.

rewrite:
The fog crept over the harbor, <lora:mist:0.8>.

negative prompt: cat
"""


def run(*arguments: str, input: bytes | None = None) -> tuple[int, str]:
    """Exit code and output; a `TropeError` is raised, as ``main`` prints it."""
    done = CliRunner().invoke(guard, arguments, input=input)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# --- text ---


def test_a_prompt_is_explained_in_plain_text(tmp_path: Path) -> None:
    assert trope("guard", "text", CAT, cwd=tmp_path).stdout == PLAIN
    code, out = run("text", "A teapot shaped like a cat.")
    assert code == 0 and out.endswith("the prompt stays as it is.\n")


def test_a_prompt_as_json() -> None:
    _, out = run("text", "--json", "彼の髪は雪のように白い。")
    said = json.loads(out)
    assert said["plan"]["lang"] == "ja" and said["prompts"]["rewrite"] == "彼の髪は白い。"
    assert said["negative_prompt"] == "雪" and "雪" in out, "in its own letters"
    assert json.loads(run("text", "--json", "--lang", "zh", "雪")[1])["plan"]["lang"] == "zh"


def test_a_story_bible_says_what_is_real(tmp_path: Path) -> None:
    bible = tmp_path / "bible.txt"
    bible.write_text("In this harbor the cat is real.", "utf-8")
    _, out = run("text", "--json", CAT, "--context", str(bible))
    assert json.loads(out)["changes"] is False


def test_input_is_read_by_paragraph() -> None:
    code, out = run("text", "-", input=f"{CAT}\r\n\r\n\nThe end,\nat last.\n".encode())
    first, second = lines(out)
    assert code == 0 and (first["paragraph"], first["line"], second["line"]) == (1, 1, 4)
    assert first["changes"] and second["plan"]["text"] == "The end,\nat last."
    assert run("text", "-", input=b"") == (0, "")


def test_a_chapter_goes_on_where_it_stopped(tmp_path: Path) -> None:
    chapter, out = tmp_path / "chapter.txt", tmp_path / "out.jsonl"
    chapter.write_text("\n\n".join(f"Day {n}. {CAT}" for n in range(30)), "utf-8")
    run("text", "--file", str(chapter), "--out", str(out))
    whole = out.read_bytes()
    assert len(lines(whole.decode())) == 30
    inode = out.stat().st_mtime_ns
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):
        out.write_bytes(whole[:cut])
        run("text", "--file", str(chapter), "--out", str(out))
        assert out.read_bytes() == whole and out.stat().st_mtime_ns != inode
    chapter.write_text(chapter.read_text("utf-8").replace("Day 20", "Night 20"), "utf-8")
    done = trope("guard", "text", "--file", str(chapter), "--out", str(out), cwd=tmp_path)
    assert "30 paragraphs, 20 of them from before" in done.stderr and done.stdout == ""
    assert lines(out.read_text("utf-8"))[20]["plan"]["text"].startswith("Night 20")
    chapter.write_text(CAT, "utf-8")
    done = trope("guard", "text", "--file", str(chapter), "--out", str(out), cwd=tmp_path)
    assert "1 paragraph, 0 of them from before" in done.stderr


def test_a_killed_chapter_loses_no_line_that_was_whole(tmp_path: Path) -> None:
    chapter, out = tmp_path / "chapter.txt", tmp_path / "out.jsonl"
    chapter.write_text("\n\n".join(f"{n}. {CAT} " * 4 for n in range(6000)), "utf-8")
    command = [sys.executable, "-m", "trope", "guard", "text", "--file", str(chapter), "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not out.exists() or out.stat().st_size < 100_000:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = [line for line in out.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    chapter.write_text("\n\n".join(f"{n}. {CAT} " * 4 for n in range(len(before) + 2)), "utf-8")
    done = trope("guard", "text", "--file", str(chapter), "--out", str(out), cwd=tmp_path)
    assert f"{len(before) + 2} paragraphs, {len(before)} of them from before" in done.stderr
    assert out.read_bytes().splitlines(keepends=True)[: len(before)] == before


def test_a_model_may_plan_a_chapter_and_fail_in_the_middle(tmp_path: Path) -> None:
    chapter, out = tmp_path / "chapter.txt", tmp_path / "out.jsonl"
    chapter.write_text("One.\n\nTwo.\n\nThree.", "utf-8")
    good = {"contains": "", "reply": '{"figures": []}'}
    with FakeServer(replies=[{"contains": '"Two."', "reply": "Let me think."}, good]) as fake:
        by = f"llm:vllm:m?base_url={fake.url}&retries=0"
        with pytest.raises(TropeError, match=r"paragraph 2, line 3: vllm:m gave no plan: unparsed"):
            run("text", "--file", str(chapter), "--out", str(out), "--by", by)
        assert [line["paragraph"] for line in lines(out.read_text("utf-8"))] == [1]
        fake.behave(replies=[good])
        fake.forget()
        run("text", "--file", str(chapter), "--out", str(out), "--by", by)
        assert len(lines(out.read_text("utf-8"))) == 3 and len(fake.log()) == 2
        assert lines(out.read_text("utf-8"))[2]["plan"]["maker"] == "llm:vllm:m"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("text",), "what is to be guarded"),
        (("text", "a", "--file", "b"), "a prompt and a file: which is to be guarded"),
        (("text", "a", "--out", "b"), "one prompt is printed"),
        (("text", "a", "--by", "magic"), "Expected: rules, or llm:PROVIDER:MODEL"),
        (("text", "a", "--by", "llm:nobody:x"), "no judge 'nobody'"),
        (("text", "a", "--by", "llm:person:x"), "Expected: rules, or llm:PROVIDER:MODEL"),
        (("text", "--file", "not there"), "cannot be read"),
        (("text", "a", "--context", "not there"), "cannot be read"),
        (("image", "x.png", "--text", "a", "--instrument", "nobody"), "no instrument 'nobody'"),
        (("image", "x.png", "--text", "a", "--instrument", "ssd,person:x"), "no instrument 'person'"),
        (("image", "x.png", "--text", "a", "--vehicle", " "), "--vehicle without a word"),
        (("serve", "--upstream", "localhost:80"), "--upstream 'localhost:80'. Expected"),
        (("serve", "--upstream", "http://me:pw@h/v1"), "only forwarded"),
        (("serve", "--upstream", "http://h/v1", "--renderer", "rewite"), "Did you mean 'rewrite'"),
        (("serve", "--upstream", "http://h/v1", "--tries", "0"), "--tries 0"),
        (("serve", "--upstream", "http://localhost:8100/v1"), "is the proxy itself"),
        (("serve", "--upstream", "http://h/v1", "--seconds", "-1"), "--seconds -1"),
    ],
)
def test_what_cannot_be_meant_is_said(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(*arguments)


def test_a_chapter_in_another_encoding_and_a_file_of_somebody_else_are_refused(tmp_path: Path) -> None:
    chapter, diary = tmp_path / "chapter.txt", tmp_path / "diary.txt"
    chapter.write_bytes("雪のように白い。".encode("shift_jis"))
    with pytest.raises(UsageError, match="is not UTF-8"):
        run("text", "--file", str(chapter))
    chapter.write_text("One.", "utf-8")
    diary.write_text("Dear diary", "utf-8")
    with pytest.raises(UsageError, match="Name another file"):
        run("text", "--file", str(chapter), "--out", str(diary))
    assert diary.read_text("utf-8") == "Dear diary"


# --- image ---


def test_exit_codes_say_whether_the_vehicle_is_drawn(tmp_path: Path) -> None:
    for name, text in (("cat", "a cat"), ("bench", "a bench")):
        Collage(256).draw(text, 3).image.save(tmp_path / f"{name}.png")  # type: ignore[union-attr]
    code, out = run("image", str(tmp_path / "cat.png"), "--text", CAT)
    assert code == 3 and out.startswith("“cat”: is drawn (ssd, looking for 'cat')\n   cat 0.")
    assert run("image", str(tmp_path / "bench.png"), "--text", CAT)[0] == 0
    code, out = run("image", str(tmp_path / "bench.png"), "--text", "Her eyes shone like lanterns.", "--json")
    assert code == 4 and json.loads(out)["vehicles"][0]["reason"] == "unknown-class"
    done = trope("guard", "image", "none.png", "--text", CAT, cwd=tmp_path, check=False)
    assert done.returncode == 1 and done.stderr.startswith("error: none.png: cannot be read") and not done.stdout


def test_a_judge_says_what_the_detector_cannot(tmp_path: Path) -> None:
    Collage(256).draw("a bench", 3).image.save(tmp_path / "bench.png")  # type: ignore[union-attr]
    with FakeServer(letter="B") as fake:
        eyes = f"ssd,vllm:judge?base_url={fake.url}"
        code, out = run(
            "image", str(tmp_path / "bench.png"), "--text", "Her eyes shone like lanterns.", "--instrument", eyes
        )
        assert code == 0 and "is not drawn (vllm:judge" in out
        fake.behave(letter="C")
        code, out = run(
            "image", str(tmp_path / "bench.png"), "--text", "Her eyes shone like lanterns.", "--instrument", eyes
        )
        assert code == 4 and "could not tell" in out


# --- ledger, skill, serve ---


def test_the_ledger_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        ledger.add(Note("changed", "", "rules", "rewrite", "en", 1, "shown", "", "ssd", 4, 1, 3, 2, "tries", 200))
        ledger.add(Note("failed", "timeout", "llm:x", status=200, tries=1))
    _, out = run("ledger", str(path), "--json")
    counts = json.loads(out)
    assert counts["requests"] == 2 and counts["guard"] == {"changed": 1, "failed": 1}
    assert counts["pictures"] == {"looked_at": 4, "could_be_told": 4, "shown_at_first": 3, "shown_in_the_end": 1}
    told = run("ledger", str(path))[1]
    assert "1 changed, 1 failed" in told and "4 looked at, 4 could be told, 3 shown at first" in told
    with Ledger(tmp_path / "empty.sqlite"):
        assert "None" not in run("ledger", str(tmp_path / "empty.sqlite"))[1]
    with pytest.raises(TropeError, match="no ledger at"):
        run("ledger", str(tmp_path / "none"))
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(TropeError, match="cannot be read as a ledger"):
        run("ledger", str(path))


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(TropeError, match=f"cannot listen at 127.0.0.1:{port}"):
            run("serve", "--upstream", "http://127.0.0.1:9/v1", "--port", port, "--ledger", str(tmp_path / "l"))


def test_a_judge_under_a_limit_needs_a_price(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("", "utf-8")
    options = ("--max-usd", "1", "--prices", str(prices), "--ledger", str(tmp_path / "l"), "--port", "0")
    with pytest.raises(TropeError, match="price of 'vllm:judge' lacks"):
        run("serve", "--upstream", "http://127.0.0.1:9/v1", "--instrument", "vllm:judge", *options)


def test_a_chapter_in_another_encoding_and_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    chapter = tmp_path / "c.txt"
    chapter.write_bytes("他像一头狮子一样吼叫。\n".encode("gb18030"))
    with pytest.raises(TropeError, match="--encoding gb18030"):
        run("text", "--file", str(chapter))
    out = tmp_path / "new" / "c.jsonl"
    run("text", "--file", str(chapter), "--encoding", "gb18030", "--out", str(out))
    assert json.loads(out.read_text("utf-8"))["prompts"]["rewrite"] == "他吼叫。"
    with pytest.raises(TropeError, match="--out"):
        run("text", "--file", str(chapter), "--encoding", "gb18030", "--out", str(chapter / "c.jsonl"))
