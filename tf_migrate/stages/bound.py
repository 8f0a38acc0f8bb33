"""What a module binds to its names and attributes, and where it uses them."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module, Scope


def known_of(source: ast.Name | ast.Attribute, module: Module) -> tuple[list[ast.Name | ast.Attribute], list[ast.expr]]:
    """The uses of a name or an attribute that read it, or change it in place, and what is bound to it."""
    found: list[ast.Name | ast.Attribute]
    if isinstance(source, ast.Attribute):
        root = source.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and _is_imported(root, module):
            return [], []
        found = [*module.attributes.get(source.attr, [])]
    else:
        scope = home_of(source, module)
        if scope is None or _is_imported(source, module):
            return [], []
        found = [node for node in module.named.get(source.id, ()) if home_of(node, module) is scope]
    uses = [node for node in found if isinstance(node.ctx, ast.Load) or is_changed_in_place(node, module)]
    stores = [node for node in found if not isinstance(node.ctx, ast.Load)]
    bound = [value for node in stores for value in given_to(node, module)]
    if isinstance(source, ast.Name) and scope is not None:
        bound += _arguments(source.id, scope.node, module)
    return uses, bound


def given_to(node: ast.AST, module: Module) -> list[ast.expr]:
    """What is bound to a name, an attribute or a parameter, or holds it."""
    if isinstance(node, ast.arg):
        home = module.parents[module.parents[node]]
        return _arguments(node.arg, home, module)
    child, parent = node, module.parents.get(node)
    while isinstance(parent, ast.Tuple | ast.List | ast.Starred):
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Assign):
        value = parent.value
        if isinstance(child, ast.Tuple) and isinstance(value, ast.Tuple) and len(child.elts) == len(value.elts):
            return [item for target, item in zip(child.elts, value.elts, strict=True) if target is node] or [value]
        return [value]
    if isinstance(parent, ast.AugAssign | ast.NamedExpr):
        return [parent.value]
    if isinstance(parent, ast.AnnAssign):
        return [] if parent.value is None else [parent.value]
    if isinstance(parent, ast.For | ast.comprehension):
        return [parent.iter]
    return [parent.context_expr] if isinstance(parent, ast.withitem) else []


def _arguments(name: str, home: ast.AST, module: Module) -> list[ast.expr]:
    """What calls of a function, or of a class, may give to a parameter, and its default."""
    if not isinstance(home, ast.FunctionDef):
        return []
    words = [item.arg for item in (*home.args.posonlyargs, *home.args.args)]
    owner = module.parents.get(home)
    method = isinstance(owner, ast.ClassDef)
    called = owner.name if isinstance(owner, ast.ClassDef) and home.name == "__init__" else home.name
    given = home.args.defaults
    behind = dict(zip(words[len(words) - len(given) :], given, strict=True))
    behind |= {
        item.arg: value for item, value in zip(home.args.kwonlyargs, home.args.kw_defaults, strict=True) if value
    }
    found = [behind[name]] if name in behind else []
    for call in module.calls:
        if (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) != called:
            continue
        found += [word.value for word in call.keywords if word.arg in (name, None)]
        if name in words and (place := words.index(name) - method) < len(call.args):
            found += call.args[max(place, 0) :][:1]
        found += [item for item in call.args if isinstance(item, ast.Starred)]
    return found


def home_of(node: ast.Name | ast.Attribute, module: Module) -> Scope | None:
    """The scope that a name belongs to; None for an attribute and for what Python gives."""
    return module.binding_scope(node) if isinstance(node, ast.Name) else None


def _is_imported(name: ast.Name, module: Module) -> bool:
    """Whether imports are all that bind what a name means."""
    scope = home_of(name, module)
    bound = [] if scope is None else scope.bindings[name.id]
    return bool(bound) and all(isinstance(item, tuple) for item in bound)


def is_changed_in_place(node: ast.expr, module: Module) -> bool:
    """Whether a name, or an attribute, is the target of `+=` or the like: a list or an array is changed by it."""
    parent = module.parents[node]
    return isinstance(parent, ast.AugAssign) and parent.target is node
