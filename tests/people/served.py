"""A study served by a real process, and raters who are plain HTTP clients."""

from __future__ import annotations

import contextlib
import http.client
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from typer.testing import CliRunner

from tests.conftest import simile
from trope.cli.app import app
from trope.items import dump_items
from trope.nouns import Figure, Item

VEHICLES = ("cat", "dog", "bus", "kite", "vase", "car")
NASTY = '</script><img src=x onerror="document.title=1"> like a cat'


def items() -> list[Item]:
    # each over a thing that is drawn: the pictures of rewritten prompts must not be the same empty one
    things = ("boat", "bench", "clock", "train", "bed", "umbrella")
    made = [
        simile(f"i-{v}", v, text=f"The cloud over the {thing} curls like a {v}.")
        for v, thing in zip(VEHICLES, things, strict=True)
    ]
    made.append(simile("nasty", "cat", text=NASTY))
    arabic = Figure(tenor="الغيوم", vehicle="قطة", vehicle_class="cat", spans={"vehicle": (17, 20)})  # type: ignore[arg-type]
    made.append(Item(id="arabic", lang="ar", text="الغيوم فوق التل قطة نائمة.", figures=(arabic,)))
    return made


def make_run(folder: Path) -> None:
    """A finished run, its detector and truth beside what people will say."""
    (folder / "items.jsonl").write_text(dump_items(items()), "utf-8")
    command(
        "run", "simile", "--subject", "collage?size=192", "--strategy", "base,guard:rewrite,anti_hallucination",
        "--instrument", "ssd,truth", "--items", "items.jsonl", "--name", "run", cwd=folder,
    )  # fmt: skip


def copy_of(made: Path, folder: Path) -> Path:
    """A copy of a store, for one test."""
    shutil.copytree(made / "trope-store", folder / "trope-store")
    shutil.copy(made / "items.jsonl", folder / "items.jsonl")
    return folder


def new_study(folder: Path, name: str, *arguments: str) -> dict[str, str]:
    """Make a study; rater (and coordinator) to path of the invitation."""
    return links(study("new", name, *arguments, cwd=folder))


def study(*arguments: str, cwd: Path, fails: bool = False) -> str:
    """``trope study ...``; returns what it said."""
    return command("study", *arguments, cwd=cwd, fails=fails)


def command(*arguments: str, cwd: Path, fails: bool = False) -> str:
    """``trope ...`` in this process, which spares the start of another; returns what it said."""
    with contextlib.chdir(cwd):
        done = CliRunner().invoke(app, list(arguments))
    if fails:
        assert done.exception is not None
        return f"{done.output}{done.exception}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def links(said: str) -> dict[str, str]:
    return {who: urlsplit(url).path for who, url in re.findall(r"^  (\S+): (http\S+/i/\S+)$", said, re.MULTILINE)}


@contextmanager
def serving(folder: Path, name: str, *arguments: str) -> Iterator[str]:
    """Serve a study in a process of its own, forked from one that has everything imported; yields its address."""
    process = _FORKS.Process(target=_serve, args=(str(folder), ["study", "serve", name, "--port", "0", *arguments]))
    out, wrong = folder / "served.out", folder / "served.err"
    out.write_text("")
    wrong.write_text("")
    process.start()
    try:
        until = time.monotonic() + 60
        while (match := re.search(r"at (http\S+)\n", out.read_text("utf-8"))) is None:
            assert process.is_alive() and time.monotonic() < until, wrong.read_text("utf-8")
            time.sleep(0.02)
        yield match[1]
    finally:
        while _OPEN:
            _OPEN.pop().close()
        process.terminate()
        process.join(20)
    assert "Traceback" not in wrong.read_text("utf-8"), wrong.read_text("utf-8")


_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["__main__", "tests.people.served", "uvicorn", "trope.people.app"])


def _serve(folder: str, arguments: list[str]) -> None:
    """What the forked process does: the command, with its output in two files."""
    os.chdir(folder)
    for stream, name in ((1, "served.out"), (2, "served.err")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), stream)
    app(arguments)


@contextmanager
def serving_afresh(folder: Path, name: str, *arguments: str) -> Iterator[str]:
    """Serve a study as a user does, with a new interpreter; yields its address."""
    served = [sys.executable, "-m", "trope", "study", "serve", name, "--port", "0", *arguments]
    with subprocess.Popen(served, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        try:
            match = re.search(r"at (http\S+)", process.stdout.readline())
            if match is not None:
                yield match[1]
        finally:
            while _OPEN:
                _OPEN.pop().close()
            process.terminate()
            wrong = process.communicate(timeout=20)[1]
        assert match is not None and "Traceback" not in wrong, wrong


_OPEN: list[http.client.HTTPConnection] = []


@dataclass
class Answered:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str
    body: bytes = b""

    @property
    def to(self) -> str:
        return self.headers.get("location", "")


@dataclass
class Client:
    """One browser without a screen: cookies, no redirects followed by itself."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, form: Mapping[str, str] | bytes | None = None, **headers: str) -> Answered:
        parts = urlsplit(self.url)
        if self.connection is None:
            self.connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
            _OPEN.append(self.connection)
        sent = {"connection": "keep-alive"} | {k.replace("_", "-"): v for k, v in headers.items()}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body: bytes | None = None
        if form is not None:
            body = form if isinstance(form, bytes) else urlencode(form).encode("ascii")
            sent.setdefault("content-type", "application/x-www-form-urlencoded")
            sent.setdefault("origin", self.url)
        try:
            self.connection.request(method, path, body, sent)
            got = self.connection.getresponse()
            data = got.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        for name, value in got.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        kind = got.getheader("content-type") or ""
        text = data.decode("utf-8") if "text" in kind or "json" in kind else ""
        return Answered(got.status, {k.lower(): v for k, v in got.getheaders()}, text, data)

    def get(self, path: str, **headers: str) -> Answered:
        return self.ask("GET", path, **headers)

    def post(self, path: str, form: Mapping[str, str] | bytes, **headers: str) -> Answered:
        return self.ask("POST", path, form, **headers)

    def enter(self, link: str) -> Client:
        assert self.get(link).status == 200
        assert self.post(link, {}).status == 303
        return self

    def next_page(self) -> str | None:
        """The path of the next page, or None when all is done."""
        home = self.get("/")
        return home.to if home.status == 303 else None

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's own form."""
    form = page[page.index('id="answer"') :]
    token = re.search(r'name="form" value="([^"]+)"', form)
    assert token
    return {"form": token[1], "active": "1.5"}


def radios(page: str) -> dict[str, list[str]]:
    """Name to values of every question with options."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="radio" name="([^"]+)" value="([^"]*)"', page):
        found.setdefault(name, []).append(unescape(value))
    return found


def checked(page: str) -> dict[str, str]:
    return dict(re.findall(r'type="radio" name="([^"]+)" value="([^"]*)" checked', page))
