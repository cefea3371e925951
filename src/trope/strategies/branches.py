"""Which text encoders a strategy cuts: the branches of the subjects that let one choose a layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from trope.errors import UsageError, nearest
from trope.generators import Branch, Generator
from trope.registry import Spec
from trope.strategies.options import Context

Pooled = Literal["normal", "layer"]
Branches = Mapping[str, Mapping[str, Branch]]  # branch -> subject -> what the subject has of it


def branches(spec: Spec, context: Context) -> Branches:
    """The option ``branch``, or else every branch of every subject, with the subjects that have it.

    Raises
    ------
    UsageError : no subject has such a branch, or none has any.
    """
    found: dict[str, dict[str, Branch]] = {}
    for name, subject in context.subjects.items():
        for branch, of in (subject.branches() if isinstance(subject, Generator) else {}).items():
            found.setdefault(branch, {})[name] = of
    if not found:
        raise UsageError(
            f"strategy {spec.text!r} needs a subject whose text encoder can be cut, e.g. diffusers:FOLDER. Subjects of"
            f" this run: {', '.join(context.subjects) or 'none'}"
        )
    wanted = spec.options.get("branch")
    if wanted is None:
        every = {name: {s: b for s, b in having.items() if not b.aside} for name, having in found.items()}
        return {name: having for name, having in every.items() if having}
    if wanted not in found:
        near = nearest(wanted, found)
        raise UsageError(
            f"strategy {spec.text!r}: no subject has a branch {wanted!r}."
            + (f" Did you mean {near!r}?" if near else "") + f" Branches: {', '.join(found)}"
        )  # fmt: skip
    return {wanted: found[wanted]}


def pooled(spec: Spec, chosen: Branches) -> Pooled:
    """The option ``pooled``; raises `UsageError` where no chosen branch has a pooled vector that can follow."""
    given = spec.options.get("pooled", "normal")
    if given not in ("normal", "layer"):
        raise UsageError(f"strategy {spec.text!r}: pooled={given!r}. Expected: normal or layer")
    cannot = [f"{n} of {subject}" for n, having in chosen.items() for subject, of in having.items() if not of.pooled]
    if given == "layer" and cannot:
        raise UsageError(
            f"strategy {spec.text!r}: {', '.join(cannot)} has no pooled vector that could follow its layer"
        )
    return "layer" if given == "layer" else "normal"
