"""Lists of variables that are written out by the names that these have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Variable


def list_of(
    variables: Sequence[Variable],
    program: Program,
    text: Callable[[ast.expr], str],
    renamed: dict[str, str],
    kept: Mapping[ast.Call, str],
) -> str:
    """An expression for a list of variables, in the order given; whole containers are unpacked."""
    pieces: list[str] = []
    remaining = list(variables)
    while remaining:
        first = remaining[0]
        target = kept.get(first.call, renamed.get(first.target, first.target))
        together = [
            variable
            for variable in program.variables
            if variable.target == first.target and variable.unit == first.unit and variable.trainable
        ]
        if first.key is None:
            pieces.append(target)
            remaining.pop(0)
        elif len(together) > 1 and remaining[: len(together)] == together and _is_whole(first, program):
            pieces.append(f"*{target}.values()" if _is_dict(first, program) else f"*{target}")
            del remaining[: len(together)]
        else:
            assert isinstance(first.key, ast.expr)
            pieces.append(f"{target}[{ast.unparse(first.key)}]")
            remaining.pop(0)
    return f"[{', '.join(pieces)}]"


def _is_whole(variable: Variable, program: Program) -> bool:
    """Whether a container holds new trainable variables and nothing else."""
    value = program.units[variable.unit].value
    return value.parts is not None and all(
        len(part.variables) == 1 and part.variables[0].unit == variable.unit and part.variables[0].trainable
        for part in value.parts
    )


def _is_dict(variable: Variable, program: Program) -> bool:
    return program.units[variable.unit].value.keys is not None
