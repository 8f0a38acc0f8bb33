"""Savers: Python objects that read and write variables by name, with no need of a session."""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import TYPE_CHECKING

from tf_migrate.stages.values import PYTHON, Refused, Stage, Value, flatten
from tf_migrate.syntax.unbound import is_global

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

SAVER = "tf.train.Saver"
_ALL = frozenset({"tf.global_variables", "tf.all_variables"})
_TRAINABLE = frozenset({"tf.trainable_variables"})
_METHODS = frozenset({"save", "restore"})
_NOT_YET = "leave it to the bridge, or save with a plain `tf.train.Saver()`"


def saver(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.train.Saver()`: of all the variables there are, or of those listed."""
    if evaluator.active or evaluator.fetching or evaluator.frames:
        raise Refused(node, "a Saver is made inside a function or a run", _NOT_YET)
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    if len(node.args) > 1 or None in words or words.keys() & {"defer_build", "builder", "saver_def"}:
        raise Refused(node, "this form of `tf.train.Saver` is not understood by the native tier", _NOT_YET)
    listed = node.args[0] if node.args else words.pop("var_list", None)
    for value in words.values():
        if any(part.is_graph for part in flatten([evaluator.value(value)])):
            raise Refused(node, "an option of a Saver is part of the graph", _NOT_YET)
    evaluator.savers.append(node)
    if saves_all(evaluator, node) or saves_trainable(evaluator, node):
        return Value(Stage.PYTHON, symbol=SAVER, node=node)
    assert listed is not None
    parts = list(flatten([evaluator.value(listed)]))
    if not parts or any(part.stage is not Stage.VARIABLE for part in parts):
        raise Refused(node, "which variables a Saver saves is not known", "list them by name")
    return Value(Stage.PYTHON, symbol=SAVER, node=node)


def saves_all(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a Saver is of all the variables there are when it is made."""
    listed = _listed(node)
    none = listed is None or (isinstance(listed, ast.Constant) and listed.value is None)
    return none or _asks_for(evaluator, listed, _ALL)


def saves_trainable(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a Saver is of all the trainable variables there are when it is made."""
    return _asks_for(evaluator, _listed(node), _TRAINABLE)


def _listed(node: ast.Call) -> ast.expr | None:
    listed = next((word.value for word in node.keywords if word.arg == "var_list"), None)
    return node.args[0] if node.args else listed


def _asks_for(evaluator: Evaluator, listed: ast.expr | None, symbols: Container[str | None]) -> bool:
    """Whether a list is that of a collection of the graph, without any choice."""
    asked = isinstance(listed, ast.Call) and not listed.args and not listed.keywords
    return asked and isinstance(listed, ast.Call) and evaluator.names.resolve(listed.func) in symbols


def is_of_saver(evaluator: Evaluator, node: ast.Call) -> bool:
    """Whether a call saves or restores by a Saver that a name of the module holds."""
    held = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS else None
    if not isinstance(held, ast.Name) or not is_global(evaluator.module, held):
        return False
    binding = evaluator.env.get(held.id)
    return binding is not None and binding.value.symbol == SAVER


def method_of_saver(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """`saver.save(sess, path)` and `saver.restore(sess, path)`, which need no session any more; others are Python's."""
    items = [*node.args, *(keyword.value for keyword in node.keywords)]
    evaluator.note_impure(node)
    if method in _METHODS:
        session = next((word.value for word in node.keywords if word.arg == "sess"), None)
        session = node.args[0] if node.args else session
        if session is None or evaluator.value(session).stage is not Stage.SESSION:
            raise Refused(node, "which session's values are saved or restored is not known", "name the session")
        evaluator.freed.append(session)
        items.remove(session)
    for item in items:
        if any(part.is_graph and part.stage is not Stage.VARIABLE for part in flatten([evaluator.value(item)])):
            raise Refused(node, "a part of the graph is given to a Saver", _NOT_YET)
    if method in _METHODS:
        assert isinstance(receiver.node, ast.Call)
        restores = method == "restore" and saves_all(evaluator, receiver.node)
        evaluator.on_saver(node, receiver.node if restores else None)
    return PYTHON
