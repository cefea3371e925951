"""`trope doctor`: what is installed, what is missing with the exact line that mends it, what is reachable."""

from __future__ import annotations

import os
import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Annotated

import typer

from trope.cli.options import DEFAULT_STORE, StoreOption


def doctor(
    store: StoreOption = DEFAULT_STORE,
    reach: Annotated[bool, typer.Option("--reach", help="Also ask every server that has a key or is local.")] = False,
) -> None:
    """Say what works here, and how to mend what does not."""
    from trope import __version__
    from trope.cli.run import price_file
    from trope.detectors import DETECTORS
    from trope.generators import GENERATORS
    from trope.judges import JUDGES
    from trope.similarity import SIMILARITIES
    from trope.store.location import file_system_of
    from trope.wire import PROVIDERS

    typer.echo(f"trope {__version__}")
    for registry in (GENERATORS, DETECTORS, JUDGES, SIMILARITIES):
        typer.echo("\n" + registry.kind.removesuffix("y") + ("ies" if registry.kind.endswith("y") else "s"))
        for name in registry.names():
            registry.load(name)
            typer.echo(f"  {name:16} {registry.source(name)}")
        for name, reason in registry.broken.items():
            typer.echo(f"  {name:16} BROKEN, skipped: {reason}")
    typer.echo("\nservers")
    for provider in PROVIDERS.values():
        if provider.key is None:
            state = "local, no key"
        else:
            state = f"{provider.key} is {'set' if os.environ.get(provider.key) else 'not set'}"
        if reach and (provider.key is None or os.environ.get(provider.key)):
            state += f"; {_reach(provider.base_url, os.environ.get(provider.key or ''))}"
        typer.echo(f"  {provider.name:16} {provider.base_url} ({state})")
    typer.echo("\npackages")
    for name, extra in _requirements():
        try:
            typer.echo(f"  {name:16} {version(name)}")
        except PackageNotFoundError:
            typer.echo(f"  {name:16} missing. Run: pip install 'trope[{extra}]'" if extra else f"  {name:16} missing")
    folder = store.resolve()
    kind = file_system_of(folder if folder.exists() else folder.parent)
    typer.echo(f"\nstore: {store} ({'exists' if store.exists() else 'not made yet'}; file system: {kind or 'unknown'})")
    prices = price_file()
    typer.echo(f"prices: {prices} ({'exists' if prices.exists() else 'none yet; needed for --max-usd with a server'})")
    typer.echo('  e.g. ["openai:MODEL"] with input, output (US dollars a million tokens), image_tokens;')
    typer.echo('       ["openai-images:MODEL"] with image (US dollars a picture)')


def _requirements() -> list[tuple[str, str | None]]:
    """Packages Trope can use, with the extra that brings each; read from its own metadata."""
    found: dict[str, str | None] = {}
    for line in requires("trope") or []:
        name = re.split(r"[^A-Za-z0-9._-]", line.strip(), maxsplit=1)[0]
        extra = line.partition("extra == ")[2].strip("'\" ") or None
        if extra not in ("test", "dev") and name != "trope":
            found.setdefault(name, extra)
    return sorted(found.items(), key=lambda pair: (pair[1] or "", pair[0]))


def _reach(base_url: str, key: str | None) -> str:
    """Whether a server answers ``GET /models`` within three seconds."""
    import asyncio

    import aiohttp

    async def ask() -> str:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3)) as session,
                session.get(f"{base_url}/models", headers=headers) as response,
            ):
                return f"answers: HTTP {response.status}"
        except (TimeoutError, aiohttp.ClientError) as error:
            return f"no answer: {type(error).__name__}"

    return asyncio.run(ask())
