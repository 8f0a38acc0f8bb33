"""Calls that read as runs of a session, whatever they are given."""

from __future__ import annotations

import ast
from collections.abc import Collection


def reads_as_run(call: ast.Call, roots: Collection[str]) -> bool:
    """Whether a call reads as one that runs a session: `y.eval({x: 1.0})`, `op.run(session=s)`."""
    if not isinstance(call.func, ast.Attribute) or root_of(call.func) in roots:
        return False
    if {keyword.arg for keyword in call.keywords} & {"feed_dict", "session"}:
        return call.func.attr in ("eval", "run")
    fed = len(call.args) == 1 and isinstance(call.args[0], ast.Dict)
    bare = not call.args and not call.keywords
    return call.func.attr == "eval" and (fed or bare)


def runs_by_fetches(call: ast.Call) -> bool:
    """Whether a call reads as a session's own run, `model.sess.run(y, feed_dict=feeds)`.

    It names first what it fetches, which no operation's `run` takes.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "run" or not call.args:
        return False
    if any(keyword.arg == "feed_dict" for keyword in call.keywords):
        return True
    receiver = call.func.value
    named = receiver.id if isinstance(receiver, ast.Name) else getattr(receiver, "attr", "")
    return names_session(named) and len(call.args) > 1 and isinstance(call.args[1], ast.Dict)


def names_session(name: str) -> bool:
    """Whether a name says that it means a session."""
    return name.lower().rpartition("_")[2] in ("sess", "session")


def root_of(node: ast.expr) -> str | None:
    """The name that a path of attributes begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
