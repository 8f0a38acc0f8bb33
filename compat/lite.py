"""`tf.lite` of TF 1.15: the converter that takes a session, a frozen graph or a Keras file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .bridge import Graph, Session, v1
from .graph_util import convert_variables_to_constants

__all__ = ["TFLiteConverter", "TocoConverter"]


class TFLiteConverter(v1.TFLiteConverter):  # type: ignore[misc]
    """Writes a graph as a TensorFlow Lite model; stands for `tf.lite.TFLiteConverter` of TF 1.15.

    Example:
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     x = compat.placeholder(tf.float32, [1, 2], name="x")
      ...     doubled = tf.multiply(x, compat.Variable(2.0), name="doubled")
      ...     session.run(compat.global_variables_initializer())
      ...     content = TFLiteConverter.from_session(session, [x], [doubled]).convert()
      >>> content[4:8]
      b'TFL3'
    """

    @classmethod
    def from_session(cls, sess: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any]) -> Any:
        """A converter of the part of a session's graph that the outputs need, with the values of its variables."""
        names = [tensor.op.name for tensor in output_tensors]
        frozen = convert_variables_to_constants(sess, sess.graph.as_graph_def(add_shapes=True), names)
        return cls(frozen, input_tensors, output_tensors)

    @classmethod
    def from_keras_model_file(
        cls,
        model_file: str,
        input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Sequence[int]] | None = None,
        output_arrays: Sequence[str] | None = None,
        custom_objects: Mapping[str, Any] | None = None,
    ) -> Any:
        """A converter of a model that Keras 2 saved to a file, as it predicts.

        Args:
          model_file: the HDF5 file.
          input_arrays: names of tensors or operations to begin with; the model's inputs by default.
          input_shapes: shapes by such names, for inputs whose shape is not known in full.
          output_arrays: names of tensors or operations to end with; the model's outputs by default.
          custom_objects: what the file names and Keras does not know.
        """
        from . import keras2

        with Graph().as_default() as graph, Session() as session:
            keras2.backend.set_learning_phase(False)
            model = keras2.models.load_model(model_file, custom_objects)
            inputs = _named(graph, input_arrays) or model.inputs
            outputs = _named(graph, output_arrays) or model.outputs
            for name, shape in (input_shapes or {}).items():
                _named(graph, [name])[0].set_shape(shape)
            return cls.from_session(session, inputs, outputs)


TocoConverter = TFLiteConverter
"""The name that TF 1.15 had left of it."""


def _named(graph: Graph, names: Sequence[str] | None) -> list[Any]:
    return [graph.get_tensor_by_name(name if ":" in name else f"{name}:0") for name in names or ()]
