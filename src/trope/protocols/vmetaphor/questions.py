"""Questions as they are shown: "cannot be determined" is added, and options are put in a fixed, shuffled order.

The order is a function of the item's id, the question's id and one word, `shuffle`, that is an option of the
protocol and kept in the run: nothing needs to be stored beside it, and any order can be found again. The added
option is shuffled with the others, so that a judge that always names one letter is right a quarter of the time
whichever letter it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import shake_128

from trope.errors import ItemError
from trope.nouns import Figure, Item, Lang, Question
from trope.strategies.kinds import STRUCTURES

AXES = ("target", "source", "structure", "meaning", "mapping")
UNDETERMINED = "cannot be determined"  # as answers record it, in every language
_WORDS: Mapping[Lang, str] = {
    "en": UNDETERMINED,
    "zh": "无法判断",
    "ja": "判断できない",
    "ar": "لا يمكن تحديد ذلك",
}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Order:
    """Which of all orders options are shown in.

    ``shuffle`` is any word; the same for the same item, question and word. ``last`` keeps "cannot be determined"
    in the last place instead of shuffling it with the rest.
    """

    shuffle: str = "0"
    last: bool = False

    @property
    def suffix(self) -> str:
        """What it adds to the name of a call, so that the name alone tells the order; nothing for the usual one."""
        said = [f"shuffle={self.shuffle}"] if self.shuffle != "0" else []
        said += ["undetermined=last"] if self.last else []
        return "?" + "&".join(said) if said else ""


def order_of(call: str) -> Order:
    """The order that a call's name tells."""
    said = dict(part.partition("=")[::2] for part in call.partition("?")[2].split("&"))
    return Order(said.get("shuffle", "0"), "undetermined" in said)


@dataclass(frozen=True, slots=True)
class Shown:
    """One question in the order its options are shown in.

    ``options`` are the words, ``recorded`` what an answer records for each: the stored option, or `UNDETERMINED`.
    """

    id: str
    axis: str
    stem: str
    options: tuple[str, ...]
    recorded: tuple[str, ...]
    truth: str

    @property
    def letters(self) -> str:
        """One letter an option."""
        return _LETTERS[: len(self.options)]

    def text(self) -> str:
        """The question as a judge reads it: whatever an option says, it takes one line."""
        lines = [f"{letter}. {_line(option)}" for letter, option in zip(self.letters, self.options, strict=True)]
        return "\n".join([f"{self.id}: {_line(self.stem)}", *lines])


def _line(text: str) -> str:
    return " ".join(text.split())


def shown(item: Item, axes: Iterable[str], order: Order = Order()) -> tuple[Shown, ...]:
    """The item's questions on some axes, in the item's order, their options in theirs."""
    wanted = set(axes)
    return tuple(_shown(item, q, order) for q in item.questions if q.axis in wanted)


def _shown(item: Item, question: Question, asked: Order) -> Shown:
    assert question.answer is not None
    recorded = (*question.options, UNDETERMINED)
    words = (*question.options, _WORDS[item.lang])
    drawn = shake_128(f"{asked.shuffle}\0{item.id}\0{question.id}".encode()).digest(8 * len(recorded))
    order = sorted(range(len(recorded)), key=lambda n: drawn[8 * n : 8 * n + 8])
    if asked.last:
        order = [n for n in order if n < len(recorded) - 1] + [len(recorded) - 1]
    return Shown(
        question.id, question.axis, question.stem, tuple(words[n] for n in order), tuple(recorded[n] for n in order),
        question.options[question.answer],
    )  # fmt: skip


def check(items: Sequence[Item]) -> None:
    """Raise `ItemError` for the first item whose figure or questions cannot be asked about."""
    wrong = [(item.id, why) for item in items if (why := fault(item))]
    if wrong:
        name, why = wrong[0]
        raise ItemError(f"{len(wrong)} items cannot be asked about, e.g. {name!r}: {why}")


def fault(item: Item) -> str | None:
    """Why an item cannot be asked about; None if it can."""
    figure = item.figure
    if figure is None:
        return "it has no figure"
    for name in ("tenor", "ground", "structure"):
        if not getattr(figure, name):
            return f"figures[0].{name} is missing"
    absent = [role for role in ("tenor", "vehicle") if getattr(figure.presence, role) != "depicted"]
    if figure.structure == "replacement" and len(absent) != 1:
        return f"a replacement implies one of tenor and vehicle (figures[0].presence); here: {absent or 'neither'}"
    if figure.structure != "replacement" and absent:
        return f"a {figure.structure} depicts both tenor and vehicle; figures[0].presence says otherwise of {absent[0]}"
    return _unaskable(item, figure)


def _unaskable(item: Item, figure: Figure) -> str | None:
    axes = [question.axis for question in item.questions]
    for axis in AXES[:4]:
        if axes.count(axis) != 1:
            return f"{axes.count(axis)} questions on the axis {axis!r}. Expected: one"
    if axes.count("mapping") != (of := len(figure.mappings)):
        return f"{axes.count('mapping')} questions on the axis 'mapping' for {of} mappings. Expected: one each"
    names = [question.id for question in item.questions]
    twice = next((name for n, name in enumerate(names) if name in names[:n]), None)
    if twice:
        return f"two questions are called {twice!r}"
    if why := next((why for question in item.questions if (why := _faulty(question))), None):
        return why
    asked = item.questions[axes.index("structure")]
    if set(asked.options) != set(STRUCTURES):
        return f"question {asked.id!r} has the options {', '.join(asked.options)}. Expected: {', '.join(STRUCTURES)}"
    if asked.options[asked.answer or 0] != figure.structure:
        return f"question {asked.id!r} says {asked.options[asked.answer or 0]}, and the figure {figure.structure}"
    return None


def _faulty(question: Question) -> str | None:
    where = f"question {question.id!r}"
    if question.axis not in AXES:
        return f"{where} is on the axis {question.axis!r}. Expected: {', '.join(AXES)}"
    if not _NAME.fullmatch(question.id):
        return f"{where}: a judge answers 'name: letter', so names are letters, digits and _"
    if question.answer is None or question.answer >= len(question.options):
        return f"{where} has no answer among its options"
    if len(question.options) >= len(_LETTERS):
        return f"{where} has {len(question.options)} options, more than there are letters"
    seen: dict[str, str] = {normalized(word): word for word in _WORDS.values()}
    for option in question.options:
        if (same := normalized(option)) in seen:
            what = seen[same]
            added = " (which the protocol adds)" if what in _WORDS.values() else ""
            return f"{where}: options {what!r}{added} and {option!r} are the same"
        seen[same] = option
    return None


def normalized(option: str) -> str:
    """An option as two readers would compare it: compatible characters, case, space and end marks aside."""
    folded = " ".join(unicodedata.normalize("NFKC", option).casefold().split())
    return folded.strip(" .,;:!?。、،؛؟\"'") or folded
