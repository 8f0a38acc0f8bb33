"""TensorFlow 1 made one step of `shuffle` and a `repeat` right behind it, which drew one sequence of numbers for all
epochs. TensorFlow 2 draws anew for each, so that the elements of a dataset that has a seed come in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.draw_order import Programs
from tf_migrate.rules import Change, Context, Rule

_ONE_STEP = frozenset({"tf.data.experimental.shuffle_and_repeat", "tf.contrib.data.shuffle_and_repeat"})
_STEP = "give `reshuffle_each_iteration=False`, which has one order in both, or compare what no order changes"


def find(context: Context) -> Iterator[Change]:
    """Looks at what is repeated, and at the function of both steps."""
    if context.tf2:
        return
    module, names = context.module, context.names
    for node in module.attributes.get("repeat", ()):
        call = module.parents[node]
        if isinstance(call, ast.Call) and call.func is node and names.of(node) is None and not _once(call):
            shuffled = _shuffled(context, node.value, call)
            if shuffled is not None and _is_seeded(context, shuffled, 1) and not module.is_skipped(shuffled):
                yield _told(context, shuffled)
    for call in module.calls:
        if names.of(call.func) in _ONE_STEP and _is_seeded(context, call, 2) and not module.is_skipped(call):
            yield _told(context, call)


def _told(context: Context, call: ast.Call) -> Change:
    message = (
        "TensorFlow 1 drew one sequence for `shuffle` and `repeat`: with its seed the elements come in another order"
    )
    return Change(context.finding(call, "TFM144", message, action="shimmed", severity="warning", next_step=_STEP))


def _once(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return len(given) == 1 and isinstance(given[0], ast.Constant) and given[0].value == 1


def _shuffled(context: Context, value: ast.expr, call: ast.Call) -> ast.Call | None:
    """The call of `shuffle` that gives a value, by itself or as what a name or an attribute was given last."""
    if not isinstance(value, ast.Call):
        value = _last(context, value, call) or value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "shuffle":
        return None
    drawn_once = any(
        keyword.arg == "reshuffle_each_iteration"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in value.keywords
    )
    return None if drawn_once or not (value.args or value.keywords) or context.names.of(value.func) else value


def _last(context: Context, value: ast.expr, call: ast.Call) -> ast.expr | None:
    """What was assigned last to a name or an attribute before a call, as its function is written."""
    if not isinstance(value, ast.Name | ast.Attribute):
        return None
    function, text = context.module.function_of(call), ast.unparse(value)
    found = [
        node
        for node in ast.walk(function or context.module.tree)
        if isinstance(node, ast.Assign)
        and context.module.function_of(node) is function
        and any(ast.unparse(target) == text for target in node.targets)
        and (node.end_lineno or 0) < call.lineno
    ]
    return max(found, key=lambda node: node.lineno).value if found else None


def _is_seeded(context: Context, call: ast.Call, position: int) -> bool:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "seed"] or call.args[position : position + 1]
    if any(not isinstance(each, ast.Constant) or each.value is not None for each in given):
        return True
    programs, name = Programs.of(context.names), context.module.name
    return any(programs.seeds(each, context.names) for each in context.names.index.importing(name) | {name})


RULE = Rule(id="TFM144", name="shuffle-order", before="", after="", find=find)
