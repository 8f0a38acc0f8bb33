"""A gradient tape gives one set of gradients and forgets what it recorded; asked again it raises. A tape made with
`persistent=True` can be asked as often as needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def find(context: Context) -> Iterator[Change]:
    """Looks at the tapes that are asked more than once on one way through the program."""
    for tape in context.code.tapes.all:
        if tape.persistent:
            continue
        second = _second(context, tape)
        if second is not None:
            message = f"`{tape.name}` is asked for gradients a second time and is not persistent: this raises"
            yield from context.advise(
                second, "TFM416", message, "say `tf.GradientTape(persistent=True)`", _fix(context, tape)
            )


def _fix(context: Context, tape: Tape) -> tuple[Edit, ...]:
    if tape.creation.args or any(word.arg == "persistent" for word in tape.creation.keywords):
        return ()
    end = context.module.source.end(tape.creation) - 1
    return (Edit(end, end, ", persistent=True" if tape.creation.keywords else "persistent=True"),)


def _second(context: Context, tape: Tape) -> ast.Call | None:
    calls = tape.gradients
    for index, call in enumerate(calls):
        if _repeats(context, tape, call):
            return call
        if any(not _excludes(context, first, call) for first in calls[:index]):
            return call
    return None


def _repeats(context: Context, tape: Tape, call: ast.Call) -> bool:
    """Whether the call stands in a loop that the tape's block does not."""
    current = context.module.parents[call]
    inner: ast.AST = call
    while current is not None and not isinstance(
        current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module
    ):
        loop = isinstance(current, ast.For | ast.While) and not context.code.flow.inside(tape.block, current)
        if loop and inner in current.body and not _leaves(current.body):  # type: ignore[attr-defined]
            return True
        if isinstance(current, _COMPREHENSIONS) and not _first_iterable(context, current, call):
            return True
        inner, current = current, context.module.parents[current]
    return False


def _first_iterable(context: Context, comprehension: ast.AST, call: ast.Call) -> bool:
    first = comprehension.generators[0].iter  # type: ignore[attr-defined]
    return context.code.flow.inside(call, first)


def _excludes(context: Context, first: ast.Call, second: ast.Call) -> bool:
    """Whether no way through the program makes both calls."""
    parents = context.module.parents
    current: ast.AST = first
    while (outer := parents.get(current)) is not None:
        if isinstance(outer, ast.If | ast.Try | ast.IfExp | ast.Match):
            if context.code.flow.inside(second, outer):
                inner: ast.AST = second
                while parents[inner] is not outer:
                    inner = parents[inner]
                return not _same_part(outer, current, inner)
            if isinstance(outer, ast.If) and _leaves(outer.body if current in outer.body else outer.orelse):
                return True
        if isinstance(outer, ast.FunctionDef | ast.Lambda) and not context.code.flow.inside(second, outer):
            return True
        current = outer
    return isinstance(context.module.statement_of(first), ast.Return) and not _share_statement(context, first, second)


def _same_part(outer: ast.AST, first: ast.AST, second: ast.AST) -> bool:
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        part = getattr(outer, field, None)
        held = part if isinstance(part, list) else [part]
        if first in held:
            return second in held
    return True


def _leaves(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], _EXITS)


def _share_statement(context: Context, first: ast.Call, second: ast.Call) -> bool:
    return context.module.statement_of(first) is context.module.statement_of(second)


RULE = Rule(
    id="TFM416",
    name="tape-used-twice",
    before="""\
import tensorflow as tf

def both(x, v, w):
    with tf.GradientTape() as tape:
        a = v * x
        b = w * x
    return tape.gradient(a, v), tape.gradient(b, w)
""",
    after="""\
import tensorflow as tf

def both(x, v, w):
    with tf.GradientTape(persistent=True) as tape:
        a = v * x
        b = w * x
    return tape.gradient(a, v), tape.gradient(b, w)
""",
    find=find,
    advice=True,
)
