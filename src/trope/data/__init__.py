"""What ships with Trope: items, the embedded detector's weights, cut-outs, and the classes they know."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent
