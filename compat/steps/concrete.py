"""A step as a part of TensorFlow 2: a concrete function over the store's variables, with gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from ..bridge.fetches import SparseTensorValue
from ..bridge.runtime import body_of, captured
from ..bridge.session import Run

__all__ = ["concrete_function", "symbolic_values"]


def concrete_function(run: Run, name: str) -> Any:
    """The function that a run calls, as TensorFlow 2 has them: to be traced into others, differentiated and saved.

    Args:
      run: how a pair of fetches and updates is computed of values for some tensors.
      name: what the function is called.

    Returns:
      A concrete function of these values, in their order, that gives the structure of the fetches.
    """
    pruned = run.pruned
    body = body_of(pruned.name)
    names = [f"input_{number}" for number in range(len(pruned.fed))]
    signature = [tf.TensorSpec(t.shape, t.dtype, name) for t, name in zip(pruned.fed, names, strict=True)]
    watched = [known for known in pruned.variables if getattr(known, "trainable", False)]

    def compute(*values: Any) -> Any:
        for variable in watched:
            variable.read_value()  # For gradient tapes around: they watch what is read by its variable.
        given = dict(zip(body.inputs, [*values, *captured(pruned.captures)], strict=True))
        results = tf.graph_util.import_graph_def(
            body.graph_def,
            input_map={f"{name}:0": value for name, value in given.items() if name in body.used},
            return_elements=[each for each in body.outputs if each.split(":")[0] not in given],
            name="",
        )
        found = iter(results)
        outputs = [given[each.split(":")[0]] if each.split(":")[0] in given else next(found) for each in body.outputs]
        # What is assigned in a trace is read behind it, in the order of the program.
        for position, variable in pruned.reread.items():
            value = tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)
            outputs[position] = tf.reshape(value, tf.shape(outputs[position]))
        return _as_tensors(run.rebuild(outputs)[0])

    compute.__name__ = name
    return tf.function(compute, input_signature=signature, autograph=False).get_concrete_function()


def _as_tensors(result: Any) -> Any:
    """Results with sparse tensors in the place of their values' triples."""
    if isinstance(result, SparseTensorValue):
        return tf.SparseTensor(*result)
    if isinstance(result, Mapping):
        return type(result)((key, _as_tensors(each)) for key, each in result.items())
    if isinstance(result, list | tuple):
        parts = [_as_tensors(each) for each in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def symbolic_values(fed: Mapping[tf.Tensor, Any]) -> Sequence[Any]:
    """The values of a call within a function, as tensors of the types that they are fed for.

    Raises:
      ValueError: a value's shape does not fit. Where it is not known here, calls of the function raise
        InvalidArgumentError.
    """
    values = []
    for tensor, value in fed.items():
        given = value if tf.is_tensor(value) else tf.convert_to_tensor(value, tensor.dtype)
        if not tensor.shape.is_compatible_with(given.shape):
            raise ValueError(f"Cannot feed a value of shape {given.shape} for {tensor.name}, of shape {tensor.shape}")
        wanted = given.shape.merge_with(tensor.shape)
        if wanted.rank is not None and (given.shape.rank is None or wanted.as_list() != given.shape.as_list()):
            given = tf.ensure_shape(given, tensor.shape)  # Known when the function runs.
        values.append(given if given.dtype == tensor.dtype else tf.cast(given, tensor.dtype))
    return values
