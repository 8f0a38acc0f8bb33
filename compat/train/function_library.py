"""The functions that come with a graph of a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from ..bridge.function_calls import called_functions
from ..bridge.runtime import add_function

_numbers = itertools.count()


def adopt_functions(graph_def: Any) -> None:
    """Makes the functions of a ``GraphDef`` known to this process, under names that nothing else here has.

    TensorFlow 2 numbers its functions anew in each process, so two files may call different functions by one name, and
    so may a file and this process. The names are changed in ``graph_def`` itself.
    """
    library = graph_def.library
    suffix = f"_of_file_{next(_numbers)}"
    names = {function.signature.name: f"{function.signature.name}{suffix}" for function in library.function}
    if not names:
        return
    _rename(graph_def.node, names)
    for function in library.function:
        function.signature.name = names[function.signature.name]
        _rename(function.node_def, names)
    for gradient in library.gradient:
        gradient.function_name = names.get(gradient.function_name, gradient.function_name)
        gradient.gradient_func = names.get(gradient.gradient_func, gradient.gradient_func)
    for function in library.function:
        add_function(function)


def _rename(nodes: Iterable[Any], names: dict[str, str]) -> None:
    """Has nodes call functions by their new names, as their operation or as an attribute of it."""
    for node in nodes:
        node.op = names.get(node.op, node.op)
        for function in called_functions(node):
            function.name = names.get(function.name, function.name)
