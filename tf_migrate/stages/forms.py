"""The form of what a function gives: its parts, as far as its `return` statements show them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.values import Value, container
from tf_migrate.syntax.callee import callee

_NAMES = 3  # how many names deep a result is looked for


def formed(names: Names, found: Sequence[ast.expr | None], made: Value, depth: int) -> Value:
    """A value in the form of expressions that stand for it: parts that are known, or all of them."""
    forms = [_form(names, node, made, depth) for node in found]
    unknown = replace(made, several=True)
    return forms[0] if forms and all(form == forms[0] for form in forms) else unknown


def _form(names: Names, node: ast.expr | None, made: Value, depth: int) -> Value:
    if isinstance(node, ast.Tuple):
        return container(tuple(_form(names, item, made, depth) for item in node.elts))
    if isinstance(node, ast.BinOp) and any(_form(names, side, made, depth) == made for side in (node.left, node.right)):
        return made
    if isinstance(node, ast.Call) and depth < _NAMES:
        return _form_of_call(names, node, made, depth)
    if isinstance(node, ast.Name) and depth < _NAMES:
        bound = names.module.scope_of(node).bindings.get(node.id, [])
        known = [value if isinstance(value, ast.expr) else None for value in bound]
        return formed(names, known, made, depth + 1)
    return replace(made, several=True)


def _form_of_call(names: Names, call: ast.Call, made: Value, depth: int) -> Value:
    symbol = names.resolve(call.func)
    if symbol is not None:
        return replace(made, several=symbol not in effects.PURE or symbol in effects.SEVERAL)
    home, definition = defined(names, call.func)
    if isinstance(definition, ast.FunctionDef) and home is not None:
        return formed(home, returned(definition), made, depth + 1)
    fields = fields_of(definition)
    words = {word.arg: word.value for word in call.keywords}
    if fields is None or {*fields[: len(call.args)], *words} != {*fields} or len(call.args) + len(words) != len(fields):
        return replace(made, several=True)
    items = [*call.args, *(words[name] for name in fields[len(call.args) :])]
    return replace(container(tuple(_form(names, item, made, depth) for item in items)), fields=fields)


def returned(function: ast.FunctionDef) -> list[ast.expr | None]:
    """What a function returns, of its own and not of functions inside it."""
    inner = {
        node
        for other in ast.walk(function)
        if isinstance(other, ast.FunctionDef | ast.Lambda) and other is not function
        for node in ast.walk(other)
    }
    return [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node not in inner]


def defined(names: Names, node: ast.expr) -> tuple[Names | None, ast.AST | None]:
    """What the tree makes under a name, with the names of its module: a function, or the expression that is bound."""
    made = names.definition(node)
    if made is None and isinstance(node, ast.Name):
        made = names.module.name, node.id
    if made is None:
        return None, None
    home = names
    if made[0] != names.module.name:
        module = names.index.tree(made[0])
        if module is None:
            return None, None
        home = Names(module, names.index, names.compat_module)
    bound = home.module.root.bindings.get(made[1], [])
    if len(bound) != 1 or names.index.changed & {made[1], "*"}:
        return None, None
    if isinstance(bound[0], ast.Call) and callee(bound[0].func, home.module) == "collections.namedtuple":
        return home, bound[0]
    found = [inner for inner in home.module.tree.body if isinstance(inner, ast.FunctionDef) and inner.name == made[1]]
    return home, found[0] if len(found) == 1 else None


def fields_of(made: ast.AST | None) -> tuple[str, ...] | None:
    """The names of the parts of a named tuple, of the call that makes its class."""
    given = made.args[1] if isinstance(made, ast.Call) and len(made.args) == 2 else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return tuple(given.value.replace(",", " ").split())
    if not isinstance(given, ast.List | ast.Tuple):
        return None
    words = [item.value for item in given.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return tuple(words) if len(words) == len(given.elts) else None
