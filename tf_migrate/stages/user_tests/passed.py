"""What decorators pass to a test: the parameters that may hold functions which build."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.stages.user_tests.cases import Case, is_mocking
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_NAMED = "absl.testing.parameterized.named_parameters"
_LISTING = frozenset({_NAMED, "absl.testing.parameterized.parameters"})


def passing(names: Names, case: Case, test: ast.FunctionDef) -> list[ast.expr]:
    """What decorates a test, without what replaces functions: what stands in their places is the test's own."""
    return [item for item in case.decorators(test) if not is_mocking(names, item)]


def passing_parameters(names: Names, case: Case, test: ast.FunctionDef, touches: Callable[[ast.AST], bool]) -> set[str]:
    """The parameters of a test that are given what may touch the graph; all where that is not known."""
    given = [argument.arg for argument in (*test.args.posonlyargs, *test.args.args)][1:]
    every = {argument.arg for argument in ast.walk(test.args) if isinstance(argument, ast.arg)} - {"self"}
    found: set[str] = set()
    decorators = passing(names, case, test)
    if len(decorators) < len(case.decorators(test)):
        return every
    for decorator in decorators:
        if not touches(decorator):
            continue
        rows = list(rows_of(names.module, decorator, given))
        if len(decorators) > 1 or test.args.vararg or not rows or None in rows:
            return every
        for row in rows:
            found.update(name for name, value in zip(given, row or (), strict=False) if touches(value))
    return found


def rows_of(module: Module, decorator: ast.expr, given: Sequence[str]) -> Iterator[Sequence[ast.expr] | None]:
    """The values of each call of the test, for the parameters `given`; None where these are not written out."""
    name = callee(decorator.func, module) if isinstance(decorator, ast.Call) else None
    if not isinstance(decorator, ast.Call) or name not in _LISTING or decorator.keywords:
        yield None
        return
    for item in decorator.args:
        if isinstance(item, ast.Tuple) and not any(isinstance(value, ast.Starred) for value in item.elts):
            yield item.elts[1:] if name == _NAMED else item.elts
        elif isinstance(item, ast.Dict) and all(isinstance(key, ast.Constant) for key in item.keys):
            keys = [key.value for key in item.keys if isinstance(key, ast.Constant)]
            values = dict(zip(keys, item.values, strict=True))
            yield [values[word] for word in given] if set(given) <= values.keys() else None
        else:
            yield None
