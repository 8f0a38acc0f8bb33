"""``tf.Variable`` of TF 1.x: a variable under the current name scope, in the collections."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .creators import through_creators
from .graph_keys import GraphKeys
from .initial_value import InitialValue
from .passes import Pass
from .store import current_pass


def make_variable(
    building: Pass,
    name: str | None,
    initial_value: InitialValue,
    *,
    trainable: bool,
    collections: Any,
    **properties: Any,
) -> tf.Variable:
    """A variable as the creators around have it made: see :func:`creators.variable_creator_scope`."""

    def make(
        initial_value: Any, name: str | None, shape: Any = None, dtype: Any = None, **arguments: Any
    ) -> tf.Variable:
        for unused in ("variable_def", "import_scope", "expected_shape"):
            arguments.pop(unused, None)
        value = given if initial_value is given.value else InitialValue(initial_value, shape, dtype)
        return _make(building, name, value, **arguments)

    given = initial_value
    return through_creators(
        make,
        initial_value=given.value,
        name=name,
        shape=given.shape,
        dtype=given.dtype,
        trainable=trainable,
        collections=collections,
        variable_def=None,
        import_scope=None,
        expected_shape=None,
        **properties,
    )


def _make(
    building: Pass,
    name: str | None,
    initial_value: InitialValue,
    *,
    trainable: bool,
    collections: Any,
    **properties: Any,
) -> tf.Variable:
    """Obtains a variable under a name that is unique in this pass, and puts it into its collections."""
    if collections is not None and not isinstance(collections, list | tuple | set):
        raise ValueError(
            "collections argument to Variable constructor must be a list, tuple, or set. "
            f"Got {collections} of type {type(collections)}"
        )
    keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
        keys.append(GraphKeys.TRAINABLE_VARIABLES)
    with building.variable_name(name, "Variable") as unique:
        variable = building.store.obtain(unique, initial_value, trainable=trainable, **properties)
    if name is None:
        building.store.require_same_unnamed(unique)
    if trainable and not building.always_new:
        building.trained.append(variable)
    for key in keys:
        building.add_to_collection(key, variable)
    return variable


class _VariableType(type):
    """Lets ``isinstance(v, compat.Variable)`` ask for any ``tf.Variable``, as TF 1.x programs do."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, tf.Variable)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, tf.Variable)


class Variable(metaclass=_VariableType):
    """A new variable under the current name scope. Stands for ``tf.Variable`` of TF 1.x.

    Calling it gives a ``tf.Variable`` whose name is numbered where it was taken (``Variable``, ``Variable_1``).

    Args:
        initial_value: a tensor-like, or a function without arguments that makes one.
        trainable: whether it joins ``TRAINABLE_VARIABLES``.
        collections: keys of the collections it joins, ``[GLOBAL_VARIABLES]`` by default.
        validate_shape: False lets later values have another shape.
        name: its name, ``Variable`` by default.
        dtype: the value is converted to it.
        expected_shape: accepted and ignored, as in TF 1.15.
        shape: the static shape, where it is to be less specific than the value's.

    Raises:
        ValueError: no initial value, a shape that does not fit, or no store is active.

    >>> with store:
    ...     step = compat.Variable(0, trainable=False, name="step")      # step.name == "step:0"
    """

    SaveSliceInfo = getattr(tf.Variable, "SaveSliceInfo", None)

    def __new__(
        cls,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
        aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
        shape: Any = None,
    ) -> Any:
        if variable_def is not None or import_scope is not None:
            raise ValueError("variable_def and import_scope rebuild a variable of a saved graph; import that graph.")
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        del expected_shape
        static = None if shape is None else tf.TensorShape(shape)
        value = InitialValue(initial_value, static, None if dtype is None else tf.as_dtype(dtype))
        on_read = synchronization == tf.VariableSynchronization.ON_READ
        return make_variable(
            current_pass(),
            name,
            value,
            trainable=(not on_read) if trainable is None else bool(trainable),
            collections=collections,
            validate_shape=validate_shape,
            constraint=constraint,
            caching_device=caching_device,
            synchronization=synchronization,
            aggregation=aggregation,
            use_resource=use_resource,
        )
