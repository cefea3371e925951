"""The flow: cells of a run are driven, what they ask is answered once, and everything said is stored."""

from trope.flow.budget import Budget
from trope.flow.cell import Cell, Errand, Script
from trope.flow.errands import carry_out
from trope.flow.forecast import Forecast, forecast
from trope.flow.local import Interpreter
from trope.flow.tally import Tally

__all__ = ["Budget", "Cell", "Errand", "Forecast", "Interpreter", "Script", "Tally", "carry_out", "forecast"]
