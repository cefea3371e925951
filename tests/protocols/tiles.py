"""Labelled tiles and a judge that really reads them: a tile carries its number in black and white blocks.

The judge is an HTTP server that decodes the picture it is sent, looks up what was planted for that number, and
answers in the letters of the very prompt it was given. It shares no code with the protocol.
"""

from __future__ import annotations

import base64
import io
import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image, ImageDraw

_BITS, _BLOCK = 16, 8

Reply = Callable[[int, str, dict[str, dict[str, str]], str], str]


def tile(number: int, label: str) -> Image.Image:
    """A picture with a label for people and a number for machines."""
    image = Image.new("RGB", (_BITS * _BLOCK, 96), (40 + number * 37 % 180, 60 + number * 71 % 160, 90))
    draw = ImageDraw.Draw(image)
    for bit in range(_BITS):
        color = "white" if number >> bit & 1 else "black"
        draw.rectangle((bit * _BLOCK, 0, (bit + 1) * _BLOCK - 1, _BLOCK - 1), fill=color)
    draw.text((6, 36), label, fill="white")
    return image


def number_of(picture: bytes) -> int:
    """The number that a tile carries."""
    with Image.open(io.BytesIO(picture)) as image:
        gray = image.convert("L")
        return sum(1 << bit for bit in range(_BITS) if gray.getpixel((bit * _BLOCK + 4, 4)) > 127)


def asked(text: str) -> dict[str, dict[str, str]]:
    """What a prompt asks: question to letter to option."""
    found: dict[str, dict[str, str]] = {}
    for block in re.split(r"\n\n(?=Q\d+(?:_\d+)?: )", text)[1:]:
        lines = block.strip().split("\n")
        options = dict(line.split(". ", 1) for line in lines[1:] if re.match(r"[A-Z]\. ", line))
        if options:
            found[lines[0].partition(":")[0]] = options
    return found


class TileJudge:
    """``reply(number, model, asked, text)`` says what is answered; an answer ``!refuse`` is a refusal."""

    def __init__(self, reply: Reply) -> None:
        self.log: list[dict[str, Any]] = []
        judge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                (message,) = body["messages"]
                picture, words = message["content"]
                encoded = picture["image_url"]["url"].partition(",")[2]
                number, text = number_of(base64.b64decode(encoded)), words["text"]
                said = reply(number, body["model"], asked(text), text)
                judge.log.append({"number": number, "model": body["model"], "text": text, "said": said})
                told = {"content": None, "refusal": "no"} if said == "!refuse" else {"content": said}
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **told}}
                answer = json.dumps({"model": body["model"], "choices": [choice]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> TileJudge:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
