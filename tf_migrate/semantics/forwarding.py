"""Functions that only run what they are given: `def run(fetches, feed=None): return sess.run(fetches, feed)`.

Their callers are as good as runs: they say what is fetched and fed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tf_migrate.interpreter.recorder import FunctionNode
from tf_migrate.syntax.none_tests import none_test

_FETCHES, _FEEDS = ("fetches", 0), ("feed_dict", 1)


class Forwarded(NamedTuple):
    """What a call of such a function fetches and feeds, by the expressions of the call."""

    fetch: ast.expr
    feed: ast.expr | None


def forwarded(
    site: ast.Call,
    code: FunctionNode | ast.AST,
    call: ast.Call,
    mapping: Mapping[ast.expr, ast.arg],
    is_session: Callable[[ast.expr], bool],
) -> Forwarded | None:
    """What a call fetches and feeds whose function runs just that, at a site; None where there is more to it.

    A session that it is given goes.
    """
    if not isinstance(code, ast.FunctionDef) or not _only_runs(code, site):
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args) or None in [each.arg for each in call.keywords]:
        return None
    every_given = (*call.args, *(keyword.value for keyword in call.keywords))
    given = [each for each in every_given if not is_session(each)]
    if _is_starred(site, code):
        fetch, feed = (_argument(call, *which) for which in (_FETCHES, _FEEDS))
        return Forwarded(fetch, feed) if fetch is not None and len(given) == 1 + (feed is not None) else None
    fetch_name, feed_name = (_argument(site, *which) for which in (_FETCHES, _FEEDS))
    others = len(site.args) + len(site.keywords) - (fetch_name is not None) - (feed_name is not None)
    if others or not isinstance(fetch_name, ast.Name) or not isinstance(feed_name, ast.Name | None):
        return None
    by_name = {parameter.arg: place for place, parameter in mapping.items()}
    every = {each.arg for each in (*code.args.args, *code.args.kwonlyargs)}
    if not {fetch_name.id, *([feed_name.id] if feed_name is not None else [])} <= every:
        return None
    fetch, feed = by_name.get(fetch_name.id), by_name.get(feed_name.id) if feed_name is not None else None
    if fetch is None or len(given) != 1 + (feed is not None):
        return None
    return Forwarded(fetch, feed)


def prelude(code: ast.FunctionDef) -> list[ast.stmt]:
    """What stands before the run of such a function, and may do something."""
    first = code.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return [node for node in code.body[documented:-1] if not _defaults_feed(node)]


def hands_on_all(site: ast.AST) -> bool:
    """Whether a run is given arguments by stars alone: `sess.run(*args, **kwargs)`."""
    if not isinstance(site, ast.Call) or not (site.args or site.keywords):
        return False
    starred = all(isinstance(each, ast.Starred) for each in site.args)
    return starred and all(keyword.arg is None for keyword in site.keywords)


def _only_runs(code: ast.FunctionDef, site: ast.Call) -> bool:
    """Whether a function ends with a run, whose results it gives, and binds none of its parameters anew."""
    last = code.body[-1]
    if not isinstance(last, ast.Return | ast.Expr) or last.value is not site or code.decorator_list:
        return False
    parameters = {each.arg for each in (*code.args.posonlyargs, *code.args.args, *code.args.kwonlyargs)}
    parameters |= {each.arg for each in (code.args.vararg, code.args.kwarg) if each is not None}
    nodes = [inner for statement in prelude(code) for inner in ast.walk(statement)]
    return not any(
        isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)
        or (isinstance(node, ast.Name) and node.id in parameters and not isinstance(node.ctx, ast.Load))
        for node in nodes
    )


def _defaults_feed(node: ast.stmt) -> bool:
    """Whether a statement is `if feed is None: feed = {}`."""
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
        return False
    asked, if_none = none_test(node.test) or (None, False)
    made = node.body[0]
    return (
        if_none
        and isinstance(asked, ast.Name)
        and isinstance(made, ast.Assign)
        and [ast.unparse(target) for target in made.targets] == [asked.id]
        and ast.unparse(made.value) in ("{}", "dict()")
    )


def _is_starred(site: ast.Call, code: ast.FunctionDef) -> bool:
    """Whether a function hands on all that it is given: `sess.run(*args, **kwargs)`."""
    spec = code.args
    if spec.posonlyargs or spec.kwonlyargs or spec.vararg is None:
        return False
    if [each.arg for each in spec.args] not in ([], ["self"]):
        return False
    names = [f"*{spec.vararg.arg}", *([f"**{spec.kwarg.arg}"] if spec.kwarg is not None else [])]
    written = [ast.unparse(each) for each in site.args]
    written += [f"{each.arg or '**'}{ast.unparse(each.value)}" for each in site.keywords]
    return written == names


def _argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    if position < len(call.args):
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
