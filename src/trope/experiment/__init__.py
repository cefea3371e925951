"""An experiment: what is asked (TOML), planned, executed, and scored from what is stored."""

from trope.experiment.asked import Experiment, read_experiment
from trope.experiment.execute import Outcome, execute
from trope.experiment.plan import Plan, plan
from trope.experiment.score import score, score_bundle, verify

__all__ = [
    "Experiment",
    "Outcome",
    "Plan",
    "execute",
    "plan",
    "read_experiment",
    "score",
    "score_bundle",
    "verify",
]
