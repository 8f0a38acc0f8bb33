"""How contrib's layers get their variables: renamed, marked as the model's, in the collections asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...variables.collection import add_to_collection, get_collection
from ...variables.partition import PartitionedVariable
from ..framework.variables import model_variable
from .utils import get_variable_collections


def model_variable_getter(
    getter: Callable[..., Any],
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    rename: dict[str, str] | None = None,
    use_resource: bool | None = None,
    synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
    aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
    **_: Any,
) -> Any:
    """A custom getter that makes model variables, with the last part of their name changed as ``rename`` says."""
    scope, slash, short = name.rpartition("/")
    return model_variable(
        scope + slash + (rename or {}).get(short, short),
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        collections=collections,
        trainable=trainable,
        caching_device=caching_device,
        partitioner=partitioner,
        custom_getter=getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def build_variable_getter(rename: dict[str, str] | None = None) -> Callable[..., Any]:
    """:func:`model_variable_getter` for one layer."""

    def layer_variable_getter(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return model_variable_getter(getter, *args, **{**kwargs, "rename": rename})

    return layer_variable_getter


def add_variable_to_collections(variable: Any, collections_set: Any, collections_name: str) -> None:
    """Adds a variable, or its parts, to the collections for its kind, each once."""
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for collection in get_variable_collections(collections_set, collections_name) or []:
        for part in parts:
            if not any(each is part for each in get_collection(collection)):
                add_to_collection(collection, part)
