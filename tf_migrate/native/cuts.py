"""What functions take in the place of tensors that they do not compute themselves: as the functions give it that do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from tf_migrate.native.functions import INDENT
from tf_migrate.native.objects import prefix
from tf_migrate.plan import Function
from tf_migrate.planning.beneath import is_seen
from tf_migrate.stages.cuts import scaled_placeholder
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import ZERO_STATE, Refused, Stage

_COPIES = ("tf.identity", "tf.stop_gradient")


def specs_of(
    program: Program, functions: Sequence[Function], names: Mapping[object, str], local: Callable[[Unit], str], tf: str
) -> dict[Function, dict[int, str]]:
    """Expressions for the types and shapes of such parameters, by the units that compute them in other functions."""
    specs: dict[Function, dict[int, str]] = {}
    for function in functions:
        for unit in function.parameters:
            if unit.value.stage is Stage.TENSOR and scaled_placeholder(program, unit) is None:
                other = _giving(program, functions, function, unit)
                before = prefix(program, other, program.home_of(function.anchor))
                given = f"{before}{names[other.key]}.get_concrete_function()"
                text = f'{tf}.TensorSpec.from_tensor({given}.structured_outputs, name="{local(unit)}")'
                if unit.value.symbol == ZERO_STATE.symbol:
                    text = _spec_of_state(f"{given}.structured_outputs", tf)
                specs.setdefault(function, {})[unit.index] = text
    return specs


def _spec_of_state(given: str, tf: str) -> str:
    """The types and shapes of a cell's state, as a line of a signature that takes several."""
    inner = "\n" + INDENT * 3
    each = f"lambda part: {tf}.TensorSpec(part.shape, part.dtype)"
    return f"{tf}.nest.map_structure({inner}{each},{inner}{given},\n{INDENT * 2})"


def _giving(program: Program, functions: Sequence[Function], function: Function, fed: Unit) -> Function:
    """The function that gives the tensor in whose place another one takes what is fed."""
    for other in functions:
        if other.anchor < function.anchor and _is_near(program, other, function) and _gives(program, other, fed):
            _require_first(program, other, fed)
            return other
    name = fed.binds[0].rpartition(".")[2]
    what = f"what is fed in the place of `{name}` has a type and a shape that no function shows"
    raise Refused(fed.node, what, f"fetch `{name}` by itself as well")


def _is_near(program: Program, other: Function, function: Function) -> bool:
    """Whether a function can ask another one what that gives: of its own method, or of an object made before."""
    home, owner = program.home_of(function.anchor), program.owner_of(program.home_of(other.anchor))
    if program.home_of(other.anchor) is home:
        return True
    mine = program.owner_of(home)
    return mine is not None and owner is not None and mine is not owner and is_seen(program, owner, home)


def _gives(program: Program, other: Function, fed: Unit) -> bool:
    """Whether a function gives the tensor, and nothing else."""
    single = other.form == "single" or (other.form == "nested" and len(other.results) == 1)
    if not single or other.updates or other.once is not None or other.beneath is not None:
        return False
    binding = program.resolved.get(other.results[0].node)
    given = all(unit.value.stage is Stage.PLACEHOLDER for unit in other.parameters)
    alike = binding is not None and binding.unit in (fed.index, _unchanged(program, fed))
    return alike and given and not program.units[other.anchor].chosen


def _unchanged(program: Program, fed: Unit) -> int:
    """The unit of the tensor of which a fed one, made by `tf.stop_gradient` or `tf.identity`, is a copy."""
    call = fed.node.value if isinstance(fed.node, ast.Assign) else None
    symbol = program.names.resolve(call.func) if isinstance(call, ast.Call) else None
    binding = program.resolved.get(call.args[0]) if isinstance(call, ast.Call) and len(call.args) == 1 else None
    return binding.unit if binding is not None and symbol in _COPIES else fed.index


def _require_first(program: Program, other: Function, fed: Unit) -> None:
    """Refuses to trace a function early that makes variables which are not the first that TF1 made."""
    made = [unit for unit in (*other.taped, *other.rest) if unit.creates]
    graph = program.graph_of(fed.index)
    every = [unit for unit in program.units if unit.creates and program.graph_of(unit.index) == graph]
    if made != every[: len(made)]:
        what = "a tensor is fed that needs variables which are made behind others"
        raise Refused(fed.node, what, "feed a placeholder")
