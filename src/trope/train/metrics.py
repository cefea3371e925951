"""Metrics of a training: one JSON line a logged step, and curves of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from trope.errors import StoreError, UsageError

FILE = "metrics.jsonl"


class MetricsFile:
    """``metrics.jsonl`` of one stage. A resumed run forgets the lines after its checkpoint: they come again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, step: int, values: dict[str, Any]) -> None:
        """Add one line; raises `StoreError` when the disk is full."""
        kept = {k: v for k, v in values.items() if isinstance(v, int | float | str)}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"step": step, **kept}) + "\n")
        except OSError as error:
            raise StoreError(f"cannot write {str(self.path)!r}: {error.strerror or error}") from None

    def rewind(self, step: int) -> None:
        """Keep the lines up to a step."""
        from trope.store.files import write_durably

        kept = [line for line in read_metrics(self.path) if line["step"] <= step]
        write_durably(self.path, "".join(json.dumps(line) + "\n" for line in kept).encode())


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file, in order; a last line that a kill cut short is left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text("utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found


def callback(file: MetricsFile) -> Any:
    """A trainer callback that writes every log to ``file``; only the first process writes."""
    from transformers import TrainerCallback

    class Metrics(TrainerCallback):
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
            if state.is_world_process_zero and logs and "train_runtime" not in logs:
                file.add(state.global_step, logs)

    return Metrics()


def series(path: Path, key: str) -> tuple[list[int], list[float]]:
    """Steps and values of one metric; raises `UsageError` with the known ones when it is not there."""
    lines = read_metrics(path)
    pairs = [(line["step"], float(line[key])) for line in lines if key in line]
    if not pairs:
        known = sorted({k for line in lines for k in line} - {"step", "epoch"})
        raise UsageError(f"no metric {key!r} in {str(path)!r}. There: {', '.join(known) or 'nothing yet'}")
    return [step for step, _ in pairs], [value for _, value in pairs]


def draw_curves(
    paths: Iterable[Path], keys: Sequence[str], out: Path, window: int = 1, logs: Collection[str] = ()
) -> None:
    """Draw metrics over steps, one panel a metric, one line a file.

    ``window`` > 1 adds a running mean; metrics in ``logs`` get an axis that is linear below 0.01 and logarithmic above.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    files = list(paths)
    figure, panels = plt.subplots(len(keys), 1, figsize=(7, 2.6 * len(keys)), squeeze=False, sharex=True)
    for panel, key in zip(panels[:, 0], keys, strict=True):
        for path in files:
            steps, values = series(path, key)
            (line,) = panel.plot(steps, values, alpha=0.35 if window > 1 else 1.0, linewidth=1)
            label = path.parent.name
            if window > 1:
                panel.plot(*_running(steps, values, window), color=line.get_color(), linewidth=2, label=label)
            else:
                line.set_label(label)
        panel.set_ylabel(key)
        if key in logs:
            panel.set_yscale("symlog", linthresh=0.01)
        panel.grid(alpha=0.3)
        if len(files) > 1:
            panel.legend()
    panels[-1, 0].set_xlabel("update" + (f" (thick: mean of {window})" if window > 1 else ""))
    figure.tight_layout()
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=130)
    plt.close(figure)


def _running(steps: Sequence[int], values: Sequence[float], window: int) -> tuple[list[int], list[float]]:
    last = range(window, len(values) + 1)
    return [steps[end - 1] for end in last], [sum(values[end - window : end]) / window for end in last]
