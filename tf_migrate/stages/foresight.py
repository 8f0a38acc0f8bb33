"""Python functions that a dataset calls: an eager iterator calls them for elements that no run has asked for yet.

TensorFlow 1 called a generator, or what `tf.py_func` was given, once for each element that a run took, and it saw what
its names held then. So natively such a function has to give the same whenever it is called, and do nothing else: it
computes values of its own and of what the module never changes.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tf_migrate.stages import arrays, purity
from tf_migrate.stages.stillness import FILLED, is_array
from tf_migrate.stages.uses import bound_by_text, only_reads
from tf_migrate.stages.values import Stage
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_CALLED = purity.BUILTINS | {"iter", "repr", "divmod", "ord", "chr", "frozenset", "xrange"}
_READING = frozenset({"r", "rb", "rt"})
_OWN_METHODS = frozenset({"append", "extend", "insert", "items", "keys", "values", "get", "copy", "astype", "rstrip"})
_DRAWS = frozenset(f"random.{name}" for name in ("choice", "gauss", "randint", "random", "sample", "uniform"))
_SEEDING = ("RandomState", "seed", "set_state", "setstate")
_BEYOND = ast.Global | ast.Nonlocal | ast.Await | ast.ClassDef | ast.Import | ast.ImportFrom | ast.With | ast.AsyncFor


def acts_or_changes(evaluator: Evaluator, function: ast.FunctionDef) -> ast.AST | None:
    """A place in a function that does more than compute, or may see something that changes; None where none does."""
    module = evaluator.module
    if bound_by_text(module) is not None:
        return function
    return next(_places(module, function, set(), _is_unseeded(evaluator)), None)


def changing_part(evaluator: Evaluator, node: ast.expr) -> ast.AST | None:
    """A part of an expression that may give something else where it is computed later; None where there is none."""
    module = evaluator.module
    text = bound_by_text(module)
    if text is not None:
        return text
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            changes = evaluator.names.resolve(inner.func) is None and not purity.is_pure_call(inner, module)
        elif isinstance(inner, ast.Attribute):
            changes = evaluator.names.resolve(inner) is None and not isinstance(inner.value, ast.Name)
        else:
            changes = isinstance(inner, ast.Name) and not _stays(evaluator, inner)
        if changes:
            return inner
    return None


def _stays(evaluator: Evaluator, name: ast.Name) -> bool:
    """Whether a name keeps its meaning where it is known, and nothing there changes what it holds."""
    module, known = evaluator.module, evaluator.env.get(name.id)
    scope = module.binding_scope(name)
    if scope is None or evaluator.names.resolve(name) is not None:
        return True
    bound = scope.bindings[name.id]
    if name.id in module.bound_globally:
        return False
    if known is not None and known.value.stage is Stage.CONSTANT:
        stores = (inner for inner in ast.walk(scope.node) if isinstance(inner, ast.Name) and inner.id == name.id)
        return all(inner.lineno < name.lineno for inner in stores if _stores(inner))
    if len(bound) != 1 or isinstance(bound[0], tuple):
        return len(bound) == 1
    plain = isinstance(bound[0], ast.expr) and purity.is_immutable(bound[0], module)
    loads = (load for load in module.loads[name.id] if module.binding_scope(load) is scope)
    return plain or all(only_reads(load, module) or _fills_before(module, load, name) for load in loads)


def _fills_before(module: Module, load: ast.Name, name: ast.Name) -> bool:
    """Whether a statement above fills what a name holds: the function comes to both once, in order."""
    if module.function_of(load) is not module.function_of(name) or load.lineno >= name.lineno:
        return False
    parent = module.parents[load]
    if isinstance(parent, ast.Subscript):
        return not isinstance(parent.ctx, ast.Load)
    call = module.parents[parent]
    return isinstance(parent, ast.Attribute) and isinstance(module.parents.get(call), ast.Expr)


def _is_unseeded(evaluator: Evaluator) -> bool:
    """Whether nothing gives Python's or NumPy's random numbers a seed: nobody knows in which order they are drawn."""
    module = evaluator.module
    said = any(word in module.attributes or word in module.loads for word in _SEEDING)
    return not said and not evaluator.names.index.imports(module.name)


def _draws(module: Module, call: ast.Call, fresh: set[str]) -> bool:
    """Whether a call draws random numbers."""
    name = callee(call.func, module) or ""
    if name in ("random.shuffle", "numpy.random.shuffle"):
        return len(call.args) == 1 and getattr(call.args[0], "id", None) in fresh
    return arrays.draws(name) or name in _DRAWS


def _places(module: Module, function: ast.FunctionDef, seen: set[ast.AST], free: bool) -> Iterator[ast.AST]:
    seen.add(function)
    yield from function.decorator_list
    given = {inner.arg for inner in ast.walk(function.args) if isinstance(inner, ast.arg)}
    bound = {inner.id for inner in ast.walk(function) if isinstance(inner, ast.Name) and _stores(inner)}
    fresh = {name for name in bound - given if _is_fresh(module, function, name)}
    for default in (*function.args.defaults, *filter(None, function.args.kw_defaults)):
        if not purity.is_immutable(default, module):
            yield default
    for inner in (node for statement in function.body for node in ast.walk(statement)):
        if isinstance(inner, ast.Name) and not _stores(inner) and inner.id not in given | bound:
            yield from _read(module, inner, function, seen, free)
        elif isinstance(inner, _BEYOND) or not _is_plain(module, inner, fresh, free):
            yield inner


def _is_plain(module: Module, node: ast.AST, fresh: set[str], free: bool) -> bool:
    """Whether a piece of code changes nothing but what the function made for itself."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Subscript) or getattr(node.target, "id", None) in fresh
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return isinstance(node.value, ast.Name) and node.value.id in fresh
    return not isinstance(node, ast.Call) or (free and _draws(module, node, fresh)) or _computes(module, node, fresh)


