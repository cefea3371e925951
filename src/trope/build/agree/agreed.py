"""Agreed items: what a subset of annotators says, put into the item it was said of, ready for training and for m3r."""

from __future__ import annotations

from collections.abc import Sequence

from trope.build.agree.consensus import Consensus
from trope.build.agree.proposals import complete
from trope.nouns import Figure, Item
from trope.protocols.m3r.reading import STAGES, Answer


def agreed_item(item: Item, agreed: Consensus, answers: Sequence[Answer | None]) -> Item:
    """The item with the agreed labels, figure and explanations.

    The explanations are those of the annotator whose tuple stands for all (the one with the most, then the one whose
    words come first): they explain these very labels, and a mapping only where there is one. They are a model's or a
    person's draft, and verified by nobody.

    Parameters
    ----------
    answers : one an annotator, in the order of the proposals that ``agreed`` was made of.
    """
    labels = agreed.labels
    same = [a for n in agreed.members if (a := answers[n]) is not None and complete(a) == labels]
    chosen = min(same, key=lambda a: (-sum(bool(a.explained(s)) for s in STAGES), repr(a)))
    figures = (Figure(tenor=labels.target, vehicle=labels.source),) if labels.is_metaphor else ()
    return item.model_copy(
        update={
            "labels": {**item.labels, "metaphor": labels.metaphor, "sentiment": labels.sentiment},
            "figures": figures,
            "references": {
                stage: said
                for stage in STAGES
                if (said := chosen.explained(stage)) and (stage != "MC" or labels.is_metaphor)
            },
        }
    )
