"""Calls that make variables: `tf.Variable`, `tf.get_variable`, the counters of training steps."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.arguments import NOT_YET, require_only, require_python
from tf_migrate.stages.collected import joins, joins_in_function
from tf_migrate.stages.made import note_made, note_named
from tf_migrate.stages.monitored import is_counter
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.values import TENSORS, Refused, Stage, Value, Variable, flatten, is_fed
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_VARIABLE_ARGUMENTS = ("initial_value", "trainable")
_NAMED = frozenset({"tf.get_variable", "tf.layers.conv2d", "tf.layers.dense"})
_GET_VARIABLE_ARGUMENTS = ("name", "shape", "dtype", "initializer")


def variable(evaluator: Evaluator, node: ast.Call) -> Value:
    """A `tf.Variable`."""
    require_only(node, _VARIABLE_ARGUMENTS, ("name", "dtype"))
    initial = argument(node, "initial_value", 0)
    if initial is None:
        raise Refused(node, "a variable without an initial value", "give it one")
    _require_initial(evaluator, node, initial)
    for keyword in node.keywords:
        if keyword.arg in ("name", "dtype") and evaluator.value(keyword.value).is_graph:
            raise Refused(node, f"the variable's {keyword.arg} depends on the graph", NOT_YET)
    return _new_variable(evaluator, node)


def get_variable(evaluator: Evaluator, node: ast.Call) -> Value:
    """A `tf.get_variable`; in a function that builds, its store has the variable."""
    initial = argument(node, "initializer", 3)
    if initial is not None and evaluator.value(initial).stage not in TENSORS:
        initial = None
    if is_stored(evaluator, node):
        # A function is traced with the shapes that the graph was built with, and finds the same sizes in them.
        if initial is not None:
            _require_initial(evaluator, node, initial)
        require_python(evaluator, node, but=Stage.STATIC, beside=initial)
        joins_in_function(evaluator, node)
        evaluator.creates.add("named")
        evaluator.makers.add(node)
        note_made(evaluator, node, "tf.get_variable")
        return Value(Stage.TENSOR, variables=(Variable(evaluator.unit, node, "", None, True),))
    require_only(node, _GET_VARIABLE_ARGUMENTS, ("trainable", "collections"))
    require_python(evaluator, node, beside=initial)
    joins(evaluator, node)
    initializer, shape = argument(node, "initializer", 3), argument(node, "shape", 1)
    if initial is not None:
        _require_initial(evaluator, node, initial)
        if shape is not None and not (isinstance(shape, ast.Constant) and shape.value is None):
            raise Refused(node, "the variable is given a tensor and a shape", "leave the shape out")
    elif initializer is not None:
        value = evaluator.value(initializer)
        if value.node is None:
            raise Refused(node, "the initializer is not understood by the native tier", "use one of TensorFlow's")
    if (shape is None and initial is None) or not isinstance(argument(node, "name", 0), ast.Constant):
        raise Refused(node, "name and shape of the variable must stand in the call", "spell them out")
    return _new_variable(evaluator, node)


def exists_once(names: Names, node: ast.stmt, scopes: Sequence[ast.With]) -> bool:
    """Whether a statement makes variables of a name that is written out: TF1 refused to do so twice in one graph."""
    call = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(call, ast.Call) or not all(map(is_written_out, scopes)):
        return False
    symbol = names.resolve(call.func)
    name = argument(call, "name", 0 if symbol == "tf.get_variable" else 99)
    known = symbol in _NAMED and isinstance(name, ast.Constant) and isinstance(name.value, str)
    return known and all(word.arg not in (None, "reuse", "_reuse") for word in call.keywords)


def counter(evaluator: Evaluator, node: ast.Call) -> Value:
    """The global step, where this call is what makes it."""
    made = evaluator.variables[evaluator.earlier :]
    known = any(is_counter(evaluator, variable.call) for variable in made)
    if node.args or node.keywords or evaluator.active or known:
        raise Refused(node, "the global step is asked for again", "make it once, and use its name")
    step = Variable(evaluator.unit, node, evaluator.target or "", None, False)
    evaluator.created.append(node)
    return Value(Stage.VARIABLE, variables=(step,))


def _new_variable(evaluator: Evaluator, node: ast.Call) -> Value:
    if is_stored(evaluator, node):
        # Its name depends on the order of the calls, so it lives in the store; as a value it may alias its memory.
        if evaluator.fetching:
            raise Refused(node, "a variable is created in the run itself", "create it before")
        evaluator.creates.add("variable")
        note_named(evaluator, argument(node, "name", 99), "variable")
        evaluator.makers.add(node)
        note_made(evaluator, node, None)
        return Value(Stage.TENSOR, variables=(Variable(evaluator.unit, node, "", None, True),))
    variable = Variable(evaluator.unit, node, evaluator.target or "", None, _is_trained(node))
    evaluator.created.append(node)
    return Value(Stage.VARIABLE, variables=(variable,))


def is_stored(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a variable is made by functions, whose store has it: always if a function or a loop makes it."""
    inside = bool(evaluator.active or evaluator.frames)
    return inside or (evaluator.stores_all and not evaluator.fetching and _is_trained(node))


def _is_trained(node: ast.Call) -> bool:
    return _flag(node, argument(node, "trainable", 1) if _is_plain(node) else argument(node, "trainable", 5))


def _is_plain(node: ast.Call) -> bool:
    return not (isinstance(node.func, ast.Attribute) and node.func.attr == "get_variable") and not (
        isinstance(node.func, ast.Name) and node.func.id == "get_variable"
    )


def _flag(node: ast.Call, given: ast.expr | None) -> bool:
    if given is None:
        return True
    if isinstance(given, ast.Constant) and isinstance(given.value, bool):
        return given.value
    # `tf.Variable([0.3], tf.float32)`: a dtype in the place of the flag counts as true, in both versions.
    if isinstance(given, ast.Attribute | ast.Name) and f"tf.{_last(given)}" in effects.DTYPES:
        return True
    raise Refused(node, "whether the variable is trainable is known only at run time", "write True or False")


def _last(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _require_initial(evaluator: Evaluator, node: ast.Call, initial: ast.expr) -> None:
    value, reads, _ = evaluator.collect(initial)
    # A function is traced with the shapes that the graph was built with, and finds the same sizes in them.
    fed = any(is_fed(part) and not part.sized for part in flatten([value]))
    if is_stored(evaluator, node) and fed:
        raise Refused(node, "the initial value is computed from tensors", "compute it from Python values")
    graph = [name for name, binding in reads.items() if binding.value.stage in TENSORS - {Stage.CONSTANT}]
    if graph and not _takes_shape(evaluator, initial):
        raise Refused(node, f"the initial value is computed from `{graph[0]}`", "compute it from Python values")
    if any(part.is_graph and part.stage not in TENSORS for part in flatten([value])):
        raise Refused(node, "the initial value is no tensor", NOT_YET)


def _takes_shape(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether a value has the shape of a variable, which is known, and nothing else of it."""
    like = isinstance(node, ast.Call) and evaluator.names.resolve(node.func) in ("tf.zeros_like", "tf.ones_like")
    one = isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
    return like and one and isinstance(node, ast.Call) and evaluator.value(node.args[0]).stage is Stage.VARIABLE
