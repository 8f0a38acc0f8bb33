"""What a run surely needs: a layer that moves averages in place did so in the runs that needed its output only.

A statement is surely needed where what is fetched, or trained, is an expression of its value in which nothing but
values of tensors take part, or an expression of what is surely needed. A shape is known without a run. A training step
needs values only where gradients are computed of them: that of a mean needs none of what it is the mean of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from tf_migrate.stages import effects
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import Slice
from tf_migrate.stages.summaries import SUMMARIES
from tf_migrate.stages.updates import Minimize
from tf_migrate.stages.values import Reads, Refused, Stage, flatten

_LAYERS = effects.LAYERS | effects.RANDOM_LAYERS | effects.INITIALIZER_CLASSES
_USING = (effects.PURE | effects.RANDOM | _LAYERS | SUMMARIES) - effects.SHAPES
_BENT = """
nn.elu nn.leaky_relu nn.relu nn.selu nn.sigmoid_cross_entropy_with_logits nn.softmax nn.softplus nn.tanh sigmoid square
nn.softmax_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits_v2 tanh
nn.sparse_softmax_cross_entropy_with_logits
"""
_CURVED = frozenset(f"tf.{word}" for word in _BENT.split())
"""Operations whose gradient is computed of what they take, or of what they give."""
_STRAIGHT = frozenset(
    {"tf.contrib.layers.dropout", "tf.contrib.slim.dropout", "tf.identity", "tf.nn.dropout"}
    | {"tf.reduce_mean", "tf.reduce_sum"}
)
_WEIGHED = effects.LAYERS - effects.WITHOUT_VARIABLES - effects.AVERAGING
"""Layers, the gradient of whose weights is computed of what they take."""
_PLAIN = ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context
_GIVEN = ast.keyword | ast.List | ast.Tuple


def require_needed(program: Program, run: Run, found: Slice) -> None:
    """Refuses a run whose function would move averages that TF1's run may have left as they were."""
    moving = [unit for unit in found.units if unit.in_place]
    if not moving:
        return
    needed = set(_needed(program, run))
    made = [leaf.value for leaf in run.leaves] + [unit.value for unit in needed]
    moves = frozenset().union(*(part.moves for part in flatten(made)))
    left = next((unit for unit in moving if unit not in needed and not (unit.moved and unit.moved <= moves)), None)
    if left is not None:
        doing = "does more than compute" if left.moved else "moves averages in place"
        step = "fetch it as well" if left.moved else "put the updates into `tf.GraphKeys.UPDATE_OPS`"
        raise Refused(run.site.node, f"the run may need `{left.binds[0]}`, which {doing}, or may not", step)


def moved_in_place(units: tuple[Unit, ...]) -> set[int]:
    """The statements that move averages in place."""
    return {unit.index for unit in units if unit.in_place}


def _needed(program: Program, run: Run) -> Iterator[Unit]:
    seen: set[int] = set()
    pending: list[tuple[ast.expr, Reads]] = [(leaf.node, run.reads) for leaf in run.leaves if not leaf.value.updates]
    for update in run.updates:
        pending += _differentiated(program, update) if isinstance(update, Minimize) else []
    while pending:
        node, reads = pending.pop()
        for unit in _read(program, _names(program, node), reads):
            if unit.index not in seen:
                seen.add(unit.index)
                yield unit
                pending += _made(unit)


def _differentiated(program: Program, update: Minimize) -> Iterator[tuple[ast.expr, Reads]]:
    """The expressions whose values the gradients of a loss, by all variables, are computed of."""
    frozen = any(word.arg == "trainable" for call in program.module.calls for word in call.keywords)
    if update.variables is not None or frozen:
        return
    curved = _CURVED | _WEIGHED
    pending: list[tuple[ast.expr, Reads]] = [(update.loss, update.tracked)]
    seen: set[int] = set()
    while pending:
        node, reads = pending.pop()
        symbol = program.names.resolve(node.func) if isinstance(node, ast.Call) else None
        if symbol in curved:
            yield node, reads
        elif isinstance(node, ast.Call) and symbol in _STRAIGHT and node.args:
            pending.append((node.args[0], reads))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            pending += [(node.left, reads), (node.right, reads)]
        elif isinstance(node, ast.Name):
            for unit in _read(program, [node.id], reads):
                pending += _made(unit) if unit.index not in seen else ()
                seen.add(unit.index)


def _read(program: Program, names: Iterable[str], reads: Reads) -> Iterator[Unit]:
    """The statements that compute what names mean."""
    bindings = map(reads.get, names)
    for binding in bindings:
        if binding is not None and binding.value.stage is Stage.TENSOR:
            yield program.units[binding.unit]


def _made(unit: Unit) -> list[tuple[ast.expr, Reads]]:
    """What a statement gives its one name to; a summary has none."""
    node = unit.node
    if isinstance(node, ast.Expr) and unit.summaries:
        return [(node.value, unit.reads)]
    named = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    return [(node.value, unit.reads)] if named and isinstance(node, ast.Assign) else []


def _names(program: Program, node: ast.expr) -> Sequence[str]:
    """The names whose values an expression uses; none where it may use a part of them only."""
    if isinstance(node, ast.Call) and node in program.merged:
        return program.merged[node]
    inside = list(ast.walk(node))
    calls = [inner for inner in inside if isinstance(inner, ast.Call)]
    symbols = [inner for inner in inside if isinstance(inner, ast.Attribute) and program.names.resolve(inner)]
    functions = {part for item in (*symbols, *(call.func for call in calls)) for part in ast.walk(item)}
    using = all(program.names.resolve(call.func) in _USING for call in calls)
    plain = all(isinstance(inner, _PLAIN | _GIVEN | ast.Call) or inner in functions for inner in inside)
    top = isinstance(node, ast.List | ast.Tuple)
    names = [inner.id for inner in inside if isinstance(inner, ast.Name) and inner not in functions]
    return names if using and plain and not top else []
