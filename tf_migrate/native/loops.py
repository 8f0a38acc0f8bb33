"""Loops that end where the data does: `while True` around a run, and a handler of OutOfRangeError, as a `for` loop."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit
from tf_migrate.files.source import Source
from tf_migrate.native.ends import Ends, asks_for_error
from tf_migrate.native.layout import extent, line_start, reindent
from tf_migrate.stages.program import Program, Unit
from tf_migrate.syntax.module import Module

_HARMLESS_WORDS = """
    AttributeError FileExistsError FileNotFoundError IOError ImportError IndexError KeyError KeyboardInterrupt
    ModuleNotFoundError NameError OSError SystemExit TypeError UnicodeDecodeError ValueError ZeroDivisionError
"""
_HARMLESS = frozenset(_HARMLESS_WORDS.split())
_END = "tf.errors.OutOfRangeError"
_CHOOSING = ast.BoolOp | ast.IfExp | ast.comprehension | ast.Lambda | ast.NamedExpr | ast.Yield | ast.YieldFrom
"""What does something, or may pass over what stands in it."""
_OPENING = frozenset({"as_default", "open"})


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop that takes an element each time; `body` are its statements, `after` what follows when there is no more."""

    node: ast.While | ast.Try
    handler: ast.ExceptHandler
    body: list[ast.stmt]
    after: list[ast.stmt]
    unit: Unit


def find_loops(program: Program, taking: Mapping[ast.Call, tuple[Unit, ...]]) -> dict[ast.Call, Loop]:
    """The loops that are plainly `for` loops, by the run that takes the element; `taking` are all runs that take some.

    Plain means: the run of the first statement is what ends the loop, and nothing else of it could.
    """
    found: dict[ast.Call, Loop] = {}
    ends = Ends(program)
    for node in ast.walk(program.module.tree):
        shape = _shape(program, node)
        if shape is None:
            continue
        loop, handler, body, after = shape
        sites = [call for item in body for call in ast.walk(item) if isinstance(call, ast.Call) and call in taking]
        if len(sites) != 1 or len(taking[sites[0]]) != 1 or not _comes_first(body[0], sites[0]):
            continue
        home = program.module.function_of(loop)
        # A function that takes elements itself could end the loop from inside.
        if any(program.module.function_of(site) is not home for site in taking) or _leaves(body, after):
            continue
        if not ends.only_data(body, sites[0]) or asks_for_error(after):
            continue
        if _is_plain_text(program, loop, body, after, handler):
            found[sites[0]] = Loop(loop, handler, body, after, taking[sites[0]][0])
    return found


_Shape = tuple[ast.While | ast.Try, ast.ExceptHandler, list[ast.stmt], list[ast.stmt]]


def _shape(program: Program, node: ast.AST) -> _Shape | None:
    """The parts of a loop that ends at the end of the data, in either of its two forms."""
    if isinstance(node, ast.While) and _is_endless(program, node) and len(node.body) == 1:
        inner = node.body[0]
        if isinstance(inner, ast.Try) and (handler := _ending(program, inner)) is not None:
            last = handler.body[-1]
            if isinstance(last, ast.Break | ast.Return):
                after = handler.body[:-1] if isinstance(last, ast.Break) else handler.body
                return node, handler, inner.body, after
    if isinstance(node, ast.Try) and (handler := _ending(program, node)) is not None and len(node.body) == 1:
        inner = node.body[0]
        if isinstance(inner, ast.While) and _is_endless(program, inner):
            after = [] if len(handler.body) == 1 and isinstance(handler.body[0], ast.Pass) else handler.body
            return node, handler, inner.body, after
    return None


def _is_endless(program: Program, node: ast.While) -> bool:
    endless = node.test in program.stops or (isinstance(node.test, ast.Constant) and bool(node.test.value))
    return endless and not node.orelse


def _ending(program: Program, node: ast.Try) -> ast.ExceptHandler | None:
    """The one handler of a `try`, where it is for the end of the data and for nothing else."""
    if len(node.handlers) != 1 or node.orelse or any(item not in program.dropped for item in node.finalbody):
        return None
    (handler,) = node.handlers
    ends = handler.type is not None and program.names.resolve(handler.type) == _END
    return handler if ends and handler.name is None else None


