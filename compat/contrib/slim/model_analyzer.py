"""What a model consists of, and how large it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...variables.tracing import ambient_graph


def tensor_description(var: Any) -> str:
    """A tensor's dtype and shape in words, as ``(float32_ref 3x3x64)`` without the ``_ref``."""
    return f"({var.dtype.name} {'x'.join(str(size) for size in var.shape)})"


def analyze_ops(graph: Any = None, print_info: bool = False) -> int:
    """How many elements the outputs of a graph's operations have; unknown sizes are left out.

    Stands for ``slim.model_analyzer.analyze_ops``.

    Args:
        graph: the graph being built unless given.
        print_info: prints each operation with its outputs.
    """
    graph = ambient_graph() if graph is None else graph
    total = 0
    if print_info:
        print("---------\nOperations: name -> (type shapes) [size]\n---------")
    for operation in graph.get_operations():
        sizes = [output.shape.num_elements() or 0 for output in operation.outputs]
        total += sum(sizes)
        if print_info:
            described = ", ".join(tensor_description(output) for output in operation.outputs if output.shape.rank)
            print(operation.name, f"-> {described} [{sum(sizes)}]")
    return total


def analyze_vars(variables: Sequence[Any], print_info: bool = False) -> tuple[int, int]:
    """How many elements and bytes variables have. Stands for ``slim.model_analyzer.analyze_vars``.

    Args:
        print_info: prints each variable.
    """
    elements = total_bytes = 0
    if print_info:
        print("---------\nVariables: name (type shape) [size]\n---------")
    for variable in variables:
        size = math.prod(variable.shape.as_list())
        elements += size
        total_bytes += size * variable.dtype.size
        if print_info:
            print(variable.name, tensor_description(variable), f"[{size}, bytes: {size * variable.dtype.size}]")
    if print_info:
        print(f"Total size of variables: {elements}")
        print(f"Total bytes of variables: {total_bytes}")
    return elements, total_bytes
