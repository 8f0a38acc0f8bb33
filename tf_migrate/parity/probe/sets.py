"""Sets of texts in one order, whichever Python runs the program: each version hashes texts in a way of its own.

A program that numbers its words by `list(set(words))` would else be given other numbers. Only what the program's own
files call `set` is changed; libraries keep theirs.
"""

from __future__ import annotations

import builtins
from importlib.machinery import SourceFileLoader
from typing import Any

_PLAIN = builtins.set
_TEXTS = (str, bytes)
_MAKE = ("copy", "difference", "intersection", "symmetric_difference", "union")
_MAKE_TOO = ("__and__", "__or__", "__sub__", "__xor__", "__rand__", "__ror__", "__rsub__", "__rxor__")


class _Every(type):
    """All sets are sets for the program, also those that it writes in braces."""

    def __instancecheck__(cls, item: Any) -> bool:
        return isinstance(item, _PLAIN)

    def __subclasscheck__(cls, other: Any) -> bool:
        return issubclass(other, _PLAIN)


class OrderedSet(_PLAIN, metaclass=_Every):  # type: ignore[type-arg]
    """A set that gives texts, and tuples that begin with texts, sorted."""

    def __iter__(self) -> Any:
        items = list(_PLAIN.__iter__(self))
        first = (item[0] if isinstance(item, tuple) and item else item for item in items)
        if not items or not all(isinstance(item, _TEXTS) for item in first):
            return iter(items)
        try:
            return iter(sorted(items))
        except TypeError:  # of texts and bytes, or of tuples whose other parts have no order
            return iter(items)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}" if self else "set()"

    def __reduce__(self) -> Any:
        return _PLAIN, (list(self),)

    def pop(self) -> Any:
        """Takes the first one."""
        item = next(iter(self)) if self else _PLAIN.pop(self)
        self.discard(item)
        return item


def _made(name: str) -> Any:
    plain = getattr(_PLAIN, name)

    def method(self: Any, *others: Any) -> Any:
        made = plain(self, *others)
        return made if made is NotImplemented else OrderedSet(made)

    return method


OrderedSet.__name__ = OrderedSet.__qualname__ = "set"
for _name in (*_MAKE, *_MAKE_TOO):
    setattr(OrderedSet, _name, _made(_name))


def order_sets(recorder: Any) -> dict[str, Any]:
    """Has modules of the program begin with this `set`; what is given is for the program's own first file."""
    plain = SourceFileLoader.exec_module
    names = {"set": OrderedSet}

    def exec_module(self: Any, module: Any) -> None:
        if recorder.is_program(self.path):
            vars(module).update(names)
        plain(self, module)

    SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign]
    return names
