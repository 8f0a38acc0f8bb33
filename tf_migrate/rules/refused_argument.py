"""What the shims refuse when the program runs is told when it is rewritten: an argument that asks for what TensorFlow 2
cannot do (a checkpoint of the first format, a distribution strategy of an Estimator), or a method of a session that
has no counterpart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tf_migrate.eager.imports import dotted
from tf_migrate.names.sessions import Holders
from tf_migrate.numpy1.shapes import Shapes
from tf_migrate.rules import Change, Context, Rule


class Refusal(NamedTuple):
    """What is said of an argument that is refused, and what to do."""

    message: str
    next_step: str


_STRATEGY = Refusal(
    "an Estimator runs in one process on one device here: its strategy raises ValueError when the program runs",
    "leave the strategy out, or move the body of `model_fn` to a `tf.function` under `strategy.scope()`",
)
ARGUMENTS: dict[tuple[str, str], Refusal] = {
    **{("tf.estimator.RunConfig", word): _STRATEGY for word in ("train_distribute", "eval_distribute")},
    ("tf.estimator.RunConfig", "experimental_distribute"): _STRATEGY,
    ("tf.train.Saver", "builder"): Refusal(
        "a Saver of another format raises NotImplementedError when the program runs",
        "leave `builder` out, or save with `tf.train.Checkpoint`",
    ),
    ("tf.train.Saver", "write_version"): Refusal(
        "TensorFlow 2 cannot write checkpoints of the first format: this raises NotImplementedError",
        "leave `write_version` out: checkpoints of the second format are read by TensorFlow 1 too",
    ),
    ("tf.summary.FileWriter", "session"): Refusal(
        "a FileWriter that writes from inside of a graph raises NotImplementedError when the program runs",
        "leave `session` out, and give the writer what `sess.run` of the merged summaries gives",
    ),
    ("tf.train.export_meta_graph", "export_scope"): Refusal(
        "one scope of a graph cannot be exported: this raises NotImplementedError",
        "export the whole graph, and import it under a scope",
    ),
    ("tf.contrib.training.HParams", "hparam_def"): Refusal(
        "TensorFlow 2 has no HParamDef: this raises NotImplementedError",
        "give the values as keywords, or use `parse_json`",
    ),
}
_PARTIAL = Refusal(
    "a run in parts has no counterpart in TensorFlow 2: this raises NotImplementedError",
    "fetch the parts in runs of their own, and feed each with what the runs before it gave",
)
_SHAPE = Refusal(
    "a variable that is made with a shape keeps it in TensorFlow 2: a value of another shape raises ValueError",
    "make the variable with `validate_shape=False`, or assign values of its shape",
)
_METHODS = frozenset({"partial_run", "partial_run_setup"})
_SYMBOLS = {symbol for symbol, _ in ARGUMENTS}


def find(context: Context) -> Iterator[Change]:
    """Looks at the calls whose arguments the shims refuse, and at the runs in parts."""
    module = context.module
    if context.tf2:
        return
    for call in module.calls:
        symbol = dotted(module, context.names, call.func)
        for keyword in call.keywords if symbol in _SYMBOLS else ():
            refusal = ARGUMENTS.get((symbol, keyword.arg or ""))
            if refusal is not None and _is_refused(keyword) and not module.is_skipped(call):
                yield context.manual(keyword.value, "TFM137", *refusal, symbol=symbol)
        if symbol == "tf.assign" and _grows(context, call) and not module.is_skipped(call):
            finding = context.finding(
                call, "TFM137", _SHAPE.message, action="shimmed", severity="warning", next_step=_SHAPE.next_step
            )
            yield Change(finding)
    nodes = [node for name in sorted(_METHODS) for node in module.attributes.get(name, ())]
    holders = Holders.of(context.names) if nodes else None
    for node in nodes:
        if holders is not None and holders.is_session(node.value) and not module.is_skipped(node):
            yield context.manual(node, "TFM137", *_PARTIAL, symbol=f"tf.Session.{node.attr}")


def _grows(context: Context, call: ast.Call) -> bool:
    """Whether a value of any shape is assigned to a variable that is made with one."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "validate_shape"] or call.args[2:3]
    if not call.args or not any(isinstance(each, ast.Constant) and each.value is False for each in given):
        return False
    made = [value for value, place in Shapes(context.names).bound(call.args[0]) if place is None]
    return bool(made) and all(
        isinstance(value, ast.Call)
        and dotted(context.module, context.names, value.func) in ("tf.Variable", "tf.get_variable")
        and all(keyword.arg not in (None, "validate_shape") for keyword in value.keywords)
        for value in made
    )


def _is_refused(keyword: ast.keyword) -> bool:
    """Whether the value of an argument is one that is refused: not one that says nothing, or the second format."""
    value = keyword.value
    if isinstance(value, ast.Constant) and (not value.value or value.value == 2):
        return False
    return keyword.arg != "write_version" or not (isinstance(value, ast.Attribute) and value.attr == "V2")


RULE = Rule(
    id="TFM137",
    name="refused-argument",
    before="",
    after="",
    find=find,
)
