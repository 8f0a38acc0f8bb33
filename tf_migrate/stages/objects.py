"""Classes whose constructors build a part of the graph, where the script makes one object of each.

The constructor is read where the script calls it, the methods that run the session behind it. An attribute of the one
object there is stands for itself, as a name does: `self.loss` in the class and `model.loss` outside are one.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass

from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_REFLECTION = frozenset({"getattr", "setattr", "delattr", "vars"})
_UNREAD = ast.AsyncFunctionDef | ast.ClassDef | ast.Global | ast.Nonlocal


@dataclass(frozen=True, eq=False)
class ObjectClass:
    """A class of the script: `call` makes its one object, which `name` is bound to."""

    node: ast.ClassDef
    call: ast.Call
    name: ast.Name
    methods: dict[str, ast.FunctionDef]

    @property
    def constructor(self) -> ast.FunctionDef:
        """The method that the call enters."""
        return self.methods["__init__"]

    def key(self, attribute: str) -> str:
        """The name under which an attribute of the object is kept; no plain name holds a dot."""
        return f"{self.node.name}.{attribute}"

    def method_of(self, call: ast.expr) -> ast.FunctionDef | None:
        """The method that `self.method(…)` inside the class calls."""
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            return self.methods.get(call.func.attr) if call.func.value.id == "self" else None
        return None


def object_classes(module: Module) -> dict[ast.Call, ObjectClass]:
    """The classes of a module that can be read where the one object of each is made."""
    found = (_object_class(module, node) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return {known.call: known for known in found if known is not None}


def _object_class(module: Module, node: ast.ClassDef) -> ObjectClass | None:
    loads = module.loads.get(node.name, [])
    if node.decorator_list or node.keywords or len(loads) != 1 or len(module.root.bindings.get(node.name, [])) != 1:
        return None
    if not all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases):
        return None
    call = module.parents[loads[0]]
    if not (isinstance(call, ast.Call) and call.func is loads[0]):
        return None
    statement = module.parents[call]
    if not (isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1):
        return None
    name = statement.targets[0]
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    plain = len(methods) + sum(_is_plain(inner) for inner in node.body) == len(node.body)
    if not isinstance(name, ast.Name) or not plain or not all(map(_is_method, methods.values())):
        return None
    return ObjectClass(node, call, name, methods) if "__init__" in methods else None


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass | ast.Assign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _is_method(node: ast.FunctionDef) -> bool:
    given = node.args.posonlyargs + node.args.args
    return not node.decorator_list and bool(given) and given[0].arg == "self"


def require_readable(known: ObjectClass) -> None:
    """Refuses what the attributes of an object could be reached or changed by without being named."""
    for inner in ast.walk(known.node):
        if isinstance(inner, _UNREAD) and inner is not known.node:
            raise Refused(
                inner, f"`{known.node.name}` binds names in a way that is not followed", "write plain methods"
            )
        if isinstance(inner, ast.Name) and inner.id == "__slots__":
            raise Refused(inner, f"`{known.node.name}` lists its attributes", "leave `__slots__` out")
        if isinstance(inner, ast.Name) and inner.id in _REFLECTION:
            what = f"`{known.node.name}`, which builds a graph, reads or binds attributes by `{inner.id}`"
            raise Refused(inner, what, "name the attributes")
        if isinstance(inner, ast.Attribute) and inner.attr == "__dict__":
            raise Refused(inner, f"`{known.node.name}` reads its attributes as a dictionary", "name the attributes")
        if isinstance(inner, ast.Name) and inner.id == "self" and not isinstance(inner.ctx, ast.Load):
            raise Refused(inner, "`self` is bound anew", "give the other value another name")


def leaks(module: Module, known: ObjectClass) -> ast.AST | None:
    """A place where the object itself, not one of its attributes, is used; None where there is none."""
    inside = (load for load in module.loads.get("self", []) if class_of(module, load) is known.node)
    outside = (load for load in module.loads.get(known.name.id, []) if class_of(module, load) is not known.node)
    for load in (*inside, *outside):
        parent = module.parents[load]
        if not (isinstance(parent, ast.Attribute) and parent.value is load):
            return load
    return None


def class_of(module: Module, node: ast.AST) -> ast.ClassDef | None:
    """The class of the module that a node stands in."""
    current = module.parents.get(node)
    while current is not None and not (isinstance(current, ast.ClassDef) and module.parents[current] is module.tree):
        current = module.parents.get(current)
    return current


def entered_methods(module: Module, known: ObjectClass) -> dict[ast.Call, ast.FunctionDef]:
    """The calls, as statements of the constructor, that enter methods which nothing else calls."""
    entered: dict[ast.Call, ast.FunctionDef] = {}
    pending = [known.constructor]
    while pending:
        for statement in pending.pop().body:
            call = statement.value if isinstance(statement, ast.Expr) else None
            method = known.method_of(call) if call is not None else None
            if method is not None and isinstance(call, ast.Call) and len(_uses(module, known, method.name)) == 1:
                entered[call] = method
                pending.append(method)
    return entered


def _uses(module: Module, known: ObjectClass, name: str) -> list[ast.Attribute]:
    """Where an attribute of that name may be one of the object's."""
    nodes = module.attributes.get(name, [])
    return [node for node in nodes if ast.unparse(node.value) != "self" or class_of(module, node) is known.node]


def running_methods(
    known: ObjectClass, sites: Container[ast.Call], entered: Container[ast.FunctionDef]
) -> list[ast.FunctionDef]:
    """The methods that run the session, or call others that do, in order of the text."""
    candidates = [method for method in known.methods.values() if method not in entered]
    running = {method for method in candidates if any(call in sites for call in _calls(method))}
    while True:
        leading = {method for method in candidates if any(known.method_of(call) in running for call in _calls(method))}
        if leading <= running:
            return [method for method in candidates if method in running]
        running |= leading


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
