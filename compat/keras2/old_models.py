"""What a compiled model of Keras 2.2 had: a placeholder for the weights of examples, always, and its inner names.

TF 1.15's own Keras, and `tf_keras`, make that placeholder where weights are given, and build the updates of training
anew: an optimizer of Keras 2.2 loses its moments there. Programs that read gradients of a loss feed it, beside
`model.targets`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.engine import (
    base_layer_v1,
    functional,
    input_spec,
    sequential,
    training_arrays_v1,
    training_generator_v1,
    training_utils_v1,
    training_v1,
)

from .old_training import metrics_updates, stateful_metrics

__all__ = ["accept"]


class _Mode:
    """How an output's examples are weighted: each by one number, where nothing else is said."""

    def __get__(self, endpoint: Any, owner: type | None = None) -> str | None:
        if endpoint is None or endpoint.should_skip_target_weights():
            return None
        return endpoint._sample_weight_mode or "samplewise"

    def __set__(self, endpoint: Any, mode: str | None) -> None:
        endpoint._sample_weight_mode = mode


def _ones(standardize: Callable[..., Any]) -> Callable[..., Any]:
    """The weights of a batch's examples: ones, where none are given."""

    @functools.wraps(standardize)
    def standardized(y: Any, sample_weight: Any = None, class_weight: Any = None, mode: Any = None) -> Any:
        found = standardize(y, sample_weight, class_weight, mode)
        if found is not None or mode is None or not isinstance(y, np.ndarray):
            return found
        return np.ones(y.shape[: 2 if mode == "temporal" else 1], dtype=backend.floatx())

    return standardized


def _uses_learning_phase(tensor: Any) -> bool:
    """Whether a tensor depends on the placeholder that says whether a model is being trained."""
    phase = backend.symbolic_learning_phase()
    if isinstance(phase, int):
        return False
    waiting, seen = [tensor], set()
    while waiting:
        found = waiting.pop()
        if found is phase:
            return True
        for each in found.op.inputs:
            if id(each) not in seen:
                seen.add(id(each))
                waiting.append(each)
    return False


def _of_tensor(name: str, compute: Callable[[Any], Any]) -> property:
    """What every tensor of Keras had by an attribute; a program may set it."""
    kept = f"_keras2{name}"

    def get(self: Any) -> Any:
        if kept in vars(self):
            return vars(self)[kept]
        if not hasattr(self, "_keras_history"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return compute(self)

    def put(self: Any, value: Any) -> None:
        vars(self)[kept] = value

    return property(get, put)


def _give(callbacks: Any, model: Any, arrays: list[Any]) -> None:
    """Lets callbacks see what validates: inputs, targets, weights, and the phase of a model that asks for it."""
    phase = [0.0] if arrays and model.uses_learning_phase else []
    for callback in callbacks if isinstance(callbacks, list | tuple) else [callbacks]:
        if callback is not None:
            callback.validation_data = [*arrays, *phase]


def _fit_arrays(fit: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fit)
    def fitted(model: Any, *args: Any, callbacks: Any = None, **kwargs: Any) -> Any:
        parts = (kwargs.get(f"val_{part}") for part in ("inputs", "targets", "sample_weights"))
        _give(callbacks, model, [array for part in parts if part is not None for array in tf.nest.flatten(part)])
        return fit(model, *args, callbacks=callbacks, **kwargs)

    return fitted


def _fit_generator(fit: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fit)
    def fitted(model: Any, *args: Any, callbacks: Any = None, validation_data: Any = None, **kwargs: Any) -> Any:
        if isinstance(validation_data, list | tuple):
            standard = model._standardize_user_data(*validation_data[:2], sample_weight=[*validation_data, None][2])
            _give(callbacks, model, [array for part in standard[:3] for array in part])
        return fit(model, *args, callbacks=callbacks, validation_data=validation_data, **kwargs)

    return fitted


def _check_input(self: Any, inputs: Any) -> None:
    """Raises where inputs are not what the layer takes."""
    input_spec.assert_input_compatibility(self.input_spec, inputs, self.name)


def _metrics_tensors(self: Any) -> list[Any]:
    """The values of the metrics of a batch, in the order of `metrics_names`, without the loss."""
    return [metric._call_result for metric in self._get_training_eval_metrics()]


_MODEL: dict[str, Callable[[Any], Any]] = {
    "metrics_tensors": _metrics_tensors,
    "metrics_updates": metrics_updates,
    "sample_weight_modes": lambda self: [endpoint._sample_weight_mode for endpoint in self._training_endpoints],
    "stateful_metric_functions": lambda self: [metric.layer for metric in stateful_metrics(self)],
    "stateful_metric_names": lambda self: [metric.name for metric in stateful_metrics(self)],
    "targets": lambda self: self._targets,
    "uses_learning_phase": lambda self: any(map(_uses_learning_phase, self.outputs)),
}


def _once(call: Callable[..., Any]) -> Callable[..., Any]:
    """`Model.call`, which gives what it gave where it is called on the same tensors again."""

    @functools.wraps(call)
    def called(self: Any, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        given = [*tf.nest.flatten(inputs), *tf.nest.flatten(mask), training]
        known = self._output_tensor_cache
        key = tuple(map(id, given))
        if key not in known:
            known[key] = given, call(self, inputs, training=training, mask=mask)
        return known[key][1]

    return called


def _layers(layers: property) -> property:
    """The layers of a network as the list that it has: a program takes layers out of it."""

    def found(self: Any) -> Any:
        is_network = self._is_graph_network and not isinstance(self, sequential.Sequential)
        return self._self_tracked_trackables if is_network else layers.fget(self)

    return property(found)


def _nodes(name: str) -> property:
    """The calls of a layer, by a name that a program may give another meaning, which Keras does not look at."""

    def get(self: Any) -> Any:
        return vars(self).get(f"_keras2_{name}", getattr(self, f"_{name}"))

    def put(self: Any, nodes: Any) -> None:
        vars(self)[f"_keras2_{name}"] = nodes

    return property(get, put)


def accept() -> None:
    """Has models and their tensors have these names, and weights of examples, from now on in this process."""
    training_v1._TrainingEndpoint.sample_weight_mode = _Mode()
    training_utils_v1.standardize_weights = _ones(training_utils_v1.standardize_weights)
    training_arrays_v1.fit_loop = _fit_arrays(training_arrays_v1.fit_loop)
    training_generator_v1.fit_generator = _fit_generator(training_generator_v1.fit_generator)
    for name, compute in _MODEL.items():
        setattr(training_v1.Model, name, property(compute))
    functional.Functional.call = _once(functional.Functional.call)
    functional.Functional.layers = _layers(functional.Functional.layers)
    for name in ("inbound_nodes", "outbound_nodes"):
        setattr(base_layer_v1.Layer, name, _nodes(name))
    sequential.Sequential.model = property(lambda self: self)
    base_layer_v1.Layer.assert_input_compatibility = _check_input
    tf.Tensor._keras_shape = _of_tensor("_keras_shape", backend.int_shape)
    tf.Tensor._uses_learning_phase = _of_tensor("_uses_learning_phase", _uses_learning_phase)
