"""``get_variable``: find a variable by its scope and name, or create it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from .creation import make_variable
from .graph_keys import GraphKeys
from .initial_value import InitialValue
from .partition import get_partitioned
from .passes import Pass
from .scope import Getter, VariableScope, current_scope
from .store import current_pass


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Getter | None = None,
    constraint: Any = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
) -> Any:
    """Gets the variable ``name`` of the current variable scope, or creates it. Stands for ``tf.get_variable``.

    Args:
        name: name below the current variable scope.
        shape: its shape; not with an ``initializer`` that is a value.
        dtype: its dtype, the scope's (float32) by default.
        initializer: a function of ``(shape, dtype, partition_info)``, one without arguments, a class of such, or a
            value. By default the scope's, else Glorot uniform for floats, zeros for integers, booleans and strings.
        regularizer: a function of the variable; its result joins ``REGULARIZATION_LOSSES`` when the variable is new.
        trainable: whether it joins ``TRAINABLE_VARIABLES``; by default yes.
        collections: keys of the collections it joins, ``[GLOBAL_VARIABLES]`` by default.
        partitioner: a function of ``(shape, dtype)`` that says into how many parts each axis is cut.
        custom_getter: called as ``custom_getter(getter, name, **arguments)`` in place of the lookup.

    Returns:
        A ``tf.Variable``, or a ``PartitionedVariable`` where there is a partitioner.

    Raises:
        ValueError: it exists and the scope does not reuse; it does not exist and the scope does; shape or dtype
            differ from the existing one's; or no store is active.

    >>> with store, compat.variable_scope("a"):
    ...     w = compat.get_variable("w", [2, 3])      # w.name == "a/w:0"
    """
    return get_variable_in(
        current_scope(),
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def get_local_variable(*args: Any, **kwargs: Any) -> Any:
    """As :func:`get_variable`, but local: not trained, not saved. Stands for ``tf.get_local_variable``."""
    kwargs["trainable"] = False
    kwargs["collections"] = [*(kwargs.get("collections") or []), GraphKeys.LOCAL_VARIABLES]
    return get_variable(*args, **kwargs)


def get_variable_in(
    scope: VariableScope,
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    reuse: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Getter | None = None,
    constraint: Any = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
) -> Any:
    """:func:`get_variable` with ``scope``'s defaults filled in."""
    _check_initializer_dtype(initializer, dtype)
    arguments = {
        "shape": shape,
        "dtype": scope.dtype if dtype is None else getattr(dtype, "base_dtype", dtype),
        "initializer": scope.initializer if initializer is None else initializer,
        "regularizer": scope.regularizer if regularizer is None else regularizer,
        "reuse": scope.reuse if reuse is None else reuse,
        "trainable": _is_trainable(trainable, synchronization, name),
        "collections": collections,
        "caching_device": scope.caching_device if caching_device is None else caching_device,
        "partitioner": scope.partitioner if partitioner is None else partitioner,
        "validate_shape": validate_shape,
        "use_resource": scope.use_resource if use_resource is None else use_resource,
        "synchronization": synchronization,
        "aggregation": aggregation,
    }
    constraint = scope.constraint if constraint is None else constraint
    getter = scope.custom_getter if custom_getter is None else custom_getter
    full_name = f"{scope.name}/{name}" if scope.name else name
    with current_pass().name_scope(None):
        if getter is None:
            return find_or_create(full_name, constraint=constraint, **arguments)
        if not callable(getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {getter}")
        if _takes(getter, "constraint"):
            arguments["constraint"] = constraint
        return getter(getter=find_or_create, name=full_name, **arguments)


def find_or_create(
    name: str,
    shape: Any = None,
    dtype: Any = tf.float32,
    initializer: Any = None,
    regularizer: Any = None,
    reuse: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    constraint: Any = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
) -> Any:
    """The getter at the end of the chain of custom getters."""
    building = current_pass()
    properties = {
        "regularizer": regularizer,
        "reuse": reuse,
        "trainable": True if trainable is None else trainable,
        "collections": collections,
        "caching_device": caching_device,
        "validate_shape": validate_shape,
        "use_resource": use_resource,
        "constraint": constraint,
        "synchronization": synchronization,
        "aggregation": aggregation,
    }
    get_one: Callable[..., Any] = functools.partial(get_single, building, **properties)
    is_scalar = isinstance(shape, list | tuple) and not shape
    if (partitioner is not None and not is_scalar) or (reuse is True and name in building.partitioned):
        return get_partitioned(building, get_one, name, partitioner, shape, dtype, initializer, reuse)
    if f"{name}/part_0" in building.variables:
        raise ValueError(
            f"No partitioner was provided, but a partitioned version of the variable was found: {name}/part_0. "
            "Perhaps a variable of the same name was already created with partitioning?"
        )
    return get_one(name, shape, dtype, initializer)


def get_single(
    building: Pass,
    name: str,
    shape: Any,
    dtype: Any,
    initializer: Any,
    *,
    reuse: Any,
    regularizer: Any,
    partition_info: Any = None,
    **properties: Any,
) -> Any:
    """Gets or creates one variable, or one part of a partitioned one."""
    if building.always_new:
        reuse = None
    known = building.variables.get(name)
    if known is not None and reuse is False:
        raise ValueError(
            f"Variable {name} already exists, disallowed. "
            "Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
        )
    if known is None and reuse is True:
        # A step may look up what another pass over the same store created.
        known = building.store.find(name)
        if known is None:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). "
                "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
    from_value = initializer is not None and not callable(initializer)
    if shape is not None and from_value:
        raise ValueError("If initializer is a constant, do not specify shape.")
    if known is not None:
        InitialValue(None, tf.TensorShape(shape), tf.as_dtype(dtype)).check_against(known, name)
        building.variables[name] = known
        return known
    initial_value = _initial_value(name, shape, dtype, initializer, partition_info)
    variable = make_variable(building, name, initial_value, **properties)
    if not building.always_new:
        building.variables[name] = variable
    if regularizer:
        with building.name_scope(name + "/Regularizer/"):
            loss = regularizer(variable)
        if loss is not None:
            building.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def _initial_value(name: str, shape: Any, dtype: Any, initializer: Any, partition_info: Any) -> InitialValue:
    dtype = tf.as_dtype(dtype)
    if initializer is not None and not callable(initializer):
        return InitialValue(initializer)
    if initializer is None:
        initializer = _default_initializer(name, dtype)
    elif inspect.isclass(initializer):
        initializer = initializer()
    static = tf.TensorShape(shape)
    if shape is not None and static.is_fully_defined():
        seeded = getattr(initializer, "seed", None) is not None
        make = functools.partial(_call_initializer, initializer, static.as_list(), dtype, partition_info)
        return InitialValue(make, static, dtype, seeded=seeded)
    if _takes_nothing(initializer):
        return InitialValue(initializer)
    raise ValueError(
        f"Shape of a new variable ({name}) must be fully defined, but instead was {static}. Give the shape, or an "
        "initializer that is a value or a function without arguments."
    )


