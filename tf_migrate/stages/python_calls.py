"""`tf.py_func`: Python functions that runs call, where these need what they give.

A training step may compute more than TF1's did, such as the loss of which it only needs the gradients. So a function
has to be one that may as well be called once more, as it only computes a value of what it is given; or one of which it
is known what else it does, and that the run surely needs what it gives.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import arrays, effects
from tf_migrate.stages.acting import acting_call, draws
from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.branches import built
from tf_migrate.stages.foresight import acts_or_changes
from tf_migrate.stages.functions import as_function, mentions_graph
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.values import PYTHON, TENSORS, Refused, Stage, Value, container, flatten, moving, required
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_GIVEN = TENSORS | {Stage.PYTHON, Stage.STATIC}
_PLAINLY = "call it on what a run gives, or leave it to the bridge"


def python_call(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.py_func(func, inp, Tout)`: what a Python function gives for the values of tensors."""
    require_only(node, ("func", "inp", "Tout", "stateful", "name"), ())
    listed, types = argument(node, "inp", 1), argument(node, "Tout", 2)
    if not isinstance(listed, ast.List | ast.Tuple) or any(isinstance(item, ast.Starred) for item in listed.elts):
        raise Refused(node, "what `tf.py_func` gives its function is not written out", "list it in the call")
    given = [evaluator.value(item) for item in listed.elts]
    if any(value.stage not in _GIVEN or value.parts is not None or value.several for value in given):
        raise Refused(node, "`tf.py_func` gives its function what is no tensor", _PLAINLY)
    moves = moving(given)
    if _acts(evaluator, node, argument(node, "func", 0), len(given)):
        moves |= {acting_call(evaluator, node, given)}
    evaluator.require_python(
        *(word.value for word in node.keywords if word.arg in ("stateful", "name")), *node.args[3:]
    )
    made = Value(Stage.TENSOR, variables=sharing(given), random=any(value.random for value in given), fed=True)
    made = replace(made, moves=moves, loose=required(given))
    if isinstance(types, ast.List | ast.Tuple) and len(types.elts) == 1:
        # Evaluated eagerly, `tf.numpy_function` gives it without the list.
        raise Refused(node, "`tf.py_func` gives one tensor in a list", "give it the type without a list")
    if isinstance(types, ast.List | ast.Tuple) and types.elts and all(_is_type(evaluator, item) for item in types.elts):
        return container((made,) * len(types.elts))
    if types is None or not _is_type(evaluator, types):
        raise Refused(node, "how many tensors `tf.py_func` gives is not known", "write their types into the call")
    return made


def _acts(evaluator: Evaluator, node: ast.Call, function: ast.expr | None, number: int) -> bool:
    """Whether a function does more than compute; refuses one of which that, or what it does, is not known."""
    evaluator.acting = acting = []
    try:
        with evaluator.aside() as (reads, impure):
            value = built(evaluator, node, function, (PYTHON,) * number)
    finally:
        evaluator.acting = None
    called = as_function(function) if isinstance(function, ast.Lambda) else None
    if isinstance(function, ast.Name):
        called = evaluator.lookup(function).function
    if called is None or mentions_graph(evaluator, called) or any(part.is_graph for part in flatten([value])):
        raise Refused(node, "what function `tf.py_func` calls is not known", "give it a function of the same module")
    if evaluator.piped and (place := acts_or_changes(evaluator, called)) is not None:
        what = f"`{ast.unparse(place).splitlines()[0]}`, in a function that a dataset calls by `tf.py_func`, does more "
        what += "than compute, or may change: an eager iterator asks for elements before a run needs them"
        raise Refused(place, what, _PLAINLY)
    acting += [inner for inner in impure if draws(evaluator, inner)]
    odd: list[ast.AST] = [inner for inner in impure if not _gives_anew(evaluator.module, inner)]
    odd += [inner for inner in ast.walk(called) if isinstance(inner, ast.AugAssign)]
    odd = [inner for inner in odd if inner not in acting]
    if odd:
        what = f"`{ast.unparse(odd[0])}`, in a function that `tf.py_func` calls, may do more than compute"
        raise Refused(odd[0], what, _PLAINLY)
    for name in reads:
        # TF1 called the function in each run: it saw what its names meant then.
        if sum(len(scope.bindings.get(name, [])) for scope in evaluator.module.every_scope) != 1:
            what = f"a function that `tf.py_func` calls reads `{name}`, which may mean something else in a run"
            raise Refused(node, what, f"bind `{name}` once")
    evaluator.note_reads(reads)
    return bool(acting)


def _gives_anew(module: Module, node: ast.AST) -> bool:
    """Whether an expression calls a method of an array or a text, which changes nothing."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner: ast.AST = node.func.value
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    known = isinstance(owner, ast.Name) and owner.id in module.root.bindings
    return not known and arrays.method_computes(node.func.attr, node)


def _is_type(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression is one type of elements."""
    if evaluator.names.resolve(node) is not None:
        return evaluator.value(node).symbol in effects.DTYPES
    return isinstance(node, ast.Attribute) and (callee(node, evaluator.module) or "").startswith("numpy.")
