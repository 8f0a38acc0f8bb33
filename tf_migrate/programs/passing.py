"""Placeholders that a function makes for itself, made where it is called and passed: the same program.

`def build(n): x = tf.placeholder(tf.float32, [None, n]); …`, called once as `build(5)`, becomes `def build(x, n): …`,
and the caller makes `x`. A function that is given all that it builds of can be called by those that replace the runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.files.lines import inside_strings
from tf_migrate.files.source import Source
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.native.layout import extent, is_alone, line_start
from tf_migrate.programs.moving import Piece, Replacement, inserted, moved
from tf_migrate.programs.spelling import Unspelled, spelled_at
from tf_migrate.syntax.module import Module, load
from tf_migrate.syntax.walk import Scope

_PLACEHOLDERS = frozenset({"tf.placeholder", "tf.placeholder_with_default"})
_NAMESPACES = ("eval", "exec", "globals", "locals", "vars")
_UNREAD = ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom
_DEPTH = 20


def with_passed(source: Source, index: Index, compat_module: str) -> Source | None:
    """A program whose functions are given their placeholders; None where that is so, or may be another program."""
    passed = source
    for _ in range(_DEPTH):
        module = load(passed)
        if module.name in index.imported_modules or module.skipped_lines or module.root.stars:
            return None
        names = Names(module, index, compat_module)
        functions = [node for node in module.tree.body if isinstance(node, ast.FunctionDef)]
        found = next((made for made in (_replacements(names, node) for node in functions) if made), None)
        if found is None:
            break
        passed = moved(passed, found)
    return None if passed is source else passed


def _replacements(names: Names, function: ast.FunctionDef) -> list[Replacement]:
    """What moves the placeholders of a function to its one call; nothing where that might be another program."""
    module, source = names.module, names.module.source
    made = [node for node in function.body if isinstance(node, ast.Assign) and _is_made(names, node)]
    call = _only_call(module, function) if made and _is_plain(module, function) else None
    statement = None if call is None else module.parents[call]
    if call is None or not isinstance(statement, ast.Assign) or not is_alone(source, statement):
        return []
    scope = module.scopes[call.func]
    words = [node.targets[0].id for node in made if isinstance(node.targets[0], ast.Name)]
    if scope.is_class or len(made) == len(function.body):
        return []
    if not all(_is_own(module, function, word) and _is_free(module, statement, scope, word) for word in words):
        return []
    try:
        placed = [piece for node in made for piece in _placed(names, function, call, statement, node)]
    except Unspelled:
        return []
    place = line_start(source, statement.lineno)
    parameters = function.args
    given = any((parameters.posonlyargs, parameters.args, parameters.kwonlyargs))
    behind = source.text.index("(", source.start(function)) + 1, source.text.index("(", source.end(call.func)) + 1
    listed = ", ".join(words)
    return [
        inserted(behind[0], f"{listed}, " if given else listed),
        *(Replacement(*_gone(source, node)) for node in made),
        Replacement(place, place, tuple(placed)),
        inserted(behind[1], f"{listed}, " if call.args or call.keywords else listed),
    ]


def _is_made(names: Names, node: ast.Assign) -> bool:
    """Whether a statement gives one name to a placeholder."""
    plain = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    made = isinstance(node.value, ast.Call) and names.resolve(node.value.func) in _PLACEHOLDERS
    return plain and made and is_alone(names.module.source, node)


def _is_plain(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function is known by its one name, and by what it is given, binds and returns."""
    read = (load for word in _NAMESPACES for load in module.loads.get(word, []))
    odd = any(isinstance(inner, _UNREAD) for inner in ast.walk(function)) or any(
        function in module.around(load) for load in read
    )
    many = function.args.vararg is not None or function.args.kwarg is not None or bool(function.decorator_list)
    once = len(module.root.bindings.get(function.name, [])) == 1 and function.name not in module.bound_globally
    return once and not odd and not many


def _only_call(module: Module, function: ast.FunctionDef) -> ast.Call | None:
    """The one place where a function is used: a call, which is all of an assignment's value."""
    loads = module.loads.get(function.name, [])
    call = module.parents[loads[0]] if len(loads) == 1 else None
    statement = module.parents[call] if isinstance(call, ast.Call) and call.func is loads[0] else None
    plain = isinstance(statement, ast.Assign) and statement.value is call and function not in module.around(statement)
    return call if plain and isinstance(call, ast.Call) else None


def _is_own(module: Module, function: ast.FunctionDef, word: str) -> bool:
    """Whether a function binds a name once, for itself."""
    scope = next(scope for scope in module.every_scope if scope.node is function)
    inner = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == word]
    stored = [node for node in inner if not isinstance(node.ctx, ast.Load)]
    return len(scope.bindings.get(word, [])) == 1 and len(stored) == 1


def _is_free(module: Module, statement: ast.Assign, scope: Scope, word: str) -> bool:
    """Whether a name means nothing where a function is called, other than what the call gives it."""
    targets = [node for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    given = sum(node.id == word for node in targets)
    if len(scope.bindings.get(word, [])) != given or word in scope.elsewhere or word in module.bound_globally:
        return False
    for read in module.loads.get(word, []) if not given else ():
        place = module.scopes.get(read)
        while place is not None and place is not scope and word not in place.bindings:
            place = place.parent
        if place is scope:
            return False
    return True


def _placed(
    names: Names, function: ast.FunctionDef, call: ast.Call, statement: ast.Assign, node: ast.Assign
) -> Iterator[Piece]:
    """The lines of a placeholder as they stand before the call."""
    source = names.module.source
    edits = spelled_at(names, function, call, node)
    start, end = _lines(source, node)
    held = inside_strings(source.text)
    for number in range(source.line_of(start), source.line_of(end - 1) + 1):
        if number in held:
            raise Unspelled
        first, last = line_start(source, number), min(end, line_start(source, number + 1))
        line = source.text[first:last]
        indent = len(line) - len(line.lstrip(" "))
        yield Piece(" " * max(indent + statement.col_offset - node.col_offset, 0), first)
        first += indent
        for begin, stop, text in [edit for edit in edits if first <= edit[0] < last]:
            yield Piece(source.text[first:begin], first)
            yield Piece(text, begin)
            first = stop
            if stop > last:
                raise Unspelled
        yield Piece(source.text[first:last], first)


def _lines(source: Source, node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, with the comment above it where that is not about what follows as well."""
    place = extent(source, node)
    below = source.line_text(place.last + 1).strip() if place.last < len(source.line_starts) else ""
    return line_start(source, place.first if below else place.comments), line_start(source, place.last + 1)


def _gone(source: Source, node: ast.stmt) -> tuple[int, int]:
    """These lines, and a blank one behind them that would follow another, or stand first in the function."""
    start, end = _lines(source, node)
    number = source.line_of(start)
    above = source.line_text(number - 1).strip()
    follows = source.line_of(end)
    blank = follows < len(source.line_starts) and not source.line_text(follows).strip()
    return start, line_start(source, follows + 1) if blank and (not above or above.endswith(":")) else end