def _call_initializer(initializer: Any, shape: list[int], dtype: tf.DType, partition_info: Any) -> Any:
    if "partition_info" in _parameters(initializer):
        return initializer(shape, dtype=dtype, partition_info=partition_info)
    return initializer(shape, dtype=dtype)


def _default_initializer(name: str, dtype: tf.DType) -> Any:
    from .. import initializers

    if dtype.is_floating:
        return initializers.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_bool or dtype == tf.string:
        return initializers.zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype} is required")


def _is_trainable(trainable: bool | None, synchronization: tf.VariableSynchronization, name: str) -> bool:
    on_read = synchronization == tf.VariableSynchronization.ON_READ
    if trainable and on_read:
        raise ValueError(
            f"Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
            f"Variable {name} is trainable."
        )
    return not on_read if trainable is None else trainable


def _check_initializer_dtype(initializer: Any, dtype: Any) -> None:
    if dtype is None or initializer is None or callable(initializer):
        return
    found = tf.as_dtype(getattr(initializer, "dtype", None) or tf.convert_to_tensor(initializer).dtype)
    if found != tf.as_dtype(dtype):
        raise ValueError(f"Initializer type '{found}' and explicit dtype '{tf.as_dtype(dtype)}' don't match.")


def _parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _takes(function: Any, parameter: str) -> bool:
    """Whether a callable can be given that keyword."""
    parameters = _parameters(function)
    return parameter in parameters or any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())


def _takes_nothing(function: Any) -> bool:
    """Whether a callable can be called without arguments."""
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    except ValueError:
        return False
    return True
