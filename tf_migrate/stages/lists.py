"""Lists of the variables of a store: all trainable ones, or those of a scope, or those whose names pass a test.

Such a list is made in the functions that replace runs, each of which knows the variables that it makes. Of others no
gradient would come: in a TF1 graph the loss did not depend on them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import VARIABLES, Refused, Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_KEYS = frozenset({"tf.GraphKeys.TRAINABLE_VARIABLES"})
_NAME = "trainable_variables"
_LISTED = "list them by name"


def collected(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a call of `tf.get_collection` asks for the trainable variables."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    key = node.args[0] if node.args else words.get("key")
    text = isinstance(key, ast.Constant) and key.value == _NAME
    return text or (key is not None and evaluator.names.resolve(key) in _KEYS)


def stored_variables(evaluator: Evaluator, node: ast.Call, scope: ast.expr | None) -> Value:
    """The trainable variables of the store, or those below a scope."""
    if evaluator.active or evaluator.fetching or evaluator.frames:
        raise Refused(node, "the trainable variables are asked for inside a function or a run", _LISTED)
    if any(variable.trainable for variable in evaluator.variables[evaluator.earlier :]):
        raise Refused(node, "the variables of layers are asked for, and there are others beside them", _LISTED)
    if scope is not None and evaluator.value(scope).is_graph:
        raise Refused(node, "the scope depends on the graph", "write its name out")
    evaluator.lists.append(node)
    return VARIABLES


def is_selection(evaluator: Evaluator, node: ast.ListComp | ast.GeneratorExp, element: ast.expr) -> bool:
    """Whether a comprehension keeps the variables whose names pass a test."""
    generator = node.generators[0]
    target = generator.target
    if len(node.generators) > 1 or not isinstance(node, ast.ListComp) or not isinstance(target, ast.Name):
        return False
    same = isinstance(element, ast.Name) and element.id == target.id
    return same and all(_tests_name(evaluator, condition, target.id) for condition in generator.ifs)


def _tests_name(evaluator: Evaluator, node: ast.expr, variable: str) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_tests_name(evaluator, item, variable) for item in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and _tests_name(evaluator, node.operand, variable)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        plain = len(sides) == 2 and isinstance(node.ops[0], ast.In | ast.NotIn)
        return plain and _is_name(sides[1], variable) and _is_python(evaluator, sides[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        asks = node.func.attr in ("startswith", "endswith") and _is_name(node.func.value, variable)
        return asks and not node.keywords and all(_is_python(evaluator, item) for item in node.args)
    return False


def _is_name(node: ast.expr, variable: str) -> bool:
    return ast.unparse(node) == f"{variable}.name"


def _is_python(evaluator: Evaluator, node: ast.expr) -> bool:
    plain = isinstance(node, ast.Constant | ast.Name)
    return plain and evaluator.value(node).stage is Stage.PYTHON
