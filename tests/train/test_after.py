"""What comes after training: the adapter as a subject, merged, ablated, drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("trl")

from tests.conftest import trope
from tests.train import world
from tests.train.recipes import Taught, quiet, short
from trope.errors import UnknownName, UsageError
from trope.judges.adapters import folder_digest, load_adapter, short_name
from trope.judges.vision import load_model, load_processor
from trope.store import Store
from trope.train.ablate import VARIANTS, ablate, changed_config, evaluate, subject_of, write_table
from trope.train.merge import merge
from trope.train.metrics import MetricsFile, draw_curves, read_metrics, series

pytestmark = quiet


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark")
    return world.item_file(world.items(2, folder / "pictures"), folder / "items.jsonl")


def test_adapters_are_subjects_of_m3r(taught: Callable[[str], Taught], benchmark: Path, store: Store, tmp_path: Path) -> None:
    done = taught("qwen2.5-vl")
    adapters = {"base": None, "curriculum": done.out / "C3/adapter", "grpo": done.out / "grpo/adapter"}
    scores, names = evaluate(done.config, adapters, [str(benchmark)], None, store, options="max_tokens=16")
    assert sorted(names.values()) == ["base", "curriculum", "grpo"]
    assert any(f"C3@{folder_digest(adapters['curriculum'])[:8]}" in subject for subject in names)
    text = write_table(scores, names, adapters, tmp_path)
    assert (tmp_path / "ablation.md").read_text("utf-8") == text
    table = json.loads((tmp_path / "ablation.json").read_text("utf-8"))
    assert table["columns"] == ["variant", "what", "MD", "TP", "SP", "SC", "JLA", "adapter"]
    assert [row[0] for row in table["rows"]] == ["base", "curriculum", "grpo"]
    assert all(row[2]["n"] == 2 for row in table["rows"]) and "No similarity instrument" in text
    assert [row[-1] for row in table["rows"]] == ["none", *(folder_digest(adapters[n])[:12] for n in ("curriculum", "grpo"))]


def test_the_subject_answers_as_the_trained_model_does(taught: Callable[[str], Taught], eight: Path, store: Store) -> None:
    """The chat backend with an adapter gives, word for word, what the model in training would write."""
    import torch

    from trope.flow import Errand, carry_out
    from trope.judges import JUDGES
    from trope.requests import Ask, Prompt
    from trope.train.examples import read_examples

    done = taught("qwen2.5-vl")
    backend = JUDGES.create(subject_of(done.config, done.out / "C3/adapter", "max_tokens=44"))
    examples = read_examples(eight, "C3")
    row = examples.rows[0]
    picture = store.adopt(examples.path(row))

    def script():
        return (yield Ask(None, backend.name, Prompt(row.prompt, str), picture=picture))

    (record,) = carry_out([Errand("a", script)], {backend.name: backend}, store)
    model = load_adapter(load_model(done.config.base, dtype=torch.float32), done.out / "C3/adapter").eval()
    processor, _ = load_processor(done.config.base)
    with Image.open(examples.path(row)) as image:
        content = [{"type": "image", "image": image.convert("RGB")}, {"type": "text", "text": row.prompt}]
    inputs = processor.apply_chat_template([[{"role": "user", "content": content}]], add_generation_prompt=True,
                                           tokenize=True, return_dict=True, return_tensors="pt")  # fmt: skip
    with torch.inference_mode():
        made = model.generate(**inputs, max_new_tokens=44, do_sample=False)
    told = processor.tokenizer.decode(made[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    assert record.raw == told and json.loads(told).keys() >= {"metaphor", "sentiment"}


def test_merged_is_base_and_adapter(taught: Callable[[str], Taught], tmp_path: Path) -> None:
    import torch

    done = taught("idefics3")
    folder = done.out / "grpo/adapter"
    out = merge(folder, tmp_path / "merged")
    both = load_adapter(load_model(done.config.base, dtype=torch.float32), folder).eval()
    merged = load_model(out, dtype=torch.float32).eval()
    tokens = torch.tensor([[5, 9, 300, 12, 40]])
    with torch.inference_mode():
        assert torch.allclose(both(tokens).logits, merged(tokens).logits, atol=1e-4)
        assert not torch.allclose(load_model(done.config.base).eval()(tokens).logits, merged(tokens).logits, atol=1e-2)
    assert json.loads((out / "merged.json").read_text("utf-8"))["adapter"] == folder_digest(folder)
    load_processor(out)
    with pytest.raises(UsageError, match="is not empty"):
        merge(folder, out)
    with pytest.raises(UsageError, match="Expected: auto, float32"):
        merge(folder, tmp_path / "x", dtype="int8")


def test_variants_change_what_they_say_and_nothing_else(bases: dict[str, Path]) -> None:
    config = short(bases["qwen2.5-vl"])
    changed = {name: changed_config(config, variant.changes) for name, variant in VARIANTS.items()}
    assert changed["curriculum"] == changed["grpo"] == changed["base"] == config
    assert changed["labels"].sft.explanations is False and changed["no-curriculum"].sft.stages == ("C3",)
    assert changed["grpo-no-ts"].rewards.weights() == {**config.rewards.weights(), "target": 0.0, "source": 0.0}
    assert changed["grpo-no-e"].rewards.weights() == {**config.rewards.weights(), "sentiment": 0.0}


def test_the_ablation_command(bases: dict[str, Path], eight: Path, benchmark: Path, tmp_path: Path) -> None:
    from tests.train.recipes import arguments

    config = short(bases["qwen2.5-vl"], "sft.max_steps=1")
    said = arguments(config, tmp_path / "config.toml", eight, tmp_path / "out")
    done = trope("train", "ablate", *said, "--items", str(benchmark), "--variant", "base,no-curriculum", "--limit", "1",
                 "--subject-options", "max_tokens=8", cwd=tmp_path)  # fmt: skip
    assert "| no-curriculum |" in done.stdout and "JLA" in done.stdout
    assert (tmp_path / "out/no-curriculum/C3/adapter/chain.json").exists()
    with pytest.raises(UnknownName, match="Did you mean 'grpo'"):
        ablate(config, eight, tmp_path / "o", ["gpro"], tell=lambda line: None)


def test_curves(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "C1/metrics.jsonl")
    file.path.parent.mkdir()
    for step in range(1, 7):
        file.add(step, {"loss": 1 / step, "reward": step / 6, "list": [1]})
    assert series(file.path, "loss")[0] == [1, 2, 3, 4, 5, 6]
    file.rewind(4)
    file.add(5, {"loss": 9.0})
    with file.path.open("a") as cut:
        cut.write('{"step": 6, "lo')
    assert [line["step"] for line in read_metrics(file.path)] == [1, 2, 3, 4, 5]
    draw_curves([file.path], ["loss", "reward"], tmp_path / "curve.png", window=2)
    with Image.open(tmp_path / "curve.png") as drawn:
        assert drawn.width > 500
    with pytest.raises(UsageError, match="no metric 'los'.*There: loss, reward"):
        series(file.path, "los")


def test_names_of_adapters(taught: Callable[[str], Taught]) -> None:
    done = taught("qwen2.5-vl")
    assert short_name(done.out / "C1/adapter") == f"C1@{done.links[0].sha256[:8]}"
