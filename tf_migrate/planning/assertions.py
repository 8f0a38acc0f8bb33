"""Assertions and prints about static shapes: each moves into a function that computes what it looks at.

A print is seen: it moves only where it still shows its line once, and before anything else that is seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tf_migrate.names.building import main_guard
from tf_migrate.plan import Call, Function
from tf_migrate.planning.order import keeps_names
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import close
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Binding, Refused, Stage

_BLOCKS = ast.For | ast.While | ast.If | ast.Try | ast.AsyncFor | ast.Match


def with_assertions(program: Program, calls: list[Call]) -> list[Call]:
    """Each assertion or print about static shapes moves into the first function that computes what it looks at.

    A print goes into one that is called right behind it, and traced once.
    """
    for unit in program.units:
        if not isinstance(unit.node, ast.Assert | ast.Expr) or unit.value.stage is not Stage.STATIC:
            continue
        needed, parameters, captured = close(program, [unit.reads])
        traced: dict[Function, Run] = {}
        for call in calls:
            if call.function is not None:
                traced.setdefault(call.function, call.run)
        hosts = [host for host, run in traced.items() if _sees(program, run, captured)]
        if not needed and not parameters:
            # A function that makes variables is traced twice: what looks at variables only stands in another one.
            hosts.sort(key=_makes_variables)
        if _prints(unit.node):
            # A step is traced twice, as it makes the variables of its optimizer.
            hosts = [host for host in hosts if not host.trains and _is_next(program, unit, traced[host])]
        for host in hosts:
            checking = _holding(host, unit, needed, parameters)
            if checking is not None:
                calls = [replace(call, function=checking) if call.function == host else call for call in calls]
                break
        else:
            what = "no function computes all that this statement looks at"
            if _prints(unit.node):
                what += ", and is called right behind it, so that it would be shown once and in its place"
            raise Refused(unit.node, what, "leave the statement out")
    return calls


def _prints(node: ast.stmt) -> bool:
    """Whether a statement prints: what it asserts of a test is seen only where it fails."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


def _is_next(program: Program, unit: Unit, run: Run) -> bool:
    """Whether a run in the straight line comes behind a statement, and nothing that may be seen between them."""
    statement, module = run.statement, program.module
    if run.depth or unit.node.lineno > statement.lineno or run.site.node not in ast.walk(statement):
        return False
    home = module.function_of(unit.node)
    met = _is_met_once(program, unit.node) and _is_met_once(program, statement)
    if not met or module.function_of(statement) is not home:
        return False
    inside = ast.walk(module.tree if home is None else home)
    blocks = [inner for inner in inside if isinstance(inner, _BLOCKS) and module.function_of(inner) is home]
    if any(unit.node.lineno < inner.lineno < statement.lineno for inner in blocks):
        return False
    between = [other for other in program.units[unit.index + 1 :] if other.node.lineno < statement.lineno]
    if not all(_is_silent(program, other) for other in between):
        return False
    return not any(isinstance(inner, ast.Call) for inner in _before(statement, run.site.node))


def _is_met_once(program: Program, node: ast.stmt) -> bool:
    """Whether a statement stands in no block that may be passed over, or come to several times."""
    for place in program.module.around(node):
        if isinstance(place, ast.FunctionDef | ast.Module):
            return True
        if place not in program.dissolved and not (isinstance(place, ast.If) and main_guard(place) is not None):
            return False
    return True


def _is_silent(program: Program, unit: Unit) -> bool:
    """Whether a statement computes values only, or leaves the straight line."""
    if unit.node in program.dropped or isinstance(unit.node, ast.FunctionDef | ast.Import | ast.ImportFrom):
        return True
    runs = any(run.statement is unit.node for run in program.runs)
    return unit.moves or (isinstance(unit.node, ast.Assign) and unit.repeats and not runs)


def _before(statement: ast.stmt, site: ast.Call) -> Iterator[ast.AST]:
    """What of a statement is not a part of its run, nor around that."""
    inside = set(ast.walk(site))
    for inner in ast.walk(statement):
        if inner not in inside and site not in ast.walk(inner):
            yield inner


def _sees(program: Program, run: Run, captured: Iterable[tuple[str, Binding]]) -> bool:
    """Whether names mean the same as at a statement when the function of a run is traced, which is its first."""
    env = run.env if run.function is None else program.final
    return all(program.current(name, binding, env) is binding for name, binding in captured)


def _makes_variables(function: Function) -> bool:
    steps = any(isinstance(update, Minimize | Apply) for update in function.updates)
    return steps or any(unit.creates for unit in (*function.taped, *function.rest))


def _holding(function: Function, unit: Unit, needed: tuple[Unit, ...], parameters: tuple[Unit, ...]) -> Function | None:
    """The function with an assertion or print at its place, if it computes all that this looks at."""
    inside = {*function.taped, *function.rest}
    if not (set(needed) <= inside and set(parameters) <= set(function.parameters)):
        return None
    taped, rest = function.taped, function.rest
    if set(needed) <= set(taped) and taped:
        taped = tuple(sorted((*taped, unit), key=lambda item: item.index))
    else:
        rest = tuple(sorted((*rest, unit), key=lambda item: item.index))
    moved = replace(function, taped=taped, rest=rest)
    return moved if keeps_names((*taped, *rest)) else None
