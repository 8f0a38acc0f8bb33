"""Assertions and prints about static shapes: each moves into a function that computes what it looks at."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from tf_migrate.plan import Call, Function
from tf_migrate.planning.order import keeps_names
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import close
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Binding, Refused, Stage


def with_assertions(program: Program, calls: list[Call]) -> list[Call]:
    """Each assertion or print about static shapes moves into the first function that computes what it looks at.

    A print goes into one that is first called behind it, where there is one: it shows its line in the same order.
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
        if isinstance(unit.node, ast.Expr):
            place = unit.node.lineno
            hosts.sort(key=lambda host: traced[host].site.node.lineno < place)
        for host in hosts:
            checking = _holding(host, unit, needed, parameters)
            if checking is not None:
                calls = [replace(call, function=checking) if call.function == host else call for call in calls]
                break
        else:
            raise Refused(unit.node, "no function computes all that this statement looks at", "leave the statement out")
    return calls


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
