"""A fake chat server that writes and judges similes as it is told, with a log; run in a process of its own.

Models `w1`, `w2`, ... write one good sentence a phrase and seed and say yes to everything, but for what is planted:
``[{"model": ..., "contains": ..., "seed": ..., "color": ..., "reply": ...}]``, each field but ``reply`` optional; the first
match counts. ``color`` is that of the picture that is shown, of those in `COLORS`.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import urllib.request
from types import TracebackType
from typing import Any

from aiohttp import web

SUBJECTS = ("boulder", "lantern", "rope", "glacier", "pumpkin", "canyon", "willow", "chimney", "barrel", "rooftop")
PLACES = (
    "Beside the frozen harbor",
    "Above the empty quarry",
    "Near the crumbling lighthouse",
    "Below the rusty crane",
    "Across the flooded meadow",
    "Behind the abandoned mill",
    "Under the copper dome",
    "Along the windy ridge",
    "Outside the marble temple",
    "Inside the dusty granary",
    "Over the silent orchard",
    "Past the iron gate",
)
LOOKS = ("gleams", "bends", "towers", "glistens", "crouches", "sprawls", "leans", "shimmers", "bulges", "rests")
ADJECTIVES = ("mossy", "crooked", "pale", "swollen", "narrow", "jagged", "glossy", "sunken", "frosty", "speckled")
EXTRAS = ("at dawn", "in heavy rain", "after sunset", "during harvest", "in thin fog", "at low tide", "before winter")


class WritingServer:
    """The server as a context manager."""

    def __init__(self, planted: list[dict[str, Any]] | None = None, latency: float = 0.0) -> None:
        self._told = json.dumps({"planted": planted or [], "latency": latency})
        self.url = ""

    def __enter__(self) -> WritingServer:
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--told", self._told], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        assert self.url.startswith("http"), "the server did not start"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._process.terminate()
        self._process.communicate(timeout=10)

    def log(self) -> list[dict[str, Any]]:
        with urllib.request.urlopen(f"{self.url.removesuffix('/v1')}/log") as response:
            log: list[dict[str, Any]] = json.load(response)
        return log


def sentence(phrase: str, material: str) -> str:
    """A good sentence with a phrase in it, its words drawn from ``material``."""
    draw = random.Random(material)
    place, subject, adjective, look, extra = (draw.choice(of) for of in (PLACES, SUBJECTS, ADJECTIVES, LOOKS, EXTRAS))
    if phrase.startswith("as [adjective] as"):
        return f"{place}, the {subject} is {phrase.replace('[adjective]', adjective)} {extra}."
    if phrase.startswith(("as if", "as though")):
        return f"{place}, the {adjective} {subject} {look} {phrase} were nearby {extra}."
    many = "s" if phrase.startswith("look like") else ""
    verb = "" if phrase.startswith("look") else f"{look} "
    return f"{place}, the {adjective} {subject}{many} {verb}{phrase} {extra}."


COLORS = {"red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0), "yellow": (255, 255, 0), "black": (0, 0, 0),
          "orange": (255, 165, 0), "purple": (128, 0, 128), "cyan": (0, 255, 255)}  # fmt: skip


def color_of(said: Any) -> str | None:
    """The color of the picture in a message, away from its white patch."""
    shown = [part["image_url"]["url"] for part in said if part["type"] == "image_url"] if isinstance(said, list) else []
    if not shown:
        return None
    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode(shown[0].partition(",")[2]))).convert("RGB")
    pixel = image.getpixel((50, 50))
    return min(COLORS, key=lambda name: sum((a - b) ** 2 for a, b in zip(COLORS[name], pixel, strict=True)))


class _Server:
    def __init__(self, told: dict[str, Any]) -> None:
        self._planted, self._latency = told["planted"], told["latency"]
        self._log: list[dict[str, Any]] = []

    async def chat(self, request: web.Request) -> web.StreamResponse:
        data = await request.read()
        body = json.loads(data)
        said = body["messages"][-1]["content"]
        text = said if isinstance(said, str) else "".join(part.get("text", "") for part in said)
        fields = {k: v for k, v in body.items() if k != "messages"}
        color = color_of(said)
        entry = {**fields, "text": text, "color": color, "sha": hashlib.sha256(data).hexdigest(), "done": False}
        self._log.append(entry)
        await asyncio.sleep(self._latency)
        reply = self._reply(body, text, color)
        entry["done"] = True
        message = {"role": "assistant", "content": reply}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    def _reply(self, body: dict[str, Any], text: str, color: str | None) -> str:
        for rule in self._planted:
            found = {"model": body["model"], "seed": body.get("seed"), "color": color}
            if rule.get("contains", "") in text and all(rule.get(name, said) == said for name, said in found.items()):
                return str(rule["reply"])
        phrase = re.search(r"put an adjective that fits:\n(.+)\n", text)
        if phrase:
            return sentence(phrase[1], f"{body['model']} {phrase[1]} {body.get('seed')}")
        return "yes"

    async def log(self, _: web.Request) -> web.StreamResponse:
        return web.json_response(self._log)


async def _serve(told: dict[str, Any]) -> None:
    server = _Server(told)
    app = web.Application(client_max_size=64_000_000)
    app.router.add_post("/v1/chat/completions", server.chat)
    app.router.add_get("/log", server.log)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--told", default="{}")
    asyncio.run(_serve(json.loads(parser.parse_args().told)))
