"""Every page in a real browser: English and Arabic, two raters at once, and all that goes wrong on a real desk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.people.served import NASTY, items, new_study, serving, study
from tests.people.test_pairs import left_to_people
from trope.items import dump_items, read_items
from trope.protocols.m3r.labels import Labels, gold
from trope.store import Store

pytestmark = pytest.mark.browser
ARGS = [
    "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--no-zygote", "--disable-extensions",
    "--renderer-process-limit=1", "--disable-features=site-per-process",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n)))
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield started
        started.close()


@pytest.fixture
def enter(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open an invitation in a browser of its own, in a language; anything on the console fails the test."""
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def noted(text: str) -> None:
        if not any(known in text for known in ("ERR_INTERNET_DISCONNECTED", "status of 4")):  # what the test causes
            trouble.append(text)

    def start(url: str, link: str, lang: str = "en", width: int = 1280) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: noted(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: trouble.append(str(e)))
        page.goto(url + link)
        if lang != "en":
            page.select_option("select[name=lang]", lang)
            page.click(".lang button")
            expect(page.locator("html")).to_have_attribute("lang", lang)
        page.click("main button")
        ready(page)
        return page

    yield start
    for context in contexts:
        context.close()
    assert not trouble


def said(folder: Path, who: str = "person:%") -> list[tuple[str, str, str | None]]:
    with Store(folder / "trope-store") as store:
        rows = store.database.query(
            "SELECT backend, status, raw FROM records WHERE backend LIKE ? ORDER BY seq", (who,)
        )
    return [(str(b), str(s), r) for b, s, r in rows]


def path_of(page: Page) -> str:
    return page.url.partition("/p/")[2]


def ready(page: Page) -> None:
    """A question is shown and its script, which is deferred, has run: before that a key is pressed for nobody."""
    page.wait_for_selector("#answer")
    page.wait_for_load_state()


def move_on(page: Page) -> None:
    before = page.url
    page.click("#go")
    page.wait_for_url(lambda url: url != before)


def labelled(page: Page) -> None:
    """Every control has a name for a screen reader, every picture an alternative, and nothing scrolls sideways."""
    named = """[...document.querySelectorAll('select, input:not([type=hidden]), textarea, button')]
      .every(e => e.ariaHidden === 'true' || e.labels?.length || e.textContent.trim() || e.ariaLabel)"""
    assert page.evaluate(named)
    assert page.evaluate("[...document.querySelectorAll('img')].every(i => i.alt)")
    assert page.evaluate(
        "[...document.querySelectorAll('fieldset')].every(f => f.querySelector('legend').textContent.trim())"
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


def test_two_raters_at_once_in_two_languages(folder: Path, enter: Callable[..., Page], tmp_path: Path) -> None:
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
        "0.25",
        "--sample",
        "4",
        "--by",
        "lang",
    )
    with serving(folder, "s") as url:
        anna, bob = enter(url, invited["anna"]), enter(url, invited["bob"], "ar", 390)
        assert bob.evaluate("document.dir") == "rtl" and bob.evaluate("document.documentElement.lang") == "ar"
        first = path_of(bob)
        bob.evaluate("document.querySelector('img')?.complete")
        for count in range(5):  # four pictures, a check
            for page, letter in ((anna, "A"), (bob, "B")):
                ready(page)
                labelled(page)
                page.keyboard.press(letter)  # the keyboard alone
                assert page.evaluate("document.activeElement.id") == "go"
                before = page.url
                page.keyboard.press("Enter")
                page.wait_for_url(lambda url, before=before: url != before)
            if count == 2:
                page.reload()
        assert "all" in anna.locator("h1").inner_text() and bob.locator("h1").inner_text().startswith("شكر")
        bob.goto(f"{url}/p/{first}")
        assert bob.locator("input:checked").get_attribute("value") == "B"  # his, though anna said A
    assert len(said(folder, "person:anna")) == len(said(folder, "person:bob")) == 5
    assert {raw for _, _, raw in said(folder, "person:bob")} == {"Q1: B", "check: B"}


