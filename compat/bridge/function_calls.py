"""Operations that run functions: the bodies of loops and branches, and functions that are called."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from . import runtime

__all__ = ["CALLING", "CHOOSING", "called_functions", "register_called", "rewrite_called", "updated_inputs"]

CALLING = frozenset(
    {
        "Case",
        "If",
        "PartitionedCall",
        "StatefulPartitionedCall",
        "StatelessCase",
        "StatelessIf",
        "StatelessWhile",
        "While",
    }
)
"""Types of operations whose attributes name functions that run as a part of the graph."""
CHOOSING = frozenset({"Case", "If", "StatelessCase", "StatelessIf"})
"""Those whose first input chooses a function, and is none of its parameters."""


def called_functions(node: Any) -> list[Any]:
    """The functions that the attributes of a `NodeDef` name: `NameAttrList`s, which may be changed in place."""
    named = [value.func for value in node.attr.values() if value.HasField("func")]
    listed = [function for value in node.attr.values() for function in value.list.func]
    return named + listed


def updated_inputs(node: Any, reads: Container[str]) -> frozenset[int]:
    """The inputs of a `NodeDef` by which it, or a function that it calls, does more than read a resource.

    Args:
      node: a node of a graph, or of a function.
      reads: the types of operations that only read.
    """
    if node.op not in CALLING:
        return frozenset() if node.op in reads else frozenset(range(len(node.input)))
    first = 1 if node.op in CHOOSING else 0
    return frozenset(
        first + place
        for function in called_functions(node)
        for place in _updated_parameters(runtime.function_definition(function.name), reads)
    )


def _updated_parameters(definition: Any, reads: Container[str]) -> Iterator[int]:
    names = [argument.name for argument in definition.signature.input_arg]
    used = [
        node.input[place]
        for node in definition.node_def
        if any(name in names for name in node.input)
        for place in updated_inputs(node, reads)
        if place < len(node.input)
    ]
    yield from (place for place, name in enumerate(names) if name in used)


def register_called(graph: Any, operations: Iterable[Any]) -> None:
    """Makes the functions that operations of a graph call known to this process: an imported graph keeps its own."""
    nodes = (operation.node_def for operation in operations if operation.type in CALLING)
    if all(runtime.has_function(function.name) for node in nodes for function in called_functions(node)):
        return
    for definition in graph.as_graph_def().library.function:
        if not runtime.has_function(definition.signature.name):
            runtime.add_function(definition)


def rewrite_called(node: Any, name: str, rewritten: Callable[[Any, str, str], Any], copies: list[str]) -> bool:
    """Has a `NodeDef` of the function `name` call others in the place of those that are written anew.

    Args:
      node: it is changed.
      name: the function that it is a node of.
      rewritten: gives the definition of a function under another name, from its definition, that name and its own;
        None where it stays as it is.
      copies: gets the names of those that were made.

    Returns:
      Whether there were any.
    """
    found = False
    for function in called_functions(node) if node.op in CALLING else ():
        copy = f"{name}/{node.name}/{function.name}"
        body = rewritten(runtime.function_definition(function.name), copy, function.name)
        if body is not None:
            runtime.add_function(body)
            copies.append(copy)
            function.name = copy
            found = True
    return found
