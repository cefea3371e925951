from __future__ import annotations

import asyncio
import gzip
import socket
import time
from typing import Any

import pytest

from tests.build.picture_server import picture, pictures_at
from trope.build.vmetaphor.addresses import PublicResolver, Refused, is_public, web_address
from trope.build.vmetaphor.fetch import Fetched, Fetcher, fetch_all, kind_of
from trope.build.vmetaphor.robots import read_robots

HERE = ("127.0.0.1",)


def fetched(*urls: str, allowed: tuple[str, ...] = HERE, **options: Any) -> dict[str, Fetched | Refused]:
    found: dict[str, Fetched | Refused] = {}

    async def go() -> None:
        async with Fetcher(allowed, **options) as fetcher:
            await fetch_all(urls, fetcher, found.__setitem__)

    asyncio.run(go())
    return found


def refusal(url: str, **options: Any) -> tuple[str, str]:
    (found,) = fetched(url, **options).values()
    assert isinstance(found, Refused), found
    return found.reason, str(found)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.9", "172.31.255.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "240.0.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
     "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::1", "64:ff9b::a00:1", "64:ff9b::7f00:1",
     "::7f00:1", "::ffff:0:7f00:1", "64:ff9b:1::7f00:1", "fec0::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1"],
)  # fmt: skip
def test_private_addresses_are_known_in_every_wrapping(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.org/a.png", "address"), ("file:///etc/passwd", "address"), ("a.png", "address"),
        ("http:///a.png", "address"), ("http://me:secret@example.org/a.png", "address"),
        ("http://example.org:port/a", "address"), ("http://[::1/a", "address"), ("javascript:alert(1)", "address"),
        ("http://10.0.0.1/a.png", "private-address"), ("http://[::1]/a.png", "private-address"),
        ("http://[::ffff:127.0.0.1]/a", "private-address"), ("http://169.254.169.254/latest", "private-address"),
        ("http://127.0.0.1:8080/a.png", "private-address"), ("http://127.1/a.png", "address"),
        ("http://2130706433/a.png", "address"), ("http://010.0.0.1/a.png", "address"),
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_asked_is_refused_unasked(url: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        web_address(url)
    assert refused.value.reason == reason


@pytest.mark.parametrize("host", ["localhost", "0x7f000001", "0x7f.1"])
def test_names_of_private_addresses_are_refused_when_looked_up(host: str) -> None:
    reason, why = refusal(f"http://{host}:1/a.png", allowed=())
    assert reason == "private-address", why


def test_one_private_address_among_several_refuses_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> Any:
        loop = asyncio.get_running_loop()

        async def both(host: str, port: int, **_: Any) -> Any:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("8.8.8.8", "10.0.0.1")]

        monkeypatch.setattr(loop, "getaddrinfo", both)
        return await PublicResolver().resolve("rebinding.example", 80)

    with pytest.raises(Refused, match="10.0.0.1"):
        asyncio.run(go())


@pytest.mark.parametrize("kind", ["png", "jpg", "gif", "webp"])
def test_pictures_are_known_by_their_first_bytes(kind: str) -> None:
    with pictures_at() as server:
        (found,) = fetched(f"{server.url}/blue.{kind}").values()
    assert isinstance(found, Fetched)
    assert found.kind == kind
    assert any(agent.startswith("trope/") for agent in server.agents)


def test_what_is_no_picture_or_too_much_is_refused_with_its_reason() -> None:
    with pictures_at() as server:
        found = {
            name: refusal(f"{server.url}/{name}", seconds=2.0)
            for name in ("gone.png", "page.jpg", "large.png", "endless.png", "zipped.png", "loop")
        }
        assert refusal(f"{server.url}/slow.png", seconds=0.3)[0] == "timeout"
    assert {name: reason for name, (reason, _) in found.items()} == {
        "gone.png": "http", "page.jpg": "no-picture", "large.png": "too-large", "endless.png": "too-large",
        "zipped.png": "encoding", "loop": "redirects",
    }  # fmt: skip
    assert "HTTP 404" in found["gone.png"][1]
    assert "is HTML, sent as image/jpeg" in found["page.jpg"][1]
    assert "30,000,000" in found["large.png"][1] and "says it has" in found["large.png"][1]
    assert "goes on after" in found["endless.png"][1]


@pytest.mark.parametrize(
    "target", ["http://10.0.0.1/a.png", "http://169.254.169.254/latest/meta-data", "http://[::1]/a.png",
               "//192.168.1.1/a.png", "file:///etc/passwd", "http://localhost:1/a.png", "http://user@8.8.8.8/a.png"],
)  # fmt: skip
def test_redirects_to_where_nobody_may_go_are_refused(target: str) -> None:
    with pictures_at() as server:
        reason, why = refusal(f"{server.url}/to/?place={target}", allowed=HERE)
    expected = {"http://localhost:1/a.png": {"private-address", "robots", "connection"}}
    assert reason in expected.get(target, {"private-address", "address"}), why


def test_redirects_to_where_one_may_go_are_followed_and_asked_for_leave_again() -> None:
    with pictures_at() as first, pictures_at("User-agent: *\nDisallow: /private") as second:
        places = [f"{first.url}/to/?place={second.url}/{path}" for path in ("green.png", "private/green.png")]
        found = fetched(*places)
        good, bad = (found[place] for place in places)
        assert isinstance(good, Fetched) and good.url == f"{second.url}/green.png"
        assert good.data == picture("green")
        assert isinstance(bad, Refused) and bad.reason == "robots"
        assert second.paths.count("/robots.txt") == 1  # once a host
        assert "/private/green.png" not in second.paths


@pytest.mark.parametrize(
    ("robots", "status", "permitted"),
    [
        ("", 200, True), ("", 404, True), ("", 403, True), ("", 500, False), ("", 503, False),
        ("User-agent: *\nDisallow: /", 200, False), ("User-agent: trope\nDisallow: /", 200, False),
        ("User-agent: trope\nAllow: /\n\nUser-agent: *\nDisallow: /", 200, True),
        ("User-agent: *\nCrawl-delay: 3600", 200, False), ("", 429, False),
    ],
)  # fmt: skip
def test_robots_txt_is_respected(robots: str, status: int, permitted: bool) -> None:
    with pictures_at(robots, status) as server:
        (found,) = fetched(f"{server.url}/red.png").values()
    assert isinstance(found, Fetched) is permitted
    assert ("/red.png" in server.paths) is permitted


def test_a_robots_txt_that_is_compressed_unasked_cannot_be_had() -> None:
    with pictures_at(gzip.compress(b"User-agent: *\nDisallow: /").decode("latin-1"), encoding="gzip") as server:
        assert refusal(f"{server.url}/red.png")[0] == "robots" and server.paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("rules", "permitted", "forbidden"),
    [
        ("Disallow: /*.png$", ("/a.png?x", "/a.jpg"), ("/a.png", "/b/c.png")),
        ("Disallow: /a*b", ("/a", "/cab"), ("/ab", "/axxb", "/a/b/c")),
        ("Disallow: /a$", ("/ab", "/"), ("/a",)),
        (
            "Disallow: /\nAllow: /public/",
            ("/public/a.png",),
            ("/a.png", "/public"),
        ),  # the longest decides, not the first
        ("Disallow: /p\nAllow: /p", ("/p/a.png",), ()),  # equally long: permitted
        ("Disallow:", ("/a",), ()),
        ("Disallow: /caf%c3%a9", ("/cafe",), ("/caf%C3%A9",)),
        ("Disallow: /café # a comment", ("/cafe",), ("/caf%C3%A9",)),
        ("Disallow: /%7Eann", ("/ann",), ("/~ann",)),
        ("Disallow: /*?*size=", ("/a?x=1",), ("/a?x=1&size=9", "/a?size=9")),
    ],
)
def test_patterns_of_robots_txt(rules: str, permitted: tuple[str, ...], forbidden: tuple[str, ...]) -> None:
    read = read_robots(f"User-Agent: *\n{rules}")
    assert [read.permit(path) for path in (*permitted, *forbidden)] == [True] * len(permitted) + [False] * len(
        forbidden
    )


