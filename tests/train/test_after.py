"""What comes after training: the adapter as a subject, merged, ablated, drawn."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("trl")

from tests.train import world
from tests.train.recipes import Taught, quiet, short
from trope.errors import UnknownName, UsageError
from trope.judges import JUDGES
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


@pytest.fixture(scope="module")
def bertscore(tmp_path_factory: pytest.TempPathFactory) -> str:
    from trope.testing.tiny_text import tiny_bert

    return f"bertscore:{tiny_bert(tmp_path_factory.mktemp('bert') / 'tiny', world.vocabulary())}?layer=2"


def test_adapters_are_subjects_of_m3r(
    taught: Callable[[str], Taught], benchmark: Path, bertscore: str, store: Store, tmp_path: Path
) -> None:
    done = taught("qwen2.5-vl")
    adapters = {"base": None, "curriculum": done.out / "C3/adapter", "grpo": done.out / "grpo/adapter"}
    scores, names = evaluate(done.config, adapters, [str(benchmark)], bertscore, store, options="max_tokens=16")
    assert list(names) == ["base", "curriculum", "grpo"] and len(set(names.values())) == 3
    assert f"C3@{folder_digest(adapters['curriculum'])[:8]}" in names["curriculum"]
    text = write_table(scores, names, adapters, tmp_path)
    assert (tmp_path / "ablation.md").read_text("utf-8") == text
    table = json.loads((tmp_path / "ablation.json").read_text("utf-8"))
    assert table["columns"] == ["variant", "what", "MD", "TP", "SP", "SC", "JLA", "adapter"]
    assert [row[0] for row in table["rows"]] == ["base", "curriculum", "grpo"]
    assert all(row[2]["n"] == 2 for row in table["rows"])
    assert [row[-1] for row in table["rows"]] == [
        "none",
        *(folder_digest(adapters[n])[:12] for n in ("curriculum", "grpo")),
    ]


def test_what_a_reply_earns_is_what_the_protocol_scores(bertscore: str, store: Store, tmp_path: Path) -> None:
    """The whole way of `trope run m3r`, with BERTScore, on replies good and bad: its means are those of the rewards."""
    from trope.experiment import Experiment, execute, plan, score
    from trope.protocols.m3r import gold
    from trope.train.rewards import REWARDS, Scorer, matcher_of, reward_functions
    from trope.train.targets import reply_of

    items = world.items(8, tmp_path / "pictures")
    right = [json.loads(reply_of(item, "C3")) for item in items]
    changes = [
        {},
        {},
        {"target": "shoe lamp"},
        {"sentiment": "all"},
        {"metaphor": "No"},
        {"target": "car"},
        None,
        {"source": ""},
    ]
    replies = [
        "no answer" if change is None else json.dumps({**said, **change})
        for said, change in zip(right, changes, strict=True)
    ]
    file = tmp_path / "replies.jsonl"
    lines = [json.dumps({"id": i.id, "reply": r}) for i, r in zip(items, replies, strict=True)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    asked = Experiment(protocol="m3r", subjects=(f"predictions:{file}",), strategies=("given",), instruments=(bertscore,),
                       items=(str(world.item_file(items, tmp_path / "items.jsonl")),))  # fmt: skip
    _, scores = score(execute(plan(asked), store).run)
    tables = {table.name: dict(zip(table.columns, table.rows[0], strict=True)) for table in scores.tables if table.rows}

    functions, _ = reward_functions(dict.fromkeys(REWARDS, 1.0), Scorer(*matcher_of(bertscore)))
    truth = [gold(item) for item in items]
    columns = {name: [getattr(one, name) for one in truth] for name in ("metaphor", "target", "source", "sentiment")}
    earned = {function.__name__: function(completions=replies, **columns) for function in functions}
    metaphors = [n for n, one in enumerate(truth) if one.is_metaphor]
    mean = {name: sum(values) / len(values) for name, values in earned.items()}
    assert tables["labels"]["MD accuracy"]["value"] == pytest.approx(100 * mean["m"])
    assert tables["labels"]["SC accuracy"]["value"] == pytest.approx(100 * mean["sentiment"])
    for column, name in {"TP": "target", "SP": "source"}.items():
        of_metaphors = sum(earned[name][n] for n in metaphors) / len(metaphors)
        assert tables["mapping"][column]["value"] == pytest.approx(100 * of_metaphors, abs=1e-4)
    assert 0 < mean["m"] < 1 and 0 < mean["target"] < 1


def test_the_subject_answers_as_the_trained_model_does(
    taught: Callable[[str], Taught], eight: Path, store: Store
) -> None:
    """The chat backend with an adapter gives, word for word, what the model in training would write."""
    import torch

    from trope.flow import Errand, carry_out
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
    bare = short(bases["qwen2.5-vl"], "sft.explanations=false", "sft.stages=['C2']")
    for name in ("curriculum", "labels", "no-curriculum"):
        assert changed_config(bare, VARIANTS[name].changes).sft == changed[name].sft, "a row is what it says"
    with pytest.raises(UsageError, match=r"rewards\.m is 0: no variant would have every reward"):
        ablate(short(bases["qwen2.5-vl"], "rewards.m=0"), Path("corpus"), Path("out"), ["grpo"])
    assert changed["labels"].sft.explanations is False and changed["no-curriculum"].sft.stages == ("C3",)
    assert changed["grpo-no-ts"].rewards.weights() == {**config.rewards.weights(), "target": 0.0, "source": 0.0}
    assert changed["grpo-no-e"].rewards.weights() == {**config.rewards.weights(), "sentiment": 0.0}


def test_the_ablation_command(
    bases: dict[str, Path], eight: Path, benchmark: Path, bertscore: str, tmp_path: Path
) -> None:
    from typer.testing import CliRunner

    from tests.train.recipes import arguments
    from trope.cli.app import app

    config = short(bases["qwen2.5-vl"], "sft.max_steps=1")
    said = arguments(config, tmp_path / "config.toml", eight, tmp_path / "out")
    asked = ["train", "ablate", *said, "--items", str(benchmark)]  # in this process: torch is loaded here
    done = CliRunner().invoke(
        app, [*asked, "--variant", "base,no-curriculum", "--limit", "1", "--similarity", bertscore,
              "--subject-options", "max_tokens=8", "--store", str(tmp_path / "store")], catch_exceptions=False
    )  # fmt: skip
    assert "| no-curriculum |" in done.stdout and "JLA" in done.stdout
    assert (tmp_path / "out/no-curriculum/C3/adapter/chain.json").exists()
    with pytest.raises(UsageError, match="no --similarity"):
        CliRunner().invoke(app, asked, catch_exceptions=False)
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


def test_names_of_adapters(taught: Callable[[str], Taught], tmp_path: Path) -> None:
    done = taught("qwen2.5-vl")
    said = f"C1@{done.links[0].sha256[:8]}"
    assert short_name(done.out / "C1/adapter") == said
    copied = shutil.copytree(done.out / "C1/adapter", tmp_path / "an adapter & more")
    for folder in (f"{done.out}/C1/adapter/", str(copied)):
        backend = JUDGES.create(subject_of(done.config, Path(folder)) if folder == str(copied) else
                                f"transformers:{done.config.base}?adapter={folder}")  # fmt: skip
        assert backend.name == f"transformers:qwen2.5-vl?adapter={said}", "not where it lies"
