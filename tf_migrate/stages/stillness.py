"""Statements that may run earlier than they stand: what they compute, and that they change nothing."""

from __future__ import annotations

import ast
from collections.abc import Container

from tf_migrate.stages import purity
from tf_migrate.stages.names_used import is_imported, loads_of, scope_binding, stores_of
from tf_migrate.syntax.module import Module

FILLED = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
"""What makes a container that other code may fill."""
_READING_METHODS = frozenset(
    {"astype", "copy", "cumsum", "dot", "flatten", "format", "items", "join", "keys", "max", "mean", "min", "prod"}
    | {"ravel", "repeat", "reshape", "std", "sum", "tolist", "transpose", "values"}
)
_CHANGING = frozenset({"copyto", "fill", "load", "place", "put", "putmask", "random.seed", "random.shuffle", "save"})


def is_still(item: ast.stmt, module: Module) -> bool:
    """Whether a statement binds names to what it computes of others, and changes nothing: it may run earlier."""
    if not isinstance(item, ast.Assign):
        return False
    plain = all(
        isinstance(inner, ast.Name | ast.Tuple | ast.List | ast.Store)
        for target in item.targets
        for inner in ast.walk(target)
    )
    calls = [inner for inner in ast.walk(item.value) if isinstance(inner, ast.Call)]
    return plain and all(_is_reading(call, module) for call in calls)


def _is_reading(call: ast.Call, module: Module) -> bool:
    name = purity.callee(call.func, module) or ""
    if name.startswith("numpy."):
        return name.removeprefix("numpy.").partition("_")[0] not in _CHANGING
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return purity.is_pure_call(call, module) or method in _READING_METHODS or _computes(call, module)


def _computes(call: ast.Call, module: Module) -> bool:
    """Whether a call is of a function of the module that only computes a value from its arguments, by libraries."""
    name = call.func
    if not isinstance(name, ast.Name) or len(module.root.bindings.get(name.id, [])) != 1:
        return False
    made = next((item for item in module.tree.body if isinstance(item, ast.FunctionDef) and item.name == name.id), None)
    if made is None or made.decorator_list or scope_binding(module, name) is not module.root:
        return False
    body = made.body[1 if is_description(made.body[0]) else 0 :]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if value is None:
        return False
    named = {argument.arg for argument in ast.walk(made.args) if isinstance(argument, ast.arg)}
    calls = [inner for inner in ast.walk(value) if isinstance(inner, ast.Call)]
    plain = all(load in named or is_imported(module, load) for load in loads_of(value))
    return plain and all(_is_reading(inner, module) for inner in calls)


def changed_by(item: ast.stmt, module: Module, harmless: Container[ast.AST] = ()) -> set[str]:
    """The names of what a statement may change in place: what it stores into, and what it gives to other code.

    `harmless` are calls that change nothing.
    """
    calls = (inner for inner in ast.walk(item) if isinstance(inner, ast.Call) and inner not in harmless)
    given = (loads_of(call) for call in calls if not _is_reading(call, module) and not _asserts(call))
    return stored_into(item).union(*given)


def stored_into(item: ast.stmt) -> set[str]:
    """The names of what a statement stores into, or adds to in place."""
    found: set[str] = set()
    for inner in ast.walk(item):
        if isinstance(inner, ast.AugAssign):
            found |= {target.id for target in ast.walk(inner.target) if isinstance(target, ast.Name)}
        elif isinstance(inner, ast.Subscript | ast.Attribute) and not isinstance(inner.ctx, ast.Load):
            found |= loads_of(inner.value)
    return found


def kin_of(names: set[str], test: ast.FunctionDef, module: Module, made: set[str]) -> set[str]:
    """Names, and others that may hold the same object or a part of it; `made` are those of parts of the graph."""
    bound = [inner for inner in ast.walk(test) if isinstance(inner, ast.Assign) and not _is_fresh(inner.value, module)]
    own = [item for item in bound if not stores_of(module, item) & made]
    groups = [_local(module, loads_of(item.value) | stores_of(module, item)) for item in own]
    found, before = _local(module, names), set[str]()
    while found != before:
        before = set(found)
        found |= set().union(*(group for group in groups if group & found))
    return found


def _local(module: Module, names: set[str]) -> set[str]:
    return {name for name in names if not is_imported(module, name)}


def _is_fresh(value: ast.expr, module: Module) -> bool:
    """Whether a value is an object of its own for sure."""
    if isinstance(value, ast.Call):
        name = purity.callee(value.func, module) or ""
        method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
        plain = name.removeprefix("numpy.") in ("array", "copy", "ones", "zeros")
        return name.startswith("numpy.random.") or plain or method == "run"
    return isinstance(value, ast.BinOp | ast.Compare | ast.Constant)


def _asserts(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr.startswith("assert")


def is_comparison(call: ast.Call) -> bool:
    """Whether a call asserts something of values, and calls none of them."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return _asserts(call) and not method.startswith(("assertRaises", "assertWarns", "assertLogs"))


def is_assertion(item: ast.stmt) -> bool:
    """Whether a statement asserts something of values."""
    call = item.value if isinstance(item, ast.Expr) else None
    return isinstance(call, ast.Call) and _asserts(call)


def contains_assertion(item: ast.AST) -> bool:
    """Whether code of a test asserts anything."""
    return any(isinstance(inner, ast.Call) and _asserts(inner) for inner in ast.walk(item))


def makes_function(item: ast.AST) -> bool:
    """Whether code makes a function or a class, which other code may call."""
    made = ast.FunctionDef | ast.Lambda | ast.ClassDef
    return any(isinstance(inner, made) for inner in ast.walk(item))


def draws_numbers(item: ast.AST) -> bool:
    """Whether code may draw random numbers, of NumPy or Python."""
    return any(isinstance(inner, ast.Attribute) and inner.attr == "random" for inner in ast.walk(item))


def is_description(item: ast.stmt) -> bool:
    """Whether a statement is a piece of text."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
