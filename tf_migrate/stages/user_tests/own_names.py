"""Names that a function binds, and that the code before it binds too: in the function they are names of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.stages.names_used import loads_of, stores_of
from tf_migrate.syntax.module import Module


def own_names(
    module: Module, test: ast.FunctionDef, outside: Sequence[ast.stmt], inside: Sequence[ast.stmt]
) -> tuple[set[str], set[str]]:
    """The names of a test that its function may bind for itself: all of them, and those that need another name there.

    All that stands `outside` of the function and uses them does so before they are bound `inside`.
    """
    given = {argument.arg for argument in (*test.args.posonlyargs, *test.args.args, *test.args.kwonlyargs)}
    before = given.union(*(stores_of(module, item) for item in outside))
    certain = given.union(*(stores_of(module, item) for item in outside if isinstance(item, ast.Assign)))
    own, renamed = set(), set()
    for name in before & set().union(*(stores_of(module, item) for item in inside)):
        begun = min(item.lineno for item in inside if name in stores_of(module, item))
        late = [item for item in outside if item.lineno > begun or _reads_later(item, name)]
        if "." in name or any(name in loads_of(item) | stores_of(module, item) for item in late):
            continue
        if _binds_first(name, inside):
            own.add(name)
        elif name in certain and not any(_binds_anew(item, name) for item in inside):
            own.add(name)
            renamed.add(name)
    return own, renamed


def _reads_later(item: ast.stmt, name: str) -> bool:
    """Whether a statement makes what reads a name at another time: whatever is bound to it then."""
    made = ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.GeneratorExp
    return any(isinstance(inner, made) and _uses(inner, name) for inner in ast.walk(item))


def _binds_first(name: str, inside: Sequence[ast.stmt]) -> bool:
    """Whether what is bound to a name before the function is never read in it."""
    using = [item for item in inside if _uses(item, name)]
    first = using[0]
    if isinstance(first, ast.Assign):
        bound = any(isinstance(target, ast.Name) and target.id == name for target in first.targets)
        return bound and not _uses(first.value, name)
    return all(_loops_over(item, name) for item in using)


def _loops_over(item: ast.stmt, name: str) -> bool:
    """Whether a statement is a loop that binds the name, of which nothing stands behind the loop's body."""
    looping = isinstance(item, ast.For) and isinstance(item.target, ast.Name) and item.target.id == name
    return looping and isinstance(item, ast.For) and not item.orelse and not _uses(item.iter, name)


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _binds_anew(item: ast.stmt, name: str) -> bool:
    """Whether a function, a class or a comprehension in a statement has the name for itself, or is called so."""
    for inner in ast.walk(item):
        if isinstance(inner, ast.arg) and inner.arg == name:
            return True
        if isinstance(inner, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and inner.name == name:
            return True
        if isinstance(inner, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.comprehension):
            bound = (node for node in ast.walk(inner) if isinstance(node, ast.Name) and node.id == name)
            if any(not isinstance(node.ctx, ast.Load) for node in bound):
                return True
    return False


def places_of(name: str, inside: Sequence[ast.AST]) -> Iterator[ast.Name]:
    """Where a name stands that gets another one: not on the right of the statement that binds it first."""
    first = first_binding(name, inside)
    skipped = set() if first is None else set(ast.walk(first.value))
    for item in inside:
        for inner in ast.walk(item):
            if isinstance(inner, ast.Name) and inner.id == name and inner not in skipped:
                yield inner


def first_binding(name: str, inside: Sequence[ast.AST]) -> ast.Assign | None:
    """The statement that binds a name before anything else of the function uses it."""
    for item in inside:
        used = [inner for inner in ast.walk(item) if isinstance(inner, ast.Name) and inner.id == name]
        if used:
            plain = isinstance(item, ast.Assign) and len(item.targets) == 1 and item.targets[0] in used
            return item if plain and isinstance(item, ast.Assign) else None
    return None
