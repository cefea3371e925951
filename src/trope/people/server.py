"""Serving a study: one process a study, on this machine only unless told otherwise."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from trope.errors import MissingExtra, UsageError
from trope.people.design import StudyFolder

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


def is_local(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    study: StudyFolder,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    tokens: bool = True,
    url: str | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Serve a study until it is stopped.

    Parameters
    ----------
    host, url : an address beyond this machine, in either, needs ``tokens``.
    url : how raters reach the server (behind a proxy that speaks https, say); default from host and port.
    tell : called with each line a user should read, once the server answers.

    Raises
    ------
    UsageError : no tokens beyond this machine; the study is served already; the port is taken.
    MissingExtra : fastapi or uvicorn is not installed.
    """
    local = is_local(host)
    for option, reached in (("--host", host), ("--url", urlsplit(url).hostname if url else None)):
        if not tokens and reached is not None and not is_local(reached):
            raise UsageError(
                f"{option} {reached}: whoever reaches this address could answer for anybody. Leave out --no-tokens"
            )
    try:
        import uvicorn  # noqa: F401

        from trope.people.app import make_app
    except ModuleNotFoundError as missing:
        raise MissingExtra("trope study serve", missing.name or "fastapi", "people") from None
    from trope.people.desk import Desk
    from trope.people.tokens import Signer

    with _alone(study), contextlib.closing(Desk(study)) as desk:
        signer = Signer(study.folder / "secret")
        names = LOCAL | {host} if local and url is None else None
        app = make_app(desk, signer, open_=not tokens, hosts=names, origin=url)
        _run(app, host, port, lambda at: tell(f"serving {study.name!r} at {url or at}"))


def _run(app: object, host: str, port: int, started: Callable[[str], None]) -> None:
    """Serve an application, and say where once it answers."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                at, chosen = self.servers[0].sockets[0].getsockname()[:2]
                started(f"http://[{at}]:{chosen}" if ":" in at else f"http://{at}:{chosen}")

    config: Any = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False, server_header=False)
    Server(config).run()


@contextlib.contextmanager
def _alone(study: StudyFolder) -> Iterator[None]:
    """Hold the study for this process; two servers would not know of each other's forms."""
    try:
        import fcntl
    except ImportError:  # Windows: the port keeps a second server away
        yield
        return
    with (study.folder / ".serving").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"study {study.name!r} is being served by another process. Stop that one first") from None
        yield
