"""vista against transformers' own server: a real multimodal model that has learned nothing."""

from __future__ import annotations

import base64
import json
import urllib.request
from pathlib import Path

import pytest

from tests.local_server import LocalServer
from tests.protocols.vista_study import run, table
from trope.build.asking import Asker
from trope.build.draft import draft
from trope.items import load_set
from trope.judges import JUDGES
from trope.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory):
    with LocalServer(tmp_path_factory.mktemp("model")) as server:
        yield server


def test_garbage_is_unparsed_and_counted(tmp_path: Path, local: LocalServer) -> None:
    items = [next(i for i in load_set("vista") if i.lang == lang) for lang in ("en", "zh", "ja", "ar")]
    before = local.answered()
    done, found = run(
        tmp_path, local.url, items, subjects=["collage?size=192"],
        instruments=[f"transformers:{local.model}?base_url={local.url}&max_tokens=48&concurrency=1"],
        options={"order": "both", "control": "off"},
    )  # fmt: skip
    assert local.answered() - before == 8
    assert done.tally.statuses[f"transformers:{local.model}?max_tokens=48", "unparsed"] == 8
    for row in table(found, "v_score"):
        assert (row["V-Score"], row["worst"], row["best"], row["valid"], row["of"]) == (None, 0, 100, 0, 4)
    for row in table(found, "statuses"):
        assert (row["unparsed"], row["all"]) == (4, 4)


def test_a_model_that_writes_nonsense_drafts_nothing(tmp_path: Path, local: LocalServer) -> None:
    of = next(i for i in load_set("vista") if i.lang == "en").model_copy(update={"questions": ()})
    writer = JUDGES.create(f"transformers:{local.model}?base_url={local.url}&max_tokens=32")
    with Store(tmp_path / "s") as store:
        (made,) = draft([of], Asker({writer.name: writer}, store), writer.name, tries=2)
    assert made is not None
    assert (made.item, made.tries) == (of, 2)
    assert "not one JSON object" in made.faults[0]


def test_the_server_looks_at_the_picture(local: LocalServer) -> None:
    """The helper itself: another picture, another reply; the same picture, the same reply."""
    from io import BytesIO

    from PIL import Image

    def said(color: str) -> str:
        buffer = BytesIO()
        Image.new("RGB", (64, 64), color).save(buffer, "PNG")
        url = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
        parts = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "What is it?"}]
        body = {
            "model": local.model,
            "max_tokens": 24,
            "temperature": 0.0,
            "messages": [{"role": "user", "content": parts}],
        }
        request = urllib.request.Request(
            f"{local.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        return str(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])

    assert said("red") == said("red")
    assert len({said("red"), said("blue"), said("white")}) > 1