def _comes_first(statement: ast.stmt, site: ast.Call) -> bool:
    """Whether a statement comes to its run always, and does nothing before."""
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr):
        return False
    if isinstance(statement, ast.AugAssign) and not isinstance(statement.target, ast.Name):
        return False
    inside = list(ast.walk(statement.value))
    around = [inner for inner in inside if site in ast.walk(inner)]
    for inner in inside:
        if isinstance(inner, _CHOOSING) or (isinstance(inner, ast.Compare) and len(inner.ops) > 1):
            return False
        looks_up = isinstance(inner, ast.Subscript) and not isinstance(inner.slice, ast.Constant)
        if (looks_up or isinstance(inner, ast.Call)) and inner not in around:
            return False
    return bool(around)


def _leaves(body: list[ast.stmt], after: list[ast.stmt]) -> bool:
    """Whether a `break` of the loop itself would jump over what follows the end of the data."""
    return bool(after) and any(_breaks(statement) for statement in body)


def _breaks(node: ast.stmt) -> bool:
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, ast.For | ast.While | ast.FunctionDef | ast.ClassDef):
        return any(_breaks(inner) for inner in getattr(node, "orelse", ()))
    return any(_breaks(inner) for inner in _inside(node))


def _inside(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _inside(child)


def _is_plain_text(
    program: Program, loop: ast.stmt, body: list[ast.stmt], after: list[ast.stmt], handler: ast.ExceptHandler
) -> bool:
    """Whether the lines that go hold nothing but the words of the loop."""
    source = program.module.source
    kept: set[int] = set()
    for statements in filter(None, (body, after)):
        first, last = extent(source, statements[0]), extent(source, statements[-1])
        kept |= set(range(first.comments, last.last + 1))
    words = {loop.lineno, handler.lineno, *(item.lineno for item in handler.body if item not in after)}
    gone = [number for number in range(loop.lineno, (loop.end_lineno or 0) + 1) if number not in kept]
    return not words & kept and not any("#" in source.line_text(number) for number in gone)


def loop_edit(source: Source, loop: Loop, header: str, render: Callable[[int, int], str]) -> Edit:
    """The `for` loop in the place of the old one; `header` is its first line."""
    node = loop.node
    step = (loop.body[0].col_offset - node.col_offset) // 2

    def block(statements: list[ast.stmt], column: int) -> str:
        if not statements:
            return ""
        start = line_start(source, extent(source, statements[0]).comments)
        end = line_start(source, extent(source, statements[-1]).last + 1)
        return reindent(render(start, end), column - statements[0].col_offset)

    body, after = block(loop.body, node.col_offset + step), block(loop.after, node.col_offset)
    start, end = line_start(source, node.lineno), line_start(source, (node.end_lineno or node.lineno) + 1)
    return Edit(start, end, f"{' ' * node.col_offset}{header}\n{body}{after}", encloses=True)


def may_catch(program: Program, site: ast.Call, loops: Mapping[ast.Call, Loop]) -> bool:
    """Whether something may notice which error the end of the data is at the place of a run."""
    module = program.module
    gone = {loop.handler for loop in loops.values()}
    function = module.function_of(site)
    if function is not None and any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(function)):
        return True
    if function is not None and module.name in program.names.index.imported_modules:
        return True
    blocks = (node for node in ast.walk(module.tree) if isinstance(node, ast.With | ast.AsyncWith))
    if any(_may_suppress(program, block) for block in blocks):
        return True
    handlers = (node for node in ast.walk(module.tree) if isinstance(node, ast.ExceptHandler) and node not in gone)
    return any(_catches(module, handler) for handler in handlers)


def _may_suppress(program: Program, block: ast.With | ast.AsyncWith) -> bool:
    """Whether a block may end an error that comes out of it."""
    for item in () if block in program.dissolved else block.items:
        call = item.context_expr
        if not isinstance(call, ast.Call) or program.names.resolve(call.func) is None:
            func = call.func if isinstance(call, ast.Call) else None
            name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
            if name not in _OPENING:
                return True
    return False


def _catches(module: Module, handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return not all(isinstance(kind, ast.Name) and kind.id in _HARMLESS for kind in kinds)
