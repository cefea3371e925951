"""An experiment: what is asked (TOML), planned, executed, and scored from what is stored."""

from trope.experiment.execution import Outcome, execute
from trope.experiment.planning import Plan, plan
from trope.experiment.scoring import score, score_bundle, verify
from trope.experiment.spec import Experiment, read_experiment

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
