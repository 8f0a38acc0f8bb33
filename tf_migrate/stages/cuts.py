"""Tensors that a run feeds though they are no placeholders: what is fed takes their place.

TF1 computes nothing that only they need. Gradients still went through them, to what they are made of. Where a training
step may go on to variables that they are made of, they are computed beside what is fed, for the gradients only.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterable, Iterator

from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import close
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import ZERO_STATE, Binding, Refused, Stage
from tf_migrate.syntax.arguments import argument

_MAKING = """
add divide identity layers.conv2d layers.dense matmul multiply nn.conv2d nn.relu nn.sigmoid nn.softmax nn.tanh
reduce_max reduce_mean reduce_sum reshape sigmoid stop_gradient subtract tanh
"""
_NEW = frozenset(f"tf.{word}" for word in _MAKING.split())
"""Operations that always give a tensor of their own: no other name means what they give."""
_STRAIGHT = frozenset(f"tf.{word}" for word in ("add", "identity", "matmul", "multiply", "reshape", "subtract"))
"""Operations whose gradient needs no value of what they give, which is another one where that is fed."""
_FLOATS = frozenset({"tf.float16", "tf.float32", "tf.float64"})
_DEPTH = 3
_STEP = "feed a placeholder, `tf.placeholder_with_default` for instance"


def crossing(program: Program, run: Run, units: Collection[Unit]) -> frozenset[Binding]:
    """The fed tensors through which gradients may go that a run takes.

    Refuses to feed tensors of which `units`, that the run computes, may need more than is fed.
    """
    cut = run.cut
    below, _, captured = close(program, [program.units[binding.unit].reads for binding in cut])
    crossed = [binding for binding in cut if not _stops(program, program.units[binding.unit])]
    fed = [program.units[binding.unit] for binding in cut]
    if not set(fed).isdisjoint(units):
        what = "a tensor is fed of which unnamed layers are counted together with others"
        raise Refused(run.site.node, what, "name the layers")
    for unit in fed:
        new = unit.value.symbol == ZERO_STATE.symbol or _is_new(program, _made(unit))
        if unit.chosen or len(unit.binds) != 1 or not new:
            what = f"`{unit.binds[0].rpartition('.')[2]}`, which is no placeholder, is fed, and may have other names"
            raise Refused(run.site.node, what, _STEP)
    if any(unit.averages or unit.in_place for unit in (*below, *fed)):
        raise Refused(run.site.node, "a tensor is fed that layers compute which move averages", _STEP)
    taken = any(unit.gradients or unit.differentiates for unit in units)
    held = {variable.call for _, binding in captured for variable in binding.value.variables}
    making = [unit for unit in (*below, *fed) if unit.creates]
    for update in run.updates:
        trains = isinstance(update, Minimize) and (held or making) and not _trains(program, update, held, making)
        taken = taken or isinstance(update, Apply) or bool(trains)
    for binding in crossed if taken else ():
        if not _is_new(program, _made(program.units[binding.unit]), last=_STRAIGHT):
            raise Refused(run.site.node, "gradients go through a tensor that is fed", _STEP)
    return frozenset(crossed if taken else ())


def scaled_placeholder(program: Program, unit: Unit) -> ast.Call | None:
    """The placeholder whose type and shape a tensor has: `tf.placeholder(tf.float32, [None, 784]) / 255.0`."""
    made = _made(unit)
    if not isinstance(made, ast.BinOp) or not isinstance(made.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        return None
    numbers = [side for side in (made.left, made.right) if isinstance(side, ast.Constant) and _is_number(side.value)]
    node: ast.expr | None = made.left if numbers and made.right is numbers[0] else made.right
    binding = program.resolved.get(node) if isinstance(node, ast.Name) else None
    if binding is not None and binding.value.stage is Stage.PLACEHOLDER:
        node = binding.value.node
    if not numbers or not isinstance(node, ast.Call) or program.names.resolve(node.func) != "tf.placeholder":
        return None
    dtype = argument(node, "dtype", 0)
    return node if dtype is not None and program.names.resolve(dtype) in _FLOATS else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _stops(program: Program, unit: Unit) -> bool:
    """Whether no gradient goes through a statement."""
    if unit.value.symbol == ZERO_STATE.symbol:
        return True
    made = _made(unit)
    return isinstance(made, ast.Call) and program.names.resolve(made.func) == "tf.stop_gradient"


def _made(unit: Unit) -> ast.expr | None:
    """What a statement gives its one name to."""
    node = unit.node
    return node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None


def _trains(program: Program, update: Minimize, held: Collection[ast.Call], making: Iterable[Unit]) -> bool:
    """Whether a step names the variables that it trains, and they are none of those held or made."""
    listed = update.variables
    bindings = [
        program.resolved.get(item) for item in (listed.elts if isinstance(listed, ast.List) else [listed]) if item
    ]
    for binding in bindings:
        if binding is None:
            return False
        value = binding.value
        apart = all(program.is_apart(unit, listing.scope) for unit in making for listing in value.listed)
        if not (value.listed or value.variables) or not apart or any(item.call in held for item in value.variables):
            return False
    return bool(bindings)


def _is_new(program: Program, node: ast.expr | None, depth: int = 0, *, last: Container[str] = _NEW) -> bool:
    """Whether an expression gives a tensor that nothing else has; `last` are the operations that may give it."""
    if isinstance(node, ast.BinOp):
        return last is _NEW or isinstance(node.op, ast.Add | ast.Sub | ast.Mult)
    if not isinstance(node, ast.Call) or depth > _DEPTH:
        return False
    symbol = program.names.resolve(node.func)
    if symbol is not None:
        return symbol in last
    found = [function for function in _functions(program, node) if function is not None]
    return bool(found) and all(_gives_new(program, function, depth + 1, last) for function in found)


def _functions(program: Program, call: ast.Call) -> Iterator[ast.FunctionDef | None]:
    """The function or method that a call means."""
    home = program.module.function_of(call)
    owner = program.owner_of(home)
    if isinstance(call.func, ast.Name):
        bound = program.module.root.bindings.get(call.func.id, [])
        every = [node for node in program.module.tree.body if isinstance(node, ast.FunctionDef)]
        local = call.func.id in program.module.scope_of(call.func).bindings
        yield next((node for node in every if node.name == call.func.id and len(bound) == 1 and not local), None)
    elif owner is not None:
        yield owner.method_of(call)


def _gives_new(program: Program, function: ast.FunctionDef, depth: int, last: Container[str]) -> bool:
    """Whether all that a function returns is new, and is given away by no other way."""
    returned = [inner.value for inner in ast.walk(function) if isinstance(inner, ast.Return)]
    made = [_bound_to(program, function, value) if isinstance(value, ast.Name) else value for value in returned]
    return bool(made) and all(_is_new(program, value, depth, last=last) for value in made)


def _bound_to(program: Program, function: ast.FunctionDef, name: ast.Name) -> ast.expr | None:
    """What a function binds to a name of its own that it returns, and uses for nothing else."""
    uses = [inner for inner in ast.walk(function) if isinstance(inner, ast.Name) and inner.id == name.id]
    bound = [inner for inner in uses if inner is not name]
    statement = program.module.parents[bound[0]] if len(bound) == 1 else None
    plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is bound[0]
    return statement.value if plain and isinstance(statement, ast.Assign) else None