def test_what_goes_wrong_on_a_real_desk(folder: Path, enter: Callable[..., Page]) -> None:
    invited = new_study(folder, "s", "--run", "run", "--raters", "anna")
    with serving(folder, "s") as url:
        page = enter(url, invited["anna"])
        first = path_of(page)
        page.check("input[value=C]")
        page.reload()  # in the middle: what was chosen is still chosen, and not sent
        assert page.locator("input:checked").get_attribute("value") == "C" and not said(folder)
        page.dblclick("#go")
        page.wait_for_url(lambda url: first not in url)
        ready(page)
        assert [raw for *_, raw in said(folder)] == ["Q1: C"]
        second = path_of(page)

        page.context.set_offline(True)  # a lost connection
        page.check("input[value=B]")
        page.click("#go")
        page.wait_for_selector("#offline:not([hidden])")
        assert len(said(folder)) == 1
        page.context.set_offline(False)
        page.wait_for_url(lambda url: second not in url, timeout=20_000)
        assert [raw for *_, raw in said(folder)] == ["Q1: C", "Q1: B"]

        page.go_back()  # the back button, and another opinion
        ready(page)
        assert path_of(page) == second and page.locator("input:checked").get_attribute("value") == "B"
        page.check("input[value=A]")
        page.click("#go")
        page.wait_for_url(lambda url: second not in url)
        assert [raw for *_, raw in said(folder)] == ["Q1: C", "Q1: B", "Q1: A"]

        ready(page)
        third = path_of(page)
        other = page.context.new_page()  # two tabs on one page
        other.goto(page.url)
        page.check("input[value=A]")
        page.click("#go")
        page.wait_for_url(lambda url: third not in url)
        other.check("input[value=B]")
        other.click("#go")
        other.wait_for_selector("pre")
        assert [t.strip() for t in other.locator("pre").all_inner_texts()] == ["Q1: A", "Q1: B"]
        assert len(said(folder)) == 4
        other.click("a.button")  # keep what is stored
        ready(other)
        assert len(said(folder)) == 4

        page.click("text=Undo my last answer")
        page.wait_for_selector(".notice")
        assert path_of(page) == third and page.locator("input:checked").get_attribute("value") == "A"
        assert said(folder)[-1][1] == "not_applicable"
        page.click("#go")
        page.wait_for_url(lambda url: third not in url)
        page.click("text=Take a break")
        expect(page.locator("h1")).to_contain_text("break")
        page.click("main button")
        ready(page)
        assert path_of(page) not in (first, second, third)
    events = [what for _, _, what in ((r, d, w) for r, w, d, _ in _events(folder))]
    assert events[:3] == ["start", "break", "resume"]


def _events(folder: Path) -> list[Any]:
    from trope.people.book import Book

    book = Book(folder / "trope-store" / "studies" / "s" / "study.sqlite")
    found = book.events()
    book.close()
    return found


@pytest.mark.slow  # by HTTP in test_serving
def test_pictures_side_by_side_are_blind_and_permuted(folder: Path, enter: Callable[..., Page], tmp_path: Path) -> None:
    invited = new_study(
        folder, "s", "--run", "run", "--raters", "anna,bob", "--per-output", "2", "--call", "rate", "--together",
        "--sample", "3", "--by", "lang",
    )  # fmt: skip
    with serving(folder, "s") as url:
        orders = {}
        for who, lang, width in (("anna", "en", 390), ("bob", "ar", 1280)):
            page = enter(url, invited[who], lang, width)
            shown: dict[str, list[str]] = {}
            for _ in range(3):
                ready(page)
                labelled(page)
                text = page.locator(".sentence p").inner_text()
                digests = page.evaluate(
                    """async () => { const out = []; for (const i of document.querySelectorAll('.picture img')) {
                    const b = await (await fetch(i.src)).arrayBuffer();
                    let h = 0; for (const x of new Uint8Array(b)) h = (h * 31 + x) | 0; out.push(String(h)); } return out; }"""
                )
                shown[text] = digests
                for group in page.locator("fieldset").all():
                    group.locator("input").nth(2).check()
                move_on(page)
            orders[who] = shown
            assert any(text.startswith("الغيوم") for text in shown)
        assert orders["anna"].keys() == orders["bob"].keys()
        assert all(sorted(orders["anna"][t]) == sorted(orders["bob"][t]) for t in orders["anna"])
        assert orders["anna"] != orders["bob"]
    assert {raw for *_, raw in said(folder)} == {"visible: 3\nfits: 3"}


