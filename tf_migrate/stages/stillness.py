"""What statements of a test do: which only compute, what others may change in place, which assert or draw."""

from __future__ import annotations

import ast
from collections.abc import Container

from tf_migrate.stages import purity
from tf_migrate.stages.arrays import computes, draws, method_computes, shares
from tf_migrate.stages.names_used import is_imported, loads_of, stores_of
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

FILLED = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
"""What makes a container that other code may fill."""


def is_still(item: ast.stmt, module: Module) -> bool:
    """Whether a statement binds names to what it computes of others, and does nothing else."""
    return _only_binds(item) and all(is_reading(call, module) for call in calls_in(item))


def is_drawing(item: ast.stmt, module: Module) -> bool:
    """Whether a statement is such a one, but that it draws random numbers of NumPy too."""
    calls = calls_in(item)
    return _only_binds(item) and all(is_reading(call, module) or is_draw(call, module) for call in calls)


def _only_binds(item: ast.stmt) -> bool:
    plain = ast.Name | ast.Tuple | ast.List | ast.Store
    targets = item.targets if isinstance(item, ast.Assign) else ()
    return bool(targets) and all(isinstance(inner, plain) for target in targets for inner in ast.walk(target))


def calls_in(node: ast.AST) -> list[ast.Call]:
    """All calls in code."""
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]


def is_reading(call: ast.Call, module: Module) -> bool:
    """Whether a call computes a value of what it is given, and changes nothing."""
    name = callee(call.func, module) or ""
    if name.startswith("numpy."):
        return computes(name.removeprefix("numpy."), call)
    if purity.is_pure_call(call, module) or _is_computed(call, module):
        return True
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method_computes(method, call) and not any(getattr(made, "name", "") == method for made in module.functions)


def is_draw(call: ast.Call, module: Module) -> bool:
    """Whether a call draws random numbers of NumPy, and changes nothing else."""
    return draws(callee(call.func, module))


def _is_computed(call: ast.Call, module: Module) -> bool:
    """Whether a call is of a function of the module that only computes a value of its arguments, by libraries."""
    name = call.func
    if not isinstance(name, ast.Name) or len(module.root.bindings.get(name.id, [])) != 1:
        return False
    made = next((item for item in module.tree.body if isinstance(item, ast.FunctionDef) and item.name == name.id), None)
    if made is None or made.decorator_list or module.binding_scope(name) is not module.root:
        return False
    body = made.body[1 if is_description(made.body[0]) else 0 :]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if value is None:
        return False
    named = {argument.arg for argument in ast.walk(made.args) if isinstance(argument, ast.arg)}
    calls = [inner for inner in ast.walk(value) if isinstance(inner, ast.Call)]
    plain = all(load in named or is_imported(module, load) for load in loads_of(value))
    return plain and all(is_reading(inner, module) for inner in calls)


def changed_by(item: ast.AST, module: Module, harmless: Container[ast.AST] = ()) -> set[str]:
    """The names of what a statement may change in place: what it stores into, and what it gives to other code.

    `harmless` are calls that change nothing, and give nothing of what they are given to the code around them.
    """
    found = stored_into(item)
    for call in changing_calls(item, module, harmless):
        inner = (known for known in calls_in(call) if known in harmless)
        found |= loads_of(call, {node for known in inner for node in ast.walk(known)})
    return found


def changing_calls(item: ast.AST, module: Module, harmless: Container[ast.AST] = ()) -> list[ast.Call]:
    """The calls in code that may change something: what they are given, or what their functions hold."""
    calls = (call for call in calls_in(item) if call not in harmless and not is_comparison(call))
    calls = (call for call in calls if not (_asserts(call) and isinstance(module.parents.get(call), ast.withitem)))
    return [call for call in calls if not is_reading(call, module) and not is_draw(call, module)]


def stored_into(item: ast.AST) -> set[str]:
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
    """Names without those of modules, functions and classes, which are not other names of what these give."""
    made = {item.name for item in module.tree.body if isinstance(item, ast.FunctionDef | ast.ClassDef)}
    return {name for name in names - made if not is_imported(module, name)}


def _is_fresh(value: ast.expr, module: Module) -> bool:
    """Whether a value is an object of its own for sure, or a part of one that nothing else holds."""
    while isinstance(value, ast.Subscript):
        value = value.value
    if isinstance(value, ast.Call):
        method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
        return is_array(value, module) or draws(callee(value.func, module)) or method == "run"
    return isinstance(value, ast.BinOp | ast.Compare | ast.Constant)


def is_array(value: ast.expr, module: Module) -> bool:
    """Whether a function of NumPy computes a value, which holds nothing of what it was given."""
    if not isinstance(value, ast.Call):
        return False
    name = callee(value.func, module) or ""
    computed = name.startswith("numpy.") and computes(name.removeprefix("numpy."), value)
    return computed and not shares(name)


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


def is_description(item: ast.stmt) -> bool:
    """Whether a statement is a piece of text."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
