"""How Keras 2.2 trained: the values of one batch, weighted by the batch's size.

TF 1.15's own Keras, and `tf_keras`, keep losses of outputs and metrics in variables, count what a mask hides as
examples, and draw an order for the examples that validate. Keras 2.2 computed each metric of a batch alone, divided a
masked loss by the share that the mask leaves and a weighted one by the share of weights that are not zero.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import backend, callbacks, losses, metrics
from tf_keras.src.engine import (
    base_layer,
    base_layer_v1,
    functional,
    training_arrays_v1,
    training_generator_v1,
    training_utils_v1,
    training_v1,
)
from tf_keras.src.optimizers import optimizer_v1
from tf_keras.src.utils import losses_utils
from tf_keras.src.utils.mode_keys import ModeKeys

from .. import variables
from .facade import Facade
from .graph_mode import in_graph_mode

__all__ = ["accept", "in_scope", "metrics_updates", "stateful_metrics"]

_LAST = threading.local()
_UPDATES = "training"
_TRAINING = re.compile(r"(?:^|/)training(?:_\d+)?$")


def _objective(per_example: tf.Tensor, weights: Any, mask: Any) -> tf.Tensor:
    """One number of the values of a batch's examples; Keras 2.2's `weighted_masked_objective`."""
    if mask is not None:
        mask = tf.cast(mask, backend.floatx())
        per_example = per_example * mask / (backend.mean(mask) + backend.epsilon())
    if weights is not None:
        weights = tf.cast(weights, per_example.dtype)
        inner = list(range(weights.shape.rank, per_example.shape.rank))
        per_example = (backend.mean(per_example, axis=inner) if inner else per_example) * weights
        per_example /= backend.mean(tf.cast(tf.not_equal(weights, 0), backend.floatx()))
    return backend.mean(per_example)


class _Batch(metrics.Metric):
    """A metric that has no state: what a function gives for a batch, or a number that is given."""

    def __init__(self, fn: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._fn = fn

    def __call__(self, y_true: Any, y_pred: Any = None, sample_weight: Any = None, mask: Any = None) -> Any:
        value = y_true if self._fn is None else _objective(self._fn(y_true, y_pred), sample_weight, mask)
        self._call_result = value
        return value

    @property
    def layer(self) -> Any:
        """The layer that the metric is, where it is one that keeps a state; None for others."""
        is_layer = isinstance(self._fn, base_layer.Layer | base_layer_v1.Layer)
        return self._fn if is_layer and getattr(self._fn, "stateful", False) else None

    def reset_state(self) -> None:
        """Lets a layer's state go; else there is none."""
        if self.layer is not None:
            self.layer.reset_states()

    def update_state(self) -> None:
        """Nothing: there is no state."""

    def result(self) -> Any:
        """The value of the batch that was last built."""
        return self._call_result


def _call_metric(call: Callable[..., Any]) -> Callable[..., Any]:
    """`call_metric_function`, which multiplies weights with the mask: a function's value wants the two apart."""

    @functools.wraps(call)
    def called(metric_fn: Any, y_true: Any, y_pred: Any = None, weights: Any = None, mask: Any = None) -> Any:
        if isinstance(metric_fn, _Batch):
            return metric_fn(y_true, y_pred, sample_weight=weights, mask=mask)
        return call(metric_fn, y_true, y_pred, weights=weights, mask=mask)

    return called


def _loss_of(loss_fn: Any, y_true: Any, y_pred: Any) -> tf.Tensor:
    if isinstance(loss_fn, losses.LossFunctionWrapper):
        return loss_fn.fn(y_true, y_pred, **loss_fn._fn_kwargs)
    return loss_fn.call(y_true, y_pred) if isinstance(loss_fn, losses.Loss) else loss_fn(y_true, y_pred)


