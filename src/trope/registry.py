"""Names to backends: a table of what is built in, entry points for what others add.

A model is named ``backend:model?option=value``. Listing names imports nothing; a factory is imported when
its name is first used. A third party adds one with an entry point in the registry's group.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import types
import typing
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from trope.errors import BackendError, TropeError, UnknownName, UsageError, nearest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spec:
    """A model as a user names it: ``backend:model?option=value&option=value``."""

    text: str
    backend: str
    model: str | None
    options: Mapping[str, str]


def parse_spec(text: str) -> Spec:
    """Split ``backend:model?option=value``; both ``:model`` and ``?options`` may be left out."""
    head, _, query = text.strip().partition("?")
    backend, _, model = head.partition(":")
    if not backend:
        raise UsageError(f"{text!r} names no backend. Expected: backend:model?option=value, e.g. 'ssd'")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise UsageError(f"options of {text!r} cannot be read. Expected: option=value&option=value") from None
    options = dict(pairs)
    if len(options) < len(pairs):
        raise UsageError(f"{text!r} gives an option twice")
    return Spec(text.strip(), backend, model or None, options)


class Registry(Generic[T]):
    """Backends of one kind: ``builtin`` maps a name to ``"module:factory"``; ``group`` is the entry-point group.

    A factory is called as ``factory(model=..., **options)``, each only if its signature has it; a parameter
    ``backend_name`` receives the name it was found under.
    """

    def __init__(self, kind: str, builtin: Mapping[str, str], group: str) -> None:
        self.kind, self.group = kind, group
        self._builtin = dict(builtin)
        self._found: dict[str, EntryPoint] | None = None
        self.broken: dict[str, str] = {}

    def names(self) -> list[str]:
        """Every name that can be used, sorted; imports no backend."""
        return sorted({*self._builtin, *self._plugins()})

    def source(self, name: str) -> str:
        """Where a name comes from: ``module:factory``, and the package of a plug-in."""
        if name in self._builtin:
            return self._builtin[name]
        plugin = self._plugins()[name]
        return f"{plugin.value} ({plugin.dist.name if plugin.dist else 'unknown package'})"

    def __contains__(self, name: str) -> bool:
        return name in self._builtin or name in self._plugins()

    def create(self, text: str) -> T:
        """Build the backend that ``text`` names, checking its options against the factory's signature."""
        spec = parse_spec(text)
        factory = self._factory(spec.backend)
        arguments = self._arguments(spec, factory)
        try:
            backend: Any = factory(**arguments)
        except TropeError:
            raise
        except Exception as error:
            if spec.backend in self._builtin:
                raise  # a bug of ours keeps its traceback
            raise BackendError(f"{self.kind} {spec.text!r} cannot be made: {type(error).__name__}: {error}") from error
        name = _name(spec, factory, backend)
        backend.spec, backend.name = spec.text, backend.named(name) if hasattr(backend, "named") else name
        made: T = backend
        return made

    def load(self, name: str) -> None:
        """Load a plug-in, so that a broken one shows; what is built in is left unloaded."""
        if name not in self._builtin:
            with contextlib.suppress(TropeError):
                self._factory(name)

    def _plugins(self) -> dict[str, EntryPoint]:
        if self._found is None:
            found: dict[str, EntryPoint] = {}
            for point in entry_points(group=self.group):
                if point.name in self._builtin or point.name in found:
                    other = self._builtin.get(point.name) or found[point.name].value
                    self._skip(point.name, f"{point.value} repeats the name of {other}")
                else:
                    found[point.name] = point
            self._found = found
        return self._found

    def _factory(self, name: str) -> Callable[..., Any]:
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            factory: Callable[..., Any] = getattr(import_module(module), attribute)
            return factory
        plugin = self._plugins().get(name)
        if plugin is None:
            raise UnknownName(self.kind, name, self.names(), hint="See all: trope doctor")
        try:
            loaded: Callable[..., Any] = plugin.load()
        except Exception as error:
            self._skip(name, f"{plugin.value} cannot be loaded: {type(error).__name__}: {error}")
            raise TropeError(f"{self.kind} {name!r} is broken: {self.broken[name]}") from error
        return loaded

    def _skip(self, name: str, reason: str) -> None:
        self.broken[name] = reason
        if os.environ.get("TROPE_STRICT_PLUGINS") == "1":
            raise TropeError(f"plug-in {name!r}: {reason}")
        warnings.warn(f"plug-in {name!r} is skipped: {reason}", stacklevel=2)

    def _arguments(self, spec: Spec, factory: Callable[..., Any]) -> dict[str, Any]:
        parameters = inspect.signature(factory).parameters
        try:
            hints = typing.get_type_hints(factory.__init__ if inspect.isclass(factory) else factory)
        except NameError:  # names that exist for type checkers only
            hints = {}
        arguments: dict[str, Any] = {}
        if "model" in parameters:
            if spec.model is not None:
                arguments["model"] = spec.model
            elif parameters["model"].default is inspect.Parameter.empty:
                raise UsageError(f"{spec.text!r} names no model. Expected: {spec.backend}:MODEL")
        elif spec.model is not None:
            raise UsageError(f"{spec.backend!r} takes no model, but {spec.text!r} gives {spec.model!r}")
        if "backend_name" in parameters:
            arguments["backend_name"] = spec.backend
        known = [name for name in parameters if name not in ("model", "backend_name")]
        for name, value in spec.options.items():
            if name not in known:
                near = nearest(name, known)
                raise UsageError(
                    f"{spec.backend!r} has no option {name!r} (in {spec.text!r})."
                    + (f" Did you mean {near!r}?" if near else "")
                    + f" Options: {', '.join(known) or 'none'}."
                )
            arguments[name] = _convert(value, hints.get(name, str), f"option {name!r} of {spec.text!r}")
        return arguments


def _name(spec: Spec, factory: Callable[..., Any], backend: Any) -> str:
    """The spec without options that cannot change an answer: how to reach it, and what is the default anyway."""
    defaults = {name: p.default for name, p in inspect.signature(factory).parameters.items()}
    transport: frozenset[str] = getattr(backend, "transport", frozenset())
    kept = [(k, v) for k, v in sorted(spec.options.items()) if k not in transport and v != str(defaults.get(k))]
    head = spec.text.partition("?")[0]
    return head + ("?" + "&".join(f"{k}={v}" for k, v in kept) if kept else "")


def _convert(value: str, hint: Any, where: str) -> Any:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(h for h in typing.get_args(hint) if h is not type(None))
    if hint is bool:
        if value.lower() in ("1", "true", "yes"):
            return True
        if value.lower() in ("0", "false", "no"):
            return False
        raise UsageError(f"{where} is {value!r}. Expected: true or false")
    if hint in (int, float):
        try:
            return hint(value)
        except ValueError:
            raise UsageError(f"{where} is {value!r}. Expected: a number ({hint.__name__})") from None
    return value
