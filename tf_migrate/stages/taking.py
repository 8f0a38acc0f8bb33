"""Functions that are given the one object of a class, and the names by which code knows that object."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from tf_migrate.stages.handing import filled, parameters
from tf_migrate.stages.objects import REFLECTION, ObjectClass, class_of
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module


class Taken(NamedTuple):
    """The object that every call hands a function, as the parameter of this name."""

    known: ObjectClass
    name: str


Takers: TypeAlias = Mapping[ast.FunctionDef, Taken]


def object_takers(module: Module, classes: Iterable[ObjectClass]) -> dict[ast.FunctionDef, Taken]:
    """The functions that every call hands the one object of a class, whatever they call it."""
    functions = [node for node in module.tree.body if isinstance(node, ast.FunctionDef)]
    named = [known for known in classes if known.name is not None]
    found = [
        (node, Taken(known, word)) for node in functions for word in parameters(node, bound=False) for known in named
    ]
    while True:
        left = [(node, taken) for node, taken in found if _is_handed(module, node, taken, found)]
        times = Counter(node for node, _ in left)
        if left == found:
            left = [(node, taken) for node, taken in left if times[node] == 1]
        if left == found:
            return dict(found)
        found = left


def _is_handed(
    module: Module, function: ast.FunctionDef, taken: Taken, takers: Container[tuple[ast.FunctionDef, Taken]]
) -> bool:
    """Whether a function is nothing but called, each time with the object, by its name in the function that calls."""
    known, word = taken
    assert known.name is not None
    scope = next(scope for scope in module.every_scope if scope.node is function)
    own, top = module.scope_of(known.name).bindings, module.root.bindings
    bound = (scope.bindings, word), (own, known.name.id), (top, function.name)
    loads = module.loads.get(function.name, [])
    if any(len(bindings.get(name, [])) != 1 for bindings, name in bound) or not loads:
        return False
    for load in loads:
        call = module.parents[load]
        if not isinstance(call, ast.Call) or call.func is not load:
            return False
        items = list(filled(call, parameters(function, bound=False)))
        given = dict(items).get(word)
        home = module.function_of(call)
        if not isinstance(given, ast.Name) or any(isinstance(item, ast.Starred) for _, item in items):
            return False
        if sum(isinstance(item, ast.Name) and item.id == given.id for _, item in items) > 1:
            return False
        made_here = home is module.function_of(known.name) and given.id == known.name.id
        if not (made_here or (isinstance(home, ast.FunctionDef) and (home, Taken(known, given.id)) in takers)):
            return False
    return True


def is_named(module: Module, known: ObjectClass, takers: Takers, node: ast.Name) -> bool:
    """Whether a name, outside of the class, may be the object's: its own, or that of a parameter that takes it."""
    if known.name is not None and node.id == known.name.id:
        return True
    return any(node.id == taken.name for place in module.around(node) if (taken := _taken(takers, place, known)))


def _taken(takers: Takers, place: ast.AST, known: ObjectClass) -> Taken | None:
    taken = takers.get(place) if isinstance(place, ast.FunctionDef) else None
    return taken if taken is not None and taken.known is known else None


def leaks(module: Module, known: ObjectClass, takers: Takers) -> ast.AST | None:
    """A place where the object itself, not one of its attributes, is used; None where only its `takers` get it."""
    if known.name is None:
        return known.place
    own = {node.name: taken.name for node, taken in takers.items() if taken.known is known}
    inside = (load for load in module.loads.get("self", []) if class_of(module, load) is known.node)
    words = dict.fromkeys((known.name.id, *own.values()))
    named = (load for word in words for load in module.loads.get(word, []) if is_named(module, known, takers, load))
    outside = (load for load in named if class_of(module, load) is not known.node)
    for load in (*inside, *outside):
        parent = module.parents[load]
        read = isinstance(parent, ast.Attribute) and parent.value is load
        call = module.parents[parent] if isinstance(parent, ast.keyword) else parent
        function = call.func if isinstance(call, ast.Call) else None
        taken = isinstance(function, ast.Name) and function.id in own
        if not (read or taken):
            return load
    return None


def require_named(module: Module, known: ObjectClass, takers: Takers, gone: Container[str]) -> None:
    """Refuses an object of which it is asked by a text for an attribute that is `gone`, or may be."""
    for call in module.calls:
        word = call.func.id if isinstance(call.func, ast.Name) else ""
        given = call.args[0] if call.args and word in (*REFLECTION, "hasattr", "dir") else None
        own = isinstance(given, ast.Name) and given.id == "self" and class_of(module, given) is known.node
        named = isinstance(given, ast.Name) and is_named(module, known, takers, given)
        text = call.args[1].value if len(call.args) > 1 and isinstance(call.args[1], ast.Constant) else None
        several = known.name is None and isinstance(given, ast.Name | ast.Attribute | ast.Subscript) and text in gone
        if several or ((own or named) and (text is None or text in gone)):
            what = f"`{word}` asks by a text what attributes `{known.node.name}`, which builds a graph, has"
            raise Refused(call, what, "name the attributes")
