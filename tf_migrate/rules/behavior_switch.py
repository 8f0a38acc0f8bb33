"""`tf.disable_v2_behavior()` and its kin switch the whole process to TensorFlow 1's semantics. The migrated program
needs none of it: its graph is built by `compat`, and whatever else runs beside it keeps TensorFlow 2's behaviour. The
statement goes.

Eager programs of TensorFlow 1 that use `tf.get_variable`, `tf.layers` and the like keep theirs, as a shim: it tells
`compat` that each call makes variables of its own. `tf.enable_v2_behavior()` stays beside Keras 2, whose metrics keep
their names by it.
"""

from __future__ import annotations

import ast

from tf_migrate import facts
from tf_migrate.changes import statements
from tf_migrate.facts import Fact
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context, Rule

SWITCHES = frozenset(
    f"tf.{name}"
    for name in (
        "disable_v2_behavior",
        "disable_eager_execution",
        "disable_v2_tensorshape",
        "disable_tensor_equality",
        "disable_control_flow_v2",
        "enable_control_flow_v2",
        "enable_v2_tensorshape",
        "enable_tensor_equality",
    )
)

EAGER = frozenset(
    f"tf.{name}"
    for name in (
        "enable_eager_execution",
        "enable_v2_behavior",
        "contrib.eager.enable_eager_execution",
        "contrib.eager.python.tfe.enable_eager_execution",
    )
)

_V2 = "tf.enable_v2_behavior"


def claims(context: Context, use: Use) -> bool:
    """Whether the switch means nothing to the program: it is none to eager execution, or there are no shims to tell."""
    if use.symbol == _V2 and context.names.keeps_keras2:
        return False
    return use.symbol not in EAGER or not (
        any(_is_shimmed(each) for each in context.names.uses) or context.names.index.imports_tf1(context.module.name)
    )


def _is_shimmed(use: Use) -> bool:
    owned = facts.owner(use.symbol)
    return owned is not None and owned[0].action == "shim" and owned[0].kind != "module" and use.symbol not in EAGER


def symbol(context: Context, use: Use, fact: Fact | None) -> Change:
    """Takes the statement out; a switch that is not a statement of its own is left to a person."""
    statement = context.module.parents.get(use.call) if use.call is not None else None
    if not isinstance(statement, ast.Expr):
        return context.manual(
            use.root,
            "TFM112",
            f"`{use.symbol}` switches the whole process, and here it is not a statement of its own",
            "remove it: migrated code needs no switch",
            use.symbol,
        )
    finding = context.finding(
        use.root, "TFM112", f"`{use.symbol}()` is not needed: migrated code needs no switch", symbol=use.symbol
    )
    others_stay = any(_stays(context, other) for other in _block(context.module.parents[statement], statement))
    return Change(finding, (statements.remove(context.module, statement, others_stay=others_stay),))


def _stays(context: Context, other: ast.stmt) -> bool:
    """Whether a statement stays, or others stand in its place, whatever else becomes of its block."""
    if isinstance(other, ast.Expr) and isinstance(other.value, ast.Call):
        return isinstance(other.value.func, ast.Name) or context.names.resolve(other.value.func) == "tf.app.run"
    return isinstance(other, ast.Return | ast.With | ast.For | ast.While | ast.FunctionDef)


def _block(parent: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The statements among which one stands."""
    blocks = (value for _, value in ast.iter_fields(parent) if isinstance(value, list))
    return next((block for block in blocks if statement in block), [statement])


RULE = Rule(
    id="TFM112",
    name="behavior-switch",
    before="""\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
print(tf.float32)
""",
    after="""\
import tensorflow as tf
print(tf.float32)
""",
    handles=SWITCHES | EAGER,
    claims=claims,
    symbol=symbol,
)
