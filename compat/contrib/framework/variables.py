"""Making and finding variables, as ``tf.contrib.framework`` and slim did."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from ...variables.collection import add_to_collection, get_collection
from ...variables.creation import Variable
from ...variables.graph_keys import GraphKeys
from ...variables.lookup import get_variable
from ...variables.scope import VariableScope, current_scope
from .arg_scope import add_arg_scope


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is neither trained nor saved. Stands for ``tf.contrib.framework.local_variable``."""
    return Variable(
        initial_value,
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=validate_shape,
        use_resource=use_resource,
        name=name,
    )


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is saved but not trained. Stands for ``tf.contrib.framework.global_variable``."""
    return Variable(
        initial_value,
        trainable=False,
        collections=[GraphKeys.GLOBAL_VARIABLES],
        validate_shape=validate_shape,
        use_resource=use_resource,
        name=name,
    )


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
) -> Any:
    """:func:`compat.get_variable` that takes a device and arguments from arg scopes.

    Stands for ``tf.contrib.framework.variable``.
    """
    keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(dict.fromkeys(collections))
    getter: Callable[..., Any] = get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=current_scope().reuse)
    with tf.device(device if isinstance(device, str) else None):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=keys,
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = tf.float32,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
) -> Any:
    """A :func:`variable` in ``MODEL_VARIABLES`` too. Stands for ``tf.contrib.framework.model_variable``."""
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def add_model_variable(var: Any) -> None:
    """Marks a variable as one of the model. Stands for ``tf.contrib.framework.add_model_variable``."""
    if not any(each is var for each in get_collection(GraphKeys.MODEL_VARIABLES)):
        add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def get_variables(
    scope: str | VariableScope | None = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection below a scope, whose names end with a suffix.

    Stands for ``tf.contrib.framework.get_variables``.

    Args:
        scope: a variable scope, or a regular expression for the start of the name.
        suffix: the end of the name.
    """
    name = scope.name if isinstance(scope, VariableScope) else scope
    if suffix is not None:
        name = (name or "") + ".*" + (suffix if ":" in suffix else suffix + ":")
    return get_collection(collection, name)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """:func:`get_variables` of the model. Stands for ``tf.contrib.framework.get_model_variables``."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """:func:`get_variables` that are local. Stands for ``tf.contrib.framework.get_local_variables``."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """:func:`get_variables` that are trained. Stands for ``tf.contrib.framework.get_trainable_variables``."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """The variables below the scopes included and not below those excluded.

    Stands for ``tf.contrib.framework.get_variables_to_restore``.

    Raises:
        TypeError: ``include`` or ``exclude`` is neither a list nor a tuple.
    """
    for name, given in (("include", include), ("exclude", exclude)):
        if given is not None and not isinstance(given, list | tuple):
            raise TypeError(f"{name} is provided but is not a list or a tuple.")
    included = get_variables() if include is None else [each for scope in include for each in get_variables(scope)]
    excluded = {id(each) for scope in exclude or () for each in get_variables(scope)}
    return [each for each in included if id(each) not in excluded]


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """:func:`get_variables` by the end of the name. Stands for ``tf.contrib.framework.get_variables_by_suffix``."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """:func:`get_variables` by the last part of the name. Stands for ``tf.contrib.framework.get_variables_by_name``."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """The variable of that name (without ``:0``). Stands for ``tf.contrib.framework.get_unique_variable``.

    Raises:
        ValueError: there is none.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if op_name(candidate) == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var: Any) -> str:
    """The name of a variable in checkpoints; of a part, the whole's.

    Stands for ``tf.contrib.framework.get_variable_full_name``.
    """
    return op_name(var)


def filter_variables(
    var_list: Iterable[Any],
    include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Variables by regular expressions over their names. Stands for ``tf.contrib.framework.filter_variables``.

    Args:
        include_patterns: one of them must match; None takes all.
        exclude_patterns: none of them may match.
        reg_search: whether a match may begin anywhere.
    """
    matches = re.search if reg_search else re.match
    kept = []
    for var in var_list:
        wanted = include_patterns is None or any(matches(pattern, var.name) for pattern in include_patterns)
        if wanted and not any(matches(pattern, var.name) for pattern in exclude_patterns or ()):
            kept.append(var)
    return kept


def op_name(var: Any) -> str:
    """A variable's name without ``:0``."""
    return str(var.name).partition(":")[0]
