from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from trope.errors import BackendError, UsageError
from trope.flow import Errand, carry_out
from trope.judges import JUDGES, Judge
from trope.records import Result
from trope.requests import Ask, Job, Prompt
from trope.store import Store

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

WORDS = ["yes no the cloud is white as wool and very far away"]


def tiny_llama(folder: Path, seed: int = 3) -> Path:
    """A Llama of 30,000 random weights with a chat template."""
    import transformers

    from trope.testing.tiny_models import tokenizer

    tokens = tokenizer(WORDS)
    config = transformers.LlamaConfig(
        vocab_size=len(tokens), hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=2048, bos_token_id=None, eos_token_id=tokens.eos_token_id,
        pad_token_id=tokens.pad_token_id, initializer_range=0.3,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokens.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def text_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("weights") / "tiny-llama")


@pytest.fixture(scope="module")
def seeing_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from trope.testing.tiny_models import tiny_model

    return tiny_model("qwen3-vl", tmp_path_factory.mktemp("weights") / "tiny-qwen", words=WORDS)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("pictures") / "red.png"
    Image.new("RGB", (64, 64), "red").save(path)
    yield path


def prompt(text: str = "Is the cloud white?", **more: Any) -> Prompt:
    return Prompt(text, read=str, **{"max_tokens": 12, **more})


def answers(judge: Judge, *asked: tuple[Prompt, int, Path | None]) -> list[Result]:
    jobs = [Job(str(n), Ask(None, judge.name, p, attempt=a), 0, "", picture=at) for n, (p, a, at) in enumerate(asked)]

    async def go() -> Sequence[Result]:
        await judge.open()
        try:
            return await judge.perform(jobs)
        finally:
            await judge.close()

    return list(asyncio.run(go()))


def test_greedy_replies_are_the_model_s_own_argmax(text_model: Path) -> None:
    import transformers

    (found,) = answers(JUDGES.create(f"transformers:{text_model}"), (prompt(), 0, None))
    model = transformers.LlamaForCausalLM.from_pretrained(text_model)
    tokens = transformers.AutoTokenizer.from_pretrained(text_model)
    chat = [{"role": "user", "content": "Is the cloud white?"}]
    ids = tokens.apply_chat_template(chat, add_generation_prompt=True, return_tensors="pt", return_dict=False)
    said: list[int] = []
    with torch.inference_mode():
        for _ in range(12):  # without any cache or helper
            best = int(model(torch.cat([ids, torch.tensor([said], dtype=torch.long)], 1)).logits[0, -1].argmax())
            if best == tokens.eos_token_id:
                break
            said.append(best)
    assert found.raw == tokens.decode(said, skip_special_tokens=True)
    assert found.provenance["usage"] == {"prompt_tokens": ids.shape[1], "completion_tokens": len(said)}
    assert found.provenance["finish_reason"] == ("length" if len(said) == 12 else "stop")


def test_a_seed_means_the_same_in_any_company(text_model: Path) -> None:
    warm = prompt(temperature=1.0, top_p=0.9)
    judge = JUDGES.create(f"transformers:{text_model}?top_k=50&batch=4")
    alone = [answers(judge, (warm, seed, None))[0].raw for seed in (1, 2, 3)]
    together = answers(judge, *((warm, seed, None) for seed in (3, 1, 2)))
    assert [r.raw for r in together] == [alone[2], alone[0], alone[1]]
    assert len(set(alone)) == 3
    assert together[0].provenance["sampling"] == {"do_sample": True, "temperature": 1.0, "top_p": 0.9, "top_k": 50}


def test_a_seed_means_the_same_while_another_model_replies(text_model: Path) -> None:
    warm = prompt(temperature=1.0, max_tokens=24)
    asked = [(warm, seed, None) for seed in range(4)]
    alone = [r.raw for r in answers(JUDGES.create(f"transformers:{text_model}"), *asked)]
    with ThreadPoolExecutor(2) as pool:  # as the flow has it: a thread a model
        both = [pool.submit(answers, JUDGES.create(f"transformers:{text_model}"), *asked) for _ in range(2)]
    assert [[r.raw for r in found.result()] for found in both] == [alone] * 2