def _total_loss(self: Any, masks: Any) -> tf.Tensor:
    """The sum of the outputs' losses with their weights, and of what layers add."""
    terms = []
    with backend.name_scope("loss"):
        for endpoint, mask in zip(self._training_endpoints, masks, strict=True):
            if endpoint.should_skip_target():
                continue
            with backend.name_scope(endpoint.loss_name()):
                per_example = _loss_of(endpoint.loss_fn, endpoint.training_target.target, endpoint.output)
                value = _objective(per_example, endpoint.sample_weight, mask)
            if len(self.outputs) > 1:
                endpoint.output_loss_metric(value)
            terms.append(endpoint.loss_weight * value)
        terms += self.get_losses_for(None) + self.get_losses_for(self.inputs)
        if not terms:
            raise ValueError("The model cannot be compiled because it has no loss to optimize.")
        return tf.add_n(losses_utils.cast_losses_to_common_dtype(terms))


class _ByName(dict[str, Any]):
    """The metrics of an output; a second one of a name gets a number behind it."""

    def __setitem__(self, name: str, metric: Any) -> None:
        names = itertools.chain([name], (f"{name}_{count}" for count in itertools.count(1)))
        super().__setitem__(next(each for each in names if each not in self), metric)


def stateful_metrics(model: Any) -> list[Any]:
    """The metrics of a model that are layers which keep a state: their last value is the epoch's."""
    every = model._get_training_eval_metrics() if getattr(model, "_is_compiled", False) else []
    return [metric for metric in every if isinstance(metric, _Batch) and metric.layer is not None]


def metrics_updates(model: Any) -> list[Any]:
    """What moves the states of a model's metrics."""
    return [update for metric in stateful_metrics(model) for update in metric.layer.updates]


def _with_metrics(make: Callable[..., None]) -> Callable[..., None]:
    """Makes the function that trains or tests a model, and moves its metrics."""

    @functools.wraps(make)
    def made(self: Any) -> None:
        before, _LAST.moved = getattr(_LAST, "moved", ()), metrics_updates(self)
        try:
            make(self)
        finally:
            _LAST.moved = before

    return made


def _state_updates(self: Any) -> list[Any]:
    """What layers with a state move, and metrics."""
    stateful = [layer for layer in self.layers if getattr(layer, "stateful", False)]
    return [*(update for layer in stateful for update in layer.updates), *getattr(_LAST, "moved", ())]


def _and_moved_for(get_updates_for: Callable[..., Any]) -> Callable[..., list[Any]]:
    @functools.wraps(get_updates_for)
    def found(self: Any, inputs: Any) -> list[Any]:
        moved = getattr(_LAST, "moved", ()) if inputs is None and isinstance(self, training_v1.Model) else ()
        return [*get_updates_for(self, inputs), *moved]

    return found


def _remember(model: Any) -> None:
    """Keeps which values of a step are those of metrics with a state."""
    names = model.metrics_names
    _LAST.stateful = frozenset(names.index(metric.name) for metric in stateful_metrics(model))


class _Sizes(training_utils_v1.MetricsAggregator):
    """Means over batches by their sizes; a batch of a generator has the size of its first array."""

    _seen = 0

    def create(self, batch_outs: Any) -> None:
        super().create(batch_outs)
        self._seen = 0

    def aggregate(self, batch_outs: Any, batch_start: Any = None, batch_end: Any = None) -> None:
        size = self._size() if batch_end is None else batch_end - batch_start
        self._seen += size
        kept = getattr(_LAST, "stateful", ())
        pairs = enumerate(zip(self.results, batch_outs, strict=True))
        self.results = [value if place in kept else total + value * size for place, (total, value) in pairs]

    def finalize(self) -> None:
        if not self.results:
            raise ValueError("Empty training data.")
        kept = getattr(_LAST, "stateful", ())
        every = enumerate(self.results)
        self.results = [float(value if place in kept else value / self._seen) for place, value in every]

    def _size(self) -> int:
        return 1


class _GeneratorSizes(_Sizes):
    def _size(self) -> int:
        return int(getattr(_LAST, "size", 1))


