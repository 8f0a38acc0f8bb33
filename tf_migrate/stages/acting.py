"""What Python functions that runs call may do besides computing: print, fill lists, count, and draw random numbers.

TF1 called such a function once in each run that needed what it gave, and not in others; so does a function of
TensorFlow 2 that surely needs it. Of two such functions one has to be given what the other one gave, for their order.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.moving import is_repeated
from tf_migrate.stages.values import Move, Refused, Value, moving
from tf_migrate.syntax.callee import callee

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_STEP = "give one of the functions what the other one gives, or leave it to the bridge"


def acts(evaluator: Evaluator, node: ast.stmt) -> bool:
    """Whether a statement of such a function prints, or changes a list of the module that has one name only."""
    if evaluator.acting is None:
        return False
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print") as name, args=given, keywords=[])):
            known = evaluator.module.binding_scope(name) is None
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="append"), args=[one])):
            known, given = _is_container(evaluator, name), [one]
        case ast.AugAssign(target=ast.Subscript(value=ast.Name() as name, slice=ast.Constant()), value=one):
            known, given = _is_container(evaluator, name), [one]
        case _:
            return False
    if known:
        evaluator.require_python(*given)
        evaluator.acting.append(node)
    return known


def _is_container(evaluator: Evaluator, name: ast.Name) -> bool:
    module = evaluator.module
    bound = module.root.bindings.get(name.id, []) if module.binding_scope(name) is module.root else []
    return len(bound) == 1 and isinstance(bound[0], ast.List | ast.Dict) and not evaluator.is_abroad


def draws(evaluator: Evaluator, node: ast.AST) -> bool:
    """Whether an expression draws random numbers of NumPy, and changes none of the arrays that it is given."""
    name = callee(node.func, evaluator.module) if isinstance(node, ast.Call) else None
    changes = isinstance(node, ast.Call) and any(word.arg in (None, "out") for word in node.keywords)
    return name is not None and name.startswith("numpy.random.") and not (changes or name.endswith(".shuffle"))


def acting_call(evaluator: Evaluator, node: ast.Call, given: list[Value]) -> Move:
    """What a call of such a function does, where it is in order behind all others."""
    move = Move((*evaluator.path, node), averages=False)
    if is_repeated(evaluator) or not moving(given).issuperset(other for other in evaluator.acted if other != move):
        what = "several Python functions that `tf.py_func` calls do more than compute, in no order"
        raise Refused(node, what, _STEP)
    if any(word.arg == "stateful" for word in node.keywords) or len(node.args) > 3:
        raise Refused(node, "TensorFlow 1 may have left out calls of a function that is not stateful", _STEP)
    evaluator.acted.append(move)
    evaluator.moved.append(move)
    return move
