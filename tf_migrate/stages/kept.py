"""Objects whose attributes are reached by their names alone, so that all uses of what they keep can be seen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator
from itertools import chain

from tf_migrate.stages.bound import home_of
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.unbound import is_global

_BY_TEXT = ("delattr", "getattr", "setattr", "vars")
_SETTING = ("delattr", "setattr")
_HIDING = frozenset({*_BY_TEXT, "dir", "eval", "exec", "globals", "locals"})
_HOOKS = ("__delattr__", "__getattr__", "__getattribute__", "__setattr__", "attrgetter", "getmembers")
_PLAIN_METHODS = frozenset({"__call__", "__init__", "__repr__", "__str__"})


def reached_by_text(attribute: str, module: Module, only_reads: Callable[[ast.expr], bool]) -> ast.AST | None:
    """A place that may bind an attribute of some object, or change what it holds, without naming it."""
    for word in _BY_TEXT:
        for load in module.loads.get(word, ()) if word not in module.root.bindings else ():
            call = module.parents[load]
            if not (isinstance(call, ast.Call) and call.func is load):
                return load
            named = call.args[1] if len(call.args) > 1 else None
            other = isinstance(named, ast.Constant) and named.value not in (attribute, "__dict__", *_HOOKS)
            looking = word in ("getattr", "vars") and (
                only_reads(call) or (bool(call.args) and _is_of_another_module(call.args[0], module))
            )
            if not (other or looking):
                return load
    hooks: list[ast.AST] = []
    for word in _HOOKS:
        hooks += [*module.loads.get(word, ()), *module.attributes.get(word, ())]
        hooks += [function for function in module.functions if getattr(function, "name", None) == word]
    hooks += [place for word in _SETTING for place in module.attributes.get(word, ())]
    read = (node for node in module.attributes.get("__dict__", ()) if not only_reads(node))
    return next(chain(hooks, read), None)


def handed_out(owner: str, module: Module, entered: Container[ast.AST]) -> ast.Call | None:
    """A call of an imported function, which is not `entered`, that is given an object of a class of the module."""
    made = [module.parents[call] for call in module.loads.get(owner, ())]
    stored = [module.parents.get(call) for call in made if isinstance(call, ast.Call)]
    names = {
        (name.id, id(home_of(name, module)))
        for store in stored
        if isinstance(store, ast.Assign)
        for name in store.targets
        if isinstance(name, ast.Name)
    }
    for call in module.calls:
        given = (item for item in (*call.args, *(word.value for word in call.keywords)) if isinstance(item, ast.Name))
        handed = any(item.id == "self" or (item.id, id(home_of(item, module))) in names for item in given)
        if handed and call not in entered and _is_of_another_module(call.func, module):
            return call
    return None


def _is_of_another_module(asked: ast.expr, module: Module) -> bool:
    while isinstance(asked, ast.Attribute):
        asked = asked.value
    bound = module.root.bindings.get(asked.id, []) if isinstance(asked, ast.Name) else []
    return any(isinstance(binding, tuple) for binding in bound)


def plain_constructor(call: ast.Call, module: Module) -> ast.FunctionDef | None:
    """The constructor that a call enters, where what it keeps stays inside the module, under names that are seen.

    The class is one of the module that derives from none, is called and not looked into, and answers to no hook; the
    object has at most one name, and only its attributes are used.
    """
    word = call.func.id if isinstance(call.func, ast.Name) and is_global(module, call.func) else ""
    made = [node for node in module.tree.body if isinstance(node, ast.ClassDef) and node.name == word]
    if len(made) != 1 or len(module.root.bindings.get(word, [])) != 1 or not _is_plain(made[0], module):
        return None
    parent = module.parents[call]
    names = parent.targets if isinstance(parent, ast.Assign) else []
    named = [node for name in names if isinstance(name, ast.Name) for node in module.loads.get(name.id, [])]
    kept = len(names) == 1 and isinstance(names[0], ast.Name)
    if not (kept or isinstance(parent, ast.Expr)) or not all(_is_asked(node, module) for node in named):
        return None
    return next((node for node in made[0].body if isinstance(node, ast.FunctionDef) and node.name == "__init__"), None)


def _is_plain(node: ast.ClassDef, module: Module) -> bool:
    bare = all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases)
    bound = list(_bound(node))
    inner = list(ast.walk(node))
    calls = [module.parents[load] for load in module.loads.get(node.name, [])]
    return (
        bare
        and not (node.decorator_list or node.keywords or "object" in module.root.bindings)
        and len(bound) == len(set(bound))
        and not any(name.startswith("__") and name not in _PLAIN_METHODS for name in bound)
        and all(
            isinstance(place, ast.Call) and getattr(place.func, "id", None) in (node.name, "super") for place in calls
        )
        and not any(isinstance(name, ast.Name) and name.id in _HIDING for name in inner)
        and all(_is_asked(name, module) for name in inner if isinstance(name, ast.Name) and name.id in _owners(node))
    )


def _bound(node: ast.ClassDef) -> Iterator[str]:
    """The names that the body of a class binds; a name that no class has for what is not a plain method or value."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef):
            yield "__other__" if statement.decorator_list and statement.name == "__init__" else statement.name
        elif isinstance(statement, ast.Assign) and all(isinstance(name, ast.Name) for name in statement.targets):
            yield from (name.id for name in statement.targets if isinstance(name, ast.Name))
        elif not isinstance(statement, ast.Pass) and not isinstance(getattr(statement, "value", None), ast.Constant):
            yield "__other__"


def _owners(node: ast.ClassDef) -> set[str]:
    """How the methods of a class call the object."""
    return {item.args.args[0].arg for item in node.body if isinstance(item, ast.FunctionDef) and item.args.args}


def _is_asked(name: ast.Name, module: Module) -> bool:
    """Whether a name of an object is used for one of its attributes, and for nothing else."""
    parent = module.parents[name]
    return isinstance(parent, ast.Attribute) and not parent.attr.startswith("__")


def keeps(target: ast.Attribute, module: Module) -> bool:
    """Whether a constructor gives an attribute to its object, under a name that its class binds to nothing."""
    function = module.function_of(target)
    home = module.parents.get(function) if function is not None else None
    if not isinstance(function, ast.FunctionDef) or function.name != "__init__" or not isinstance(home, ast.ClassDef):
        return False
    own = isinstance(target.value, ast.Name) and function.args.args and target.value.id == function.args.args[0].arg
    return bool(own) and target.attr not in _bound(home)
