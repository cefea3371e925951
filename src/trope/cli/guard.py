"""`trope guard`: keep figures of speech from being drawn, by hand, behind a proxy, as a skill or a tool."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from trope.cli.options import split

if TYPE_CHECKING:
    from trope.errors import TropeError
    from trope.proxy.makers import Planning
    from trope.strategies.guard import Plan

guard = typer.Typer(help="Keep figures of speech from being drawn literally.", no_args_is_help=True)

Lang = Annotated[
    Literal["en", "zh", "ja", "ar"] | None, typer.Option("--lang", help="Of the text. Default: by its script.")
]
By = Annotated[str, typer.Option("--by", help="Who makes the plan: rules, or llm:PROVIDER:MODEL.")]
ContextFile = Annotated[
    Path | None, typer.Option("--context", help="Text file: what is real in the world of the text (a story bible).")
]
Instruments = Annotated[
    list[str] | None,
    typer.Option("--instrument", help="Who looks, in order, e.g. ssd,openai:MODEL. Default: ssd."),
]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON on one line.")]
LEDGER = Path("trope-ledger.sqlite")


@guard.command()
def text(
    prompt: Annotated[str | None, typer.Argument(help="The prompt; - reads standard input by paragraph.")] = None,
    file: Annotated[Path | None, typer.Option(help="A text, read by paragraph: JSON lines.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the JSON lines here; go on after the last one that still fits.")
    ] = None,
    by: By = "rules",
    lang: Lang = None,
    context: ContextFile = None,
    encoding: Annotated[str | None, typer.Option(help="Of texts that are not UTF-8, e.g. gb18030.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say which words are only figures of speech, and write prompts that keep them from being drawn."""
    from trope.errors import TropeError, UsageError
    from trope.proxy.advice import advice, dumped, readable

    world = None if context is None else _read(context, encoding)
    if (prompt is None) == (file is None):
        what = "what is to be guarded?" if prompt is None else "a prompt and a file: which is to be guarded?"
        raise UsageError(f'{what} Expected: trope guard text "PROMPT", or --file FILE, or - to read input')
    if file is None and prompt != "-":
        if out is not None:
            raise UsageError("--out is for --file FILE or -: one prompt is printed")
        (plan,) = _plans([str(prompt)], by, lang, world)
        if isinstance(plan, TropeError):
            raise plan
        said = advice(plan)
        print(dumped(said) if as_json else readable(said))
        return
    whole = (
        _read(file, encoding) if file is not None else _decoded(sys.stdin.buffer.read(), "standard input", "", encoding)
    )
    _chapter(whole, out, by, lang, world)


def _chapter(whole: str, out: Path | None, by: str, lang: str | None, context: str | None) -> None:
    from trope.errors import TropeError, UsageError
    from trope.proxy.advice import advice, dumped
    from trope.proxy.chapters import asked, paragraphs, standing

    parts = paragraphs(whole)
    hashes = [asked(part.text, by, lang, context) for part in parts]
    done, size = (0, 0) if out is None else standing(out, hashes)
    target: Any = sys.stdout
    if out is not None:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            target = out.open("r+b" if out.exists() else "wb")
        except OSError as error:
            raise UsageError(f"--out {out}: {error.strerror}. Expected: a file that can be written") from None
        target.truncate(size)
        target.seek(size)
    together = 64 if by == "rules" else 8  # a killed run does these again
    try:
        for start in range(done, len(parts), together):
            some = parts[start : start + together]
            for n, plan in enumerate(_plans([part.text for part in some], by, lang, context), start):
                if isinstance(plan, TropeError):
                    raise type(plan)(f"paragraph {n + 1}, line {parts[n].line}: {plan}; what is written stays")
                place = {"paragraph": n + 1, "line": parts[n].line, "sha256": hashes[n]}
                line = dumped({**place, **advice(plan)}) + "\n"
                target.write(line if out is None else line.encode())
                target.flush()
    finally:
        if out is not None:
            target.close()
    if out is not None:
        what = "1 paragraph" if len(parts) == 1 else f"{len(parts)} paragraphs"
        typer.echo(f"{what}, {done} of them from before: {out}", err=True)


