"""`tf.estimator.export` of TF 1.15: what a served model takes and gives."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from typing import Any, NamedTuple

import tensorflow as tf

from ..bridge.graph import Graph
from ..bridge.placeholders import placeholder
from ..lookup import tables_initializer
from ..variables import GraphKeys, get_collection

_DEFAULT_SIGNATURE = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


class ServingInputReceiver(NamedTuple):
    """Features made from what a request holds; `tf.estimator.export.ServingInputReceiver` of TF 1.15.

    Attributes:
      features: what the `model_fn` is called with.
      receiver_tensors: a placeholder, or a dictionary of placeholders, that requests feed.
      receiver_tensors_alternatives: other sets of placeholders; not exported.
    """

    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any = None


class ExportOutput:
    """The results of one signature, by name."""

    def __init__(self, outputs: Any, default: str) -> None:
        self.outputs: dict[str, tf.Tensor] = dict(outputs) if isinstance(outputs, Mapping) else {default: outputs}


class PredictOutput(ExportOutput):
    """Any tensors; `tf.estimator.export.PredictOutput` of TF 1.15."""

    def __init__(self, outputs: Any) -> None:
        super().__init__(outputs, "output")


class RegressionOutput(ExportOutput):
    """A value a row; `tf.estimator.export.RegressionOutput` of TF 1.15."""

    def __init__(self, value: tf.Tensor) -> None:
        super().__init__(value, "outputs")
        self.value = value


class ClassificationOutput(ExportOutput):
    """Scores, classes or both; `tf.estimator.export.ClassificationOutput` of TF 1.15."""

    def __init__(self, scores: tf.Tensor | None = None, classes: tf.Tensor | None = None) -> None:
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        given = {"scores": scores, "classes": classes}
        super().__init__({name: tensor for name, tensor in given.items() if tensor is not None}, "outputs")
        self.scores, self.classes = scores, classes


def build_raw_serving_input_receiver_fn(
    features: Mapping[str, tf.Tensor], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A receiver of the features themselves; the same name in `tf.estimator.export` of TF 1.15."""

    def receive() -> ServingInputReceiver:
        received = {
            name: placeholder(tensor.dtype, [default_batch_size, *tensor.shape.as_list()[1:]], name=name)
            for name, tensor in features.items()
        }
        return ServingInputReceiver(received, received)

    return receive


def build_parsing_serving_input_receiver_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A receiver of serialized `tf.train.Example`s; the same name in `tf.estimator.export` of TF 1.15."""

    def receive() -> ServingInputReceiver:
        examples = placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(tf.io.parse_example(examples, feature_spec), {"examples": examples})

    return receive


def signatures(export_outputs: Mapping[str, ExportOutput] | None, predictions: Any) -> dict[str, ExportOutput]:
    """The signatures to save: what the `model_fn` exports, one of them the default.

    Raises:
      ValueError: there are several and none is called `serving_default`.
    """
    outputs = dict(export_outputs) if export_outputs else {_DEFAULT_SIGNATURE: PredictOutput(predictions)}
    if _DEFAULT_SIGNATURE not in outputs:
        if len(outputs) > 1:
            raise ValueError(f"Multiple export_outputs were provided, but none of them is named {_DEFAULT_SIGNATURE}.")
        outputs[_DEFAULT_SIGNATURE] = next(iter(outputs.values()))
    return outputs


def start_of_tables() -> tf.Tensor | None:
    """A tensor of the current graph that is true once its tables hold their contents; None where it has no tables."""
    if not get_collection(GraphKeys.TABLE_INITIALIZERS):
        return None
    with tf.control_dependencies([tables_initializer()]):
        return tf.constant(True)


class _Start(tf.saved_model.experimental.TrackableResource):
    """Has functions called whenever the model is loaded: TF2 calls what initializes a resource."""

    def __init__(self, functions: Sequence[Any]) -> None:
        super().__init__()
        self._functions = functions

    def _create_resource(self) -> tf.Tensor:
        return tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64)

    def _initialize(self) -> None:
        for function in self._functions:
            function()


def save(
    folder: str, graph: Graph, functions: Mapping[str, Any], starts: Sequence[Any], extras: Mapping[str, str]
) -> None:
    """Writes a SavedModel.

    Args:
      folder: where to.
      graph: the graph that owns the variables.
      functions: signature name -> `tf.function`.
      starts: functions to call when the model is loaded.
      extras: path below `assets.extra` -> file to copy there.
    """
    module = tf.Module()
    module.graph_variables = list(graph.variables_by_handle.values())
    module.functions = dict(functions)
    if starts:
        module.start = _Start(starts)

    def write() -> None:
        tf.saved_model.save(module, folder, signatures={k: f.get_concrete_function() for k, f in functions.items()})

    # A checkpoint may be exported while another graph is open, where TensorFlow does not save; new threads have none.
    with futures.ThreadPoolExecutor(1) as outside:
        outside.submit(write).result()
    for name, source in extras.items():
        target = os.path.join(folder, "assets.extra", name)
        tf.io.gfile.makedirs(os.path.dirname(target))
        tf.io.gfile.copy(source, target, overwrite=True)
