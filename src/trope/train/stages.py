"""What every stage has in common: its folder, its base and adapter, going on after a kill, and the link it leaves.

A stage's folder::

    asked.json       what it was asked to do; another question in the same folder is refused
    choices.txt      what was chosen automatically, and why
    metrics.jsonl    a line a logged update
    checkpoints/     whole ones only
    adapter/         the result; its chain.json is written last
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trope.errors import MissingExtra, TropeError, UsageError
from trope.train import adapter, checkpoints, metrics
from trope.train.choices import Choices, Hardware
from trope.train.config import TrainConfig, read_config
from trope.train.examples import Examples

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one stage."""

    folder: Path

    @property
    def adapter(self) -> Path:
        """Where the result lies."""
        return self.folder / "adapter"

    @property
    def checkpoints(self) -> Path:
        """Where the trainer saves."""
        return self.folder / "checkpoints"

    @property
    def metrics(self) -> Path:
        """The file of metrics."""
        return self.folder / metrics.FILE


@dataclass(frozen=True, slots=True)
class Asked:
    """What one stage is to do: enough to tell whether a folder holds the same."""

    stage: str
    parent: str | None
    corpus: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a recipe is told on a command line."""

    config: TrainConfig
    corpus: Path
    out: Path
    start: Path | None


def arguments(program: str, argv: Sequence[str]) -> Arguments:
    """The command line of a recipe that `accelerate launch` starts; the options of `trope train` by the same names."""
    parser = argparse.ArgumentParser(program)
    parser.add_argument("--config", default="m3r", help="a preset, or a TOML file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="e.g. sft.epochs=2")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="the adapter GRPO starts from; default: the last stage in --out")
    said = parser.parse_args(argv)
    return Arguments(read_config(said.config, said.set), said.corpus, said.out, said.start)


def program(main: Callable[[Sequence[str]], None]) -> None:
    """Run a recipe as a program; a user's error ends without a traceback."""
    try:
        main(sys.argv[1:])
    except TropeError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def need_training() -> None:
    """Check that the libraries are there, and keep them from calling home; raises `MissingExtra`."""
    asked = "HF_HUB_DISABLE_TELEMETRY" in os.environ
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # TRL reports every training otherwise
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    for name in ("torch", "transformers", "accelerate", "peft", "trl", "datasets"):
        try:
            __import__(name)
        except ImportError:
            raise MissingExtra("training", name, "train") from None
    if not asked:
        import huggingface_hub.constants

        huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY = True  # read long ago if the hub was imported before


def settings_of(config: TrainConfig, hardware: Hardware, *parts: str) -> dict[str, Any]:
    """The part of a configuration that a stage's result depends on."""
    whole = config.model_dump(mode="json")
    kept = ("base", "revision", "seed", "adapter", "pictures", *parts)
    return {**{name: whole[name] for name in kept}, "precision": hardware.precision}


def finished(place: Place, asked: Asked) -> adapter.Link | None:
    """The link of a stage that was done before, None if it is yet to be done.

    Raises
    ------
    UsageError : the folder holds something else.
    AdapterError : the adapter was changed since.
    """
    file = place.folder / "asked.json"
    wanted = {"stage": asked.stage, "parent": asked.parent, "corpus": asked.corpus, "settings": dict(asked.settings)}
    if file.exists():
        before = json.loads(file.read_text("utf-8"))
        if before != wanted:
            raise UsageError(
                f"{str(place.folder)!r} holds a training that was asked for something else: "
                f"{_difference(before, wanted)}. Give another folder: --out FOLDER"
            )
    elif _main_process():
        from trope.store.files import write_durably

        write_durably(file, json.dumps(wanted, indent=2, ensure_ascii=False).encode())
    link = adapter.read_link(place.adapter)
    if link is not None and link.sha256 != adapter.folder_digest(place.adapter):
        raise adapter.AdapterError(f"the weights in {str(place.adapter)!r} were changed since they were trained")
    return link


def load_base(config: TrainConfig, hardware: Hardware) -> Any:
    """The frozen base model."""
    from trope.judges.vision import load_model

    options = {"revision": config.revision} if config.revision else {}
    return load_model(config.base, dtype=hardware.dtype, attn_implementation=hardware.attention, **options)


def load_processor(config: TrainConfig, choices: Choices) -> Any:
    """The base's processor, with the configured limit on pixels."""
    from trope.judges.vision import limit_pixels
    from trope.judges.vision import load_processor as load

    processor, note = load(config.base, **({"revision": config.revision} if config.revision else {}))
    if note:
        choices.say("processor", "pictures only", note)
    limit_pixels(processor, config.pictures.max_pixels)
    return processor


