"""What the proxy costs: p99 at 100 requests a second with a stubbed guard, against a bare aiohttp pass-through.

Every server is a process of its own; both are in front of the same fake image server. Load is open: a request is
sent when its time has come, whatever became of those before it. Rounds alternate, and the p99 of a server is that of
all its rounds together. A third server, the proxy with the real rules, is printed without a limit.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import aiohttp
from aiohttp import web
from common import verdict

from trope.testing import FakeServer

PROMPT = "The fog crept over the harbor like a cat, and every lamp was lit."
ROUNDS = 10


def _serve_bare(upstream: str) -> None:
    """The peer: reads a request, sends it on, hands the answer back as it comes."""

    async def handler(request: web.Request) -> web.StreamResponse:
        session: aiohttp.ClientSession = request.app["session"]
        data = await request.read()
        headers = {"Content-Type": request.headers["Content-Type"]}
        async with session.post(upstream + request.path.removeprefix("/v1"), data=data, headers=headers) as answer:
            response = web.StreamResponse(status=answer.status, headers={"Content-Type": answer.content_type})
            response.content_length = answer.content_length
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                await response.write(chunk)
            await response.write_eof()
            return response

    async def session(app: web.Application):  # type: ignore[no-untyped-def]
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as made:
            app["session"] = made
            yield

    async def main() -> None:
        app = web.Application()
        app.cleanup_ctx.append(session)
        app.router.add_post("/v1/images/generations", handler)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())


def _serve_proxy(upstream: str, *, stubbed: bool, ledger: Path) -> None:
    from trope.proxy.ledger import Ledger
    from trope.proxy.makers import Maker
    from trope.proxy.server import Proxy, serve
    from trope.proxy.settings import Settings
    from trope.proxy.upstream import Upstream
    from trope.strategies.guard import Plan

    async def nothing(text: str, lang: str | None, context: str | None) -> Plan:
        return Plan(text, "en", "stub", ())

    with Ledger(ledger) as kept:
        made = Maker("stub", nothing) if stubbed else None
        proxy = Proxy(Upstream(upstream), Settings(check=False), kept, made=made)
        asyncio.run(serve(proxy, "127.0.0.1", 0, lambda url: print(url, flush=True)))


async def _load(url: str, rate: float, seconds: float) -> tuple[list[float], int]:
    """Milliseconds of every request, and how many failed."""
    spent: list[float] = []
    failed = 0
    loop = asyncio.get_running_loop()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=30)) as session:

        async def one(at: float) -> None:
            nonlocal failed
            await asyncio.sleep(max(0.0, at - loop.time()))
            began = loop.time()
            try:
                body = {"model": "fake", "prompt": PROMPT}
                async with session.post(f"{url}/images/generations", json=body) as response:
                    await response.read()
                    failed += response.status != 200
            except (aiohttp.ClientError, TimeoutError):
                failed += 1
            spent.append(1000 * (loop.time() - began))

        await asyncio.gather(*(one(loop.time() + 0.1 + n / rate) for n in range(int(rate * seconds))))
    return spent, failed


def _percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _cpu(pid: int) -> float:
    """CPU seconds of a process so far; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _start(kind: str, upstream: str, folder: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, __file__, "--serve", kind, "--upstream", upstream, "--ledger", str(folder / kind)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def main() -> None:
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", choices=("bare", "stubbed", "rules"))
    parser.add_argument("--upstream", default="")
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--seconds", type=float, default=2.0, help="of one round")
    given = parser.parse_args()
    if given.serve == "bare":
        return _serve_bare(given.upstream)
    if given.serve:
        return _serve_proxy(given.upstream, stubbed=given.serve == "stubbed", ledger=given.ledger)
    with tempfile.TemporaryDirectory() as folder, FakeServer(latency=0.02, image_side=8) as fake:
        started = {kind: _start(kind, fake.url, Path(folder)) for kind in ("bare", "stubbed", "rules")}
        times: dict[str, list[float]] = {kind: [] for kind in started}
        lost = dict.fromkeys(started, 0)
        for _, url in started.values():
            asyncio.run(_load(url, given.rate, 1.0))  # warm
        began = {kind: _cpu(process.pid) for kind, (process, _) in started.items()}
        for number in range(ROUNDS):
            kinds = list(started)
            for kind in kinds[number % 3 :] + kinds[: number % 3]:
                spent, failed = asyncio.run(_load(started[kind][1], given.rate, given.seconds))
                times[kind] += spent
                lost[kind] += failed
            fake.forget()
        cpu = {}
        for kind, (process, _) in started.items():
            process.terminate()
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0
            cpu[kind] = 1000 * (used.ru_utime + used.ru_stime - began[kind]) / len(times[kind])
    print(f"{given.rate:g} requests a second, {ROUNDS} rounds of {given.seconds:g} s, upstream answers after 20 ms")
    for kind, of in times.items():
        line = "  ".join(f"p{100 * share:g} {_percentile(of, share):7.2f}" for share in (0.5, 0.9, 0.99, 0.999))
        print(f"{kind:8} {len(of):5} requests, {lost[kind]} lost, ms: {line}  CPU {cpu[kind]:.2f} ms each")
    ratio = _percentile(times["stubbed"], 0.99) / _percentile(times["bare"], 0.99)
    kept = verdict("p99 of the proxy with a stubbed guard / of a bare pass-through", ratio, 2.0, " x")
    sys.exit(not kept or any(lost.values()))


if __name__ == "__main__":
    main()
