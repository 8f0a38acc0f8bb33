"""Signatures: which tensors a use of a SavedModel feeds and fetches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf
from tensorflow.core.protobuf import meta_graph_pb2

from . import signature_constants as names
from .utils import build_tensor_info


def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """A `SignatureDef` of `TensorInfo`s; stands for `tf.saved_model.build_signature_def`."""
    signature = meta_graph_pb2.SignatureDef()
    for key, info in (inputs or {}).items():
        signature.inputs[key].CopyFrom(info)
    for key, info in (outputs or {}).items():
        signature.outputs[key].CopyFrom(info)
    if method_name is not None:
        signature.method_name = method_name
    return signature


def predict_signature_def(inputs: Mapping[str, tf.Tensor], outputs: Mapping[str, tf.Tensor]) -> Any:
    """A signature for prediction, from tensors; stands for `tf.saved_model.predict_signature_def`.

    Raises:
      ValueError: no inputs or no outputs.
    """
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    fed = {key: build_tensor_info(tensor) for key, tensor in inputs.items()}
    fetched = {key: build_tensor_info(tensor) for key, tensor in outputs.items()}
    return build_signature_def(fed, fetched, names.PREDICT_METHOD_NAME)


def regression_signature_def(examples: tf.Tensor, predictions: tf.Tensor) -> Any:
    """A signature from serialized examples to numbers; stands for `tf.saved_model.regression_signature_def`.

    Raises:
      ValueError: something is None, or not of type string and float32.
    """
    _demand(("Regression examples", examples, tf.string), ("Regression predictions", predictions, tf.float32))
    return build_signature_def(
        {names.REGRESS_INPUTS: build_tensor_info(examples)},
        {names.REGRESS_OUTPUTS: build_tensor_info(predictions)},
        names.REGRESS_METHOD_NAME,
    )


def classification_signature_def(examples: tf.Tensor, classes: tf.Tensor | None, scores: tf.Tensor | None) -> Any:
    """A signature from serialized examples to classes; stands for `tf.saved_model.classification_signature_def`.

    Raises:
      ValueError: both outputs are None, or something is of another type.
    """
    _demand(("Classification examples", examples, tf.string))
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    outputs = {}
    if classes is not None:
        _demand(("Classification classes", classes, tf.string))
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = build_tensor_info(classes)
    if scores is not None:
        _demand(("Classification scores", scores, tf.float32))
        outputs[names.CLASSIFY_OUTPUT_SCORES] = build_tensor_info(scores)
    inputs = {names.CLASSIFY_INPUTS: build_tensor_info(examples)}
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def _demand(*checks: tuple[str, Any, tf.DType]) -> None:
    for what, tensor, dtype in checks:
        if tensor is None:
            raise ValueError(f"{what} cannot be None.")
        if tensor.dtype != dtype:
            raise ValueError(f"{what} must be of type {dtype.name}, not {tensor.dtype.name}.")


def is_valid_signature(signature_def: Any) -> bool:
    """Whether a signature can be served: its method, and the names its method asks for."""
    if signature_def is None or not signature_def.inputs or not signature_def.outputs:
        return False
    inputs, outputs = set(signature_def.inputs), set(signature_def.outputs)
    if signature_def.method_name == names.PREDICT_METHOD_NAME:
        return True
    if signature_def.method_name == names.REGRESS_METHOD_NAME:
        return inputs == {names.REGRESS_INPUTS} and outputs == {names.REGRESS_OUTPUTS}
    if signature_def.method_name == names.CLASSIFY_METHOD_NAME:
        allowed = {names.CLASSIFY_OUTPUT_CLASSES, names.CLASSIFY_OUTPUT_SCORES}
        return inputs == {names.CLASSIFY_INPUTS} and outputs <= allowed
    return False
