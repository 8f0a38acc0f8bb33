"""Giving variables their initial values, and asking which have one.

Under the bridge these build the ops to fetch; natively they act at once, on the store's variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .collection import global_variables, local_variables
from .replicas import has_replicas
from .store import current_store
from .tracing import ambient_graph


def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Any:
    """Initializes the variables given. Stands for ``tf.variables_initializer``.

    Returns:
        Under the bridge an op that runs all initializers; natively None, after having given the initial values.
    """
    graph = ambient_graph()
    if graph is None:
        if var_list:
            current_store().initialize(list(var_list))
        return None
    return tf.group(*[graph.known(variable).initializer for variable in var_list], name=name)


def initialize_variables(var_list: Sequence[Any], name: str = "init") -> Any:
    """Old name of :func:`variables_initializer`. Stands for ``tf.initialize_variables``."""
    return variables_initializer(var_list, name=name)


def global_variables_initializer() -> Any:
    """Initializes all global variables. Stands for ``tf.global_variables_initializer``."""
    return variables_initializer(global_variables())


def initialize_all_variables() -> Any:
    """Old name of :func:`global_variables_initializer`. Stands for ``tf.initialize_all_variables``."""
    return global_variables_initializer()


def local_variables_initializer() -> Any:
    """Initializes all local variables. Stands for ``tf.local_variables_initializer``."""
    return variables_initializer(local_variables())


def initialize_local_variables() -> Any:
    """Old name of :func:`local_variables_initializer`. Stands for ``tf.initialize_local_variables``."""
    return local_variables_initializer()


def is_variable_initialized(variable: Any) -> Any:
    """A boolean tensor: does the variable have a value? Stands for ``tf.is_variable_initialized``."""
    if has_replicas(variable):
        return variable.is_initialized()
    return tf.raw_ops.VarIsInitializedOp(resource=variable.handle)


def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """The names of the variables without a value, as a 1-D string tensor, empty when all have one.

    Stands for ``tf.report_uninitialized_variables``; by default of all global and local variables.
    """
    if var_list is None:
        var_list = [*global_variables(), *local_variables()]
    with tf.name_scope(name):
        if not var_list:
            return tf.constant([], dtype=tf.string)
        missing = tf.logical_not(tf.stack([is_variable_initialized(variable) for variable in var_list]))
        names = tf.constant([variable.name.split(":")[0] for variable in var_list])
        return tf.boolean_mask(names, missing)


def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Any:
    """An op that fails when a variable has no value. Stands for ``tf.assert_variables_initialized``.

    Returns:
        A tensor or an op to depend on; None when there are no variables.
    """
    if var_list is None:
        var_list = [*global_variables(), *local_variables()]
    if not var_list:
        return None
    return tf.debugging.Assert(
        tf.reduce_all(tf.stack([is_variable_initialized(variable) for variable in var_list])),
        [report_uninitialized_variables(var_list)],
    )
