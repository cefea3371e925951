"""Plots from plain data: SVG that follows the page's colors, and figures for PDF."""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """The figure of a plot, plain data of one of these kinds.

    intervals : ``points`` of label, series, value, low, high, mark; optional ``limits``.
    heatmap : ``rows``, ``columns``, ``values[row][column]``; optional ``limits``.
    stacked : ``rows``, ``parts``, ``values[row][part]``: shares that add up to the bar.
    scatter : ``points`` of x, y, label, series, optional low and high (of y); ``xlabel``, ``ylabel``,
        optional ``diagonal`` (the line of agreement) and ``levels`` (horizontal lines by name).
    lines : ``series`` of name, x, y, optional low and high; ``xlabel``, ``ylabel``.
    """
    return _KINDS[plot["kind"]](plot)


def _intervals(plot: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    labels = list(dict.fromkeys(p["label"] for p in plot["points"]))
    series = list(dict.fromkeys(p["series"] for p in plot["points"]))
    figure = Figure(figsize=(7.5, 0.9 + max(0.34, 0.14 * len(series)) * max(2, len(labels)) + 0.16 * len(series)))
    axes = figure.add_subplot()
    for n, name in enumerate(series):
        color = _SERIES[n % len(_SERIES)]
        offset = (n - (len(series) - 1) / 2) * min(0.22, 0.8 / len(series))
        for point in plot["points"]:
            if point["series"] != name or point["value"] is None:
                continue
            y = labels.index(point["label"]) + offset
            if point["low"] is not None:
                axes.plot([point["low"], point["high"]], [y, y], color=color, linewidth=2, solid_capstyle="round")
            face = "none" if point.get("mark") else color
            axes.plot(point["value"], y, "o", color=color, markerfacecolor=face, markersize=6)
        axes.plot([], [], "o-", color=color, label=name)
    if marks := {str(p["mark"]) for p in plot["points"] if p.get("mark")}:
        axes.plot([], [], "o", color=_INK, markerfacecolor="none", label=", ".join(sorted(marks)))
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    low, high = plot.get("limits", (0, 1))
    axes.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
    axes.set_xlabel(plot["title"])
    axes.grid(axis="x", alpha=0.25)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _heatmap(plot: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    values = np.array([[np.nan if v is None else v for v in row] for row in plot["values"]], float)
    figure = Figure(figsize=(2.4 + 0.55 * values.shape[1], 1.4 + 0.19 * values.shape[0]))
    axes = figure.add_subplot()
    low, high = plot.get("limits", (0, 1))
    drawn = axes.imshow(values, aspect="auto", cmap="cividis", vmin=low, vmax=high, interpolation="nearest")
    axes.set_xticks(range(values.shape[1]), plot["columns"], rotation=40, ha="right", fontsize=7)
    axes.set_yticks(range(values.shape[0]), plot["rows"], fontsize=7)
    bar = figure.colorbar(drawn, ax=axes, fraction=0.05, pad=0.02, label=plot["title"])
    bar.outline.set_visible(False)
    return figure


def _stacked(plot: Mapping[str, Any]) -> Figure:
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    rows, parts = plot["rows"], plot["parts"]
    values = np.array([[np.nan if v is None else v for v in row] for row in plot["values"]], float)
    figure = Figure(figsize=(7.5, 0.9 + 0.34 * max(2, len(rows))))
    axes = figure.add_subplot()
    left = np.zeros(len(rows))
    shades = colormaps["cividis"](np.linspace(0.05, 0.95, len(parts)))
    for n, part in enumerate(parts):
        wide = np.nan_to_num(values[:, n])
        axes.barh(range(len(rows)), wide, left=left, color=shades[n], label=part, height=0.7)
        left += wide
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_xlabel(plot["title"])
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _scatter(plot: Mapping[str, Any]) -> Figure:
    figure, axes = _panel(plot)
    points = [p for p in plot["points"] if p["x"] is not None and p["y"] is not None]
    for n, name in enumerate(dict.fromkeys(p["series"] for p in points)):
        color, mine = _SERIES[n % len(_SERIES)], [p for p in points if p["series"] == name]
        for p in mine:
            if p.get("low") is not None:
                axes.plot([p["x"], p["x"]], [p["low"], p["high"]], color=color, linewidth=1, alpha=0.6)
        axes.plot([p["x"] for p in mine], [p["y"] for p in mine], "o", color=color, markersize=4, alpha=0.7, label=name)
        if len(points) <= 20:
            for p in mine:
                axes.annotate(str(p["label"]), (p["x"], p["y"]), (4, 4), textcoords="offset points", fontsize=7)
    if plot.get("diagonal") and points:
        ends = [f(v for p in points for v in (p["x"], p["y"])) for f in (min, max)]
        axes.plot(ends, ends, "--", color=_INK, linewidth=1, alpha=0.5)
    for name, level in plot.get("levels", {}).items():
        axes.axhline(level, linestyle=":", color=_INK, linewidth=1, alpha=0.6)
        axes.annotate(name, (1, level), xycoords=("axes fraction", "data"), fontsize=7, va="bottom", ha="right")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _lines(plot: Mapping[str, Any]) -> Figure:
    figure, axes = _panel(plot)
    for n, series in enumerate(plot["series"]):
        color = _SERIES[n % len(_SERIES)]
        y = _numbers(series["y"])
        axes.plot(series["x"], y, "o-", color=color, markersize=3, linewidth=1.5, label=series["name"])
        if series.get("low") is not None:
            axes.fill_between(series["x"], _numbers(series["low"]), _numbers(series["high"]), color=color, alpha=0.15)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _panel(plot: Mapping[str, Any]) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.2))
    axes = figure.add_subplot()
    axes.set_xlabel(plot["xlabel"])
    axes.set_ylabel(plot["ylabel"])
    axes.grid(alpha=0.25)
    return figure, axes


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if v is None else v for v in values]


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], Figure]] = {
    "intervals": _intervals, "heatmap": _heatmap, "stacked": _stacked, "scatter": _scatter, "lines": _lines,
}  # fmt: skip
