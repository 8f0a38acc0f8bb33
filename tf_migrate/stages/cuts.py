"""Tensors that a run feeds though they are no placeholders: what is fed takes their place.

TF1 computes nothing that only they need. Gradients still went through them, to what they are made of: so a training
step may only train variables that they are not made of.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import close
from tf_migrate.stages.values import Apply, Minimize, Refused

_MAKING = """
add divide identity layers.conv2d layers.dense matmul multiply nn.conv2d nn.relu nn.sigmoid nn.softmax nn.tanh
reduce_max reduce_mean reduce_sum reshape sigmoid stop_gradient subtract tanh
"""
_NEW = frozenset(f"tf.{word}" for word in _MAKING.split())
"""Operations that always give a tensor of their own: no other name means what they give."""
_DEPTH = 3
_STEP = "feed a placeholder, `tf.placeholder_with_default` for instance"


def require_cuts(program: Program, run: Run, units: Collection[Unit]) -> None:
    """Refuses to feed tensors of which `units`, that the run computes, may need more than is fed."""
    cut = run.cut
    below, _, captured = close(program, [program.units[binding.unit].reads for binding in cut])
    fed = [program.units[binding.unit] for binding in cut]
    if not set(fed).isdisjoint(units):
        what = "a tensor is fed of which unnamed layers are counted together with others"
        raise Refused(run.site.node, what, "name the layers")
    for unit in fed:
        if unit.chosen or len(unit.binds) != 1 or not _is_new(program, _made(unit)):
            what = f"`{unit.binds[0].rpartition('.')[2]}`, which is no placeholder, is fed, and may have other names"
            raise Refused(run.site.node, what, _STEP)
    if any(unit.averages or unit.in_place for unit in (*below, *fed)):
        raise Refused(run.site.node, "a tensor is fed that layers compute which move averages", _STEP)
    if cut and any(unit.gradients for unit in units):
        raise Refused(run.site.node, "gradients go through a tensor that is fed", _STEP)
    held = {variable.call for _, binding in captured for variable in binding.value.variables}
    making = [unit for unit in (*below, *fed) if unit.creates]
    for update in run.updates if cut else ():
        if isinstance(update, Apply) or (isinstance(update, Minimize) and not _trains(program, update, held, making)):
            raise Refused(run.site.node, "a training step may train what a tensor that is fed is made of", _STEP)


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


def _is_new(program: Program, node: ast.expr | None, depth: int = 0) -> bool:
    """Whether an expression gives a tensor that nothing else has."""
    if isinstance(node, ast.BinOp):
        return True
    if not isinstance(node, ast.Call) or depth > _DEPTH:
        return False
    symbol = program.names.resolve(node.func)
    if symbol is not None:
        return symbol in _NEW
    found = [function for function in _functions(program, node) if function is not None]
    return bool(found) and all(_gives_new(program, function, depth + 1) for function in found)


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


def _gives_new(program: Program, function: ast.FunctionDef, depth: int) -> bool:
    """Whether all that a function returns is new, and is given away by no other way."""
    returned = [inner.value for inner in ast.walk(function) if isinstance(inner, ast.Return)]
    return bool(returned) and all(_is_new(program, value, depth) for value in returned)