def _is_fresh(module: Module, function: ast.FunctionDef, name: str) -> bool:
    """Whether a local name only means numbers, and containers and arrays that the function made."""
    for inner in ast.walk(function):
        if isinstance(inner, ast.Name) and inner.id == name and _stores(inner):
            statement = module.parents.get(inner)
            if isinstance(statement, ast.AugAssign):
                continue
            value = statement.value if isinstance(statement, ast.Assign) else None
            made = isinstance(value, FILLED | ast.Constant | ast.BinOp | ast.UnaryOp) or (
                isinstance(value, ast.expr) and is_array(value, module)
            )
            if not made:
                return False
    return True


def _stores(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _read(
    module: Module, name: ast.Name, function: ast.FunctionDef, seen: set[ast.AST], free: bool
) -> Iterator[ast.AST]:
    """Where a name of the module is no function of this kind, no import, and no value that stays what it is."""
    scopes = [scope for scope in module.every_scope if name.id in scope.bindings]
    if not scopes:
        if not (hasattr(builtins, name.id) or name.id in _CALLED):
            yield name
        return
    found = [item for scope in scopes for item in scope.bindings[name.id]]
    made = next((item for item in module.functions if getattr(item, "name", None) == name.id), None)
    if len(found) != 1 or name.id in module.bound_globally:
        yield name
    elif isinstance(made, ast.FunctionDef):
        yield from _places(module, made, seen, free) if made not in seen else ()
    elif not isinstance(found[0], tuple):
        plain = isinstance(found[0], ast.expr) and purity.is_immutable(found[0], module)
        inside = set(ast.walk(function))
        others = (load for load in module.loads[name.id] if load not in inside)
        if not plain and not all(only_reads(load, module) for load in others):
            yield name


def _computes(module: Module, call: ast.Call, own: set[str]) -> bool:
    """Whether a call computes a value, or changes what the function made for itself."""
    name = callee(call.func, module) or ""
    if isinstance(call.func, ast.Name):
        known = call.func.id in _CALLED or any(getattr(item, "name", "") == call.func.id for item in module.functions)
        return known or (name == "open" and _only_reads_file(call)) or purity.is_pure_call(call, module)
    if purity.is_pure_call(call, module) or (name.startswith("numpy.") and arrays.computes(name[6:], call)):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    if any(getattr(item, "name", "") == call.func.attr for item in module.functions):
        return False
    root = call.func.value
    if isinstance(root, ast.Name) and root.id in own and call.func.attr in _OWN_METHODS:
        return True
    imported = name and isinstance(root, ast.Name) and root.id in module.root.bindings and root.id not in own
    shares = imported and any(isinstance(item, tuple) for item in module.root.bindings[getattr(root, "id", "")])
    return not shares and arrays.method_computes(call.func.attr, call)


def _only_reads_file(call: ast.Call) -> bool:
    """Whether a call opens a file for reading."""
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return all(isinstance(mode, ast.Constant) and mode.value in _READING for mode in modes)
