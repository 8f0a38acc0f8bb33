"""Functions that a script calls once, written where they are called: the same program, built by its own statements.

`def training(loss): …; return optimizer.minimize(loss)`, called as `train_op = training(cost)`, is a part of the script
that stands elsewhere. Where a function makes a training step, an assignment or a placeholder, its statements take the
place of the call, with other names where theirs are taken; one that only computes stays a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from tf_migrate.files.lines import inside_strings
from tf_migrate.files.source import Source, SourceError
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.native.layout import extent, is_alone, line_start
from tf_migrate.programs.calling import calls_of, is_of_module
from tf_migrate.programs.moving import Piece, Replacement, moved
from tf_migrate.programs.renaming import Renaming, Taken, renaming
from tf_migrate.syntax.module import Module, load

_MAKING = frozenset({"minimize", "apply_gradients", "get_next"})
_MADE = frozenset({"tf.placeholder", "tf.placeholder_with_default", "tf.sparse_placeholder", "tf.group"})
_UPDATES = ("tf.assign", "tf.scatter_", "tf.state_ops.")
_SESSIONS = frozenset({"tf.Session", "tf.InteractiveSession"})
_RUNS = frozenset({"run", "eval"})
_ODD = (
    ast.Global
    | ast.Nonlocal
    | ast.Yield
    | ast.YieldFrom
    | ast.Await
    | ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.Import
    | ast.ImportFrom
    | ast.Delete
    | ast.AnnAssign
)
_BY_TEXT = frozenset({"eval", "exec", "globals", "locals", "vars", "dir", "inspect", "super"})
_DEPTH = 20
# A function with several calls is written out for each of them while it is short.
_CALLS = 4
_STATEMENTS = 8


def with_inlined(source: Source, index: Index, compat_module: str, wanted: Set[str] = frozenset()) -> Source | None:
    """A program whose functions that make steps, and those that are `wanted`, stand where they are called.

    None where no function does, or can.
    """
    inlined = source
    for _ in range(_DEPTH):
        module = load(inlined)
        if module.name in index.imported_modules or module.skipped_lines or module.root.stars:
            return None
        names = Names(module, index, compat_module)
        functions = [node for node in module.functions if isinstance(node, ast.FunctionDef)]
        asked = [
            node for node in functions if node.name in wanted or (is_of_module(module, node) and _makes(names, node))
        ]
        found = next((made for node in asked if not _runs(names, node) and (made := _replacements(names, node))), None)
        if found is None:
            break
        inlined = moved(inlined, found)
        try:
            load(inlined)
        except SourceError:
            return None
    return None if inlined is source else inlined


def _replacements(names: Names, function: ast.FunctionDef) -> list[Replacement]:
    """What writes a function where it is called; nothing where that might be another program."""
    source = names.module.source
    calls = calls_of(names.module, function) if _is_straight(names.module, function) else []
    long = len(calls) > _CALLS or len(function.body) > _STATEMENTS or _uses_tensorflow(names, function)
    many = len(calls) > 1 and long
    found = [] if many else [_written(names, function, call, once=len(calls) == 1) for call in calls]
    made = [item for item in found if item is not None]
    return [Replacement(*_gone(source, names.module, function)), *made] if found and len(made) == len(calls) else []


def _written(names: Names, function: ast.FunctionDef, call: ast.Call, *, once: bool) -> Replacement | None:
    """The statements of a function in the place of one call; None where that might be another program."""
    source, statement = names.module.source, names.module.parents[call]
    assert isinstance(statement, ast.Assign | ast.Expr)
    alone = is_alone(source, statement) and "#" not in source.segment(statement) and not source.shows(statement)
    known = renaming(names, function, call, statement, once=once) if alone else None
    if known is None:
        return None
    first, last = line_start(source, statement.lineno), line_start(source, (statement.end_lineno or 0) + 1)
    comments = _own_comments(source, function, statement.col_offset)
    body = _body(source, function, statement.col_offset, known)
    returned = _returned(source, function, statement, known)
    return Replacement(first, last, (*comments, *_given(source, statement, known), *body, *returned))


def _runs(names: Names, function: ast.FunctionDef) -> bool:
    """Whether a function has to do with a session."""
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        symbol = names.resolve(call.func)
        if symbol in _SESSIONS or (symbol is None and method in _RUNS):
            return True
    return False


def _uses_tensorflow(names: Names, function: ast.FunctionDef) -> bool:
    return any(function in names.module.around(use.node) for use in names.uses)


def _makes(names: Names, function: ast.FunctionDef) -> bool:
    """Whether a function makes what only statements of a script may make."""
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        symbol = names.resolve(call.func) or ""
        if method in _MAKING or symbol in _MADE or symbol.startswith(_UPDATES):
            return True
    return False


def _is_straight(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function is its statements, with a result behind the last one."""
    *body, end = function.body
    inner = [node for statement in function.body for node in ast.walk(statement)]
    odd = any(isinstance(node, _ODD) or (isinstance(node, ast.Return) and node is not end) for node in inner)
    read = any(isinstance(node, ast.Name) and node.id in _BY_TEXT for node in inner)
    many = function.args.vararg is not None or function.args.kwarg is not None or bool(function.decorator_list)
    lines = bool(body) and body[0].lineno > function.lineno and is_alone(module.source, end)
    return lines and not (odd or read or many)


