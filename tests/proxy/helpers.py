"""A real proxy process in front of a real server, and the clients that people use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import openai

KEY = "sk-trope-SECRET-0123456789"
CAT = "The fog crept over the harbor like a cat, <lora:mist:0.8>."
REWRITTEN = "The fog crept over the harbor, <lora:mist:0.8>."


class ProxyProcess:
    """`trope guard serve` in a process of its own; ``url`` is what a client gets as base URL."""

    def __init__(self, upstream: str, folder: Path, *arguments: str) -> None:
        self.ledger = folder / "ledger.sqlite"
        self._errors = folder / "proxy.err"
        self._command = [
            sys.executable, "-m", "trope", "guard", "serve", "--port", "0", "--upstream", upstream,
            "--ledger", str(self.ledger), *arguments,
        ]  # fmt: skip
        self.output = ""

    def __enter__(self) -> ProxyProcess:
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=errors, env=os.environ | {"OMP_NUM_THREADS": "1"}
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode()
        assert line.startswith("http"), self._errors.read_text()
        self.output = line
        self.url = line.split(" ")[0]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        rest, _ = self._process.communicate(timeout=20)
        self.output += rest.decode()

    @property
    def errors(self) -> str:
        """What it said on standard error."""
        return self._errors.read_text()

    def counts(self) -> dict[str, Any]:
        """What ``GET /ledger`` says."""
        with urllib.request.urlopen(f"{self.url.removesuffix('/v1')}/ledger") as response:
            counts: dict[str, Any] = json.load(response)
        return counts


def client(url: str, **options: Any) -> openai.OpenAI:
    """The official client."""
    plain = openai.DefaultHttpxClient(verify=False)  # no certificates are read: they are of no use here
    return openai.OpenAI(
        base_url=url, api_key=KEY, **{"max_retries": 0, "timeout": 30.0, "http_client": plain} | options
    )


def told(headers: Any) -> dict[str, str]:
    """Our headers, without ``x-trope-``."""
    return {k.lower().removeprefix("x-trope-"): v for k, v in headers.items() if k.lower().startswith("x-trope-")}


def draw(url: str, prompt: str = CAT, **fields: Any) -> tuple[Any, dict[str, str], bytes]:
    """One request with the official client: the parsed answer, our headers, the body as it came."""
    with client(url) as made:
        raw = made.images.with_raw_response.generate(**{"model": "fake", "prompt": prompt} | fields)
        return raw.parse(), told(raw.headers), raw.content


def curl(url: str, body: bytes, *arguments: str) -> tuple[int, dict[str, str], bytes]:
    """One POST with curl: status, all headers in lower case, body."""
    done = subprocess.run(
        ["curl", "-sS", "-i", "-X", "POST", "-H", "Content-Type: application/json", "--data-binary", "@-",
         "-H", f"Authorization: Bearer {KEY}", *arguments, f"{url}/images/generations"],
        input=body, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")  # curl asks before it sends a megabyte
    head, _, rest = said.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return int(lines[0].split(" ")[1]), headers, rest


def bodies(log: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The bodies of the image requests that reached the server."""
    return (entry["body"] for entry in log if entry["path"].endswith("/images/generations"))