def test_an_item_is_verified_edited_and_rejected(folder: Path, enter: Callable[..., Page], tmp_path: Path) -> None:
    sources = [item for item in items() if item.id in ("i-cat", "i-dog", "i-bus", "arabic")]
    (folder / "to-verify.jsonl").write_text(dump_items(sources), "utf-8")
    for n, ground in enumerate(("it curls", NASTY)):
        figures = [item.figures[0].model_copy(update={"ground": ground, "form": "metaphor"}) for item in sources]
        changed = [item.model_copy(update={"figures": (f,)}) for item, f in zip(sources, figures, strict=True)]
        (folder / f"p{n}.jsonl").write_text(dump_items(changed), "utf-8")
    invited = new_study(
        folder, "v", "--verify", "to-verify.jsonl", "--proposals", "p0.jsonl", "--proposals", "p1.jsonl", "--raters", "anna",
    )  # fmt: skip
    with serving(folder, "v") as url:
        page = enter(url, invited["anna"], "en")
        done: dict[str, str] = {}
        for decision in ("accept", "use", "edit", "reject"):
            ready(page)
            labelled(page)
            text = page.locator("textarea").first.input_value()
            done[text] = decision
            assert page.locator(".differs").count() == 2 and page.locator("img[src=x]").count() == 0
            if decision == "use":
                page.locator("button.use").first.click()
                assert page.locator("input:checked").get_attribute("value").startswith("take-")  # type: ignore[union-attr]
            elif decision == "edit":
                page.fill("#\\30 -figures-0-tenor", "mist")
                assert page.locator("input:checked").get_attribute("value") == "edit"
                page.set_viewport_size({"width": 390, "height": 844})
                labelled(page)
                page.set_viewport_size({"width": 1280, "height": 844})
            else:
                page.check(f"input[value={decision}]")
            move_on(page)
    out = study("export", "v", "--format", "items", "--out", "verified.jsonl", cwd=folder)
    assert "verified.jsonl" in out
    verified = {item.text: item for item in read_items(folder / "verified.jsonl")}
    assert len(verified) == 3 and all(item.verified_by == ("anna",) for item in verified.values())
    for text, decision in done.items():
        if decision == "reject":
            assert text not in verified
        elif decision == "use":
            assert (
                verified[text].figures[0].ground in ("it curls", NASTY) and verified[text].figures[0].form == "metaphor"
            )
        elif decision == "edit":
            assert verified[text].figures[0].tenor == "mist"


def test_a_pair_is_labeled_beside_what_annotators_said(tmp_path: Path, enter: Callable[..., Page]) -> None:
    """One proposal is taken, one completed, an item nobody annotated labeled by hand; what cannot stand comes back."""
    invited = new_study(tmp_path, "lab", *left_to_people(tmp_path), "--raters", "anna")
    field = "#\\30 -{}".format
    with serving(tmp_path, "lab") as url:
        page = enter(url, invited["anna"], "ar", width=390)
        for _ in range(3):
            ready(page)
            labelled(page)
            assert page.locator("input[value=accept]").count() == 0 and page.locator("a.picture img").count() == 1
            text = page.input_value(field("text"))
            if "apart" in text:
                assert page.locator("tr.differs").count() == 4
                page.locator("td[data-value=Negative]").scroll_into_view_if_needed()
                number = page.locator("td[data-value=Negative]").get_attribute("data-proposal")
                page.click(f"button[data-use='{number}']")
                assert page.input_value(field("figures-0-vehicle")) == "river"
            elif "half" in text:
                assert page.locator("tr.differs").count() == 1
                number = page.locator("tr:has(select[name='0.labels.sentiment']) td[data-value='']").get_attribute(
                    "data-proposal"
                )
                page.click(f"button[data-use='{number}']")
                page.fill(field("reason"), "لم يُذكر")
                page.click("#go")
                page.wait_for_selector("#errors")
                ready(page)
                expect(page.locator("#errors")).to_contain_text("الشعور ناقص")
                assert page.input_value(field("reason")) == "لم يُذكر"
                assert page.input_value(field("figures-0-tenor")) == "time"
                page.select_option(field("labels-sentiment"), "Positive")
                assert page.locator("input:checked").get_attribute("value") == "edit"
            else:
                assert page.locator("button.use").count() == 0
                page.select_option(field("labels-metaphor"), "No")
                page.select_option(field("labels-sentiment"), "Neutral")
            move_on(page)
    study("export", "lab", "--format", "items", "--out", "labeled.jsonl", cwd=tmp_path)
    found = {item.id: item for item in read_items(tmp_path / "labeled.jsonl")}
    assert gold(found["apart"]) == Labels("Yes", "time", "river", "Negative")
    assert gold(found["half"]) == Labels("Yes", "time", "river", "Positive")
    assert gold(found["silent"]) == Labels("No", "None", "None", "Neutral")


def test_an_adjudicator_sees_what_raters_said_without_names(folder: Path, enter: Callable[..., Page]) -> None:
    invited = new_study(
        folder, "s", "--run", "run", "--raters", "anna,bob", "--overlap", "2", "--sample", "2", "--by", "lang"
    )
    blank = study("export", "s", "--format", "blank", cwd=folder)
    rows = blank.splitlines()
    filled = [rows[0], *(row.rstrip(",") + ("," + ("A" if row.startswith("anna") else "B")) for row in rows[1:])]
    (folder / "filled.csv").write_text("\n".join(filled), "utf-8")
    assert "4 answers stored" in study("import", "s", "filled.csv", cwd=folder)
    assert invited
    third = new_study(folder, "j", "--adjudicate", "s", "--raters", "judy")
    with serving(folder, "j") as url:
        page = enter(url, third["judy"], "ar")
        for _ in range(2):
            ready(page)
            labelled(page)
            shown = page.locator(".said").inner_text()
            assert "A." in shown and "B." in shown and "anna" not in page.content() and "bob" not in page.content()
            page.check("input[value=A]")
            move_on(page)
    assert said(folder, "person:judy%") == [("person:judy?role=adjudicator", "ok", "Q1: A")] * 2
