"""A variable's initial value, before it is decided where it is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .tracing import lift, outermost_trace


class InitialValue:
    """The initial value of a variable: a tensor-like, or a function without arguments that makes one.

    Args:
        value: the value or the function.
        shape: the shape, where it is known before the value.
        dtype: the dtype, where it is known before the value; a tensor-like is converted to it.
        seeded: whether the value is drawn with an op seed of its own, and so must start that op's sequence.

    Attributes:
        value, shape, dtype: as given.
    """

    def __init__(
        self,
        value: Any,
        shape: tf.TensorShape | None = None,
        dtype: tf.DType | None = None,
        *,
        seeded: bool = False,
    ) -> None:
        self.value = value
        self.shape = shape
        self.dtype = dtype
        self._seeded = seeded
        self._lifted: Callable[[], Any] | None = None

    def produce(self) -> Any:
        """Makes the value as a tensor of whatever context is current: eager, a trace or a graph."""
        value = self.value() if callable(self.value) else self.value
        return tf.convert_to_tensor(value, self.dtype)

    def compute(self) -> Any:
        """Makes the value as an eager tensor, from inside a trace too.

        Raises:
            ValueError: the value was given as a tensor that depends on the arguments of the function being traced.
        """
        if self._lifted is None and self._is_symbolic():
            self._lifted = lift(self.value)
            self.shape, self.dtype = self._known_shape(), self._known_dtype()
            self.value = None  # or the trace that it comes from would live as long as the variable
        with tf.init_scope():
            if self._lifted is not None:
                return self._cast(self._lifted())
            if self._seeded:
                # The eager kernel of a seeded op goes on with its sequence; in a new function it starts, as in TF1.
                return tf.function(self.produce, autograph=False)()
            return self.produce()

    def check_against(self, variable: tf.Variable, name: str) -> None:
        """Checks that an existing variable can stand for one with this initial value.

        Raises:
            ValueError: shape or dtype differ.
        """
        shape, dtype = self._known_shape(), self._known_dtype()
        if shape is not None and not shape.is_compatible_with(variable.shape):
            raise ValueError(
                f"Trying to share variable {name}, but specified shape {shape} and found shape {variable.shape}."
            )
        if dtype is not None and dtype != variable.dtype:
            raise ValueError(
                f"Trying to share variable {name}, but specified dtype {dtype.name} "
                f"and found dtype {variable.dtype.name}."
            )

    def _is_symbolic(self) -> bool:
        return outermost_trace() is not None and tf.is_symbolic_tensor(self.value)

    def _cast(self, value: Any) -> Any:
        return value if self.dtype is None else tf.convert_to_tensor(value, self.dtype)

    def _known_shape(self) -> tf.TensorShape | None:
        if self.shape is not None or callable(self.value):
            return self.shape
        shape = getattr(self.value, "shape", None)
        return tf.TensorShape(shape) if shape is not None else None

    def _known_dtype(self) -> tf.DType | None:
        if self.dtype is not None or callable(self.value):
            return self.dtype
        dtype = getattr(self.value, "dtype", None)
        return tf.as_dtype(dtype) if dtype is not None else None
