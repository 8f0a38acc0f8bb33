"""Sessions that are handed to functions: natively there is none, so the argument goes, and the parameter with it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.names.run_sites import RunSite
    from tf_migrate.stages.evaluation import Evaluator

Takers = Mapping[ast.FunctionDef, frozenset[str]]
"""The parameters of functions that sessions are handed to."""
_OF_SAVERS = frozenset({"save", "restore"})
_BY_SESSION = frozenset({"Session.run", "MonitoredSession.run", "make_callable"})


class Handed(NamedTuple):
    """A session that a call hands to a function, as the parameter of that name."""

    call: ast.Call
    argument: ast.expr
    function: ast.FunctionDef
    parameter: str


def filled(call: ast.Call, names: list[str]) -> Iterator[tuple[str | None, ast.expr]]:
    """The arguments of a call with the parameters that take them, None where that is not one of `names`."""
    yield from zip(names, call.args, strict=False)
    yield from ((None, argument) for argument in call.args[len(names) :])
    yield from ((word.arg if word.arg in names else None, word.value) for word in call.keywords)


def parameters(function: ast.FunctionDef, *, bound: bool) -> list[str]:
    """The names of the parameters that a call fills; the first of a method that is `bound` to its object is filled."""
    return [argument.arg for argument in function.args.args][bound:]


def defaults(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that have a default, with it."""
    given = function.args.defaults
    taking = function.args.args[len(function.args.args) - len(given) :]
    yield from ((argument.arg, default) for argument, default in zip(taking, given, strict=True))


def session_takers(
    functions: Iterable[ast.FunctionDef],
    sites: Mapping[ast.Call, RunSite],
    known: Takers,
    called: Callable[[ast.Call], ast.FunctionDef | None],
    *,
    bound: bool,
) -> dict[ast.FunctionDef, frozenset[str]]:
    """The parameters of functions by which they run a session, save by it, or hand it on to others that do.

    `known` are those of other functions, `called` tells which function a call means.
    """
    found = {function: frozenset[str]() for function in functions}
    while True:
        grown = {
            function: frozenset(_taken(function, sites, {**known, **found}, called, bound=bound)) for function in found
        }
        if grown == found:
            return {function: taken for function, taken in found.items() if taken}
        found = grown


def running_function(evaluator: Evaluator, call: ast.Call) -> ast.FunctionDef | None:
    """The function or method that a call means, where that may be one that was read already."""
    if isinstance(call.func, ast.Attribute):
        owners = (evaluator.methods.get(method) for method in evaluator.closed)
        return next((method for known in owners if known and (method := known.method_of(call))), None)
    binding = evaluator.env.get(call.func.id) if isinstance(call.func, ast.Name) else None
    return None if binding is None else binding.value.function


def _taken(
    function: ast.FunctionDef,
    sites: Mapping[ast.Call, RunSite],
    takers: Takers,
    called: Callable[[ast.Call], ast.FunctionDef | None],
    *,
    bound: bool,
) -> Iterator[str]:
    names = parameters(function, bound=bound)
    for call in (inner for inner in ast.walk(function) if isinstance(inner, ast.Call)):
        for node in _sessions_of(call, sites, takers, called):
            if isinstance(node, ast.Name) and node.id in names:
                yield node.id


def _sessions_of(
    call: ast.Call,
    sites: Mapping[ast.Call, RunSite],
    takers: Takers,
    called: Callable[[ast.Call], ast.FunctionDef | None],
) -> Iterator[ast.expr]:
    """The expressions in a call that hold a session, by their places."""
    function = called(call)
    if call in sites and not sites[call].is_of_session:
        session = argument(call, "sess", 0)
        yield from () if session is None else (session,)
    elif call in sites:
        assert isinstance(call.func, ast.Attribute)
        if sites[call].kind in _BY_SESSION:
            yield call.func.value
        yield from (word.value for word in call.keywords if word.arg == "session")
    elif function is not None:
        names = parameters(function, bound=isinstance(call.func, ast.Attribute))
        taken = takers.get(function, frozenset())
        yield from (given for name, given in filled(call, names) if name in taken)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in _OF_SAVERS and call.args:
        yield call.args[0]


def require_all_handed(
    module: Module,
    handings: Iterable[Handed],
    may_be: Callable[[ast.Attribute, ast.FunctionDef], bool],
    what: str = "a session",
) -> None:
    """Refuses functions that lose a parameter, where some call may still fill it, or fill it with something else.

    `may_be` tells whether an attribute may mean a method; `what` is handed over.
    """
    calls = {handed.call for handed in handings}
    for handed in handings:
        function = handed.function
        place, name = handed.argument, f"`{function.name}`"
        if function.args.vararg or function.args.kwonlyargs or function.args.kwarg or function.args.posonlyargs:
            raise Refused(place, f"{name} takes {what} beside parameters of other kinds", "write plain parameters")
        if is_formatted(module, handed.call):
            raise Refused(place, f"{name} is called inside a formatted string", "call it before")
        uses = [*module.loads.get(function.name, [])] if _is_plain(module, function) else []
        found = [use for use in module.attributes.get(function.name, []) if not uses and may_be(use, function)]
        for use in (*uses, *found):
            call = module.parents[use]
            if not (isinstance(call, ast.Call) and call.func is use and call in calls):
                unseen = f"{name}, which {what} is handed to, is used where that is not seen"
                raise Refused(use, unseen, f"call {name} by its name, with {what.replace('a ', 'the ', 1)}")


def _is_plain(module: Module, function: ast.FunctionDef) -> bool:
    return not isinstance(module.parents.get(function), ast.ClassDef)


def is_formatted(module: Module, node: ast.AST | None) -> bool:
    """Whether an expression stands inside a string: where its parts are is not known in each Python."""
    while isinstance(node, ast.expr | ast.keyword | ast.comprehension):
        if isinstance(node, ast.JoinedStr):
            return True
        node = module.parents.get(node)
    return False
