"""Where variables of a store stand, and whether all are trained: what is known of each call that makes some.

A list of all variables below a scope goes by their names.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tf_migrate.stages import effects
from tf_migrate.stages.scopes import beginning
from tf_migrate.stages.values import PYTHON, Value
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_LAYERS = "tf.layers."
_GET = "tf.get_variable"
_SCOPE = "tf.variable_scope"
_EITHER = "tf.AUTO_REUSE"
_PLAIN = frozenset({"name_or_scope", "initializer", "regularizer", "reuse"})
_BY_PLACE = 9
"""As many arguments of a layer at least come before its name, and before what says whether it is trained."""


class Opened(NamedTuple):
    """A variable scope that a function opens: None for a name that is not known.

    `is_plain` says that it has no say in how variables are made, but for the values that they begin with.
    """

    name: str | None
    is_plain: bool


@dataclass(frozen=True)
class Made:
    """What a call makes: variables whose names begin with `path`, within the scopes of the statement.

    None where that is not known. `numbered` says that a number may follow, `trained` that all of them are trained.
    """

    path: str | None
    numbered: bool = False
    trained: bool = False

    def is_apart(self, outer: str | None, scope: str | None) -> bool:
        """Whether none is below a scope that a list names, where its statement stands in the scope `outer`."""
        if self.path is None or outer is None or not scope:
            return False
        path = "/".join(part for part in (outer, self.path) if part)
        if self.numbered:
            return not path.startswith(scope) and not scope.startswith(path)
        return bool(path) and not f"{path}/".startswith(scope) and not scope.startswith(f"{path}/")


def note_made(evaluator: Evaluator, node: ast.Call, symbol: str | None) -> None:
    """Notes a call that makes variables of a store: of a layer, `tf.get_variable`, or another, which has no symbol."""
    if symbol in effects.WITHOUT_VARIABLES:
        return
    names = [opened.name for opened in evaluator.within]
    outer = None if None in names else "/".join(map(str, names))
    own, numbered = _own_name(evaluator, node, symbol)
    known = symbol is not None and outer is not None
    path = "/".join(part for part in (outer, own) if part) if known else None
    trained = symbol is not None and _is_trained(evaluator, node, symbol)
    evaluator.made.append(Made(path, numbered, trained))


def note_named(evaluator: Evaluator, name: ast.expr | None, default: str) -> None:
    """Notes how the name of a scope, or of a plain variable, begins, unless another scope of a function is around."""
    if not evaluator.opened:
        text = default if name is None else evaluator.value(name).text or beginning(name)
        evaluator.named.add(None if text is None else text.lower())


def variable_scopes(evaluator: Evaluator, items: Sequence[ast.withitem]) -> list[Opened]:
    """The variable scopes that a statement of a function opens; notes how the names of all its scopes begin."""
    found = []
    for item in items:
        call = item.context_expr
        if isinstance(call, ast.Call) and evaluator.names.resolve(call.func) != "tf.device":
            note_named(evaluator, argument(call, "name", 0) or argument(call, "name_or_scope", 0), "")
        if isinstance(call, ast.Call) and evaluator.names.resolve(call.func) == _SCOPE:
            name = argument(call, "name_or_scope", 0)
            plain = len(call.args) <= 1 and all(word.arg in _PLAIN for word in call.keywords)
            found.append(Opened(None if name is None else evaluator.value(name).text or None, plain))
    return found


def _own_name(evaluator: Evaluator, node: ast.Call, symbol: str | None) -> tuple[str, bool]:
    """What the names of the variables begin with in their scope, and whether TF1 may have put a number behind it."""
    if symbol == _GET:
        name = argument(node, "name", 0)
        return (evaluator.value(name).text or "" if name is not None else ""), False
    if symbol is None or not symbol.startswith((_LAYERS, *effects.CONTRIB)) or len(node.args) > _BY_PLACE:
        return "", False
    word = "scope" if symbol.startswith(effects.CONTRIB) else "name"
    given = next((keyword.value for keyword in node.keywords if keyword.arg == word), None)
    if given is not None:
        return evaluator.value(given).text or "", False
    return (symbol.removeprefix(_LAYERS), True) if symbol.startswith(_LAYERS) else ("", False)


def _is_trained(evaluator: Evaluator, node: ast.Call, symbol: str) -> bool:
    """Whether all variables of a call are trained."""
    plain = symbol == _GET or (symbol.startswith(_LAYERS) and symbol not in effects.AVERAGING)
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    plain = plain and all(opened.is_plain for opened in evaluator.within)
    if not plain or evaluator.arg_scopes or starred or len(node.args) > _BY_PLACE:
        return False
    flag = argument(node, "trainable", 5 if symbol == _GET else _BY_PLACE)
    value = None if flag is None else evaluator.value(flag)
    return value is None or (value.truth is True and value.symbol is None)


def note_makers(
    evaluator: Evaluator, makers: set[ast.Call], asked: Sequence[ast.expr], *, reused: bool = False
) -> None:
    """Notes calls that make variables; where `asked`, layers or scopes, say `reuse=True`, they only look them up.

    So they do where the scope was told so in its block, `reused`. Those that make what is not there, and look up what
    is (`reuse=tf.AUTO_REUSE`), are taken for both; so are those that may say so, in a dictionary, say.
    """
    given = [value for call in asked for value in _reuses(evaluator, call)]
    asking = [value.truth if value.symbol is None else None for value in given if value.truth is not False]
    asking += [True] if reused else []
    if None in asking:
        evaluator.either |= makers
    if asking:
        evaluator.finders |= makers
    if True not in asking:
        evaluator.makers |= makers


def _reuses(evaluator: Evaluator, call: ast.expr) -> list[Value]:
    """What a layer or scope says of variables that are there: an unknown value where that may be among others."""
    words = call.keywords if isinstance(call, ast.Call) else []
    unseen = isinstance(call, ast.Call) and len(call.args) > _BY_PLACE - 1
    given = [evaluator.value(word.value) for word in words if word.arg == "reuse"]
    return [*given, PYTHON] if unseen or any(word.arg is None for word in words) else given