def _own_comments(source: Source, function: ast.FunctionDef, column: int) -> Iterator[Piece]:
    """The comments above a function, and the first paragraph of what it says of itself."""
    place = extent(source, function)
    for number in range(place.comments, place.first):
        start = line_start(source, number)
        yield Piece(" " * column + source.text[start : line_start(source, number + 1)], start)
    text, _, _ = (ast.get_docstring(function) or "").partition("\n\n")
    start = source.start(function)
    for line in text.splitlines():
        yield Piece(f"{' ' * column}# {line}".rstrip() + source.newline, start)


def _given(source: Source, statement: ast.stmt, known: Renaming) -> Iterator[Piece]:
    """What parameters are given, where they stay names."""
    for word, value in known.given:
        start = source.start(value)
        yield Piece(f"{' ' * statement.col_offset}{word} = {_wrapped(source, value)}{source.newline}", start)


def _body(source: Source, function: ast.FunctionDef, column: int, known: Renaming) -> Iterator[Piece]:
    """The lines of a function between its header and its result."""
    described = ast.get_docstring(function) is not None
    begun, end = extent(source, function.body[0]), function.body[-1]
    first = begun.last + 1 if described else begun.comments
    last = end.lineno if isinstance(end, ast.Return) else extent(source, function).last + 1
    yield from _lines(source, first, last, column - end.col_offset, known.edits)


def _lines(source: Source, first: int, last: int, shift: int, edits: Sequence[Taken]) -> Iterator[Piece]:
    """Lines with their names edited and moved by some columns, but where they begin inside a string."""
    held = inside_strings(source.text)
    lines = list(range(first, last))
    while lines and not source.line_text(lines[0]).strip():
        lines.pop(0)
    while lines and not source.line_text(lines[-1]).strip():
        lines.pop()
    for number in lines:
        start, end = line_start(source, number), line_start(source, number + 1)
        blank = not source.text[start:end].strip()
        if number not in held and not blank and shift > 0:
            yield Piece(" " * shift, start)
        elif number not in held and not blank:
            width = len(source.text[start:end]) - len(source.text[start:end].lstrip(" "))
            start += min(-shift, width)
        yield from _edited(source, start, end, edits)


def _edited(source: Source, start: int, end: int, edits: Sequence[Taken]) -> Iterator[Piece]:
    for edit in (edit for edit in edits if start <= edit.start < end):
        yield Piece(source.text[start : edit.start], start)
        yield Piece(edit.text, edit.start)
        start = edit.end
    yield Piece(source.text[start:end], start)


def _returned(source: Source, function: ast.FunctionDef, statement: ast.stmt, known: Renaming) -> Iterator[Piece]:
    """The statements that name what the function returns, where its own names are not those that the call gives."""
    indent = " " * statement.col_offset
    for target, value in known.results:
        start, end = source.start(value), source.end(value)
        yield Piece(f"{indent}{target} = " if target else indent, start)
        opened = "\n" in source.text[start:end]
        yield Piece("(" * opened, start)
        yield from _edited(source, start, end, known.edits)
        yield Piece(")" * opened, end)
        yield Piece(source.newline, end)
    last = function.body[-1]
    for comment in (_comment(source, last) if isinstance(last, ast.Return) else "", _comment(source, statement)):
        if comment:
            yield Piece(f"{indent}{comment}{source.newline}", source.end(statement))


def _comment(source: Source, node: ast.stmt) -> str:
    """The comment behind a statement."""
    end = source.end(node)
    behind = source.text[end : line_start(source, source.line_of(end) + 1)].strip()
    return behind if behind.startswith("#") else ""


def _wrapped(source: Source, value: ast.expr) -> str:
    text = source.segment(value)
    return f"({text})" if "\n" in text else text


def _gone(source: Source, module: Module, function: ast.FunctionDef) -> tuple[int, int]:
    """The lines of a function, with the comments above it and the blank lines that set it off from the next one."""
    place = extent(source, function)
    block = module.parents[function].body  # type: ignore[attr-defined]
    first, last = place.comments, place.last
    if block[-1] is function and block[0] is not function:
        while not source.line_text(first - 1).strip():
            first -= 1
    else:
        while last < len(source.line_starts) and not source.line_text(last + 1).strip():
            last += 1
    return line_start(source, first), line_start(source, last + 1)
