"""The layer that hands back the input of the call before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

__all__ = ["PreviousInput"]


@tf.keras.utils.register_keras_serializable("compat")
class PreviousInput(tf.keras.layers.Layer):  # type: ignore[misc]
    """Hands back the input of the call before, and keeps this one for the next.

    A network that compares each image with its predecessor is so given each image once. In TF 1.15 that took a
    variable, a `placeholder_with_default`, a second variable to hold the new image and two runs of the session to move
    it over; here one call reads what is kept and then replaces it, in a `tf.function` and a SavedModel too.

    Each row of a batch is followed by itself: row i comes back with row i of the batch before. Inputs that come in
    turns from several sources, each of a batch size of its own, are kept apart by `streams`. What is kept is state and
    no weight: no gradient flows into the call before, and `weights` does not list it; checkpoints, SavedModels and
    `.keras` files hold it.

    Args:
      initial_value: what the first call gives, broadcast to the shape of its input; None is the type's zero.
      shape: the shape of an input, None for sizes that change from call to call. By default that of the first
        input, with any batch size; inputs that a Keras model gives leave unknown what the model leaves unknown.
      streams: how many sources there are.
      dtype: type of the inputs; by default that of an `initial_value` that has one, else Keras's `floatx()`.
        Floating-point inputs are cast to it, as Keras layers do.
      **kwargs: of `tf.keras.layers.Layer`.

    Raises:
      TypeError: an input has another type.
      ValueError: an input has another shape than `shape`, or `stream` is not below `streams`. Where either is known
        only when the operations run, it is `tf.errors.InvalidArgumentError`.

    Example:
      >>> previous = PreviousInput(0, dtype="uint8")
      >>> [int(previous(tf.constant(value, tf.uint8))) for value in (42, 50, 55)]
      [0, 42, 50]
      >>> previous.reset()
      >>> int(previous(tf.constant(13, tf.uint8)))
      0
    """

    def __init__(
        self,
        initial_value: Any = None,
        shape: Sequence[int | None] | None = None,
        streams: int = 1,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        if streams < 1:
            raise ValueError(f"PreviousInput: streams is {streams}, but there has to be one at least")
        if dtype is None:
            dtype = getattr(initial_value, "dtype", None) or tf.keras.config.floatx()
        super().__init__(dtype=tf.as_dtype(dtype).name, **kwargs)
        self.initial_value = initial_value
        self.streams = streams
        # A plain tuple would be kept as a tracked list.
        self._given_shape = None if shape is None else tf.TensorShape(shape)
        self._kept_shape = self._given_shape
        # XLA cannot compile what reads a variable of unknown shape; Keras's `fit` asks.
        self.supports_jit = False

    def build(self, inputs_shape: Any, stream_shape: Any = None) -> None:
        if self._kept_shape is None:
            sizes = tf.TensorShape(inputs_shape)
            self._kept_shape = tf.TensorShape([None]).concatenate(sizes[1:]) if sizes.rank else sizes
        with tf.init_scope():
            for number in range(self.streams):
                setattr(self, f"stream_{number}", _Stream(self._kept_shape, tf.as_dtype(self.dtype)))
        self.built = True

    def call(self, inputs: Any, stream: Any = 0) -> Any:
        """Gives the input of the call before.

        Args:
          inputs: a tensor.
          stream: the number of the source that it comes from: an int, or an integer tensor of one element.
        """
        inputs = self._checked(inputs)
        kept = self._streams()
        if not tf.is_tensor(stream):
            if not 0 <= stream < self.streams:
                raise ValueError(f"PreviousInput: stream {stream} is not one of {self.streams}")
            previous = kept[stream].exchange(inputs, self._first)
        else:
            number = tf.cast(tf.reshape(stream, []), tf.int32)
            with tf.control_dependencies(
                [tf.debugging.assert_non_negative(number), tf.debugging.assert_less(number, self.streams)]
            ):
                branches = [lambda one=one: one.exchange(inputs, self._first) for one in kept]
                previous = tf.switch_case(number, branches)
        previous.set_shape(self._kept_shape)
        return previous

    def reset(self, stream: int | None = None) -> None:
        """Forgets: the next call gives the initial value again.

        Args:
          stream: the number of the source to forget; None forgets all.
        """
        if not self.built:
            return
        for kept in self._streams() if stream is None else [self._streams()[stream]]:
            kept.seen.assign(False)

    def compute_output_shape(self, inputs_shape: Any, stream_shape: Any = None) -> tuple[int | None, ...]:
        return tuple((self._kept_shape or tf.TensorShape(inputs_shape)).as_list())

    def compute_output_spec(self, inputs: Any, stream: Any = 0) -> Any:
        self._check_dtype(inputs)
        return tf.keras.KerasTensor(self.compute_output_shape(inputs.shape), dtype=self.dtype)

    def get_config(self) -> dict[str, Any]:
        value = self.initial_value
        return {
            **super().get_config(),
            "initial_value": value if isinstance(value, bool | int | float | str | None) else np.asarray(value),
            "shape": None if self._given_shape is None else self._given_shape.as_list(),
            "streams": self.streams,
            "dtype": self.dtype,
        }

    def save_own_variables(self, store: Any) -> None:
        for number, kept in enumerate(self._streams() if self.built else ()):
            store[f"seen_{number}"] = kept.seen.numpy()
            store[f"previous_{number}"] = kept.previous.numpy()

    def load_own_variables(self, store: Any) -> None:
        for number, kept in enumerate(self._streams()):
            kept.seen.assign(bool(np.asarray(store[f"seen_{number}"])))
            kept.previous.assign(np.asarray(store[f"previous_{number}"]))

    def _streams(self) -> list[_Stream]:
        return [getattr(self, f"stream_{number}") for number in range(self.streams)]

    def _first(self, inputs: Any) -> Any:
        if self.initial_value is None:
            return tf.zeros(tf.shape(inputs), self.dtype)
        return tf.broadcast_to(tf.convert_to_tensor(self.initial_value, self.dtype), tf.shape(inputs))

    def _checked(self, inputs: Any) -> Any:
        if not tf.is_tensor(inputs):
            inputs = tf.convert_to_tensor(inputs, self.dtype)
        self._check_dtype(inputs)
        if not inputs.shape.is_compatible_with(self._kept_shape):
            raise ValueError(
                f"PreviousInput keeps inputs of shape {self._kept_shape}, but got {inputs.shape}: "
                "give `shape` with None for each size that changes"
            )
        return tf.ensure_shape(inputs, self._kept_shape)

    def _check_dtype(self, inputs: Any) -> None:
        got = tf.as_dtype(inputs.dtype).name
        if got != self.dtype:
            raise TypeError(f"PreviousInput keeps {self.dtype}, but got {got}: give dtype={got!r}")


class _Stream(tf.Module):  # type: ignore[misc]
    """What is kept of one source: its last input, and whether there was one."""

    def __init__(self, shape: Any, dtype: Any) -> None:
        super().__init__()
        empty = tf.zeros([size or 0 for size in shape], dtype)
        self.previous = tf.Variable(empty, trainable=False, shape=shape, name="previous")
        self.seen = tf.Variable(False, trainable=False, name="seen")

    def exchange(self, inputs: Any, first: Callable[[Any], Any]) -> Any:
        """The kept input, or `first(inputs)` where there is none; `inputs` is kept in its place."""
        previous = tf.cond(self.seen, self.previous.read_value, lambda: first(inputs))
        # Written out, for a graph that is run in parts has no automatic dependencies.
        with tf.control_dependencies([previous]):
            updates = [self.previous.assign(inputs, read_value=False), self.seen.assign(True, read_value=False)]
        with tf.control_dependencies(updates):
            return tf.identity(previous)
