"""What a run surely needs: a layer that moves averages in place did so in the runs that needed its output only.

A statement is surely needed where what is fetched, or trained, is an expression of its value in which nothing but
values of tensors take part, or an expression of what is surely needed. A shape is known without a run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.stages import effects
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import Slice
from tf_migrate.stages.values import Minimize, Reads, Refused, Stage

_SHAPES = frozenset(f"tf.{word}" for word in ("ones_like", "rank", "shape", "shape_n", "size", "zeros_like"))
_LAYERS = effects.LAYERS | effects.RANDOM_LAYERS | effects.INITIALIZER_CLASSES
_USING = (effects.PURE | effects.RANDOM | _LAYERS) - _SHAPES
_PLAIN = ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context
_GIVEN = ast.keyword | ast.List | ast.Tuple


def require_needed(program: Program, run: Run, found: Slice) -> None:
    """Refuses a run whose function would move averages that TF1's run may have left as they were."""
    moving = [unit for unit in found.units if unit.in_place]
    if not moving:
        return
    needed = set(_needed(program, run))
    left = next((unit for unit in moving if unit not in needed), None)
    if left is not None:
        what = f"the run may need `{left.binds[0]}`, which moves averages in place, or may not"
        raise Refused(run.site.node, what, "put the updates into `tf.GraphKeys.UPDATE_OPS`")


def moved_in_place(units: tuple[Unit, ...]) -> set[int]:
    """The statements that move averages in place."""
    return {unit.index for unit in units if unit.in_place}


def _needed(program: Program, run: Run) -> Iterator[Unit]:
    seen: set[int] = set()
    pending: list[tuple[ast.expr, Reads]] = [(leaf.node, run.reads) for leaf in run.leaves if not leaf.value.updates]
    pending += [(update.loss, update.tracked) for update in run.updates if isinstance(update, Minimize)]
    while pending:
        node, reads = pending.pop()
        for name in _names(program, node):
            binding = reads.get(name.id)
            if binding is None or binding.value.stage is not Stage.TENSOR or binding.unit in seen:
                continue
            seen.add(binding.unit)
            unit = program.units[binding.unit]
            yield unit
            if isinstance(unit.node, ast.Assign) and isinstance(unit.node.targets[0], ast.Name):
                pending.append((unit.node.value, unit.reads))


def _names(program: Program, node: ast.expr) -> list[ast.Name]:
    """The names whose values an expression uses; none where it may use a part of them only."""
    inside = list(ast.walk(node))
    calls = [inner for inner in inside if isinstance(inner, ast.Call)]
    symbols = [inner for inner in inside if isinstance(inner, ast.Attribute) and program.names.resolve(inner)]
    functions = {part for item in (*symbols, *(call.func for call in calls)) for part in ast.walk(item)}
    using = all(program.names.resolve(call.func) in _USING for call in calls)
    plain = all(isinstance(inner, _PLAIN | _GIVEN | ast.Call) or inner in functions for inner in inside)
    top = isinstance(node, ast.List | ast.Tuple)
    names = [inner for inner in inside if isinstance(inner, ast.Name) and inner not in functions]
    return names if using and plain and not top else []
