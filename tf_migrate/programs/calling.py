"""Where a function of a script, or a method of one of its classes, is called: if that is all that is done with it."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module


def is_of_module(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function is one of the module's, which has one under its name."""
    once = len(module.root.bindings.get(function.name, [])) == 1 and function.name not in module.bound_globally
    return once and module.parents[function] is module.tree


def calls_of(module: Module, function: ast.FunctionDef) -> list[ast.Call]:
    """The calls of a function, or of a method by others of its class, if each is all of a statement.

    Empty where a call is a part of another expression, or the function is used in any other way.
    """
    uses: list[ast.Name] | list[ast.Attribute] = []
    if is_of_module(module, function):
        uses = module.loads.get(function.name, [])
    elif _is_method(module, function):
        uses = module.attributes.get(function.name, [])
    return [module.parents[use] for use in uses] if all(_is_call(module, function, use) for use in uses) else []  # type: ignore[misc]


def _is_call(module: Module, function: ast.FunctionDef, use: ast.Name | ast.Attribute) -> bool:
    """Whether a use is the call of a statement, outside of the function itself."""
    call = module.parents[use]
    statement = module.parents[call]
    if not (isinstance(call, ast.Call) and isinstance(statement, ast.Assign | ast.Expr)):
        return False
    if statement.value is not call or call.func is not use or function in module.around(call):
        return False
    if isinstance(use, ast.Name):
        return not module.scopes[use].is_class
    home = module.function_of(use)
    return isinstance(home, ast.FunctionDef) and _is_receiver(module, function, home, use.value)


def _is_receiver(module: Module, method: ast.FunctionDef, home: ast.FunctionDef, node: ast.expr) -> bool:
    """Whether an expression is the object of which both are methods: the first parameter, all the time."""
    same = module.parents[home] is module.parents[method] and not home.decorator_list and bool(home.args.args)
    if not (same and isinstance(node, ast.Name) and node.id == home.args.args[0].arg):
        return False
    scope = next(scope for scope in module.every_scope if scope.node is home)
    return module.scopes[node] is scope and len(scope.bindings[node.id]) == 1


def _is_method(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function is a method of a class, and nothing else of the module has, or may mean, its name."""
    owner = module.parents[function]
    if not isinstance(owner, ast.ClassDef) or module.parents[owner] is not module.tree or len(owner.body) == 1:
        return False
    if not function.args.args or function.name.startswith("__"):
        return False
    named = [scope for scope in module.every_scope if scope.is_class and function.name in scope.bindings]
    texts = (node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    alone = len(named) == 1 and len(named[0].bindings[function.name]) == 1
    return alone and function.name not in module.loads and function.name not in texts
