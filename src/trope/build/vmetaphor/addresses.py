"""Which addresses may be connected to: public ones, looked up once, checked, and connected to as checked."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from typing import TYPE_CHECKING

from aiohttp.abc import AbstractResolver
from yarl import URL

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")  # all that is given out of IPv6
_DOCUMENTATION = ipaddress.ip_network("3fff::/20")  # which older Pythons do not know


class Refused(Exception):
    """An address that is not fetched from, and why: ``reason`` in few words, ``str()`` in full."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, whatever it is wrapped in.

    Private, loopback, link-local, site-local, shared, multicast and reserved ones do not; an IPv6 address that carries
    an IPv4 one (mapped, 6to4, Teredo, NAT64) is as public as that.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in _NAT64:
            inner.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        carried = [inside for inside in inner if inside is not None]
        if carried:
            return all(is_public(str(inside)) for inside in carried)
        if ip not in _UNICAST or ip in _DOCUMENTATION:
            return False
    return ip.is_global and not ip.is_multicast


def web_address(text: str, allowed: Collection[str] = ()) -> URL:
    """The address as the client will read it, refused if it is none or names a private IP address itself.

    Parameters
    ----------
    allowed : IP addresses that count as public, for tests on this machine.

    Raises
    ------
    Refused : another scheme, a user name or password, no host, a private IP address.
    """
    try:
        url = URL(text.strip())
        host = url.host
    except ValueError as error:
        raise Refused("address", f"no web address: {error}") from None
    if url.scheme not in ("http", "https") or not host:
        raise Refused("address", f"no web address: expected http:// or https:// and a host, got {text[:200]!r}")
    if url.user is not None or url.password is not None:
        raise Refused("address", "the address holds a user name or a password")
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        if ":" in host or host.replace(".", "").isdigit():  # 127.1, 2130706433: clients may connect without a look-up
            raise Refused("address", f"{host!r} is an IP address in an odd spelling") from None
        return url  # a name: the resolver checks what it stands for
    _require_public(host, host, allowed)
    return url


def _require_public(address: str, host: str, allowed: Collection[str]) -> None:
    if address not in allowed and not is_public(address):
        said = f" (of {host})" if host != address else ""
        raise Refused("private-address", f"{address}{said} is no address of the public internet")


class PublicResolver(AbstractResolver):
    """Looks names up and hands on public addresses only, which is where the connection then goes.

    One private address among several refuses the name: a name that changes between two look-ups (rebinding)
    gets no second one.
    """

    def __init__(self, allowed: Collection[str] = ()) -> None:
        self._allowed = frozenset(allowed)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host; raises `Refused` if any is not public, `OSError` if there is none."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        results: list[ResolveResult] = []
        for kind, _, proto, _, place in found:
            address = str(place[0])
            _require_public(address, host, self._allowed)
            results.append({
                "hostname": host, "host": address, "port": port, "family": kind, "proto": proto,
                "flags": socket.AI_NUMERICHOST,
            })  # fmt: skip
        return results

    async def close(self) -> None:
        """Nothing to let go of."""
