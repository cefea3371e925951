"""Recipe: supervised training, one corpus after the other, one adapter carried through.

``trope train curriculum``, or on many GPUs ``accelerate launch -m trope.train.curriculum`` with the same options.
Each stage starts from the adapter of the stage before on a freshly loaded base. A stage that is done is not done
again, and one that was killed goes on from its last whole checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trope.train import adapter, checkpoints, stages
from trope.train.adapter import Link
from trope.train.choices import Choices, Hardware, choose_hardware, say_batch
from trope.train.config import Stage, TrainConfig
from trope.train.examples import Examples, read_examples, to_dataset
from trope.train.stages import Asked, Place, Tell
from trope.train.targets import labels_only
from trope.train.tokens import fitting


def train(config: TrainConfig, corpus: Path, out: Path, *, tell: Tell = print) -> list[Link]:
    """Train every stage that ``config.sft.stages`` names.

    Parameters
    ----------
    corpus : a folder that `trope.train.corpus` wrote.
    out : where each stage gets a folder of its name.

    Returns
    -------
    The links of the chain, one a stage.

    Raises
    ------
    TropeError : whatever a user can put right, before anything is computed where that can be known.
    """
    stages.need_training()
    choices = Choices(tell)
    hardware = choose_hardware(config.run, choices)
    say_batch(config.sft, hardware.processes, choices)
    parts = [_read(config, corpus, name) for name in config.sft.stages]  # all are looked at before any is trained
    processor = stages.load_processor(config, choices)
    fit = [fitting(processor, part, config.pictures, tell, whole=config.sft.max_tokens)[0] for part in parts]
    links: list[Link] = []
    before: Path | None = None
    for name, examples in zip(config.sft.stages, fit, strict=True):
        links.append(_stage(config, name, examples, before, Place(out / name), hardware, processor, choices))
        before = out / name / "adapter"
    return links


def _read(config: TrainConfig, corpus: Path, name: Stage) -> Examples:
    examples = read_examples(corpus, name)
    if config.sft.explanations:
        return examples
    return examples.only([replace(row, reply=labels_only(row.reply)) for row in examples.rows])


def _stage(
    config: TrainConfig, name: Stage, examples: Examples, before: Path | None, place: Place, hardware: Hardware,
    processor: Any, choices: Choices,
) -> Link:  # fmt: skip
    tell = choices.tell
    parent = adapter.folder_digest(before) if before else None
    asked = Asked(name, parent, examples.sha256, stages.settings_of(config, hardware, "sft"))
    done = stages.finished(place, asked)
    if done is not None:
        tell(f"{name}: done before, adapter {done.sha256[:12]}")
        return done

    base = stages.load_base(config, hardware)
    fingerprint = adapter.base_fingerprint(base)
    if before is None:
        model, targets = adapter.fresh_adapter(base, config.adapter, config.seed)
        choices.say("adapter on", targets, f"adapter.targets = {config.adapter.targets!r}")
    else:
        model = adapter.continued_adapter(base, before, config.adapter)

    trainer = _trainer(config, model, processor, examples, place, hardware)
    tell(f"{stages.said(examples)}; from {f'adapter {parent[:12]}' if parent else 'a fresh adapter'}")
    stages.go(trainer, place, tell)
    link = stages.leave(trainer, place, asked, config.base, fingerprint, choices)
    tell(f"{name}: {link.steps} updates, adapter {link.sha256[:12]} in {place.adapter}")
    del trainer, model, base
    stages.free()
    return link


def _trainer(
    config: TrainConfig, model: Any, processor: Any, examples: Examples, place: Place, hardware: Hardware
) -> Any:
    from trl import SFTConfig, SFTTrainer

    sft = config.sft
    arguments = SFTConfig(
        **stages.common_arguments(config, hardware, place),
        learning_rate=sft.learning_rate,
        lr_scheduler_type=sft.schedule,
        warmup_steps=sft.warmup_ratio,  # below 1 it is a share of all updates
        num_train_epochs=sft.epochs,
        max_steps=sft.max_steps or -1,
        per_device_train_batch_size=sft.batch_size,
        gradient_accumulation_steps=sft.accumulation,
        max_length=None,  # TRL would cut what is longer, pictures too; `tokens.fitting` has seen to that
        completion_only_loss=True,
    )
    trainer = checkpoints.careful(SFTTrainer)(
        model=model,
        args=arguments,
        train_dataset=to_dataset(examples, replies=True),
        processing_class=processor,
        callbacks=stages.callbacks(config, place),
    )
    # Models of Qwen-VL say that their own loss cannot be told how many tokens an update has. Without that number each
    # step of an accumulation counts alike, however few tokens it has: not what a batch of all of them would give. The
    # loss here is TRL's, which can be told.
    trainer.model_accepts_loss_kwargs = True
    return trainer


def main(argv: Sequence[str]) -> None:
    """The recipe as a program, for ``accelerate launch -m trope.train.curriculum``."""
    asked = stages.arguments("trope.train.curriculum", argv)
    train(asked.config, asked.corpus, asked.out)


if __name__ == "__main__":
    stages.program(main)
