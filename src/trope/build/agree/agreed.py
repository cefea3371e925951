"""What annotators say, put into the item it was said of: agreed by a subset, or one by one for people to choose."""

from __future__ import annotations

from collections.abc import Sequence

from trope.build.agree.consensus import Consensus
from trope.build.agree.proposals import complete
from trope.nouns import Figure, Item
from trope.protocols.m3r.labels import CATEGORICAL, FIELDS, NONE, YES
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


def unlabeled(item: Item) -> Item:
    """The item with empty places for labels, and without whatever goes with labels, to be labeled by people."""
    return proposed_item(item, Answer())


def proposals_about(item: Item, answers: Sequence[Answer]) -> list[Item]:
    """The item as each answer has it, for people to choose from; answers without a valid field are left out.

    A target without a source is not in it, for an item cannot say one.
    """
    return [proposed_item(item, answer) for answer in answers if any(getattr(answer, name) for name in FIELDS)]


def proposed_item(item: Item, answer: Answer) -> Item:
    """The item with what one answer says, whole or not: an empty text stands for a label that it does not have."""
    target, source = (None if text == NONE else text for text in (answer.target, answer.source))
    return item.model_copy(
        update={
            "labels": {**item.labels, **{name: getattr(answer, name) or "" for name in CATEGORICAL}},
            "figures": (Figure(tenor=target, vehicle=source),) if source else (),
            "references": {
                stage: said
                for stage in STAGES
                if (said := answer.explained(stage)) and (stage != "MC" or answer.metaphor == YES)
            },
            "verified_by": (),
        }
    )
