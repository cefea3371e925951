"""Agreement of several annotators on what an image-text pair means: consensus, statistics, calibration.

::

    proposals.py    annotators' tuples, from files or straight from models
    consensus.py    the largest subset that agrees on every field
    agreed.py       the items it was said of, with labels, figure and explanations: agreed, or for people to choose from
    statistics.py   how far annotators agree, field by field
    calibration.py  which threshold of likeness people would draw
"""

from trope.build.agree.agreed import agreed_item, proposals_about, unlabeled
from trope.build.agree.calibration import Judged, calibrate, read_judged
from trope.build.agree.consensus import Consensus, consensus
from trope.build.agree.proposals import ask_annotators, complete, read_annotators
from trope.build.agree.statistics import Matched, agreement_table, matched

__all__ = [
    "Consensus",
    "Judged",
    "Matched",
    "agreed_item",
    "agreement_table",
    "ask_annotators",
    "calibrate",
    "complete",
    "consensus",
    "matched",
    "proposals_about",
    "read_annotators",
    "read_judged",
    "unlabeled",
]