def test_the_world_s_random_numbers_are_left_alone(text_model: Path) -> None:
    torch.manual_seed(11)
    before = torch.random.get_rng_state()
    answers(JUDGES.create(f"transformers:{text_model}"), (prompt(temperature=1.0), 5, None))
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_batch_of_prompts_of_different_lengths_answers_as_each_alone(text_model: Path) -> None:
    texts = ["yes?", "Is the cloud as white as wool, and very far away?", "no"]
    alone = answers(JUDGES.create(f"transformers:{text_model}"), *((prompt(t), 0, None) for t in texts))
    batched = answers(JUDGES.create(f"transformers:{text_model}?batch=8"), *((prompt(t), 0, None) for t in texts))
    assert [r.raw for r in alone] == [r.raw for r in batched]
    assert [r.provenance["usage"] for r in alone] == [r.provenance["usage"] for r in batched]


def test_a_picture_is_seen_by_a_model_with_eyes_and_refused_by_one_without(
    text_model: Path, seeing_model: Path, picture: Path, tmp_path: Path
) -> None:
    (blind,) = answers(JUDGES.create(f"transformers:{text_model}"), (prompt(), 0, picture))
    assert blind.status == "failed" and "sees no picture" in (blind.reason or "")
    noise = tmp_path / "noise.png"
    Image.effect_noise((64, 64), 90).convert("RGB").save(noise)
    judge = JUDGES.create(f"transformers:{seeing_model}")
    red, other, none = answers(judge, (prompt(), 0, picture), (prompt(), 0, noise), (prompt(), 0, None))
    assert all(r.status == "ok" for r in (red, other, none))
    assert red.provenance["usage"]["prompt_tokens"] > none.provenance["usage"]["prompt_tokens"]
    assert red.raw != other.raw  # the picture reaches the answer


def test_identity_is_the_weights_and_not_their_place(text_model: Path, tmp_path: Path) -> None:
    import shutil

    moved = tmp_path / "elsewhere" / "tiny-llama"
    shutil.copytree(text_model, moved)
    first, second = JUDGES.create(f"transformers:{text_model}"), JUDGES.create(f"transformers:{moved}")
    assert first.name == second.name == "transformers:tiny-llama"
    assert first.identity() == second.identity()
    config = moved / "generation_config.json"
    config.write_text(config.read_text() + "\n")
    assert JUDGES.create(f"transformers:{moved}").identity() != first.identity()


def test_it_runs_in_the_flow_and_is_asked_once(text_model: Path, store: Store) -> None:
    judge = JUDGES.create(f"transformers:{text_model}")

    def script() -> Any:
        return (yield tuple(Ask(None, judge.name, prompt(temperature=1.0), attempt=n) for n in (1, 2)))

    from trope.flow import Tally

    first, second = Tally(), Tally()
    said = carry_out([Errand("a", script)], {judge.name: judge}, store, tally=first)
    again = carry_out([Errand("a", script)], {judge.name: judge}, store, tally=second)
    assert [r.raw for r in said[0]] == [r.raw for r in again[0]]
    assert (sum(first.asked.values()), sum(second.asked.values())) == (2, 0)


def test_what_cannot_be_a_chat_model_is_said(text_model: Path, tmp_path: Path) -> None:
    import shutil

    with pytest.raises(BackendError, match="chat model .* cannot be loaded"):
        answers(JUDGES.create(f"transformers:{tmp_path}"), (prompt(), 0, None))
    bare = tmp_path / "bare"
    shutil.copytree(text_model, bare)
    (bare / "chat_template.jinja").unlink()
    with pytest.raises(BackendError, match="has no chat template"):
        answers(JUDGES.create(f"transformers:{bare}"), (prompt(), 0, None))
    with pytest.raises(UsageError, match="the server's own"):
        JUDGES.create("transformers:a?base_url=http://127.0.0.1:1/v1&dtype=float32")
    with pytest.raises(UsageError, match="Expected one of float32"):
        JUDGES.create("transformers:a?dtype=int3")


def test_with_an_address_it_is_a_server_s() -> None:
    judge = JUDGES.create("transformers:a?base_url=http://127.0.0.1:9/v1&top_k=50")
    assert judge.name == "transformers:a?top_k=50" and judge.remote
