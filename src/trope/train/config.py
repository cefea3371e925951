"""What is trained, and how: a TOML file, or a preset with the published settings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trope.errors import UnknownName, UsageError, nearest

PRESETS = Path(__file__).parent / "presets"
Stage = Literal["C1", "C2", "C3"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Positive = Annotated[int, Field(ge=1)]
Rate = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AdapterConfig(_Table):
    """The LoRA adapter that every stage continues.

    Attributes
    ----------
    r, alpha, dropout : of LoRA.
    targets : ``text`` is every linear layer of the language model but its head; ``text-attention`` the four of
        its attention; anything else is a regular expression over module names.
    """

    r: Positive = 8
    alpha: Positive = 16
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    targets: str = "text"


class PictureConfig(_Table):
    """How pictures reach the model.

    Attributes
    ----------
    max_pixels : larger pictures are scaled down by the model's own processor; None leaves its own limit.
    too_long : an example over the token limit is an ``error``, or is left out and counted (``drop``). Never cut.
    """

    max_pixels: Positive | None = None
    too_long: Literal["error", "drop"] = "error"


class SftConfig(_Table):
    """Supervised stages.

    Attributes
    ----------
    stages : which corpora, in order; each stage starts from the adapter of the one before.
    explanations : learn the reasons with the labels; without, labels only (an ablation).
    epochs, max_steps : how long; ``max_steps`` wins when given.
    max_tokens : prompt, picture and reply together.
    batch_size, accumulation : examples a device and step, and steps an update.
    """

    stages: Annotated[tuple[Stage, ...], Field(min_length=1)] = STAGES
    explanations: bool = True
    learning_rate: Rate = 1e-5
    schedule: Literal["cosine", "linear", "constant"] = "cosine"
    warmup_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.03
    epochs: Rate = 1.0
    max_steps: Positive | None = None
    max_tokens: Positive = 4096
    batch_size: Positive = 1
    accumulation: Positive = 8


class GrpoConfig(_Table):
    """Group relative policy optimization.

    Attributes
    ----------
    samples : replies a prompt.
    global_batch : replies an update, over all devices; a multiple of ``samples``.
    batch_size : replies a device and step; None: the largest that divides the batch, at most ``samples``.
    kl : weight of the divergence from the last supervised adapter.
    temperature, top_p : of sampling.
    vllm : ``auto`` samples with vLLM where it is installed and there is a GPU.
    """

    corpus: Stage = "C3"
    samples: Annotated[int, Field(ge=2)] = 4
    learning_rate: Rate = 1e-6
    schedule: Literal["cosine", "linear", "constant"] = "constant"
    warmup_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.0
    epochs: Rate = 1.0
    max_steps: Positive | None = None
    global_batch: Positive = 40
    batch_size: Positive | None = None
    max_prompt_tokens: Positive = 1536
    max_reply_tokens: Positive = 1024
    kl: Annotated[float, Field(ge=0)] = 0.01
    temperature: Rate = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    loss: Literal["grpo", "dapo", "dr_grpo", "bnpo"] = "grpo"
    vllm: Literal["auto", "never", "always"] = "auto"

    @model_validator(mode="after")
    def _whole_groups(self) -> GrpoConfig:
        if self.global_batch % self.samples:
            raise ValueError(f"global_batch {self.global_batch} is no multiple of samples {self.samples}")
        return self


class RewardConfig(_Table):
    """Weights of the rewards, 0 leaves one out; and what compares an open field with the truth.

    ``matcher`` is ``exact``, ``chars`` (both cheap, and named as such in everything written), or a similarity
    such as ``bertscore:FOLDER?layer=9``, which is what `trope run m3r` scores with.
    """

    m: Weight = 1.0
    target: Weight = 1.0
    source: Weight = 1.0
    sentiment: Weight = 1.0
    format: Weight = 0.5
    matcher: str = "bertscore:bert-base-multilingual-cased"

    @model_validator(mode="after")
    def _some(self) -> RewardConfig:
        if not any(self.weights().values()):
            raise ValueError("every weight is 0: nothing would be rewarded")
        return self

    def weights(self) -> dict[str, float]:
        """Weight by reward, in the order of the table."""
        return {name: getattr(self, name) for name in ("m", "target", "source", "sentiment", "format")}


class RunConfig(_Table):
    """How a run is carried out; nothing here changes what is learned.

    Attributes
    ----------
    precision : ``auto`` takes bf16 on a GPU that has it, else fp32; ``bf16`` insists on such a GPU.
    attention : ``auto`` takes flash attention where it is installed, else torch's own.
    gradient_checkpointing : ``auto`` saves memory on a GPU, and time on a CPU.
    save_steps, keep : a checkpoint every so many updates; how many of them stay.
    trackers : any that transformers knows (wandb, tensorboard, trackio ...); the JSONL file is always written.
    """

    precision: Literal["auto", "bf16", "fp32"] = "auto"
    attention: Literal["auto", "flash_attention_2", "sdpa", "eager"] = "auto"
    gradient_checkpointing: Literal["auto"] | bool = "auto"
    save_steps: Positive = 50
    keep: Positive = 2
    log_steps: Positive = 1
    trackers: tuple[str, ...] = ()


class TrainConfig(_Table):
    """Everything a training asks.

    Attributes
    ----------
    base : the model: a folder, or a name on a hub.
    revision : of the weights on a hub.
    """

    base: str
    revision: str | None = None
    seed: int = 42
    adapter: AdapterConfig = AdapterConfig()
    pictures: PictureConfig = PictureConfig()
    sft: SftConfig = SftConfig()
    grpo: GrpoConfig = GrpoConfig()
    rewards: RewardConfig = RewardConfig()
    run: RunConfig = RunConfig()


def read_config(source: str, settings: Sequence[str] = ()) -> TrainConfig:
    """A preset by name, or a TOML file; ``settings`` (``sft.epochs=2``) come on top.

    Raises
    ------
    UsageError : no such preset or file, or a field that cannot be meant; names it, and the nearest known one.
    """
    path = Path(source)
    if path.suffix != ".toml":
        path = PRESETS / f"{source}.toml"
        if not path.exists():
            raise UnknownName("preset", source, presets(), hint="Or a TOML file: --config FILE.toml")
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"no training file at {str(path)!r}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"training file {str(path)!r}: {error}") from None
    for setting in settings:
        _put(table, setting)
    return parse_config(table, str(path.name))


def presets() -> list[str]:
    """The presets that ship."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def parse_config(table: Mapping[str, Any], where: str) -> TrainConfig:
    """A configuration from a table; raises `UsageError` that names the field."""
    try:
        return TrainConfig.model_validate(table)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])
        place = [str(part) for part in first["loc"]]
        message = str(first["msg"]).removeprefix("Value error, ")
        message = message[:1].lower() + message[1:]
        hint = ""
        if first["type"] == "extra_forbidden":
            near = nearest(place[-1], _fields(place[:-1]))
            hint = f" Did you mean {near!r}?" if near else f" Fields: {', '.join(_fields(place[:-1]))}"
        raise UsageError(f"{where}: {'.'.join(place) or 'the whole'}: {message}.{hint}") from None


def dump_config(config: TrainConfig) -> str:
    """A configuration as TOML that `read_config` reads."""
    import tomli_w

    return tomli_w.dumps(config.model_dump(mode="json", exclude_none=True))


def _fields(place: Sequence[str]) -> list[str]:
    model: Any = TrainConfig
    for part in place:
        model = model.model_fields[part].annotation
    return list(model.model_fields)


def _put(table: dict[str, Any], setting: str) -> None:
    name, sign, text = setting.partition("=")
    parts = name.strip().split(".")
    if not sign or not all(parts):
        raise UsageError(f"--set {setting!r}. Expected: NAME=VALUE, e.g. sft.epochs=2")
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()  # a word needs no quotes
    for part in parts[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise UsageError(f"--set {setting!r}: {part!r} is no table")
    table[parts[-1]] = value