@pytest.mark.parametrize(
    ("text", "permitted"),
    [
        ("User-agent: Trope/2.0\nDisallow: /", False),
        ("User-agent: tropes\nDisallow: /", True),  # somebody else
        ("User-agent: other\nUser-agent: TROPE\nDisallow: /", False),
        ("User-agent: trope\nDisallow: /b\n\nUser-agent: x\nDisallow: /\n\nUser-agent: trope\nDisallow: /a", False),
        ("User-agent: trope\nCrawl-delay: 0.5\n\nUser-agent: *\nDisallow: /", True),  # ours, and it forbids nothing
        ("User-agent: *\nCrawl-delay: 1\nSitemap: https://example.org/s\nDisallow: /", False),
        ("Disallow: /\n<html>:\nnonsense", True),  # of no group
    ],
)
def test_groups_of_robots_txt(text: str, permitted: bool) -> None:
    assert read_robots(text).permit("/a") is permitted


def test_a_pattern_made_to_take_forever_does_not() -> None:
    read = read_robots(f"User-agent: *\nDisallow: /{'*a' * 5000}b")
    assert read.permit("/" + "a" * 20_000)
    assert read_robots("User-agent: *\nCrawl-delay: 0.5").pause == 0.5


def test_pictures_that_wait_for_others_of_their_host_do_not_run_out_of_time() -> None:
    """Eight pictures of 0.3 s each, two at a time: 1.2 s in all, and a second for each."""
    with pictures_at() as server:
        found = fetched(*(f"{server.url}/late/{n}.png" for n in range(8)), seconds=1.0)
    assert all(isinstance(one, Fetched) for one in found.values()), found


def test_a_site_that_asks_for_pauses_gets_them() -> None:
    with pictures_at("User-agent: *\nCrawl-delay: 1") as server:
        begun = time.monotonic()
        found = fetched(*(f"{server.url}/{color}.png" for color in ("red", "blue")))
        assert time.monotonic() - begun > 0.9
    assert all(isinstance(one, Fetched) for one in found.values())


def test_without_the_override_this_machine_is_private() -> None:
    with pictures_at() as server:
        assert refusal(f"{server.url}/red.png", allowed=())[0] == "private-address"
        assert server.paths == []


def test_nothing_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert refusal(f"http://127.0.0.1:{port}/a.png")[0] == "robots"  # its robots.txt cannot be had


def test_short_and_empty_files_are_no_pictures() -> None:
    for data in (b"", b"\xff", b"GIF", b"%PDF-1.7"):
        with pytest.raises(Refused):
            kind_of(data)
