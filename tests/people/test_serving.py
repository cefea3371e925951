"""A study over HTTP: invitations, pages, answers in the store, undo, two tabs, and every attack we could think of."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.people.served import (
    Client,
    checked,
    command,
    copy_of,
    hidden,
    links,
    new_study,
    radios,
    serving,
    serving_afresh,
    study,
)
from trope.people.assignment import CHECK
from trope.people.design import StudyFolder
from trope.people.desk import Desk
from trope.people.tokens import Signer
from trope.store import Store


def records(folder: Path) -> list[tuple[str, str, str | None]]:
    with Store(folder / "trope-store") as store:
        return [
            (str(b), str(s), r)
            for b, s, r in store.database.query("SELECT backend, status, raw FROM records WHERE backend LIKE 'person:%' ORDER BY seq")
        ]  # fmt: skip


def answer(client: Client, path: str, letter: str) -> str:
    page = client.get(path)
    assert page.status == 200, page.text
    form = hidden(page.text) | {
        name: letter if letter in values else values[0] for name, values in radios(page.text).items()
    }
    done = client.post(path, form)
    assert done.status == 303, done.text
    return path


def test_two_raters_answer_everything_and_never_meet(folder: Path) -> None:
    invited = new_study(
        folder,
        "s",
        "--run",
        "run",
        "--raters",
        "anna,bob",
        "--per-output",
        "2",
        "--checks",
        "0.1",
        "--sample",
        "8",
        "--by",
        "lang",
    )
    with serving(folder, "s") as url:
        raters = {name: Client(url).enter(invited[name]) for name in ("anna", "bob")}
        seen: dict[str, list[str]] = {name: [] for name in raters}
        open_ = dict(raters)
        while open_:
            for name, client in list(open_.items()):
                path = client.next_page()
                if path is None:
                    del open_[name]
                    continue
                seen[name].append(answer(client, path, "A" if name == "anna" else "B"))
        assert len(seen["anna"]) == len(seen["bob"]) == len(set(seen["anna"])) == 9  # eight pictures, one check
        assert seen["anna"] != seen["bob"], "each rater has an order of their own"
        page = raters["bob"].get(seen["anna"][0])
        assert checked(page.text) == {"0.Q1": "B"}, "bob sees his own answer"
        done = raters["anna"].get("/")
        assert done.status == 200 and "that was all" in done.text
        boss = Client(url).enter(invited["coordinator"]).get("/coordinator")
        assert (
            boss.status == 200 and "9/9" in boss.text and "ICC(2,k)" in boss.text
        )  # agreement, now that there is some
    told = records(folder)
    assert len(told) == 18 and {s for _, s, _ in told} == {"ok"}
    assert sum(raw == "Q1: A" for who, _, raw in told if who == "person:anna") == 8
    status = study("status", "s", cwd=folder)
    assert "anna: 9 of 9 pages" in status and "checks" in status and "Agreement among raters" in status


def test_an_answer_is_what_a_run_with_this_person_would_read(folder: Path) -> None:
    invited = new_study(folder, "s", "--run", "run", "--raters", "anna")
    with serving(folder, "s") as url:
        client = Client(url).enter(invited["anna"])
        while (path := client.next_page()) is not None:
            answer(client, path, "B")
    again = command(
        "run", "simile", "--subject", "collage?size=192", "--strategy", "base", "--instrument", "person:anna,truth",
        "--items", "items.jsonl", "--name", "with-anna", cwd=folder,
    )  # fmt: skip
    assert "0 asked now" in again
    table = command("report", "with-anna", "--format", "csv", cwd=folder).splitlines()
    row = next(r for r in (Path(folder / table[0])).read_text("utf-8").splitlines() if "person:anna" in r)
    assert ",0.0" in row  # she saw no vehicle anywhere: Det is 0


def test_only_what_is_new_on_a_page_is_stored(folder: Path) -> None:
    new_study(folder, "s", "--run", "run", "--raters", "anna", "--call", "rate", "--together")
    with Store(folder / "trope-store") as store, contextlib.closing(Desk(StudyFolder.find(store, "s"))) as desk:
        anna = desk.rater("anna")
        page = next(page for page in map(partial(desk.page, anna), anna.queue) if len(page.tasks) > 1)
        replies = ["visible: 3\nfits: 3"] * len(page.tasks)

        def outcome() -> tuple[str, int]:
            revision = desk.standing(anna, page.id).revision
            came = asyncio.run(desk.answer(anna, page, replies, revision, {}))
            return came, desk.standing(anna, page.id).revision

        assert outcome() == ("stored", len(replies))
        replies[0] = "visible: 4\nfits: 3"
        assert outcome() == ("stored", len(replies) + 1)
        assert outcome() == ("same", len(replies) + 1)


def test_a_check_of_one_study_tells_nothing_of_another(folder: Path) -> None:
    keys = []
    for name in ("a", "b"):
        new_study(folder, name, "--run", "run", "--raters", "anna", "--checks", "0.5")
        with Store(folder / "trope-store") as store, contextlib.closing(Desk(StudyFolder.find(store, name))) as desk:
            found = desk.rater("anna").keys
            keys.append({key for page, of in found.items() if page.startswith(CHECK) for key in of})
    assert len(keys[0]) == len(keys[1]) == 11 and not keys[0] & keys[1]


def test_a_run_never_asks_a_person(folder: Path) -> None:
    said = command(
        "run", "simile", "--subject", "collage?size=192", "--instrument", "person:nobody", "--items", "items.jsonl",
        "--name", "x", cwd=folder, fails=True,
    )  # fmt: skip
    assert "cannot ask a person" in said
    assert not records(folder)


@pytest.fixture
def served(folder: Path):  # type: ignore[no-untyped-def]
    invited = new_study(
        folder, "s", "--run", "run", "--raters", "anna,bob", "--overlap", "2", "--sample", "10", "--by", "strategy"
    )
    with serving(folder, "s") as url:
        yield folder, url, invited


@pytest.fixture(scope="module")
def attacked(made_run: Path, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """One study for all attacks: none of them may leave an answer in it."""
    folder = copy_of(made_run, tmp_path_factory.mktemp("attacked"))
    new_study(
        folder, "s", "--run", "run", "--raters", "anna,bob", "--overlap", "2", "--sample", "10", "--by", "strategy"
    )
    with serving(folder, "s") as url:
        yield folder, url, lambda rater: links(study("invite", "s", rater, cwd=folder))[rater]


Attacked = tuple[Path, str, Callable[[str], str]]


def test_double_clicks_two_tabs_back_and_undo(served: tuple[Path, str, dict[str, str]]) -> None:
    folder, url, invited = served
    anna = Client(url).enter(invited["anna"])
    path = anna.next_page()
    assert path
    form = hidden(anna.get(path).text)
    first = anna.post(path, form | {"0.Q1": "A"})
    second = anna.post(path, form | {"0.Q1": "A"})  # a double click, or a request sent again after a lost connection
    assert (first.status, second.status) == (303, 303) and len(records(folder)) == 1
    clash = anna.post(path, form | {"0.Q1": "B"})  # a second tab, made before the first was sent
    assert clash.status == 409 and "Q1: A" in clash.text and "Q1: B" in clash.text and len(records(folder)) == 1
    token = re.search(r'name="form" value="([^"]+)"', clash.text)
    assert token
    assert anna.post(path, {"form": token[1], "active": "", "0.Q1": "B"}).status == 303
    assert [raw for _, _, raw in records(folder)] == ["Q1: A", "Q1: B"]  # superseded, not deleted
    again = hidden(anna.get(path).text) | {"0.Q1": "B"}
    assert anna.post(path, again).status == 303 and len(records(folder)) == 2  # saved once more as it stands
    back = anna.get(path)  # the back button
    assert checked(back.text) == {"0.Q1": "B"} and "already" not in back.text and "replaces your answer" in back.text
    undo = re.search(r'action="/undo"><input type="hidden" name="form" value="([^"]+)"', back.text)
    assert undo
    undone = anna.post("/undo", {"form": undo[1]})
    assert undone.to == path and records(folder)[-1][1] == "not_applicable"
    assert (
        anna.post("/undo", {"form": undo[1]}).status == 303 and len(records(folder)) == 3
    )  # a second click does nothing
    assert anna.next_page() == path  # it is open again
    assert checked(anna.get(path).text) == {"0.Q1": "B"}  # and filled in as it was
    assert anna.post(path, hidden(anna.get(path).text) | {"0.Q1": "C"}).status == 303
    assert anna.next_page() != path


def test_breaks_and_resume_across_a_restart(folder: Path) -> None:
    invited = new_study(folder, "s", "--run", "run", "--raters", "anna")
    with serving(folder, "s") as url:
        anna = Client(url).enter(invited["anna"])
        first = anna.next_page()
        assert first
        answer(anna, first, "A")
        second = anna.next_page()
        assert second
        token = re.search(r'action="/break"><input type="hidden" name="form" value="([^"]+)"', anna.get(second).text)
        assert token
        paused = anna.post("/break", {"form": token[1]})
        assert "having a break" in paused.text
        resume = re.search(r'name="form" value="([^"]+)"', paused.text)
        assert resume
        assert anna.post("/resume", {"form": resume[1]}).to == "/"
        anna.close()
    with serving(folder, "s") as url:
        anna.url, anna.connection = url, None
        assert anna.next_page() == second  # the same session, the same place
    assert "1 of 22 pages" in study("status", "s", cwd=folder)


def test_links_are_for_one_browser_and_can_be_withdrawn(served: tuple[Path, str, dict[str, str]]) -> None:
    folder, url, invited = served
    anna = Client(url).enter(invited["anna"])
    assert anna.get(invited["anna"]).status == 200 and anna.post(invited["anna"], {}).status == 303  # her own browser
    other = Client(url)
    refused = other.post(invited["anna"], {})
    assert refused.status == 403 and "another browser" in refused.text and not other.cookies
    link = links(study("invite", "s", "anna", cwd=folder))["anna"]
    assert Client(url).enter(link).next_page() == anna.next_page()  # a new link goes on where she was
    assert "2 links of anna withdrawn" in study("revoke", "s", "anna", cwd=folder)
    assert anna.get("/").status == 403 and "withdrawn" in Client(url).get(link).text
    assert Client(url).enter(invited["bob"]).next_page()  # the others go on
    zoe = Client(url, {"trope-lang": "ar"}).enter(links(study("invite", "s", "zoe", cwd=folder))["zoe"])
    path = zoe.next_page()  # one who came while the server runs keeps the language of the first page
    assert path and 'dir="rtl"' in zoe.get(path).text


def test_forged_expired_and_foreign_tokens(attacked: Attacked) -> None:
    folder, url, invited = attacked
    stranger = Client(url)
    token = invited("anna").removeprefix("/i/")
    body, mac = token.split(".")
    elsewhere = Signer(folder / "another-secret").sign("invite", {"study": "s", "nonce": "0" * 32})
    with Store(folder / "trope-store") as store:
        own = Signer(StudyFolder.find(store, "s").folder / "secret")
    late = own.sign("invite", {"study": "s", "nonce": "0" * 32}, expires=time.time() - 1)
    unknown = own.sign("invite", {"study": "s", "nonce": "0" * 32})
    bad = [
        body,
        f"{body}.{mac[:-2]}",
        f"{body[:-3]}.{mac}",
        f"{mac}.{body}",
        "x",
        "%00",
        "a" * 9000,
        elsewhere,
        unknown,
    ]
    for token in bad:
        assert stranger.get(f"/i/{token}").status == 403 or len(token) > 5000, token[:40]
    assert "expired" in stranger.get(f"/i/{late}").text
    for kind in ("session", "form", "undo"):  # a token of another kind is none
        assert stranger.get(f"/i/{own.sign(kind, {'study': 's', 'nonce': '0' * 32})}").status == 403
    stranger.cookies["trope-s"] = own.sign("invite", {"n": "0" * 32, "s": "x"})
    assert stranger.get("/").status == 403
    assert not records(folder)


def test_nobody_reaches_what_is_another_raters(attacked: Attacked) -> None:
    folder, url, invited = attacked
    anna, bob = (Client(url).enter(invited(name)) for name in ("anna", "bob"))
    with Store(folder / "trope-store") as store:
        with contextlib.closing(Desk(StudyFolder.find(store, "s"))) as desk:
            queues = {name: rater.queue for name, rater in desk.raters.items()}
    (hers, *_) = sorted(set(queues["anna"]) - set(queues["bob"]))
    assert bob.get(f"/p/{hers}").status == bob.get("/p/nothing").status == 404
    assert bob.get(f"/p/{hers}").text == bob.get("/p/0000000000000000").text.replace("0000000000000000", hers)
    assert bob.get(f"/picture/{hers}/0").status == 404
    form = hidden(anna.get(f"/p/{hers}").text) | {"0.Q1": "A"}
    assert bob.post(f"/p/{hers}", form).status == 404
    shared = next(iter(set(queues["anna"]) & set(queues["bob"])))
    stolen = hidden(anna.get(f"/p/{shared}").text) | {"0.Q1": "A"}
    assert bob.post(f"/p/{shared}", stolen).status == 403  # a page of his own, but a form that was made for her
    assert anna.get("/coordinator").status == anna.get("/coordinator/answers.csv").status == 403
    assert Client(url).get(f"/p/{shared}").status == 403
    assert not records(folder)


def test_posts_from_elsewhere_are_refused(attacked: Attacked) -> None:
    folder, url, invited = attacked
    anna = Client(url).enter(invited("anna"))
    path = anna.next_page()
    assert path
    form = hidden(anna.get(path).text) | {"0.Q1": "A"}
    assert anna.post(path, form, origin="https://evil.example").status == 403
    assert anna.post(path, form, origin="null").status == 403
    assert anna.post(path, {"0.Q1": "A"}).status == 403  # no token
    assert anna.post(path, form | {"0.Q9": "A"}).status == 400
    assert anna.post(path, form | {"0.Q1": "D"}).status == 422
    assert anna.post(path, hidden(anna.get(path).text)).status == 422  # nothing chosen
    assert anna.post(path, b"\xff\xfe=1").status == 400
    assert anna.post(path, b"form=1&form=2").status == 400
    assert anna.post(path, b"{}", content_type="application/json").status == 415
    assert anna.post(path, b"x", content_type="multipart/form-data; boundary=x").status == 415
    assert anna.ask("PUT", path, form).status == 405
    assert Client(url).get("/", host="evil.example").status == 421  # DNS rebinding
    assert Client(url).get("/", host="[::1").status == 421
    assert anna.post(path, form, origin="http://[::1").status == 403
    assert anna.post("/lang", {"lang": "ar", "back": "//evil.example"}).to == "/"
    assert not records(folder)
    kept = anna.get(path).headers
    assert "default-src 'none'" in kept["content-security-policy"] and kept["x-content-type-options"] == "nosniff"
    assert kept["cache-control"] == "no-store" and "frame-ancestors 'none'" in kept["content-security-policy"]


def test_a_form_of_ten_megabytes_is_refused(attacked: Attacked) -> None:
    folder, url, invited = attacked
    anna = Client(url).enter(invited("anna"))
    path = anna.next_page()
    assert path
    large = b"form=" + b"x" * 10_000_000
    try:
        assert anna.post(path, large).status == 413
    except OSError:
        pass  # the server closed before it had read all of it
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)

    def chunks():  # type: ignore[no-untyped-def]
        for _ in range(10):
            yield b"x" * 1_000_000

    cookie = "; ".join(f"{k}={v}" for k, v in anna.cookies.items())
    try:
        connection.request("POST", path, chunks(), {"content-type": "application/x-www-form-urlencoded", "cookie": cookie, "origin": url})  # fmt: skip
        assert connection.getresponse().status == 413
    except OSError:
        pass
    connection.close()
    anna.connection = None
    assert anna.next_page() == path and not records(folder)


def test_whoever_hangs_up_within_a_form_leaves_no_trace(attacked: Attacked) -> None:
    folder, url, invited = attacked
    anna = Client(url).enter(invited("anna"))
    path = anna.next_page()
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
    connection.putrequest("POST", str(path))
    cookie = "; ".join(f"{k}={v}" for k, v in anna.cookies.items())
    form = {"content-type": "application/x-www-form-urlencoded", "content-length": "90", "cookie": cookie}
    for name, value in form.items():
        connection.putheader(name, value)
    connection.endheaders(b"form=x")
    connection.close()
    assert anna.next_page() == path and not records(folder)  # and the log has no traceback, see `serving`


def test_pictures_only_by_page_and_place(attacked: Attacked) -> None:
    folder, url, invited = attacked
    anna = Client(url).enter(invited("anna"))
    path = anna.next_page()
    assert path
    page = anna.get(path)
    source = re.search(r'<img src="(/picture/[^"]+)"', page.text)
    assert source
    got = anna.get(source[1])
    assert got.status == 200 and got.body.startswith((b"\x89PNG", b"\xff\xd8"))
    stem = source[1].partition("?")[0].rpartition("/")[0]
    for trick in (
        "1",
        "-1",
        "00000",
        "..",
        "%2e%2e%2fobservations.sqlite",
        "..%2f..%2fsecret",
        "0/../../../secret",
        "٠",
        "0%00.png",
    ):
        assert anna.get(
            f"{stem}/{trick.encode('utf-8').decode('latin-1') if trick.isascii() else '%D9%A0'}"
        ).status in (404, 403), trick
    for place in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/base.html",
        "/static/..%2fapp.py",
        "/secret",
        "/study.toml",
    ):
        assert anna.get(place).status == 404, place
    assert Client(url).get(source[1]).status == 403
    for telling in ("collage", "guard", "anti_hallucination", "ssd"):
        assert telling not in page.text  # blind


def test_what_items_say_is_text_whatever_it_holds(folder: Path) -> None:
    invited = new_study(folder, "s", "--run", "run", "--raters", "anna", "--call", "sentence,rate", "--together")
    with serving(folder, "s") as url:
        anna = Client(url).enter(invited["anna"])
        shown = []
        while (path := anna.next_page()) is not None:
            page = anna.get(path)
            shown.append(page.text)
            form = hidden(page.text) | {name: "3" for name in radios(page.text)}
            assert anna.post(path, form).status == 303
        assert not any("<img src=x" in text for text in shown)
        assert sum("&lt;img src=x" in text for text in shown) == 2
    said = records(folder)
    assert sum(raw == "apt: 3" for _, _, raw in said) == 8
    assert sum(raw == "visible: 3\nfits: 3" for _, _, raw in said) >= 8  # one a picture, though a page holds several


def test_pictures_side_by_side_stand_in_an_order_of_each_raters_own(folder: Path) -> None:
    invited = new_study(
        folder, "s", "--run", "run", "--raters", "anna,bob", "--per-output", "2", "--call", "rate", "--together"
    )
    seen: dict[str, dict[str, list[bytes]]] = {"anna": {}, "bob": {}}
    with serving(folder, "s") as url:
        for who, pages in seen.items():
            client = Client(url).enter(invited[who])
            while (path := client.next_page()) is not None:
                page = client.get(path)
                found = re.findall(r'<img src="(/picture/[^"]+)"', page.text)
                pages[path] = [client.get(source).body for source in found]
                rated = hidden(page.text) | {name: "3" for name in radios(page.text)}
                assert client.post(path, rated).status == 303
    anna, bob = seen["anna"], seen["bob"]
    assert anna.keys() == bob.keys() and max(map(len, anna.values())) == 3
    assert all(sorted(anna[path]) == sorted(bob[path]) for path in anna)
    assert any(anna[path] != bob[path] for path in anna)


def test_outside_this_machine_tokens_are_insisted_on(folder: Path) -> None:
    new_study(folder, "s", "--run", "run", "--raters", "anna")
    assert "--no-tokens" in study(
        "serve", "s", "--host", "0.0.0.0", "--port", "0", "--no-tokens", cwd=folder, fails=True
    )
    assert "--no-tokens" in study("serve", "s", "--url", "https://x.org", "--no-tokens", cwd=folder, fails=True)
    with serving_afresh(folder, "s", "--no-tokens") as url:
        assert url.startswith("http://127.0.0.1:")
        anna = Client(url)
        assert "anna" in anna.get("/").text
        assert anna.post("/as", {"rater": "zoe"}).status == 403
        assert anna.post("/as", {"rater": "anna"}).status == 303 and anna.next_page()
        assert "another process" in study("serve", "s", "--port", "0", cwd=folder, fails=True)


def test_the_coordinator_sees_progress_and_takes_answers_out(served: tuple[Path, str, dict[str, str]]) -> None:
    folder, url, invited = served
    boss = Client(url).enter(invited["coordinator"])
    anna = Client(url).enter(invited["anna"])
    path = anna.next_page()
    assert path
    answer(anna, path, "A")
    page = boss.get(boss.get("/").to)
    assert page.status == 200 and "1/" in page.text and "Agreement among raters" in page.text
    table = boss.get("/coordinator/answers.csv")
    assert "person" not in table.text and "anna" in table.text and "Q1: A" in table.text
    token = re.search(r'name="form" value="([^"]+)"', page.text)
    assert token
    made = boss.post("/coordinator/invite", {"form": token[1], "rater": "anna"})
    link = re.search(r"<code>https?://[^/]+(/i/[^<]+)</code>", made.text)
    assert link and Client(url).enter(link[1]).next_page()
    assert boss.post("/coordinator/revoke", {"form": token[1], "rater": "anna"}).status == 200
    assert anna.get("/").status == 403
    assert boss.post("/coordinator/revoke", {"rater": "bob"}).status == 403
    again = links(study("invite", "s", "coordinator", cwd=folder))["coordinator"]
    assert Client(url).enter(again).get("/coordinator").status == 200
