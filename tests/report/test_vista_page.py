"""A report of vista in a real browser: Arabic, Chinese and Japanese are drawn, judges' reasons can be read and filtered."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.protocols.vista_study import reply, run
from trope.cli.report import write_report
from trope.items import load_set
from trope.store import RunFolder, Store
from trope.testing import FakeServer

pytestmark = pytest.mark.browser
REASON = "لا قطة في الصورة (3)."


# Where a font lacks letters, all of them get the same box.
DRAWN_ALIKE = """([one, other]) => { const ink = (text) => {
    const canvas = document.createElement("canvas"); canvas.width = canvas.height = 60;
    const pen = canvas.getContext("2d"); pen.font = "40px " + getComputedStyle(document.body).fontFamily;
    pen.fillText(text, 8, 44); return [...pen.getImageData(0, 0, 60, 60).data].join(); };
  return ink(one) === ink(other); }"""


@pytest.fixture
def page(tmp_path: Path, server: Callable[..., FakeServer]) -> Iterator[Page]:
    items = [next(i for i in load_set("vista") if i.lang == lang) for lang in ("ar", "en", "ja", "zh")]
    said = json.loads(reply("ABCD"))
    said["reasoning"]["Q2"] = REASON
    seen, unseen = {"contains": '{"id": "Q1"', "reply": json.dumps(said)}, {"contains": "", "reply": "hm"}
    stem = json.dumps(items[1].questions[0].stem, ensure_ascii=False)
    fake = server(replies=({"contains": stem, "reply": "hm"}, seen, unseen))
    run(tmp_path, fake.url, items, options={"order": "published", "control": "off"}, name="page")
    with Store(tmp_path / "s") as store:
        place = write_report(RunFolder(store, "page"), tmp_path / "page")
    path = next(p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        opened = browser.new_context(offline=True).new_page()
        opened.goto(place.as_uri())
        expect(opened.locator(".card")).to_have_count(4)
        yield opened
        browser.close()


def test_what_judges_say_can_be_filtered_and_read_in_four_languages(page: Page) -> None:
    for one, other in (("ش", "ق"), ("猫", "湖"), ("ね", "雪")):
        assert not page.evaluate(DRAWN_ALIKE, [one, other]), "no font has the letters"
    page.select_option("[name=verdict]", "Q2 vehicle 2 of 3")
    expect(page.locator(".card")).to_have_count(3)
    page.select_option("[name=verdict]", "unparsed")
    expect(page.locator(".card")).to_have_count(1)
    page.click("button[type=reset]")
    arabic = page.locator(".card", has=page.locator(".text[lang=ar]"))
    assert "vllm:judge V-Score: 56.7 (3 2 1 0)" in arabic.inner_text()
    arabic.click()
    reason = page.locator("dialog[open] bdi", has_text=REASON)
    assert reason.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert "3 of 4 pictures have a valid reply" in page.content()