def _plans(texts: list[str], by: str, lang: str | None, context: str | None) -> list[Plan | TropeError]:
    """A plan of each text, or why there is none."""
    from trope.errors import TropeError
    from trope.proxy.makers import maker, model_of
    from trope.proxy.panel import Panel

    async def one(plan: Planning, text: str) -> Plan | TropeError:
        try:
            return await plan(text, lang, context)
        except TropeError as error:
            return error

    async def make() -> list[Plan | TropeError]:
        model = model_of(by)
        async with Panel({} if model is None else {model.name: model}).open() as panel:
            plan = maker(model, panel).plan
            return list(await asyncio.gather(*(one(plan, text) for text in texts)))

    return asyncio.run(make())


@guard.command()
def image(
    picture: Annotated[Path, typer.Argument(help="The picture.")],
    text: Annotated[str, typer.Option(help="The prompt it was made from.")],
    vehicle: Annotated[list[str] | None, typer.Option(help="Look for this instead of what the text holds.")] = None,
    instrument: Instruments = None,
    by: By = "rules",
    lang: Lang = None,
    context: ContextFile = None,
    as_json: AsJson = False,
) -> None:
    """Is the vehicle drawn? Exit code 0: no. 3: yes. 4: nobody can say. 1 and 2: an error."""
    from trope.errors import UsageError
    from trope.proxy.advice import dumped
    from trope.proxy.eyes import instrument as made
    from trope.proxy.looking import look, told
    from trope.proxy.makers import model_of

    if not all(word.strip() for word in vehicle or ()):
        raise UsageError("--vehicle without a word. Expected: what is looked for, e.g. --vehicle cat")
    said = asyncio.run(
        look(
            picture, text, [made(spec) for spec in split(instrument) or ("ssd",)], model=model_of(by), lang=lang,
            context=None if context is None else _read(context), vehicles=vehicle or (),
        )
    )  # fmt: skip
    print(dumped(said) if as_json else told(said))
    raise typer.Exit({"absent": 0, "shown": 3, "cannot-say": 4}[said["answer"]])