def _sized(method: Callable[..., Any]) -> Callable[..., Any]:
    """A step on one batch, whose size is remembered for the mean over a generator's batches."""

    @functools.wraps(method)
    def stepped(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        _remember(self)
        found = method(self, x, *args, **{**kwargs, "reset_metrics": False})
        first = tf.nest.flatten(x)[0]
        _LAST.size = first.shape[0] if getattr(first, "shape", None) else 1
        return found

    return stepped


def _in_order(iterate: Callable[..., Any]) -> Callable[..., Any]:
    """The loop over arrays, which draws no order for those that validate, and each from the one before."""

    @functools.wraps(iterate)
    def iterated(model: Any, *args: Any, **kwargs: Any) -> Any:
        _remember(model)
        if kwargs.get("mode") == ModeKeys.TEST:
            kwargs["shuffle"] = False
            return iterate(model, *args, **kwargs)
        before, _LAST.order = getattr(_LAST, "order", None), None
        try:
            return iterate(model, *args, **kwargs)
        finally:
            _LAST.order = before

    return iterated


def _shuffle(order: Any) -> None:
    """Puts the examples of an epoch into an order, which begins with that of the epoch before."""
    if _LAST.order is None:
        _LAST.order = order.copy()
    np.random.shuffle(_LAST.order)
    order[:] = _LAST.order


def _batch_shuffle(order: Any, batch_size: int) -> Any:
    """The order of whole batches, which begins with that of the epoch before."""
    _LAST.order = training_utils_v1.batch_shuffle(order if _LAST.order is None else _LAST.order, batch_size)
    return _LAST.order.copy()


def _gradients(self: Any, loss: Any, params: Any) -> list[Any]:
    """Gradients, which `clipnorm` cuts by the norm of all of them together."""
    found = backend.gradients(loss, params)
    if any(gradient is None for gradient in found):
        raise ValueError(
            "An operation has `None` for gradient. Please make sure that all of your ops have a gradient defined "
            "(i.e. are differentiable). Common ops without gradient: K.argmax, K.round, K.eval."
        )
    if (getattr(self, "clipnorm", None) or 0) > 0:
        norm = tf.sqrt(tf.add_n([tf.reduce_sum(tf.square(gradient)) for gradient in found]))
        scale = tf.where(norm >= self.clipnorm, self.clipnorm / norm, 1.0)
        found = [tf.math.scalar_mul(scale, gradient) for gradient in found]
    if (getattr(self, "clipvalue", None) or 0) > 0:
        found = [tf.clip_by_value(gradient, -self.clipvalue, self.clipvalue) for gradient in found]
    return list(found)


def in_scope(get_updates: Callable[..., Any]) -> Callable[..., Any]:
    """The updates of a model's training, whose names begin with the optimizer's: `training/SGD/Variable`."""

    @functools.wraps(get_updates)
    def updates(self: Any, *args: Any, **kwargs: Any) -> Any:
        trained = _TRAINING.search(tf.get_current_name_scope().rstrip("/"))
        with backend.name_scope(type(self).__name__) if trained else contextlib.nullcontext():
            return get_updates(self, *args, **kwargs)

    return updates


@contextlib.contextmanager
def _one_scope(name: str) -> Iterator[str]:
    """A scope of names; the one of a model's training is entered for its updates, and again for its function."""
    again = getattr(_LAST, "training", None) if name == _UPDATES else None
    with backend.name_scope(again or name) as scope:
        if name == _UPDATES:
            _LAST.training = scope
        yield scope


def _anew(make: Callable[..., None]) -> Callable[..., None]:
    """The function that trains a model, in a scope of its own."""

    @functools.wraps(make)
    def made(self: Any) -> None:
        _LAST.training = None
        make(self)
        _LAST.training = None

    return made


def _all_variables(tracked: Callable[..., Any]) -> Callable[..., Any]:
    """What Keras's session initializes: all variables of the graph, not those of Keras alone."""

    @functools.wraps(tracked)
    def found(graph: Any = None) -> Any:
        own = list(tracked(graph))
        if not in_graph_mode():
            return own
        known = {id(variable) for variable in own}
        return own + [variable for variable in variables.global_variables() if id(variable) not in known]

    return found


def _activity(self: Any, inputs: Any, outputs: Any) -> None:
    """Adds what a regularizer says of a layer's outputs; not by the number of examples."""
    if self._activity_regularizer:
        with backend.name_scope("ActivityRegularizer"):
            for output in tf.nest.flatten(outputs):
                self.add_loss(self._activity_regularizer(output), inputs=inputs)


def _add_loss(self: Any, loss: Any) -> None:
    """Adds a loss to a model, which gets no layers by it."""
    self._losses.append(loss)


def _weights(self: Any) -> list[Any]:
    """What is trained, and then what is not."""
    return [*self.trainable_weights, *self.non_trainable_weights]


def _get_weights(self: Any) -> list[Any]:
    """The values of the weights, layer by layer."""
    return list(backend.batch_get_value([weight for layer in self.layers for weight in layer.weights]))


def _set_weights(self: Any, weights: Any) -> None:
    """Sets the weights, which come layer by layer."""
    own = [weight for layer in self.layers for weight in layer.weights]
    if len(own) != len(weights):
        raise ValueError(f"the model has {len(own)} weights, and {len(weights)} were given")
    backend.batch_set_value(list(zip(own, weights, strict=True)))


def _stateful_names(logger: Any) -> frozenset[str]:
    return frozenset(metric.name for metric in stateful_metrics(logger.model))


def _of_generator(configure: Callable[..., Any]) -> Callable[..., Any]:
    """The callbacks of `fit_generator`, whose parameters had neither sizes nor counts, but all names of metrics."""

    @functools.wraps(configure)
    def configured(given: Any, model: Any, *args: Any, **kwargs: Any) -> Any:
        found = configure(given, model, *args, **kwargs)
        if kwargs.get("mode") == ModeKeys.TRAIN:
            names = model.metrics_names
            found.params["metrics"] = [*names, *(f"val_{name}" for name in names)]
            for key in ("batch_size", "samples"):
                del found.params[key]
        return found

    return configured


def accept() -> None:
    """Has models train as Keras 2.2 did, from now on in this process."""
    always = {"applies": lambda: True}
    training_utils_v1.metrics_module = Facade(training_utils_v1.metrics_module, {"MeanMetricWrapper": _Batch}, **always)
    training_v1.metrics_module = Facade(training_v1.metrics_module, {"Mean": _Batch}, **always)
    training_utils_v1.call_metric_function = _call_metric(training_utils_v1.call_metric_function)
    for module, aggregator in ((training_arrays_v1, _Sizes), (training_generator_v1, _GeneratorSizes)):
        instead = {"MetricsAggregator": aggregator, "batch_shuffle": _batch_shuffle}
        module.training_utils_v1 = Facade(training_utils_v1, instead, **always)
    configure = {"configure_callbacks": _of_generator(callbacks.configure_callbacks)}
    training_generator_v1.cbks = Facade(callbacks, configure, **always)
    training_utils_v1.collections = Facade(training_utils_v1.collections, {"OrderedDict": _ByName}, **always)
    shuffling = Facade(np.random, {"shuffle": _shuffle}, **always)
    training_arrays_v1.np = Facade(np, {"random": shuffling}, **always)
    training_arrays_v1.model_iteration = iterate = _in_order(training_arrays_v1.model_iteration)
    training_arrays_v1.fit_loop = functools.partial(iterate, mode=ModeKeys.TRAIN)
    training_v1.backend = Facade(backend, {"name_scope": _one_scope}, **always)
    model = training_v1.Model
    model._make_train_function = _with_metrics(_anew(model._make_train_function))
    model._make_test_function = _with_metrics(model._make_test_function)
    model.state_updates = property(_state_updates)
    base_layer_v1.Layer.get_updates_for = _and_moved_for(base_layer_v1.Layer.get_updates_for)
    model._prepare_total_loss = _total_loss
    model.weights = property(_weights)
    model.get_weights, model.set_weights = _get_weights, _set_weights
    for name in ("train_on_batch", "test_on_batch"):
        setattr(model, name, _sized(getattr(model, name)))
    base_layer_v1.Layer._handle_activity_regularization = _activity
    functional.Functional._graph_network_add_loss = _add_loss
    for logger in (callbacks.BaseLogger, callbacks.ProgbarLogger):
        logger.stateful_metrics = property(_stateful_names, lambda self, names: None)
    optimizer_v1.Optimizer.get_gradients = _gradients
    for optimizer in vars(optimizer_v1).values():
        if isinstance(optimizer, type) and "get_updates" in vars(optimizer):
            optimizer.get_updates = in_scope(optimizer.get_updates)
    backend._get_variables = _all_variables(backend._get_variables)
