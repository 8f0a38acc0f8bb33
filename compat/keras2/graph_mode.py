"""What `tf_keras` finds under TensorFlow's names while a bridge graph is being built: TF 1.15's graph mode.

`tf_keras` still has the Keras of TF 1.15 in it, which works in a graph and a session. It asks TensorFlow whether it
runs in TF1's mode, and takes variables, placeholders and sessions from there. Under a bridge graph the answer is yes,
and they are those of `compat`; everywhere else TensorFlow answers for itself.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import backend

from .. import bridge, train, variables
from ..bridge.graph import enclosing_graph
from ..bridge.variable import GraphVariable
from ..lifting import init_scope
from ..random import set_random_seed
from .facade import Facade

__all__ = ["VALUES", "in_graph_mode", "install"]

_V2 = tf.compat.v2


def in_graph_mode() -> bool:
    """Whether what is built now belongs to a bridge graph."""
    return enclosing_graph() is not None


def _variable(
    initial_value: Any = None,
    trainable: bool | None = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    import_scope: Any = None,
    constraint: Any = None,
    synchronization: Any = tf.VariableSynchronization.AUTO,
    aggregation: Any = tf.VariableAggregation.NONE,
    shape: Any = None,
    collections: Any = None,
    use_resource: bool | None = True,
    **only_in_tf2: Any,
) -> Any:
    """A variable of the graph; TF 1.15's Keras made all of its own as resource variables."""
    del caching_device, import_scope, variable_def, only_in_tf2
    return variables.Variable(
        initial_value,
        trainable=trainable,
        collections=collections,
        validate_shape=validate_shape,
        name=name,
        dtype=dtype,
        constraint=constraint,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
        shape=shape,
    )


class _VariableType(type):
    """A `tf.Variable` to those who ask; the graph's variable to those who make one while a graph is built."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, tf.Variable)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _variable(*args, **kwargs) if in_graph_mode() else tf.Variable(*args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(tf.Variable, name)


class _Variable(metaclass=_VariableType):
    pass


class _OptimizerType(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, (train.Optimizer, _V2.compat.v1.train.Optimizer))


class _Optimizer(metaclass=_OptimizerType):
    pass


_FROM_VARIABLES = (
    "add_to_collection",
    "assign",
    "assign_add",
    "assign_sub",
    "get_collection",
    "get_variable",
    "get_variable_scope",
    "global_variables",
    "global_variables_initializer",
    "is_variable_initialized",
    "trainable_variables",
    "variable_scope",
    "variables_initializer",
)
_FROM_BRIDGE = (
    "Session",
    "get_default_session",
    "placeholder",
    "placeholder_with_default",
    "reset_default_graph",
    "sparse_placeholder",
)
_FROM_TRAIN = ("Saver", "get_global_step", "get_or_create_global_step")


def _tensorflow() -> Facade:
    """TensorFlow as the modules of `tf_keras` are to see it."""

    def facade(module: Any, **instead: Any) -> Facade:
        return Facade(module, instead, in_graph_mode)

    v1 = facade(
        _V2.compat.v1,
        Variable=_variable,
        executing_eagerly_outside_functions=lambda: False,
        set_random_seed=set_random_seed,
        train=Facade(
            facade(_V2.compat.v1.train, **{name: getattr(train, name) for name in _FROM_TRAIN}),
            {"Optimizer": _Optimizer},
            lambda: True,
        ),
        **{name: getattr(variables, name) for name in _FROM_VARIABLES},
        **{name: getattr(bridge, name) for name in _FROM_BRIDGE},
    )
    internal = facade(_V2.__internal__, tf2=facade(_V2.__internal__.tf2, enabled=lambda: False))
    return facade(
        _V2,
        Variable=_Variable,
        __internal__=internal,
        compat=facade(_V2.compat, v1=v1),
        init_scope=init_scope,
        inside_function=lambda: False,
    )


def _get_value(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`K.get_value`, which reads a graph's variable in Keras's session: that initializes it, where nothing has yet."""

    @functools.wraps(get)
    def value(x: Any) -> Any:
        if not isinstance(x, GraphVariable):
            return get(x)
        with x.graph.as_default():
            return x.eval(session=backend.get_session((x,)))

    return value


def _batch_get_value(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`K.batch_get_value`, which Keras's weights are read by; also where the graph of variables is not entered."""

    @functools.wraps(get)
    def values(tensors: Any) -> Any:
        graph = next((each.graph for each in tensors if isinstance(each, GraphVariable)), None)
        with contextlib.nullcontext() if graph is None else graph.as_default():
            return get(tensors)

    return values


def _of_enclosing(setdefault: Callable[..., Any]) -> Callable[..., Any]:
    """What a layer keeps for a graph, such as the mask of a recurrent dropout: the body of a loop has that of the graph
    around it, as in TF 1.15, where both were one graph."""

    @functools.wraps(setdefault)
    def found(self: Any, key: Any = None, default: Any = None, kwargs: Any = None) -> Any:
        if key is None and default is None and in_graph_mode():
            value = self._get_recursive(self._key())
            if value is not None:
                return value
        return setdefault(self, key, default, kwargs)

    return found


VALUES = {
    "batch_get_value": _batch_get_value(backend.batch_get_value),
    "get_value": _get_value(backend.get_value),
}
"""Functions of Keras's backend that are other ones here, by name."""


def install() -> None:
    """Gives every loaded module of `tf_keras` the TensorFlow of this module as its `tf` (and `tf1`)."""
    facade = _tensorflow()
    for name, module in list(sys.modules.items()):
        if name.startswith("tf_keras.src") and module is not None:
            for own in ("tf", "tf1"):
                found = vars(module).get(own)
                if isinstance(found, types.ModuleType):
                    setattr(module, own, facade.compat.v1 if found.__name__.endswith(".v1") else facade)
    cache = backend.ContextValueCache
    cache.setdefault = _of_enclosing(cache.setdefault)
    for name, function in VALUES.items():
        setattr(backend, name, function)
