"""What is computed after the tape has closed is not on it: a loss that is added up, averaged or indexed outside the
`with` block has the gradient None. Move the computation into the block.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.flow import place
from tf_migrate.eager.tapes import Tape
from tf_migrate.rules import Change, Context, Rule

# Operations of Python on tensors that give tensors.
_NO_OPERATION = (
    "tf.nest.",
    "tf.keras.",
    "tf.Variable",
    "tf.constant",
    "tf.function",
    "tf.data.",
    "tf.is_",
    "tf.debugging.",
)


def find(context: Context) -> Iterator[Change]:
    """Looks at what each tape is asked to differentiate once it has closed."""
    code = context.code
    for tape in code.tapes.all:
        for call in tape.gradients:
            target = code.tapes.target(call)
            if target is None or code.flow.inside(call, tape.block):
                continue
            parts = target.elts if isinstance(target, ast.List | ast.Tuple) else [target]
            for part in parts:
                made = _made_after(context, part, tape)
                if made is not None and not _is_recorded(context, tape, made):
                    message = "this is computed after the tape has closed: its gradient is None"
                    step = f"move the computation into the `with` block of `{tape.name}`"
                    yield from context.advise(made, "TFM412", message, step)


def _is_recorded(context: Context, tape: Tape, made: ast.expr) -> bool:
    """Whether the same tape is open again there: entered by its name a second time."""
    current = context.module.parents.get(made)
    while current is not None:
        if isinstance(current, ast.With) and any(
            isinstance(item.context_expr, ast.Name) and item.context_expr.id == tape.name for item in current.items
        ):
            return True
        current = context.module.parents.get(current)
    return False


def _made_after(context: Context, part: ast.expr, tape: Tape) -> ast.expr | None:
    flow = context.code.flow
    if not isinstance(part, ast.Name):
        return part if _computes(context, part, tape) else None
    stores = [store for store in flow.stores(part) if place(store) < place(part)]
    if not stores or place(stores[-1]) < place(tape.block) or flow.inside(stores[-1], tape.block):
        return None
    last = stores[-1]
    if not flow.dominates(last, part):
        return None
    statement = context.module.parents[last]
    if isinstance(statement, ast.AugAssign):
        return last if _is_of_tape(context, last, tape) else None
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return value if value is not None and _computes(context, value, tape) else None


def _computes(context: Context, node: ast.expr, tape: Tape) -> bool:
    """Whether an expression computes with tensors of the tape."""
    name = context.code.called(node)
    operation = (
        isinstance(node, ast.BinOp | ast.UnaryOp)
        or (name.startswith("tf.") and not name.startswith(_NO_OPERATION))
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum")
        or (isinstance(node, ast.Subscript) and _slices(node.slice))
    )
    return operation and any(_is_of_tape(context, part, tape) for part in ast.walk(node) if isinstance(part, ast.Name))


def _slices(index: ast.expr) -> bool:
    """``[:, 7]`` or ``[..., 0]``: of a tensor, not of a list."""
    return isinstance(index, ast.Tuple) and any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...) for part in index.elts
    )


def _is_of_tape(context: Context, name: ast.Name, tape: Tape) -> bool:
    flow = context.code.flow
    before = [store for store in flow.stores(name) if place(store) < place(name)]
    return any(flow.inside(store, tape.block) for store in before)


RULE = Rule(
    id="TFM412",
    name="after-tape",
    before="""\
import tensorflow as tf

def step(model, x, y, penalty):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x) - y))
        size = penalty(model)
    loss = error + size
    return tape.gradient(loss, model.trainable_variables)
""",
    after="""\
import tensorflow as tf

def step(model, x, y, penalty):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x) - y))
        size = penalty(model)
        loss = error + size
    return tape.gradient(loss, model.trainable_variables)
""",
    find=find,
    advice=True,
)
