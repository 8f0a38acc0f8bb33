"""That towers share their variables: all but the first reuse those that it makes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tf_migrate.stages import effects
from tf_migrate.stages.handing import defaults, filled, parameters
from tf_migrate.syntax.module import Module

_SCOPE = "tf.variable_scope"
_METHODS = frozenset({"append", "as_list", "compute_gradients", "format", "get_shape"})
_PYTHON = frozenset({"float", "int", "len", "max", "min", "range", "str"})
_MAKERS = frozenset({_SCOPE, "tf.get_variable", "tf.get_variable_scope", "tf.Variable"})


@dataclass(frozen=True)
class Flag:
    """A name that is false in the first turn of a loop and true in the others: `reuse`, which each turn sets."""

    name: str
    first: ast.Assign
    later: ast.Assign


@dataclass(frozen=True)
class Sharing:
    """Looks for it in a script whose functions at the top have these names."""

    module: Module
    symbol_of: Callable[[ast.expr], str | None]
    functions: Mapping[str, ast.FunctionDef]

    def scope(self, item: ast.withitem) -> ast.Call | None:
        """The call that opens a variable scope."""
        call = item.context_expr
        known = isinstance(call, ast.Call) and self.symbol_of(call.func) == _SCOPE
        return call if known and isinstance(call, ast.Call) else None

    def is_handed_on(self, scope: ast.Call) -> bool:
        """Whether a variable scope is the one that is open already."""
        match scope:
            case ast.Call(args=[ast.Call(func=func)], keywords=[]):
                return self.symbol_of(func) == "tf.get_variable_scope"
        return False

    def by_scopes(self, items: Sequence[ast.withitem], body: list[ast.stmt], number: str, *, around: bool) -> bool:
        """Whether the scopes of each turn, or the statements of it, say so; `around` for a scope around the loop."""
        found = [call for call in map(self.scope, items) if call is not None]
        scopes = [scope for scope in found if not self.is_handed_on(scope)]
        if not scopes and len(found) == around:
            reuse = "get_variable_scope().reuse_variables()"
            return any(ast.unparse(node).endswith(reuse) for node in body if isinstance(node, ast.Expr))
        return any(self._reuses(scope, number) for scope in scopes)

    def _reuses(self, scope: ast.Call, number: str) -> bool:
        reuse = next((word.value for word in scope.keywords if word.arg == "reuse"), None)
        match reuse:
            case ast.IfExp(test=test, body=ast.Constant(value=True)):
                reuse = test
        match reuse:
            case ast.Compare(
                left=ast.Name(id=left), ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]
            ) if left == number:
                return True
            case ast.Attribute():
                # A scope that is entered by its name counts its layers anew, one that is handed on goes on counting.
                return self.symbol_of(reuse) == "tf.AUTO_REUSE" and isinstance(scope.args[0], ast.Constant)
        return False

    def flag(self, block: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> Flag | None:
        """The flag of a loop in a block: bound twice, and read above the statement of the turn that sets it."""
        for place, later in enumerate(body):
            match later:
                case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(True)):
                    pass
                case _:
                    continue
            bound = [node for node in ast.walk(self.module.tree) if isinstance(node, ast.Name) and node.id == name]
            stored = [node for node in bound if not isinstance(node.ctx, ast.Load)]
            above = {inner for statement in body[:place] for inner in ast.walk(statement)}
            reads = [node for node in bound if isinstance(node.ctx, ast.Load)]
            for first in block:
                match first:
                    case ast.Assign(targets=[ast.Name() as target], value=ast.Constant(False)) if target in stored:
                        if len(stored) == 2 and above.issuperset(reads):
                            return Flag(name, first, later)
        return None

    def by_functions(self, items: Sequence[ast.withitem], body: Sequence[ast.stmt], flag: Flag | None) -> bool:
        """Whether all variables are made by functions that open a scope, which the flag tells to reuse them."""
        if flag is None or any(self.scope(item) is not None for item in items):
            return False
        calls = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call)]
        told: list[ast.expr] = []
        for call in calls:
            function = self.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
            reuse = None if function is None else self._reuse_given(call, function)
            if reuse is not None:
                told.append(reuse)
            elif function is not None or not self._makes_nothing(call.func):
                return False
        named = {node for node in told if isinstance(node, ast.Name) and node.id == flag.name}
        true = [node for node in told if isinstance(node, ast.Constant) and node.value is True]
        return bool(named) and len(named) + len(true) == len(told) and named.issuperset(self.module.loads[flag.name])

    def told(self, statement: ast.stmt, flag: Flag) -> bool:
        """Whether a statement gives the flag to a function: the first turn makes variables there."""
        return any(isinstance(node, ast.Name) and node.id == flag.name for node in ast.walk(statement))

    def _makes_nothing(self, function: ast.expr) -> bool:
        """Whether what is called, none of the script's functions, makes no variables."""
        symbol = self.symbol_of(function)
        if symbol is not None:
            return not _makes(symbol)
        bound = self.module.root.bindings
        if isinstance(function, ast.Name):
            return function.id in _PYTHON and function.id not in bound
        return isinstance(function, ast.Attribute) and function.attr in _METHODS

    def _reuse_given(self, call: ast.Call, function: ast.FunctionDef) -> ast.expr | None:
        """What a call gives to the parameter that a function's one scope takes for `reuse`."""
        name = self._reuse_of(function)
        names = parameters(function, bound=False)
        given = list(filled(call, names))
        starred = any(isinstance(item, ast.Starred) for item in call.args)
        if name is None or starred or any(word is None for word, _ in given):
            return None
        return dict([*defaults(function), *((str(word), value) for word, value in given)]).get(name)

    def _reuse_of(self, function: ast.FunctionDef) -> str | None:
        kinds = function.args
        if kinds.vararg or kinds.kwarg or kinds.kwonlyargs or kinds.posonlyargs or function.decorator_list:
            return None
        body = function.body
        said = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        match body[1:] if said else body:
            case [ast.With(items=[item]), *rest] if all(map(_only_returns, rest)):
                pass
            case _:
                return None
        match self.scope(item):
            case ast.Call(args=[ast.Constant(str())], keywords=[ast.keyword("reuse", ast.Name(name))]):
                used = [inner for inner in ast.walk(function) if isinstance(inner, ast.Name) and inner.id == name]
                return name if len(used) == 1 and name in parameters(function, bound=False) else None
        return None


def _makes(symbol: str) -> bool:
    """Whether a symbol may make variables, or have a say in how others do."""
    if symbol in effects.WITHOUT_VARIABLES:
        return False
    return symbol in _MAKERS or symbol.startswith(("tf.layers.", "tf.contrib.")) or "rnn" in symbol


def _only_returns(node: ast.stmt) -> bool:
    match node:
        case ast.Return(value=ast.Name() | None):
            return True
        case ast.Return(value=ast.Tuple(elts=items)):
            return all(isinstance(item, ast.Name) for item in items)
    return False
