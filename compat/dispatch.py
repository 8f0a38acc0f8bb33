"""Calls of a `tf.function` that cost no more than `Session.run` did.

In TensorFlow 2.21 a call of a `tf.function` spends a quarter of a millisecond in Python before the first operation
runs: it binds and casts its arguments three times, and looks up which of its graphs they ask for. A session's run took
half of that. Steps of a millisecond, those of small networks, get slower by it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import tensorflow as tf

from .casting import cast, numbers, require_held
from .private import record

F = TypeVar("F")

_PYTHON = (bool, int, float, list, tuple, range)
_NUMBERS = "biuf"
"""The kinds of arrays that hold real numbers and truth values."""

_Function: Any = type(tf.function(lambda: None))


def fast_dispatch(function: F) -> F:
    """Lets a `tf.function` that has but one graph be called without looking that up; a decorator above its own.

    It computes what it computed, with the same operations and the same state; only calls get faster, and are no events
    of their own in a profile. The first one traces, as ever. Where sizes of parameters are unknown and no operation
    keeps a state of its own (random numbers do), gradients are simplified as those of a session were. Calls that may
    need more than the graph take TensorFlow's way: inside of another function, under a gradient tape, under a
    distribution strategy, after ``tf.config.run_functions_eagerly(True)``, with arguments by name, and with arguments
    that the signature does not admit, for which TensorFlow says so.

    Numbers and lists of them are cast as a run of TF 1.x cast what it was fed: 2.5 is 2 where integers are asked for,
    and 1 is True for a truth value. A parameter that is a structure of tensors, as the state of a recurrent cell is,
    takes any structure of as many, in their order.

    Args:
      function: a ``tf.function`` with an ``input_signature`` of ``tf.TensorSpec``s and structures of them, or without
        parameters. Another one, or anything else, is called as it was.

    Raises:
      TypeError: when it is called: an argument is a Python integer that its parameter's type cannot hold.
      ValueError: when it is called: a structure holds more or fewer tensors than the parameter.

    Returns:
      `function` itself: it can be saved, and asked for its concrete function.

    Example:

    >>> @compat.fast_dispatch
    ... @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    ... def mean(x):
    ...     return tf.reduce_mean(x)
    >>> print(mean([1.0, 3.0]).numpy(), mean(np.array([1, 2, 6])).numpy())
    2.0 3.0
    """
    if type(function) is _Function:
        function.__class__ = _FastFunction
    return function


class _FastFunction(_Function):  # type: ignore[misc]
    """A `tf.function` that calls its graph through the eager runtime, because it knows that it has but one."""

    _graph: Any = None
    _signature: Any = None
    _specs: Sequence[Any] | None = None
    """The parts of its signature, None until the first call."""
    _nested = False
    """Whether a parameter is a structure."""
    _known = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._specs is None:
            self._read_signature()
        if self._nested:
            args, kwargs = inspect.signature(self.python_function).bind(*args, **kwargs).args, {}
            args = tuple(map(_packed, args, self._signature))
        if self._known and not kwargs and _is_plain():
            inputs = _inputs(_flat(args, self._signature) if self._nested else args, self._specs)
            if inputs is not None:
                if self._graph is None:
                    self._graph = _hide_shapes(self.get_concrete_function(), self._signature)
                # This is what a concrete function calls as well, once it knows that no tape is watching.
                return self._graph._inference_function.call_preflattened(inputs + self._graph.captured_inputs)
        return super().__call__(*args, **kwargs)

    def _read_signature(self) -> None:
        """Keeps what is known of the parameters: to ask for the signature takes longer than to read an array."""
        self._signature = self.input_signature
        self._nested = any(map(tf.nest.is_nested, self._signature or ()))
        self._specs = tf.nest.flatten(self._signature) if self._nested else self._signature or ()
        self._known = self._signature is not None and all(type(spec) is tf.TensorSpec for spec in self._specs)


def _hide_shapes(concrete: Any, specs: Sequence[tf.TensorSpec]) -> Any:
    """A graph that calls `concrete`, and to the optimizer shows no more of its parameters' shapes than a session did.

    Grappler takes each unknown size of a parameter for one of its own. It then keeps the sums over broadcast sizes in
    gradients, which it drops where it knows nothing of a shape, as of what was fed.
    """
    graph = concrete.graph
    shapes = [spec.shape for spec in tf.nest.flatten(specs)]
    if all(shape.rank is None or shape.is_fully_defined() for shape in shapes) or _keeps_state(graph):
        return concrete

    def hidden(*args: Any) -> Any:
        return concrete(*tf.nest.map_structure(_hide_shape, args))

    hidden.__name__ = graph.name
    return tf.function(hidden, input_signature=specs, autograph=False).get_concrete_function()


def _hide_shape(tensor: Any) -> Any:
    hidden = tf.raw_ops.PlaceholderWithDefault(input=tensor, shape=None)
    hidden.set_shape(tensor.shape)
    return hidden


def _keeps_state(graph: Any) -> bool:
    """Whether an operation may keep something in its kernel, as random generators do, so that one kernel must run it.

    Variables, tables, iterators and writers are resources: other kernels find them as they are.
    """
    return any(
        op.op_def.is_stateful
        and (
            all(each.dtype != tf.resource for each in op.inputs) or any("func" in attr.type for attr in op.op_def.attr)
        )
        for op in graph.get_operations()
    )


def _inputs(args: Sequence[Any], specs: Sequence[tf.TensorSpec]) -> list[Any] | None:
    """The tensors that a graph is given, or None where TensorFlow has to look at the arguments."""
    if len(args) != len(specs):
        return None
    tensors = []
    for arg, spec in zip(args, specs, strict=True):
        require_held(arg, spec.dtype)
        try:
            tensor = _tensor(arg, spec.dtype)
        except Exception:  # Whatever an argument raises when it is converted: TensorFlow meets it again, and tells.
            return None
        if not spec.shape.is_compatible_with(tensor.shape):
            return None
        tensors.append(tensor)
    return tensors


def _tensor(value: Any, dtype: tf.DType) -> Any:
    if type(value) is np.ndarray:
        # What `convert_to_tensor` does with an array, without looking for who might convert it.
        return tf.constant(value, dtype)
    try:
        return tf.convert_to_tensor(value, dtype)
    except (TypeError, ValueError):
        if not isinstance(value, _PYTHON) or numbers(value).dtype.kind not in _NUMBERS:
            raise
        return tf.constant(cast(value, dtype))


def _is_plain() -> bool:
    """Whether a call is made from eager code, and nothing but its result is wanted of it."""
    return (
        tf.executing_eagerly()
        and not tf.config.functions_run_eagerly()
        and not record.could_possibly_record()
        and not tf.distribute.has_strategy()
    )


def _packed(arg: Any, spec: Any) -> Any:
    """An argument in the structure of its parameter."""
    return tf.nest.pack_sequence_as(spec, tf.nest.flatten(arg)) if tf.nest.is_nested(spec) else arg


def _flat(args: Sequence[Any], signature: Sequence[Any]) -> list[Any]:
    """The arguments with the parts of structures in their places."""
    structures = (
        tf.nest.flatten(arg) if tf.nest.is_nested(spec) else [arg] for arg, spec in zip(args, signature, strict=False)
    )
    return [part for parts in structures for part in parts]
