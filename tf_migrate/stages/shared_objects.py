"""Names that mean one object, or parts of it: what is changed through one of them is changed for all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from tf_migrate.stages.purity import is_immutable
from tf_migrate.stages.uses import is_changed_in_place, only_reads, passed_on
from tf_migrate.syntax.module import Module, Scope

_FRESH = ast.Constant | ast.JoinedStr | ast.UnaryOp | ast.Compare | ast.Lambda
_VIEWS = frozenset({"T", "flat", "imag", "real", "values"})
_ITERATING = frozenset({"enumerate", "filter", "iter", "map", "open", "reversed", "zip"})
_JOINED = ast.List | ast.ListComp


def changed_elsewhere(name: str, node: ast.AST, module: Module) -> ast.AST | None:
    """A place that may change, under another name, the object that a name is bound to by a node."""
    stores = [node] if isinstance(node, ast.expr | ast.arg) else _bound_in(name, node)
    return _changed([value for store in stores for value in _given(store, module)], node, module, set())


def used_up(name: str, node: ast.AST, module: Module) -> ast.expr | None:
    """What makes an iterator that a name is bound to by a node: whoever goes through it finds nothing there again."""
    stores = [node] if isinstance(node, ast.expr | ast.arg) else _bound_in(name, node)
    return next((made for store in stores for made in _iterators(_given(store, module), module, frozenset())), None)


def _iterators(values: Iterable[ast.expr], module: Module, seen: frozenset[str]) -> Iterator[ast.expr]:
    for value in values:
        called = value.func if isinstance(value, ast.Call) else None
        word = called.id if isinstance(called, ast.Name) else ""
        if (
            isinstance(value, ast.GeneratorExp)
            or (word in _ITERATING and word not in module.root.bindings)
            or (word and any(_is_generator(function, word) for function in module.functions))
        ):
            yield value
        elif isinstance(value, ast.Name | ast.Attribute) and ast.unparse(value) not in seen:
            yield from _iterators(_known(value, module)[1], module, seen | {ast.unparse(value)})


def _is_generator(function: ast.AST, word: str) -> bool:
    plain = isinstance(function, ast.FunctionDef) and function.name == word
    return plain and any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(function))


def _changed(values: Iterable[ast.expr], since: ast.AST, module: Module, seen: set[str]) -> ast.AST | None:
    for source in (source for value in values for source in _sources(value, module)):
        uses, bound = _known(source, module)
        if bound and all(is_immutable(value, module) for value in bound):
            continue
        key = f"{ast.unparse(source)} {id(_scope(source, module))}"
        if key in seen:
            continue
        seen.add(key)
        for use in uses:
            read = isinstance(use.ctx, ast.Load) and only_reads(use, module)
            if not read and use is not source and not _is_before(use, since, module):
                return use
        place = _changed(bound, since, module, seen)
        if place is not None:
            return place
    return None


def _sources(node: ast.expr, module: Module) -> Iterator[ast.Name | ast.Attribute]:
    """The names and attributes whose object the value of an expression may be, be a part of, or hold."""
    parts: Sequence[ast.expr] = ()
    if isinstance(node, ast.Attribute) and node.attr in _VIEWS:
        parts = [node.value]
    elif isinstance(node, ast.Name | ast.Attribute):
        yield node
    elif isinstance(node, ast.Subscript | ast.Starred | ast.NamedExpr):
        parts = [node.value]
    elif isinstance(node, ast.BinOp):
        # Numbers and arrays are computed anew; a list that is joined to another one holds the same items.
        sides = [node.left, node.right]
        parts = sides if any(isinstance(side, _JOINED) for side in sides) else []
    elif isinstance(node, ast.Call):
        yield from _read_by_called(node, module)
        parts = passed_on(node, module)
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        parts = [node.elt]
    elif not isinstance(node, _FRESH):
        parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    for part in parts:
        yield from _sources(part, module)


def _read_by_called(call: ast.Call, module: Module) -> Iterator[ast.Name]:
    """The names of the module that a function of its own reads when it is called, and may give back."""
    called = call.func.id if isinstance(call.func, ast.Name) else ""
    for function in module.functions if called in module.root.bindings else ():
        if isinstance(function, ast.FunctionDef) and function.name == called:
            for node in ast.walk(function):
                read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
                if read and isinstance(node, ast.Name) and not _is_called(node, module):
                    yield from [node] if _scope(node, module) is module.root else []


def _is_called(name: ast.Name, module: Module) -> bool:
    parent = module.parents[name]
    return isinstance(parent, ast.Call) and parent.func is name


def _bound_in(name: str, node: ast.AST) -> list[ast.expr]:
    """Where a loop, or another statement, binds a name."""
    named = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name)
    return [inner for inner in named if isinstance(inner.ctx, ast.Store)]


def _known(source: ast.Name | ast.Attribute, module: Module) -> tuple[list[ast.Name | ast.Attribute], list[ast.expr]]:
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
        scope = _scope(source, module)
        if scope is None or _is_imported(source, module):
            return [], []
        named = (node for node in ast.walk(scope.node) if isinstance(node, ast.Name) and node.id == source.id)
        found = [node for node in named if _scope(node, module) is scope]
    uses = [node for node in found if isinstance(node.ctx, ast.Load) or is_changed_in_place(node, module)]
    stores = [node for node in found if not isinstance(node.ctx, ast.Load)]
    bound = [value for node in stores for value in _given(node, module)]
    if isinstance(source, ast.Name) and scope is not None:
        bound += _arguments(source.id, scope.node, module)
    return uses, bound


def _given(node: ast.AST, module: Module) -> list[ast.expr]:
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
    found = [item for item in (*home.args.defaults, *home.args.kw_defaults) if item is not None]
    for call in module.calls:
        if (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) != called:
            continue
        found += [word.value for word in call.keywords if word.arg in (name, None)]
        if name in words and (place := words.index(name) - method) < len(call.args):
            found += call.args[max(place, 0) :][:1]
        found += [item for item in call.args if isinstance(item, ast.Starred)]
    return found


def _scope(node: ast.Name | ast.Attribute, module: Module) -> Scope | None:
    """The scope that a name belongs to; None for an attribute and for what Python gives."""
    if not isinstance(node, ast.Name):
        return None
    scope = module.scope_of(node)
    where: Scope | None = module.root if scope.elsewhere.get(node.id) == "global" else scope
    while where is not None and node.id not in where.bindings:
        where = where.parent
    return where


def _is_imported(name: ast.Name, module: Module) -> bool:
    scope = _scope(name, module)
    bound = [] if scope is None else scope.bindings[name.id]
    return bool(bound) and all(isinstance(item, tuple) for item in bound)


def _is_before(use: ast.expr, since: ast.AST, module: Module) -> bool:
    """Whether a use is over by the time that a name is bound: it stands before that, where both happen once."""
    home = module.function_of(since)
    first = module.statement_of(since) if isinstance(since, ast.expr | ast.stmt) else None
    if first is None or module.function_of(use) is not home or use.lineno >= first.lineno:
        return False
    inside = takewhile(lambda place: place is not home, (first, *module.around(first)))
    return not any(isinstance(place, ast.For | ast.While) for place in inside)
