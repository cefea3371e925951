"""The report in a real browser, from file://, with no network: light and dark, desk and phone, keyboard alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import simile, trope
from trope.items import dump_items
from trope.nouns import Figure, Item

pytestmark = pytest.mark.browser
NASTY = '</script><img src=x onerror="document.title=1"> like a cat'


def _items() -> list[Item]:
    made = [simile(f"i-{v}", v) for v in ("cat", "dog", "bus", "kite", "vase")]
    made.append(simile("nasty", "cat", text=NASTY))
    arabic = Figure(tenor="الغيوم", vehicle="قطة", vehicle_class="cat", spans={"vehicle": (17, 20)})  # type: ignore[arg-type]
    made.append(Item(id="arabic", lang="ar", text="الغيوم فوق التل قطة نائمة.", figures=(arabic,)))
    emoji = Figure(tenor="雲", vehicle="cat", vehicle_class="cat", spans={"vehicle": (4, 7)})  # type: ignore[arg-type]
    made.append(Item(id="emoji", lang="zh", text="😀云像一cat。", figures=(emoji,)))
    return made


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "items.jsonl").write_text(dump_items(_items()), "utf-8")
    trope(
        "run", "simile", "--subject", "collage?size=192", "--strategy", "base,guard:rewrite,random",
        "--instrument", "ssd,truth", "--items", "items.jsonl", "--name", "site", cwd=folder,
    )  # fmt: skip
    page = folder / trope("report", "site", cwd=folder).stdout.strip()
    moved = folder / "elsewhere"
    shutil.move(page.parent, moved)  # a report is whole without its store
    shutil.rmtree(folder / "trope-store")
    return moved / "index.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n)))
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    context = browser.new_context(offline=True)
    opened = context.new_page()
    trouble: list[str] = []
    opened.on("console", lambda m: trouble.append(m.text) if m.type in ("error", "warning") else None)
    opened.on("pageerror", lambda e: trouble.append(str(e)))
    opened.goto(report.as_uri())
    expect(opened.locator(".card")).to_have_count(24)
    yield opened
    context.close()
    assert not trouble


def test_tables_plots_and_pictures_are_there(page: Page) -> None:
    assert page.locator("section h2").count() >= 7
    assert page.locator("svg.plot").count() == 2
    assert "24 of 24 pictures" in page.locator("#count").inner_text()
    page.locator("#pictures").scroll_into_view_if_needed()
    for picture in page.locator(".card img").all()[:4]:
        expect(picture).not_to_have_js_property("naturalWidth", 0)  # 0 until it is loaded, and if it cannot be
    assert page.locator(".card rect").count() > 10
    assert "nothing about an image model" in page.locator(".warning").inner_text()


def test_filters_narrow_and_reset(page: Page) -> None:
    page.select_option("[name=strategy]", "guard:rewrite")
    assert page.locator(".card").count() == 8
    page.select_option("[name=instrument]", "truth")
    page.select_option("[name=verdict]", "absent")
    absent = page.locator(".card").count()
    assert 0 < absent <= 8
    page.click("button[type=reset]")
    expect(page.locator(".card")).to_have_count(24)
    page.fill("[name=text]", "قطة")
    assert page.locator(".card").count() == 3
    page.fill("[name=text]", "")
    page.fill("[name=score]", "0.99")
    assert page.locator(".card").count() < 24


def test_strategies_stand_side_by_side(page: Page) -> None:
    page.check("[name=beside]")
    assert page.locator(".beside").count() == 8
    assert page.locator(".beside").first.locator(".card").count() == 3


def test_the_keyboard_is_enough(page: Page) -> None:
    page.locator(".card").first.focus()
    page.keyboard.press("Enter")
    viewer = page.locator("dialog[open]")
    assert viewer.count() == 1
    first = viewer.locator(".meta").inner_text()
    page.keyboard.press("ArrowRight")
    assert viewer.locator(".meta").inner_text() != first
    page.keyboard.press("ArrowLeft")
    assert viewer.locator(".meta").inner_text() == first
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_text_is_text_whatever_it_holds(page: Page) -> None:
    assert page.title() == "site · Trope"
    assert page.locator(".card .text", has_text="onerror").count() == 3
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("mark.vehicle", has_text="cat").count() >= 3
    emoji = page.locator(".text[lang=zh] mark.vehicle").first
    assert emoji.inner_text() == "cat"  # spans are code points, strings here are UTF-16


def test_arabic_runs_from_right_to_left(page: Page) -> None:
    arabic = page.locator(".text[lang=ar]").first
    assert arabic.evaluate("e => getComputedStyle(e).direction") == "rtl"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_can_be_read(page: Page, scheme: Any, width: int, tmp_path: Path) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    contrast = """() => {
      const rgb = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const light = (c) => { const [r, g, b] = rgb(c).map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
      const paper = light(getComputedStyle(document.body).backgroundColor);
      return ['body', '.note', 'h2', 'nav a'].map((s) => { const ink = light(getComputedStyle(document.querySelector(s)).color);
        return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05); });
    }"""
    assert min(page.evaluate(contrast)) >= 4.5  # WCAG AA
    page.screenshot(path=tmp_path / "page.png", full_page=True)


def test_labels_name_every_control(page: Page) -> None:
    named = "[...document.querySelectorAll('select, input, button')].every(e => e.labels?.length || e.textContent.trim() || e.ariaLabel)"
    assert page.evaluate(named)
    assert page.evaluate("[...document.querySelectorAll('img')].every(i => i.alt)")


def test_the_first_page_is_small(report: Path) -> None:
    first = [report, report.with_name("style.css"), report.with_name("gallery.js"), report.parent / "data" / "0001.js"]
    assert sum(p.stat().st_size for p in first) < 2_000_000
    assert json.loads(report.with_name("scores.json").read_text("utf-8"))["protocol"] == "simile"
