"""What TF1 called references: the tensors that updates give stand for their variables in other updates."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_VARIABLE = "_tf1_variable"


def standing_for(variable: Any, value: tf.Tensor) -> tf.Tensor:
    """The tensor ``value``, which stands for the variable that it is the new value of."""
    setattr(value, _VARIABLE, variable)
    return value


def value_behind(variable: Any, update: tf.Operation, name: str) -> tf.Tensor:
    """The value of a variable of a graph, read behind its update: here, where that is waited for.

    Its operation has the inputs that the update had in TF1, since programs feed `assigned.op.inputs[1]`. TF1 had no
    gradient of updates of its default variables.
    """
    read = variable._read_variable_op()
    read = tf.stop_gradient(read) if getattr(variable, "shares_memory", False) else read
    given = update.inputs[1:]
    return standing_for(variable, tf.identity_n([read, *given], name)[0] if given else tf.identity(read, name))


def stands_for_variable(value: tf.Tensor) -> bool:
    """Whether a tensor stands for a variable."""
    return hasattr(value, _VARIABLE)


def variable_of(ref: Any) -> Any:
    """The variable that ``ref`` is or stands for.

    Raises:
        AttributeError: it does neither; TF1 said so, too.
    """
    variable = ref if isinstance(ref, tf.Variable) else getattr(ref, _VARIABLE, None)
    if variable is None:
        variable = _of_that_name(ref)
    if variable is None:
        raise AttributeError(f"{ref!r} is neither a variable nor the result of an update of one: it cannot be updated.")
    return variable


def _of_that_name(ref: Any) -> Any:
    """The variable of a graph whose own tensor `ref` is, as `graph.get_tensor_by_name("w:0")` gives it; else None."""
    if tf.executing_eagerly() or not tf.is_tensor(ref) or not hasattr(ref, "op"):
        return None
    variables = getattr(ref.graph, "variables_by_handle", {}).values()
    return next((variable for variable in variables if variable.op is ref.op), None)


def behind(ref: Any) -> Any:
    """A context in which operations wait for the update whose result ``ref`` is."""
    return tf.control_dependencies([] if isinstance(ref, tf.Variable) else [ref])
