"""`model_to_estimator` of TF 1.15: a compiled Keras model as an Estimator of `compat`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.models import cloning

from .. import bridge, train
from ..estimator import Estimator, EstimatorSpec, ModeKeys, RunConfig
from ..estimator.export import PredictOutput
from ..random import set_random_seed
from ..variables import GraphKeys, add_to_collection, get_collection

__all__ = ["model_to_estimator"]

_SERVING = "serving_default"


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    model_dir: str | None = None,
    config: RunConfig | None = None,
    checkpoint_format: str = "saver",
) -> Estimator:
    """An Estimator of a compiled Keras model, which begins with the model's weights; as in TF 1.15.

    Args:
      keras_model: a compiled `Sequential` or functional model.
      keras_model_path: where `save()` wrote such a model, in the place of `keras_model`.
      custom_objects: name -> what the model has in it that is not Keras's own.
      model_dir: where checkpoints go; the model's weights are in `keras/keras_model.ckpt` there.
      config: a `RunConfig`.
      checkpoint_format: "saver", checkpoints by name.

    Raises:
      ValueError: neither or both of model and path are given, or the model is not compiled.
      NotImplementedError: a subclassed model, or checkpoints by object.
    """
    if (keras_model is None) == (keras_model_path is None):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided, and not both.")
    if checkpoint_format not in (None, "saver"):
        raise NotImplementedError("model_to_estimator writes checkpoints by name: leave checkpoint_format out")
    if keras_model is None:
        from tf_keras.api._v1.keras import models

        keras_model = models.load_model(keras_model_path, custom_objects)
    if not getattr(keras_model, "optimizer", None):
        raise ValueError("The given keras model has not been compiled yet.")
    if not keras_model._is_graph_network:
        raise NotImplementedError("model_to_estimator of a subclassed model: give its layers to a functional one")
    config = config or RunConfig()
    folder = model_dir or config.model_dir or tempfile.mkdtemp()
    config = config if config.model_dir == folder else config.replace(model_dir=folder)
    model_fn = _model_fn(keras_model, custom_objects)
    return Estimator(model_fn, config=config, warm_start_from=_first_checkpoint(keras_model, custom_objects, config))


def _optimizer_config(model: Any) -> Any:
    try:
        return model.optimizer.get_config()
    except (NotImplementedError, AttributeError):
        return None  # an optimizer of `compat.train` has none


def _built(
    model: Any, custom_objects: Any, mode: str, optimizer_config: Any, features: Any = None, labels: Any = None
) -> Any:
    """The model anew, in the graph that is being built."""
    backend.deprecated_internal_set_learning_phase(mode == ModeKeys.TRAIN)
    compiled = mode != ModeKeys.PREDICT
    step = train.get_or_create_global_step() if compiled else None
    if step is not None:
        backend.track_variable(step)
    return cloning.clone_and_build_model(
        model,
        _in_order(features, model.input_names),
        _in_order(labels, model.output_names) if compiled else None,
        custom_objects,
        compile_clone=compiled,
        optimizer_iterations=step,
        optimizer_config=optimizer_config,
    )


def _in_order(given: Any, names: list[str]) -> Any:
    """Features or labels as the list that Keras takes, by the names of the model's inputs or outputs."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        missing = sorted(set(names) - set(given))
        if missing:
            raise KeyError(f"the model has {names}, but {missing} were not given: {sorted(given)}")
        return [given[name] for name in names]
    return list(given) if isinstance(given, list | tuple) else [given]


def _model_fn(keras_model: Any, custom_objects: Any) -> Callable[..., EstimatorSpec]:
    optimizer_config = _optimizer_config(keras_model)

    def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
        model = _built(keras_model, custom_objects, mode, optimizer_config, features, labels)
        predictions = dict(zip(model.output_names, model.outputs, strict=True))
        loss = train_op = metrics = None
        if mode == ModeKeys.TRAIN:
            model._make_train_function()
            loss, train_op = model.total_loss, model.train_function.updates_op
        elif mode == ModeKeys.EVAL:
            model._make_test_function()
            loss, metrics = model.total_loss, _metric_ops(model)
        outputs = {_SERVING: PredictOutput(predictions)}
        return EstimatorSpec(
            mode, predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics, export_outputs=outputs
        )

    return model_fn


def _metric_ops(model: Any) -> dict[str, Any]:
    """The model's metrics as pairs of a value and an update; their variables begin anew at each evaluation."""
    found = {}
    for metric in model._compile_metric_functions:
        found[metric.name] = (metric.result(), tf.group(*metric.updates))
        local = {id(variable) for variable in get_collection(GraphKeys.LOCAL_VARIABLES)}
        for variable in metric.variables:
            if id(variable) not in local:
                add_to_collection(GraphKeys.LOCAL_VARIABLES, variable)
    return found


def _first_checkpoint(model: Any, custom_objects: Any, config: RunConfig) -> str:
    """The path of the checkpoint that holds the model's weights; training begins with it."""
    folder = os.path.join(str(config.model_dir), "keras")
    found = train.latest_checkpoint(folder)
    if found:
        return str(found)
    weights, optimizer_config = model.get_weights(), _optimizer_config(model)
    os.makedirs(folder, exist_ok=True)
    with bridge.Graph().as_default():
        set_random_seed(config.tf_random_seed)
        train.get_or_create_global_step()
        clone = _built(model, custom_objects, ModeKeys.TRAIN, optimizer_config)
        clone._make_train_function()
        with bridge.Session(config=config.session_config) as session:
            clone.set_weights(weights)
            backend.get_session()
            return str(train.Saver().save(session, os.path.join(folder, "keras_model.ckpt")))
