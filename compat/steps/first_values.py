"""First values of variables that a program can tell how often they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from ..bridge.function_calls import called_functions
from ..bridge.pruning import reach
from ..bridge.runtime import function_definition

__all__ = ["acts", "calls_or_takes"]

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
    return any(map(acts, _nodes(each.node_def for each in needed)))


def acts(node: Any) -> bool:
    """Whether a program can tell how often an operation runs."""
    return node.op in _ACTING or node.op.startswith(_ACTING_KINDS)


def _nodes(nodes: Iterable[Any]) -> Iterator[Any]:
    """Operations, and those in bodies of loops and branches."""
    for node in nodes:
        yield node
        for function in called_functions(node):
            yield from _nodes(function_definition(function.name).node_def)
