"""A function that returns TensorFlow itself, and one that is given it: what others call `tf` there is known only when
the program runs. So the names of TensorFlow 1 stay as they are behind it, and a person is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.rules import Change, Context, Rule

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAMES = frozenset({"tensorflow", "tf"})
_STEP = "import TensorFlow at the top of each module that uses it, behind what sets the environment"


def find(context: Context) -> Iterator[Change]:
    """Looks at what functions return, and at parameters that are called as TensorFlow is."""
    for call in context.module.calls if not context.tf2 else ():
        if context.names.returned(call.func) is not None and not _is_followed(context, call):
            what = f"`{ast.unparse(call.func)}` returns TensorFlow itself: what is done with it here is not followed"
            yield context.manual(call, "TFM108", what, _STEP, "tf")
    if not context.tf2:
        yield from _once_a_function(context, _returned(context))
        yield from _once_a_function(context, _given(context))


def _once_a_function(context: Context, found: Iterator[tuple[_Function, Change]]) -> Iterator[Change]:
    told: set[_Function] = set()
    for function, change in found:
        if function not in told and not context.module.is_skipped(function):
            told.add(function)
            yield change


def _is_followed(context: Context, call: ast.Call) -> bool:
    """Whether what a function gives gets a name that means nothing else, or none."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0]
        return context.names.lookup(name.id, context.module.scopes[name]) is not None
    return isinstance(parent, ast.Expr)


def _returned(context: Context) -> Iterator[tuple[_Function, Change]]:
    followed = context.names.index.exports.get(context.module.name)
    for value in (name for names in context.module.loads.values() for name in names):
        if not isinstance(context.module.parents[value], ast.Return) or context.names.of(value) != "tf":
            continue
        function = context.module.function_of(value)
        if not isinstance(function, _Function) or (followed and f"{function.name}()" in followed.origins):
            continue
        what = f"`{function.name}` returns TensorFlow itself: what others do with it is not followed"
        yield function, context.manual(value, "TFM108", what, _STEP, "tf")


def _given(context: Context) -> Iterator[tuple[_Function, Change]]:
    for value in (name for named in sorted(_NAMES) for name in context.module.loads.get(named, ())):
        scope, around = context.module.binding_scope(value), context.module.parents[value]
        if not isinstance(around, ast.Attribute) or scope is None or not isinstance(scope.node, _Function):
            continue
        if _is_parameter(scope.node, value.id) and _is_gone(f"tf.{around.attr}"):
            what = f"`{scope.node.name}` is given `{value.id}`: that this is TensorFlow itself is not known"
            yield scope.node, context.manual(value, "TFM108", what, _STEP, f"tf.{around.attr}")


def _is_parameter(function: _Function, name: str) -> bool:
    return any(isinstance(inner, ast.arg) and inner.arg == name for inner in ast.walk(function.args))


def _is_gone(symbol: str) -> bool:
    """Whether TensorFlow 2 has no such name, or another meaning of it."""
    fact = facts.lookup(symbol)
    return fact is not None and fact.action != "same" and fact.kind != "module"


RULE = Rule(id="TFM108", name="handed-library", before="", after="", find=find)
