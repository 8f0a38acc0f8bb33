"""First values of variables that a program can tell how often they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from ..bridge.function_calls import called_functions
from ..bridge.pruning import reach
from ..bridge.runtime import function_definition

__all__ = ["calls_or_takes"]

_ACTING = frozenset(
    {
        *("EagerPyFunc", "PyFunc", "PyFuncStateless", "Print", "PrintV2"),
        *("IteratorGetNext", "IteratorGetNextSync", "IteratorGetNextAsOptional"),
        *("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
    }
)
_ACTING_KINDS = ("QueueDequeue", "ReaderRead")


def calls_or_takes(graph: Any, operation: tf.Operation) -> bool:
    """Whether an initializer needs what calls Python, prints, takes something away, or updates another variable."""
    needed = (each for each in reach(graph, [operation], []).operations if each is not operation)
    return any(kind in _ACTING or kind.startswith(_ACTING_KINDS) for kind in _kinds(each.node_def for each in needed))


def _kinds(nodes: Iterable[Any]) -> Iterator[str]:
    """The types of operations, of those in bodies of loops and branches too."""
    for node in nodes:
        yield node.op
        for function in called_functions(node):
            yield from _kinds(function_definition(function.name).node_def)
