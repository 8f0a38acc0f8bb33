"""What functions take in the place of tensors that they do not compute themselves: as the functions give it that do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tf_migrate.plan import Function
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Refused, Stage


def specs_of(
    program: Program, functions: Sequence[Function], names: Mapping[object, str], local: Callable[[Unit], str], tf: str
) -> dict[Function, dict[int, str]]:
    """Expressions for the types and shapes of such parameters, by the units that compute them in other functions."""
    specs: dict[Function, dict[int, str]] = {}
    for function in functions:
        for unit in function.parameters:
            if unit.value.stage is Stage.TENSOR:
                given = f"{names[_giving(program, functions, function, unit).key]}.get_concrete_function()"
                text = f'{tf}.TensorSpec.from_tensor({given}.structured_outputs, name="{local(unit)}")'
                specs.setdefault(function, {})[unit.index] = text
    return specs


def _giving(program: Program, functions: Sequence[Function], function: Function, fed: Unit) -> Function:
    """The function that gives the tensor in whose place another one takes what is fed."""
    for other in functions:
        near = program.home_of(other.anchor) is program.home_of(function.anchor) and other.anchor < function.anchor
        if near and _gives(program, other, fed):
            _require_first(program, other, fed)
            return other
    name = fed.binds[0].rpartition(".")[2]
    what = f"what is fed in the place of `{name}` has a type and a shape that no function shows"
    raise Refused(fed.node, what, f"fetch `{name}` by itself as well")


def _gives(program: Program, other: Function, fed: Unit) -> bool:
    """Whether a function gives the tensor, and nothing else."""
    if other.form != "single" or other.updates or other.once is not None or other.beneath is not None:
        return False
    binding = program.resolved.get(other.results[0].node)
    given = all(unit.value.stage is Stage.PLACEHOLDER for unit in other.parameters)
    return binding is not None and binding.unit == fed.index and given and not program.units[other.anchor].chosen


def _require_first(program: Program, other: Function, fed: Unit) -> None:
    """Refuses to trace a function early that makes variables which are not the first that TF1 made."""
    made = [unit for unit in (*other.taped, *other.rest) if unit.creates]
    graph = program.graph_of(fed.index)
    every = [unit for unit in program.units if unit.creates and program.graph_of(unit.index) == graph]
    if made != every[: len(made)]:
        what = "a tensor is fed that needs variables which are made behind others"
        raise Refused(fed.node, what, "feed a placeholder")
