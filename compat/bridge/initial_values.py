"""Initial values that read other variables: `tf.Variable(2.0 * other)`, whatever order the initializers run in.

TF 1.x put an `initialized_value()` in the place of each variable that an initial value read, so that one run could
initialize both.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["independent"]

_READ = "ReadVariableOp"
_ASKING = frozenset({"VarIsInitializedOp", "If", "StatelessIf"})
"""Operations that are not followed: what chooses between a value and an initial value is as it should be."""


def independent(graph: Any, name: str, value: tf.Tensor) -> tf.Tensor:
    """`value`, computed of the initial values of those variables that have no value yet.

    Args:
      graph: the bridge graph that the tensor is of.
      name: the variable that it is for; operations that are made are named after it.
      value: the tensor.
    """
    copied: dict[tf.Operation, list[tf.Tensor]] = {}
    for operation in _sources(value.op):
        if operation.type == _READ:
            variable = graph.variable_read_by(operation)
            if variable is not None and hasattr(variable, "initialized_value"):
                copied[operation] = [variable.initialized_value()]
        elif any(each.op in copied for each in operation.inputs):
            copied[operation] = graph._create_op_internal(
                operation.type,
                [copied[each.op][each.value_index] if each.op in copied else each for each in operation.inputs],
                [output.dtype for output in operation.outputs],
                name=f"{operation.name}_{name}".replace(":", "_"),
                attrs=dict(operation.node_def.attr),
            ).outputs
    return copied[value.op][value.value_index] if value.op in copied else value


def _sources(operation: tf.Operation) -> list[tf.Operation]:
    """What an operation is computed of, and itself, each behind what it needs."""
    ordered: list[tf.Operation] = []
    seen = {operation}
    pending = [(operation, False)]
    while pending:
        current, is_done = pending.pop()
        if is_done:
            ordered.append(current)
            continue
        pending.append((current, True))
        for tensor in () if current.type in (_READ, *_ASKING) else current.inputs:
            if tensor.op not in seen:
                seen.add(tensor.op)
                pending.append((tensor.op, False))
    return ordered
