"""Lists of the variables of a store: all trainable ones, or those of a scope, or those whose names pass a test.

Such a list is made in the functions that replace runs, each of which knows the variables that it makes. Of others no
gradient would come: in a TF1 graph the loss did not depend on them. Where variables are assigned to, list by list, all
that make some are traced before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Refused, Stage, Value, Variable

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

TRAINABLE = "trainable_variables"
GLOBAL = "variables"
UPDATES = "update_ops"
REGULARIZATION = "regularization_losses"
KEYS = {
    "tf.GraphKeys.TRAINABLE_VARIABLES": TRAINABLE,
    "tf.GraphKeys.GLOBAL_VARIABLES": GLOBAL,
    "tf.GraphKeys.UPDATE_OPS": UPDATES,
    "tf.GraphKeys.REGULARIZATION_LOSSES": REGULARIZATION,
}
"""The names of collections that TensorFlow has symbols for."""
_PLAIN = re.compile(r"[\w/]+")
_UNNAMED = "Variable"
_LISTED = "list them by name"


@dataclass(frozen=True)
class Listing:
    """What a statement, `unit`, lists of a store: a collection, below a scope.

    None for the scope where there is none, or it is not known. `before` and `behind` are the variables that the script
    made itself, before those of the store and behind them.
    """

    call: ast.Call
    key: str
    scope: str | None
    unit: int
    before: tuple[Variable, ...] = ()
    behind: tuple[Variable, ...] = ()

    @property
    def is_mixed(self) -> bool:
        """Whether it holds variables that the script made itself as well."""
        return bool(self.before or self.behind)

    @property
    def is_own(self) -> bool:
        """Whether the program gave the collection its name."""
        return self.key not in KEYS.values()


def collected(evaluator: Evaluator, node: ast.Call) -> str | None:
    """The collection of variables that a call of `tf.get_collection` asks for; None for any other."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    key = node.args[0] if node.args else words.get("key")
    if isinstance(key, ast.Constant):
        return key.value if isinstance(key.value, str) else None
    return None if key is None else KEYS.get(evaluator.names.resolve(key) or "")


def stored_variables(evaluator: Evaluator, node: ast.Call, scope: ast.expr | None, key: str = TRAINABLE) -> Value:
    """The variables of the store that are in a collection, or those below a scope."""
    own = key not in KEYS.values() and evaluator.active
    if own or evaluator.fetching or (evaluator.frames and not evaluator.active):
        raise Refused(node, "variables are asked for inside another expression or a run", _LISTED)
    if scope is not None and evaluator.value(scope).is_graph:
        raise Refused(node, "the scope depends on the graph", "write its name out")
    text = None if scope is None else evaluator.value(scope).text
    beside = [
        variable
        for variable in evaluator.variables[evaluator.earlier :]
        if variable.trainable or (key == GLOBAL and not _is_apart(evaluator, variable, text))
    ]
    if beside and (key != TRAINABLE or scope is not None or evaluator.active or evaluator.creates):
        raise Refused(node, "the variables of layers are asked for, and there are others beside them", _LISTED)
    before = tuple(variable for variable in beside if variable.unit < evaluator.storing[0])
    behind = tuple(variable for variable in beside if variable.unit > evaluator.storing[-1])
    if len(before) + len(behind) < len(beside):
        raise Refused(node, "the variables of layers are asked for, and others were made between them", _LISTED)
    if beside:
        evaluator.listed[node] = tuple(beside)
        evaluator.note_variables(beside)
    listing = Listing(node, key, text, evaluator.unit, before, behind)
    evaluator.lists.append(listing)
    return Value(Stage.VARIABLES, variables=tuple(beside), listed=(listing,))


def note_makers(evaluator: Evaluator, node: ast.expr, listed: Sequence[Listing]) -> None:
    """Says that the values of all variables of these lists are seen: every statement that makes some is needed."""
    for unit in evaluator.storing if listed else ():
        evaluator.note_statement(unit, node)


def _is_apart(evaluator: Evaluator, variable: Variable, scope: str | None) -> bool:
    """Whether a variable that the script makes outside of all blocks cannot be below a scope."""
    call, module = variable.call, evaluator.module
    top = module.parents.get(module.statement_of(call)) is module.tree
    if not (top and scope and _PLAIN.fullmatch(scope)) or len(call.args) > 1:
        return False
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    given = words.get("name", ast.Constant(_UNNAMED))
    name = given.value if isinstance(given, ast.Constant) else None
    known = evaluator.names.resolve(call.func) == "tf.Variable" and None not in words and isinstance(name, str)
    # TF1 may have put a number behind the name.
    return known and isinstance(name, str) and not name.startswith(scope) and not scope.startswith(name)


def all_variables(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target")`, of variables of layers."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    scope = node.args[1] if len(node.args) > 1 else words.get("scope")
    if scope is None or not (evaluator.storing or evaluator.creates):
        raise Refused(node, "`tf.get_collection` asks for all variables of the graph", "list those of one scope")
    return stored_variables(evaluator, node, scope, GLOBAL)


def require_trainable(node: ast.Call, variables: Value) -> None:
    """Refuses to take gradients of variables that no tape may watch, as far as it is known which are trained."""
    if any(listing.key not in (GLOBAL, TRAINABLE) for listing in variables.listed):
        raise Refused(node, "gradients are taken of a collection of variables", "list the trainable variables")
