"""What closes the session of an earlier run of a notebook's cell: none is left, so it goes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tf_migrate.syntax.module import Module

_NAMESPACES = frozenset({"dir", "globals", "locals", "vars"})


def closing_leftovers(module: Module, gone: Collection[ast.stmt], seen: Collection[ast.AST]) -> Iterator[ast.stmt]:
    """The statements that close a session which may be there from before, of names that nothing but sessions had.

    `seen` are the expressions that were sessions where the module was executed. These statements are of the kind
    `try: sess.close()`, where nothing binds the name so far, and `if "sess" in locals(): sess.close()`. The same name
    in another scope is another's.
    """
    made = {node.value for node in gone if isinstance(node, ast.Assign) and node.value in seen}
    for scope in module.every_scope:
        for name in [name for name, bound in scope.bindings.items() if bound and made.issuperset(bound)]:
            mine = [load for load in module.loads.get(name, ()) if module.binding_scope(load) is scope]
            found = (_closing(module, load) for load in mine if load not in seen)
            closings = {node for node in found if node is not None}
            yield from closings
            for asked in {outer for node in closings for outer in module.around(node) if isinstance(outer, ast.If)}:
                if _asks_for(asked.test, name) and not asked.orelse and all(map(_only_says, {*asked.body} - closings)):
                    yield asked


def _closing(module: Module, load: ast.Name) -> ast.stmt | None:
    """The statement `name.close()` that a name is read in."""
    method = module.parents[load]
    call = module.parents[method]
    statement = module.parents[call]
    closes = isinstance(method, ast.Attribute) and method.attr == "close" and isinstance(call, ast.Call)
    return statement if closes and isinstance(statement, ast.Expr) else None


def _asks_for(test: ast.expr, name: str) -> bool:
    """Whether a test asks whether a name is bound, at least."""
    first = test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else test
    if not isinstance(first, ast.Compare) or not isinstance(first.ops[0], ast.In):
        return False
    where = first.comparators[0]
    named = isinstance(first.left, ast.Constant) and first.left.value == name
    return named and isinstance(where, ast.Call) and isinstance(where.func, ast.Name) and where.func.id in _NAMESPACES


def _only_says(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
