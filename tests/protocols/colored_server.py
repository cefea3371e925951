"""A painter and a judge with a planted effect: the picture is red if the prompt names a vehicle, else green.

The judge looks at nothing but that color: a red picture shows the vehicle (Q2 worst), a green one has lost a little of
the meaning (Q4 one step down). So what a strategy gains, and what it pays, is known beforehand.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
import threading
from types import TracebackType
from typing import Any

from aiohttp import web
from PIL import Image

RED, GREEN = (200, 20, 20), (20, 160, 40)


class ColoredServer:
    """The server as a context manager, in a thread; ``vehicles`` are the nouns that turn a picture red."""

    def __init__(self, vehicles: list[str]) -> None:
        self._vehicles = vehicles
        self.url = ""
        self.prompts: list[str] = []
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> ColoredServer:
        self._thread.start()
        assert self._ready.wait(20)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._run())
        self._loop.close()

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=16_000_000)
        app.router.add_post("/v1/images/generations", self._paint)
        app.router.add_post("/v1/chat/completions", self._judge)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _paint(self, request: web.Request) -> web.Response:
        prompt = str((await request.json())["prompt"])
        self.prompts.append(prompt)
        color = RED if any(noun in prompt for noun in self._vehicles) else GREEN
        image = Image.new("RGB", (32, 32), color)
        image.putpixel((0, 0), (len(self.prompts) % 256, 0, 0))  # no two pictures are the same
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return web.json_response({"data": [{"b64_json": base64.b64encode(buffer.getvalue()).decode()}]})

    async def _judge(self, request: web.Request) -> web.Response:
        parts = (await request.json())["messages"][-1]["content"]
        url = next(p["image_url"]["url"] for p in parts if p["type"] == "image_url")
        text = next(p["text"] for p in parts if p["type"] == "text")
        image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
        red = image.getpixel((16, 16))[0] > 128  # type: ignore[index]
        wanted = {"Q1": 0, "Q2": 3 if red else 0, "Q3": 0, "Q4": 0 if red else 1}
        asked = [json.loads(line) for line in re.findall(r'^\{"id": .*\}$', text, re.MULTILINE)]
        letters = {q["id"]: self._letter(q, wanted[q["id"]]) for q in asked}
        reply = {"answers": letters, "reasoning": dict.fromkeys(letters, "by its color")}
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
        choice["message"] = {"role": "assistant", "content": json.dumps(reply)}
        return web.json_response({"choices": [choice]})

    @staticmethod
    def _letter(question: dict[str, str], rank: int) -> str:
        """The letter under which the option of that rank is shown; options end in their rank."""
        return next(letter for letter in "ABCD" if question[letter].endswith("wxyz"[rank]))