def common_arguments(config: TrainConfig, hardware: Hardware, place: Place) -> dict[str, Any]:
    """Trainer arguments that every stage shares; what TRL would set otherwise is set here, and said."""
    run = config.run
    _check_trackers(run.trackers)
    return {
        "output_dir": str(place.checkpoints), "seed": config.seed, "bf16": hardware.precision == "bf16",
        "use_cpu": hardware.device == "cpu", "dataloader_pin_memory": hardware.device != "cpu",
        "gradient_checkpointing": hardware.gradient_checkpointing, "report_to": list(run.trackers) or "none",
        "logging_steps": run.log_steps, "save_strategy": "steps", "save_steps": run.save_steps,
        "save_total_limit": None,  # `checkpoints.callback` removes old ones, after a new one is whole
        "disable_tqdm": True, "run_name": place.folder.name,
    }  # fmt: skip


def callbacks(config: TrainConfig, place: Place) -> list[Any]:
    """Metrics to a file, checkpoints marked whole."""
    return [
        metrics.callback(metrics.MetricsFile(place.metrics)),
        checkpoints.callback(place.checkpoints, config.run.keep),
    ]


def go(trainer: Any, place: Place, tell: Tell) -> None:
    """Train to the end, from the last whole checkpoint if there is one."""
    from transformers.trainer_callback import PrinterCallback

    trainer.remove_callback(PrinterCallback)  # metrics go to the file
    last = checkpoints.last_whole(place.checkpoints)
    step = checkpoints.step_of(last) if last else 0
    if _main_process():
        metrics.MetricsFile(place.metrics).rewind(step)
    if last is None:
        trainer.train()
        return
    tell(f"going on after update {step}, from {last.name}")
    state = json.loads((last / "trainer_state.json").read_text("utf-8"))
    if step >= state["max_steps"]:  # killed after the last update: a trainer would make one more
        trainer._load_from_checkpoint(str(last))
        trainer.state.global_step = step
        return
    trainer.first_epoch = int(state["epoch"] + 1e-6)
    trainer.train(resume_from_checkpoint=str(last))


def leave(trainer: Any, place: Place, asked: Asked, base_name: str, base_before: str, choices: Choices) -> adapter.Link:
    """Save the adapter, check that the base is what it was, and write the link.

    Raises
    ------
    TropeError : the base changed.
    """
    try:
        _save(trainer, place, base_before, choices)
    except checkpoints.writing_errors() as error:
        raise checkpoints.unwritten("the adapter", place.checkpoints, error) from None
    trainer.accelerator.wait_for_everyone()
    where = Path(base_name)
    named = str(where.resolve()) if where.is_dir() else base_name
    link = adapter.Link(
        sha256=adapter.folder_digest(place.adapter), parent=asked.parent, base=base_before, base_name=named,
        stage=asked.stage, steps=trainer.state.global_step, corpus=asked.corpus, settings=asked.settings,
        versions=adapter.versions(),
    )  # fmt: skip
    if _main_process():
        adapter.write_link(place.adapter, link)
        lines = "".join(f"{what}: {choice} ({why})\n" for what, choice, why in choices.made)
        (place.folder / "choices.txt").write_text(lines, "utf-8")
    return link


def _save(trainer: Any, place: Place, base_before: str, choices: Choices) -> None:
    model = trainer.accelerator.unwrap_model(trainer.model)
    if in_shards(trainer):
        trainer.save_model(str(place.adapter))  # gathers the shards; a reference adapter would lie in ref/
        choices.say("base checked afterwards", False, "its weights are in shards")
        return
    if adapter.base_fingerprint(model) != base_before:
        raise TropeError("the base model's weights changed in training: nothing of this stage is kept")
    if _main_process():
        model.save_pretrained(str(place.adapter), selected_adapters=["default"])


def in_shards(trainer: Any) -> bool:
    """Whether weights are spread over devices, so that no process holds them whole: FSDP, or ZeRO-3 of DeepSpeed."""
    if trainer.is_fsdp_enabled:
        return True
    plugin = trainer.accelerator.state.deepspeed_plugin if trainer.is_deepspeed_enabled else None
    return plugin is not None and plugin.zero_stage == 3


def free() -> None:
    """Let go of the last stage's model before the next is loaded."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def said(examples: Examples) -> str:
    """Examples in a few words."""
    metaphors = sum(row.metaphor == "Yes" for row in examples.rows)
    return f"{examples.name}: {len(examples.rows)} examples, {metaphors} metaphors"


def _check_trackers(trackers: Sequence[str]) -> None:
    from transformers.integrations import get_available_reporting_integrations

    there = get_available_reporting_integrations()
    for name in trackers:
        if name not in there:
            raise UsageError(
                f"run.trackers: {name!r} is no tracker that is installed here. There: {', '.join(there) or 'none'}"
                " (metrics.jsonl is written anyway)"
            )


def _main_process() -> bool:
    from accelerate import PartialState

    return bool(PartialState().is_main_process)


def _difference(before: Any, wanted: Any, place: str = "") -> str:
    if isinstance(before, dict) and isinstance(wanted, dict):
        for name in sorted({*before, *wanted}):
            if before.get(name) != wanted.get(name):
                return _difference(before.get(name), wanted.get(name), f"{place}.{name}".strip("."))
    return f"{place} was {before!r}, now {wanted!r}"
