"""Printing a tensor from inside of a Keras model."""

from __future__ import annotations

import sys
from typing import Any

import tensorflow as tf

__all__ = ["PrintTensor", "print_tensor"]

_STREAMS = ("stderr", "stdout")


@tf.keras.utils.register_keras_serializable("compat")
class PrintTensor(tf.keras.layers.Layer):  # type: ignore[misc]
    """Prints its input each time that the model runs, and hands it on unchanged.

    Keras's symbolic tensors take neither `print`, which speaks once while the model is built, nor `tf.print`, which
    refuses them. The layer stands for `tf.Print` of TF 1.15. It keeps Keras from compiling the model with XLA, which
    cannot print.

    Args:
      message: what is printed before the tensor.
      summarize: how many elements of each dimension's beginning and end are printed; -1 prints all.
      output_stream: "stderr", "stdout", or "file://" and a path, to which is appended.
      **kwargs: of `tf.keras.layers.Layer`.

    Raises:
      ValueError: `output_stream` is something else.

    Example:
      >>> x = tf.keras.Input([2])
      >>> y = tf.keras.layers.Rescaling(2.0)(PrintTensor("x:", output_stream="stdout")(x))
      >>> tf.keras.Model(x, y)(tf.constant([[1.0, 2.0]])).numpy()     # prints x: [[1 2]]
      array([[2., 4.]], dtype=float32)
    """

    def __init__(self, message: str = "", summarize: int = 3, output_stream: str = "stderr", **kwargs: Any) -> None:
        if output_stream not in _STREAMS and not output_stream.startswith("file://"):
            raise ValueError(f"output_stream must be stderr, stdout or file://..., but is {output_stream!r}")
        super().__init__(**{"autocast": False, **kwargs})
        self.message = message
        self.summarize = summarize
        self.output_stream = output_stream
        self.supports_jit = False

    def call(self, inputs: Any) -> Any:
        return _printed(inputs, self.message, self.summarize, self.output_stream)

    def compute_output_shape(self, inputs_shape: Any) -> Any:
        return inputs_shape

    def compute_output_spec(self, inputs: Any) -> Any:
        return tf.keras.KerasTensor(inputs.shape, dtype=inputs.dtype)

    def get_config(self) -> dict[str, Any]:
        config = {"message": self.message, "summarize": self.summarize, "output_stream": self.output_stream}
        return {**super().get_config(), **config}


def print_tensor(x: Any, message: str = "", summarize: int = 3, output_stream: str = "stderr") -> Any:
    """`x` itself, printed each time that it is computed: a symbolic Keras tensor, or any other tensor.

    The printing belongs to what is returned: in a graph that is run in parts nothing is printed without it.

    Args:
      x: what is printed.
      message, summarize, output_stream: as for `PrintTensor`.

    Example:
      >>> print_tensor(tf.range(9), "counted:", output_stream="stdout").shape     # prints counted: [0 1 2 ... 6 7 8]
      TensorShape([9])
    """
    layer = PrintTensor(message, summarize, output_stream)
    return layer(x) if isinstance(x, tf.keras.KerasTensor) else layer.call(tf.convert_to_tensor(x))


def _printed(inputs: Any, message: str, summarize: int, output_stream: str) -> Any:
    stream = getattr(sys, output_stream) if output_stream in _STREAMS else output_stream
    words = [message, inputs] if message else [inputs]
    printing = tf.print(*words, summarize=summarize, output_stream=stream)
    with tf.control_dependencies([] if printing is None else [printing]):
        return tf.identity(inputs)
