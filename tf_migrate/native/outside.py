"""Parameters and arguments for the tensors that functions saw from outside, and that are local names now."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from tf_migrate.changes.arguments import open_bracket, outer_span
from tf_migrate.changes.edits import Edit
from tf_migrate.files.source import Source
from tf_migrate.stages.outside import calls_of, passed
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Refused


def outside_edits(program: Program, renamed: Mapping[str, str]) -> Iterator[Edit]:
    """Adds the parameters to the functions, and the arguments to all their calls; attributes have local names."""
    for function, keys in program.outside.items():
        names = [renamed.get(key, key) for key in keys]
        owner = program.owner_of(function)
        yield _parameters(program, function, names)
        for call in calls_of(program.module, function, owner):
            home = program.module.function_of(call)
            if owner is not None and home not in program.ends and home not in program.outside:
                what = f"`{function.name}`, which builds a part of the graph, is called where nothing is built"
                raise Refused(call, what, "call it in the constructor")
            yield _arguments(program, call, names)
        for load in passed(program.module, program.names, function) if owner is None else ():
            yield _in_lambda(program, function, load, names)


def _parameters(program: Program, function: ast.FunctionDef, names: Sequence[str]) -> Edit:
    source, given = program.module.source, function.args
    apart = ["*"] if given.defaults and not given.kwonlyargs else []
    words = ", ".join([*apart, *names])
    nodes: list[ast.expr | ast.arg] = [*given.args, *given.defaults, *given.kwonlyargs]
    nodes += [default for default in given.kw_defaults if default is not None]
    place = source.text.index("(", source.start(function)) + 1
    if not nodes:
        return Edit(place, place, words)
    return _behind(source, nodes, place, source.start(function.body[0]), words)


def _arguments(program: Program, call: ast.Call, names: Sequence[str]) -> Edit:
    source = program.module.source
    words = ", ".join(f"{name}={name}" for name in names)
    nodes = [*call.args, *(keyword.value for keyword in call.keywords)]
    place = source.end(call) - 1
    if not nodes:
        return Edit(place, place, words)
    return _behind(source, nodes, open_bracket(source, call) + 1, place, words)


def _in_lambda(program: Program, function: ast.FunctionDef, load: ast.Name, names: Sequence[str]) -> Edit:
    """Calls a function with its arguments where it was given to a condition or a loop of the graph."""
    taken = [argument.arg for argument in function.args.args]
    words = ", ".join([*taken, *(f"{name}={name}" for name in names)])
    start = f"lambda {', '.join(taken)}:" if taken else "lambda:"
    return Edit(*program.module.source.span(load), f"{start} {load.id}({words})")


def _behind(source: Source, nodes: Sequence[ast.expr | ast.arg], low: int, high: int, words: str) -> Edit:
    """Puts words behind the last of some nodes between two places, and behind brackets around it."""
    last = max(nodes, key=source.end)
    _, end = outer_span(source.text, *source.span(last), low, high)
    return Edit(end, end, f", {words}")
