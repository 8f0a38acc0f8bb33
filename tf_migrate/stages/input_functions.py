"""Functions that read the input by queues and return what these give: each is read where the script calls it.

Natively such a function returns an iterator, of which each run takes an element where it stands.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.stages.entrances import UNREAD, clash, keeping
from tf_migrate.stages.objects import returned_names
from tf_migrate.stages.program import Unit
from tf_migrate.stages.queues import BATCHES, COORDINATOR, STARTS
from tf_migrate.stages.values import Binding, Iteration, Stage
from tf_migrate.syntax.module import Module

_READING = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.TENSOR, Stage.PLACEHOLDER, Stage.QUEUE})


def input_functions(module: Module, names: Names) -> dict[ast.Call, ast.FunctionDef]:
    """The functions that build queues of batches and return names, by the one statement that calls each."""
    functions = (node for node in module.tree.body if isinstance(node, ast.FunctionDef))
    calls = ((_only_call(module, node), node) for node in functions if _fills(module, names, node))
    return {call: node for call, node in calls if call is not None}


def _fills(module: Module, names: Names, function: ast.FunctionDef) -> bool:
    """Whether a function makes batches of what queues give, and nothing in it forbids to read it where it is called."""
    inside = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    symbols = {names.resolve(call.func) for call in inside if module.function_of(call) is function}
    odd = function.decorator_list or any(isinstance(node, UNREAD) for node in ast.walk(function))
    return not odd and not symbols.isdisjoint(BATCHES) and symbols.isdisjoint({COORDINATOR, *STARTS})


def _only_call(module: Module, function: ast.FunctionDef) -> ast.Call | None:
    """The one call of a function, where a statement names all that it returns."""
    loads, returned = module.loads.get(function.name, []), returned_names(function)
    call = module.parents[loads[0]] if len(loads) == 1 else None
    if returned is None or not isinstance(call, ast.Call) or call.func is not loads[0]:
        return None
    targets = targets_of(module.parents[call])
    if len(targets) != len(returned) or len(module.root.bindings.get(function.name, [])) != 1:
        return None
    same = {name.id for name, target in zip(returned, targets, strict=True) if name.id == target.id}
    return call if clash(module, function, keeping(function, call) | same) is None else None


def targets_of(node: ast.AST) -> list[ast.Name]:
    """The names that an assignment binds to the parts of its value; none where it binds anything else."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return []
    target = node.targets[0]
    items = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [item for item in items if isinstance(item, ast.Name)]
    return names if len(names) == len(items) else []


def only_reads(unit: Unit) -> bool:
    """Whether a statement of such a function computes what is read, or a Python value, and makes nothing else."""
    iteration = unit.value.iteration
    fed = unit.value.stage is Stage.PLACEHOLDER and (iteration is None or iteration.queue is None)
    made = unit.creates or unit.gradients or unit.describes or unit.savers or unit.lists
    return unit.value.stage in _READING and not (fed or made)


def iteration_of(results: Sequence[Binding | None]) -> Iteration | None:
    """The queue whose elements are all that a function returns; None where that is anything else."""
    found = {None if known is None else known.value.iteration for known in results}
    (only,) = found if len(found) == 1 else (None,)
    return only if only is not None and only.queue is not None else None
