"""A function that returns TensorFlow itself, and one that is given it: what others call `tf` there is known only when
the program runs. So the names of TensorFlow 1 stay as they are behind it, and a person is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.rules import Change, Context, Rule

_NAMES = frozenset({"tensorflow", "tf"})
_STEP = "import TensorFlow at the top of each module that uses it, behind what sets the environment"


def find(context: Context) -> Iterator[Change]:
    """Looks at what functions return, and at parameters that are called as TensorFlow is."""
    for call in context.module.calls if not context.tf2 else ():
        if context.names.returned(call.func) is not None and not _is_followed(context, call):
            what = f"`{ast.unparse(call.func)}` returns TensorFlow itself: what is done with it here is not followed"
            yield context.manual(call, "TFM108", what, _STEP, "tf")
    for function in context.module.functions if not context.tf2 else ():
        if isinstance(function, ast.Lambda) or context.module.is_skipped(function):
            continue
        yield from _returned(context, function)
        yield from _given(context, function)


def _is_followed(context: Context, call: ast.Call) -> bool:
    """Whether what a function gives gets a name that means nothing else, or none."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0]
        return context.names.lookup(name.id, context.module.scopes[name]) is not None
    return isinstance(parent, ast.Expr)


def _returned(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    for inner in ast.walk(function):
        value = inner.value if isinstance(inner, ast.Return) else None
        own = value is not None and context.module.function_of(value) is function
        followed = context.names.index.exports.get(context.module.name)
        if followed is not None and f"{function.name}()" in followed.origins:
            return
        if own and isinstance(value, ast.Name) and context.names.of(value) == "tf":
            what = f"`{function.name}` returns TensorFlow itself: what others do with it is not followed"
            yield context.manual(value, "TFM108", what, _STEP, "tf")
            return


def _given(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    for name in (inner for inner in ast.walk(function) if isinstance(inner, ast.Name) and inner.id in _NAMES):
        scope, around = context.module.binding_scope(name), context.module.parents[name]
        handed = scope is not None and scope.node is function and _is_parameter(function, name.id)
        if handed and isinstance(around, ast.Attribute) and _is_gone(f"tf.{around.attr}"):
            what = f"`{function.name}` is given `{name.id}`: that this is TensorFlow itself is not known"
            yield context.manual(name, "TFM108", what, _STEP, f"tf.{around.attr}")
            return


def _is_parameter(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    return any(isinstance(inner, ast.arg) and inner.arg == name for inner in ast.walk(function.args))


def _is_gone(symbol: str) -> bool:
    """Whether TensorFlow 2 has no such name, or another meaning of it."""
    fact = facts.lookup(symbol)
    return fact is not None and fact.action != "same" and fact.kind != "module"


RULE = Rule(id="TFM108", name="handed-library", before="", after="", find=find)