@guard.command()
def serve(
    upstream: Annotated[str, typer.Option(help="The image server, e.g. https://api.openai.com/v1.")],
    host: Annotated[str, typer.Option(help="Address to listen at; others than this machine's see every request.")]
    = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8100,
    renderer: Annotated[str, typer.Option(help="rewrite, instruct or negative.")] = "rewrite",
    by: By = "rules",
    lang: Lang = None,
    context: ContextFile = None,
    instrument: Instruments = None,
    check: Annotated[bool, typer.Option(help="Look at the pictures.")] = True,
    tries: Annotated[int, typer.Option(help="Draws a request, the first included.")] = 2,
    seconds: Annotated[float, typer.Option(help="No further draw begins after so many seconds of a request.")] = 120.0,
    max_usd: Annotated[
        float | None, typer.Option(help="US dollars: the most that further draws, models and judges may cost.", min=0.0)
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file (TOML); see trope doctor.")] = None,
    guard_seconds: Annotated[float, typer.Option(help="Seconds a plan may take; then the prompt flows.")] = 10.0,
    check_seconds: Annotated[float, typer.Option(help="Seconds a look may take; then the picture flows.")] = 30.0,
    longest: Annotated[int, typer.Option(help="A prompt of more characters flows unguarded.")] = 20_000,
    picture_host: Annotated[
        list[str] | None, typer.Option(help="Another HOST or HOST:PORT that pictures may be fetched from, to look.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for the upstream. Default: as long as the client waits.")
    ] = None,
    ledger: Annotated[Path, typer.Option(help="File of the harm ledger.")] = LEDGER,
    keep_prompts: Annotated[bool, typer.Option("--keep-prompts", help="Store prompts in the ledger.")] = False,
) -> None:  # fmt: skip
    """A proxy for /v1/images/generations: guard, draw, look, draw again. Give its address to a client as base URL."""
    from trope.errors import UsageError
    from trope.flow import Budget
    from trope.flow.budget import read_prices
    from trope.proxy.eyes import instrument as made
    from trope.proxy.ledger import Ledger
    from trope.proxy.makers import model_of
    from trope.proxy.server import Proxy
    from trope.proxy.settings import Settings
    from trope.proxy.upstream import Upstream

    settings = Settings(
        renderer=renderer, check=check, tries=tries, seconds=seconds, guard_seconds=guard_seconds,
        check_seconds=check_seconds, longest=longest, lang=lang,
        context=None if context is None else _read(context), picture_hosts=split(picture_host),
    )  # fmt: skip
    instruments = [made(spec) for spec in split(instrument) or ("ssd",)] if check else []
    budget = Budget(max_usd, read_prices(prices or _price_file(), required=prices is not None))
    behind = Upstream(upstream, timeout)
    if port and behind.is_at(host, port):
        raise UsageError(f"--upstream {upstream!r} is the proxy itself. Expected: the address of the image server")
    with Ledger(ledger, keep_prompts=keep_prompts) as kept:
        proxy = Proxy(behind, settings, kept, model_of(by), instruments, budget)
        _serve(proxy, host, port)


def _serve(proxy: Any, host: str, port: int) -> None:
    import signal

    from trope.errors import TropeError
    from trope.proxy.server import serve as run

    def ready(url: str) -> None:
        print(f"{url} -> {proxy.upstream.base_url}", flush=True)
        where = "this machine" if host in ("127.0.0.1", "::1", "localhost") else f"whoever reaches {host}"
        typer.echo(f"guards requests of {where}; counts: {url.removesuffix('/v1')}/ledger; stop with Ctrl-C", err=True)

    async def until_told() -> None:
        task = asyncio.ensure_future(run(proxy, host, port, ready))
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends it less gently
            for name in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(name, task.cancel)
        await task

    try:
        asyncio.run(until_told())
    except asyncio.CancelledError:
        counts = proxy.ledger.counts()
        typer.echo(f"stopped after {counts['requests']} requests in all; trope guard ledger says more", err=True)
    except OSError as error:
        raise TropeError(f"cannot listen at {host}:{port}: {error.strerror or error}. Try another --port") from None


@guard.command("ledger")
def show_ledger(
    file: Annotated[Path, typer.Argument(help="The ledger.")] = LEDGER,
    as_json: AsJson = False,
) -> None:
    """Count what the proxy did: guarded, left alone, failed; vehicles drawn at first and in the end."""
    from trope.proxy.advice import dumped
    from trope.proxy.ledger import read_counts

    counts = read_counts(file)
    if as_json:
        print(dumped(counts))
        return
    for name, value in counts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in value.items())
        print(f"{name.replace('_', ' '):22} {'-' if value in (None, '') else value}")


@guard.command()
def skill() -> None:
    """Print SKILL.md: the guard for agents that read skills."""
    from trope.proxy.skill import skill as text_of

    print(text_of(), end="")


@guard.command()
def mcp(by: By = "rules", instrument: Instruments = None) -> None:
    """Serve the guard as MCP tools on standard input and output."""
    from trope.proxy.tool import tools

    tools(by, split(instrument) or ("ssd",)).run("stdio")


def _price_file() -> Path:
    from trope.cli.run import price_file

    return price_file()


def _read(path: Path, encoding: str | None = None) -> str:
    from trope.errors import UsageError

    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    return _decoded(data, str(path), "Save it as UTF-8", encoding)


def _decoded(data: bytes, name: str, advice: str, encoding: str | None) -> str:
    from trope.errors import UsageError
    from trope.items.encodings import decode

    text, _, findings = decode(data, name, encoding)
    if text is None:
        raise UsageError(f"{findings[0]}. {advice}".rstrip(". "))
    return text
