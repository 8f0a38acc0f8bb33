"""The switches between TF1's and TF2's behaviour. Migrated programs have no use for them: most do nothing here.

What needs a graph gets one from `compat.open_graph()`; everything else is TF2.
"""

from __future__ import annotations

from typing import Any

from .bridge.graph import close_graph, current_graph
from .variables.eager import EagerVariables

VERSION = "1.15.5"
"""The TensorFlow whose behaviour the shims have; stands for `tf.VERSION` where a program goes by it."""


_eager_variables = EagerVariables()
_is_v2 = False


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Runs the program as TF1 ran it eagerly. Stands for `tf.enable_eager_execution`.

    The program's graph is closed, and `get_variable` and the functions of `tf.layers` need no store from here on: each
    call makes variables of its own, which layers, cells, optimizers and templates keep.

    Args:
      config, device_policy, execution_mode: accepted and ignored; see `tf.config`.

    Raises:
      ValueError: a graph has been built already, or it is called inside `with graph.as_default()`.
    """
    del config, device_policy, execution_mode
    graph = current_graph()
    if graph is not None:
        if graph.get_operations():
            raise ValueError("compat.enable_eager_execution must be called at program startup.")
        close_graph()
        if current_graph() is graph:
            raise ValueError("compat.enable_eager_execution cannot be called inside `with graph.as_default()`.")
    _eager_variables.enter_program()


def enable_v2_behavior() -> None:
    """As `enable_eager_execution`, and Keras keeps the names of metrics. Stands for `tf.enable_v2_behavior`."""
    enable_eager_execution()
    global _is_v2
    _is_v2 = True


def is_v2() -> bool:
    """Whether the program asked for TensorFlow 2's behaviour."""
    return _is_v2


def _nothing(name: str) -> Any:
    def switch() -> None:
        pass

    switch.__name__ = switch.__qualname__ = name
    switch.__doc__ = f"Does nothing; stands for `tf.{name}`."
    return switch


disable_eager_execution = _nothing("disable_eager_execution")
disable_v2_behavior = _nothing("disable_v2_behavior")
disable_control_flow_v2 = _nothing("disable_control_flow_v2")
enable_control_flow_v2 = _nothing("enable_control_flow_v2")
disable_resource_variables = _nothing("disable_resource_variables")
enable_resource_variables = _nothing("enable_resource_variables")
disable_tensor_equality = _nothing("disable_tensor_equality")
enable_tensor_equality = _nothing("enable_tensor_equality")
disable_v2_tensorshape = _nothing("disable_v2_tensorshape")
enable_v2_tensorshape = _nothing("enable_v2_tensorshape")


def control_flow_v2_enabled() -> bool:
    """True; stands for `tf.control_flow_v2_enabled`."""
    return True


def resource_variables_enabled() -> bool:
    """True; stands for `tf.resource_variables_enabled`."""
    return True
