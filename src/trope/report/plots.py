"""Plots from plain data: SVG that follows the page's colors, and figures for PDF."""

from __future__ import annotations

import html
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK = "#0a0b0c"  # stands for the page's own text color in SVG
_SERIES = ("#3b6fd4", "#c8553d", "#2f8f6b", "#8a5cc2", "#b8860b", "#4a8fa8")  # readable on light and dark
_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Arabic", "Arial Unicode MS")  # for what DejaVu lacks


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib settings of every plot."""
    import matplotlib as mpl
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    settings: Any = {
        "font.family": ["DejaVu Sans", *(name for name in _FONTS if name in installed)], "font.size": 10,
        "svg.fonttype": "none", "svg.hashsalt": "trope", "text.parse_math": False,
        "text.color": _INK, "axes.labelcolor": _INK, "axes.edgecolor": _INK, "xtick.color": _INK, "ytick.color": _INK,
        "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": "none", "axes.facecolor": "none",
    }  # fmt: skip
    with mpl.rc_context(settings):
        yield


def svg(plot: Mapping[str, Any]) -> str:
    """A plot as an inline SVG element, its text in the page's color, with a title for screen readers."""
    with style():
        buffer = io.StringIO()
        draw(plot).savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    label = html.escape(str(plot["title"]))
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" class="plot" ', 1)


def draw(plot: Mapping[str, Any]) -> Figure:
    """The figure of a plot: kind ``intervals`` or ``heatmap``."""
    return {"intervals": _intervals, "heatmap": _heatmap}[plot["kind"]](plot)


def _intervals(plot: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    labels = list(dict.fromkeys(p["label"] for p in plot["points"]))
    series = list(dict.fromkeys(p["series"] for p in plot["points"]))
    figure = Figure(figsize=(7.5, 0.9 + 0.34 * max(2, len(labels)) + 0.16 * len(series)))
    axes = figure.add_subplot()
    for n, name in enumerate(series):
        color = _SERIES[n % len(_SERIES)]
        offset = (n - (len(series) - 1) / 2) * 0.22
        for point in plot["points"]:
            if point["series"] != name or point["value"] is None:
                continue
            y = labels.index(point["label"]) + offset
            if point["low"] is not None:
                axes.plot([point["low"], point["high"]], [y, y], color=color, linewidth=2, solid_capstyle="round")
            face = "none" if point.get("mark") else color
            axes.plot(point["value"], y, "o", color=color, markerfacecolor=face, markersize=6)
        axes.plot([], [], "o-", color=color, label=name)
    axes.plot([], [], "o", color=_INK, markerfacecolor="none", label="optimized on")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(plot["title"])
    axes.grid(axis="x", alpha=0.25)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _heatmap(plot: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    values = np.array([[np.nan if v is None else v for v in row] for row in plot["values"]], float)
    figure = Figure(figsize=(2.4 + 0.55 * values.shape[1], 1.4 + 0.19 * values.shape[0]))
    axes = figure.add_subplot()
    drawn = axes.imshow(values, aspect="auto", cmap="cividis", vmin=0, vmax=1, interpolation="nearest")
    axes.set_xticks(range(values.shape[1]), plot["columns"], rotation=40, ha="right", fontsize=7)
    axes.set_yticks(range(values.shape[0]), plot["rows"], fontsize=7)
    bar = figure.colorbar(drawn, ax=axes, fraction=0.05, pad=0.02, label=plot["title"])
    bar.outline.set_visible(False)
    return figure
