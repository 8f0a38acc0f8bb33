"""Functions that choose a device for each operation: one for variables, another for the rest.

Where operations lie changes none of their values, so all that matters is which device the tower computes on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tf_migrate.stages.handing import defaults, filled, parameters

_VARIABLES = frozenset({"AutoReloadVariable", "VarHandleOp", "Variable", "VariableV2"})
_TEXT = ast.Constant | ast.Name | ast.BinOp | ast.Add | ast.Mod | ast.expr_context


def computing_device(
    call: ast.Call,
    function: ast.FunctionDef,
    symbol_of: Callable[[ast.expr], str | None],
    listed: Callable[[ast.Name], ast.expr | None],
) -> ast.expr | None:
    """The device that a call of a function gives to all operations but variables; None where that is not known.

    `listed` gives what a name of the module is bound to, once and for all.
    """
    found = _given_out(function, symbol_of, listed)
    names = parameters(function, bound=False)
    kinds = function.args
    plain = not (kinds.vararg or kinds.kwarg or kinds.kwonlyargs or kinds.posonlyargs or function.decorator_list)
    if found is None or found not in names or not plain:
        return None
    given = list(filled(call, names))
    if any(name is None or isinstance(value, ast.Starred) for name, value in given):
        return None
    return dict([*defaults(function), *((str(name), value) for name, value in given)]).get(found)


def _given_out(
    function: ast.FunctionDef,
    symbol_of: Callable[[ast.expr], str | None],
    listed: Callable[[ast.Name], ast.expr | None],
) -> str | None:
    """The parameter that holds the device of what is no variable."""
    match _statements(function):
        case [ast.FunctionDef(args=ast.arguments(args=[ast.arg(arg=operation)])) as inner, ast.Return(ast.Name(name))]:
            if name != inner.name or inner.decorator_list or inner.args.defaults:
                return None
        case _:
            return None
    match _statements(inner):
        case [ast.Assign(targets=[ast.Name(definition)], value=value), *rest] if _defines(value, operation, symbol_of):
            pass
        case rest:
            definition = operation
    match rest:
        case [ast.If(test=test, body=[ast.Return(variables)], orelse=[ast.Return(ast.Name(device))])]:
            pass
        case [ast.If(test=test, body=[ast.Return(variables)], orelse=[]), ast.Return(ast.Name(device))]:
            pass
        case _:
            return None
    text = variables is not None and all(isinstance(part, _TEXT) for part in ast.walk(variables))
    known = text and device not in (operation, definition) and _asks_for_variables(test, definition, operation, listed)
    return device if known else None


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, without its documentation."""
    body = function.body
    said = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if said else body


def _defines(value: ast.expr, operation: str, symbol_of: Callable[[ast.expr], str | None]) -> bool:
    """Whether an expression is the definition of an operation: `op if isinstance(op, tf.NodeDef) else op.node_def`."""
    match value:
        case ast.IfExp(
            test=ast.Call(func=ast.Name("isinstance"), args=[ast.Name(asked), kind], keywords=[]),
            body=ast.Name(same),
            orelse=ast.Attribute(value=ast.Name(holder), attr="node_def"),
        ):
            return {asked, same, holder} == {operation} and symbol_of(kind) == "tf.NodeDef"
        case ast.Attribute(value=ast.Name(holder), attr="node_def"):
            return holder == operation
    return False


def _asks_for_variables(
    test: ast.expr, definition: str, operation: str, listed: Callable[[ast.Name], ast.expr | None]
) -> bool:
    """Whether a condition is that an operation is a variable."""
    match test:
        case ast.Compare(left=ast.Attribute(value=ast.Name(holder), attr=kind), ops=[ast.In()], comparators=[kinds]):
            asked = (holder, kind) in ((definition, "op"), (operation, "type"))
        case ast.Compare(left=ast.Attribute(value=ast.Name(holder), attr=kind), ops=[ast.Eq()], comparators=[one]):
            asked, kinds = (holder, kind) in ((definition, "op"), (operation, "type")), ast.List([one], ast.Load())
        case _:
            return False
    if isinstance(kinds, ast.Name):
        kinds = listed(kinds) or kinds
    items = kinds.elts if isinstance(kinds, ast.List | ast.Tuple | ast.Set) else []
    names = [item.value for item in items if isinstance(item, ast.Constant)]
    return asked and bool(items) and len(names) == len(items) and _VARIABLES.issuperset(map(str, names))
