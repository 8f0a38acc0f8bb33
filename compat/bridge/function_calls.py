"""Operations that run functions: the bodies of loops and branches, and functions that are called."""

from __future__ import annotations

from typing import Any

__all__ = ["CALLING", "called_functions"]

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


def called_functions(node: Any) -> list[Any]:
    """The functions that the attributes of a `NodeDef` name: `NameAttrList`s, which may be changed in place."""
    named = [value.func for value in node.attr.values() if value.HasField("func")]
    listed = [function for value in node.attr.values() for function in value.list.func]
    return named + listed
