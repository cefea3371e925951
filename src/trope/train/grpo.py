"""Recipe: group relative policy optimization from the last supervised adapter, which is also the frozen reference.

``trope train grpo``, or on many GPUs ``accelerate launch -m trope.train.grpo`` with the same options. For each prompt
several replies are sampled; what a reply earns above its group's mean is what it is pushed towards; the divergence
from the reference holds it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trope.errors import TropeError, UsageError
from trope.train import adapter, checkpoints, stages
from trope.train.adapter import Link
from trope.train.choices import Choices, Hardware, choose_batches, choose_hardware, choose_vllm
from trope.train.config import TrainConfig
from trope.train.examples import Examples, read_examples, to_dataset
from trope.train.rewards import Scorer, matcher_of, reward_functions
from trope.train.stages import Asked, Place, Tell
from trope.train.tokens import fitting

STAGE = "grpo"


def train(
    config: TrainConfig, corpus: Path, start: Path, out: Path, *, scorer: Scorer | None = None, tell: Tell = print
) -> Link:
    """Train from the adapter in ``start``.

    Parameters
    ----------
    corpus : a folder that `trope.train.corpus` wrote.
    start : the last supervised adapter.
    out : where the folder ``grpo`` is made.
    scorer : what marks replies; default as ``config.rewards.matcher`` says.

    Returns
    -------
    The last link of the chain.
    """
    stages.need_training()
    choices = Choices(tell)
    hardware = choose_hardware(config.run, choices)
    parent = adapter.folder_digest(start)
    examples = read_examples(corpus, config.grpo.corpus)
    batches = choose_batches(config.grpo, hardware.processes, choices)
    vllm = choose_vllm(config.grpo, hardware.device, choices)
    scorer = scorer or Scorer(*matcher_of(config.rewards.matcher))
    choices.say("target and source are compared by", scorer.name, "rewards.matcher")

    place = Place(out / STAGE)
    processor = stages.load_processor(config, choices)
    fit, _ = fitting(processor, examples, config.pictures, tell, prompt=config.grpo.max_prompt_tokens)
    prompts = config.grpo.global_batch // config.grpo.samples
    if len(fit.rows) < prompts:
        raise UsageError(
            f"{len(fit.rows)} examples are too few: an update takes {prompts} different prompts (grpo.global_batch "
            f"{config.grpo.global_batch} / grpo.samples {config.grpo.samples})"
        )
    tell(
        f"{STAGE}: an epoch is {len(fit.rows) // prompts} updates of {prompts} prompts; {len(fit.rows) % prompts} wait"
    )
    asked = Asked(STAGE, parent, fit.sha256, stages.settings_of(config, hardware, "grpo", "rewards"))
    done = stages.finished(place, asked)
    if done is not None:
        tell(f"{STAGE}: done before, adapter {done.sha256[:12]}")
        return done

    base = stages.load_base(config, hardware)
    fingerprint = adapter.base_fingerprint(base)
    model = adapter.continued_adapter(base, start, config.adapter)
    held = adapter.adapter_digest(model)
    trainer = _trainer(config, model, processor, fit, place, hardware, batches, vllm, scorer)
    _check_reference(trainer, held, config, choices)
    tell(f"{STAGE}: {stages.said(fit)}; policy and reference from adapter {parent[:12]}")
    stages.go(trainer, place, tell)
    _check_reference(trainer, held, config, choices)
    link = stages.leave(trainer, place, asked, config.base, fingerprint, choices)
    tell(f"{STAGE}: {link.steps} updates, adapter {link.sha256[:12]} in {place.adapter}")
    if link.sha256 == parent:
        tell(f"{STAGE}: nothing was learned: in no group did one reply earn more than another ({place.metrics})")
    del trainer, model, base
    stages.free()
    return link


def last_adapter(out: Path, config: TrainConfig) -> Path:
    """The adapter of the last supervised stage in ``out``; raises `UsageError` if it is not there."""
    folder = out / config.sft.stages[-1] / "adapter"
    if adapter.read_link(folder) is None:
        raise UsageError(
            f"no finished stage {config.sft.stages[-1]} in {str(out)!r}. Run `trope train curriculum` first, or say "
            "where to start: --start ADAPTER"
        )
    return folder


def _trainer(
    config: TrainConfig, model: Any, processor: Any, examples: Examples, place: Place, hardware: Hardware,
    batches: tuple[int, int], vllm: bool, scorer: Scorer,
) -> Any:  # fmt: skip
    from trl import GRPOConfig, GRPOTrainer

    grpo = config.grpo
    functions, weights = reward_functions(config.rewards.weights(), scorer)
    arguments = GRPOConfig(
        **stages.common_arguments(config, hardware, place),
        learning_rate=grpo.learning_rate,
        lr_scheduler_type=grpo.schedule,
        warmup_steps=grpo.warmup_ratio,
        num_train_epochs=grpo.epochs,
        max_steps=grpo.max_steps or -1,
        per_device_train_batch_size=batches[0],
        gradient_accumulation_steps=batches[1],  # TRL samples once an update: replies are never of an older policy
        num_generations=grpo.samples,
        max_completion_length=grpo.max_reply_tokens,
        beta=grpo.kl,
        loss_type=grpo.loss,
        temperature=grpo.temperature,
        top_p=grpo.top_p,
        reward_weights=weights,
        disable_dropout=True,  # policy and reference then agree exactly before the first update
        use_vllm=vllm,
        vllm_mode="colocate",
    )
    return checkpoints.careful(_ordered(GRPOTrainer))(
        model=model,  # with an adapter on it and no peft_config: TRL copies the adapter and freezes the copy
        reward_funcs=functions,
        args=arguments,
        train_dataset=to_dataset(examples, replies=False),
        processing_class=processor,
        callbacks=stages.callbacks(config, place),
    )


def _ordered(trainer: type) -> type:
    """The trainer with an order of prompts that hangs on seed and epoch alone.

    TRL's own sampler goes on shuffling from where the epoch before left it, which a resumed run does not know: it
    would go through the prompts of the first epoch again.
    """
    from trl.trainer.utils import RepeatSampler

    class EpochSampler(RepeatSampler):
        epoch = 0

        def set_epoch(self, epoch: int) -> None:
            self.epoch = epoch

        def __iter__(self) -> Any:
            self.generator.manual_seed(self.seed + self.epoch)
            self.epoch += 1  # where nobody says which epoch it is
            yield from super().__iter__()

    class Ordered(trainer):
        first_epoch = 0

        def _get_train_sampler(self, dataset: Any = None) -> Any:
            plain = super()._get_train_sampler(dataset)
            sampler = EpochSampler(
                plain.data_source, plain.mini_repeat_count, plain.batch_size, plain.repeat_count, True, self.args.seed
            )
            sampler.epoch = self.first_epoch
            return sampler

    return type(trainer.__name__, (Ordered,), {})


def _check_reference(trainer: Any, held: str, config: TrainConfig, choices: Choices) -> None:
    """The reference is the adapter that training started from (``held``: its hash in memory), before and after."""
    skipped = (
        "grpo.kl is 0: there is none" if config.grpo.kl == 0
        else "its weights are in shards" if stages.in_shards(trainer) else None
    )  # fmt: skip
    if skipped is not None:
        choices.say("reference checked", False, skipped)
        return
    model = trainer.accelerator.unwrap_model(trainer.model)
    if adapter.adapter_digest(model, "ref") != held:
        raise TropeError("the reference is not the last supervised adapter: nothing of this stage is kept")


def main(argv: Sequence[str]) -> None:
    """The recipe as a program, for ``accelerate launch -m trope.train.grpo``."""
    asked = stages.arguments("trope.train.grpo", argv)
    train(asked.config, asked.corpus, asked.start or last_adapter(asked.out, asked.config), asked.out)


if __name__ == "__main__":
    stages.program(main)
