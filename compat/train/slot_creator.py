"""Slot variables: what an optimizer or a moving average keeps for each variable, under TF1's names.

A slot of ``net/w`` made by ``Adam`` is called ``net/w/Adam``, the second one ``net/w/Adam_1``, below the current
variable scope. With a store (or a bridge graph) it is made there; a plain TF2 script has none, and gets a plain
``tf.Variable``.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import current_graph
from ..variables.replicas import replica_number
from .ownership import obtain_for

_plain_names: weakref.WeakKeyDictionary[Any, list[str]] = weakref.WeakKeyDictionary()


def create_slot(
    primary: Any, val: Any, name: str, colocate_with_primary: bool = True, *, owner: Any = None
) -> tf.Variable:
    """Makes a slot of ``primary`` that starts as ``val``; ``tensorflow.python.training.slot_creator.create_slot``.

    Args:
        primary: the variable or tensor that the slot belongs to.
        val: initial value; a tensor, or a callable that gives one (for values that depend on other variables).
        name: last part of the slot's name.
        colocate_with_primary: accepted for TF1's signature's sake; placement is left to TF2.
        owner: the optimizer that will use it, so that no other does; anybody when None.
    """
    del colocate_with_primary
    return _make(primary, name, owner, initializer=val)


def create_slot_with_initializer(
    primary: Any,
    initializer: Callable[..., Any],
    shape: Any,
    dtype: Any,
    name: str,
    colocate_with_primary: bool = True,
    *,
    owner: Any = None,
) -> tf.Variable:
    """As :func:`create_slot`, with an initializer of shape and dtype in place of a value."""
    del colocate_with_primary
    shape = tf.TensorShape(shape)
    if not shape.is_fully_defined():
        return _make(primary, name, owner, initializer=initializer, validate_shape=False, shape=shape, dtype=dtype)
    return _make(primary, name, owner, initializer=initializer, shape=shape, dtype=dtype)


def create_zeros_slot(
    primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True, *, owner: Any = None
) -> tf.Variable:
    """Makes a slot of the shape of ``primary`` that starts as zeros."""
    del colocate_with_primary
    dtype = tf.as_dtype(dtype or primary.dtype)
    if primary.shape.is_fully_defined():
        return create_slot_with_initializer(primary, _zeros, primary.shape, dtype, name, owner=owner)
    return create_slot(primary, tf.zeros(tf.shape(primary_value(primary)), dtype), name, owner=owner)


def primary_value(primary: Any) -> Any:
    """The value of a variable, its initial one while it has none yet; a tensor as it is."""
    return primary.initialized_value() if hasattr(primary, "initialized_value") else tf.convert_to_tensor(primary)


def name_of(variable: Any) -> str:
    """The name of a variable or tensor without the output's number; ``v.op.name`` of TF1.

    What is computed in a replica of a ``tf.distribute`` strategy is named as in the first one.
    """
    name = str(variable.name).split(":")[0]
    return name if isinstance(variable, tf.Variable) else name.removeprefix(f"replica_{replica_number()}/")


@contextlib.contextmanager
def creating() -> Iterator[None]:
    """Where slots and their initial values are made, whatever the code around does.

    In a bridge graph: outside of its loops, branches and control dependencies, for an initial value must not wait for a
    training step. A store lifts variables out of a trace itself, and its pass belongs to the trace: leaving the trace
    would count names elsewhere. Only plain variables are made outside of it.
    """
    graph = current_graph()
    if graph is not None:
        with graph.as_default(), tf.control_dependencies(None):
            yield
    elif tf1.has_store():
        yield
    else:
        with tf.init_scope():
            yield


def create_unnumbered(initial_value: Any, name: str, owner: Any) -> tf.Variable:
    """An untrainable variable ``name`` of the current name scope, that belongs to no variable (``beta1_power``)."""
    if not tf1.has_store():
        scope = tf.get_current_name_scope()
        return _plain(f"{scope}/{name}" if scope else name, owner, lambda: initial_value)
    return obtain_for(owner, lambda: tf1.Variable(initial_value, trainable=False, name=name))


def _make(primary: Any, name: str, owner: Any, **options: Any) -> tf.Variable:
    full = f"{name_of(primary)}/{name}"
    if not tf1.has_store():
        return _plain(full, owner, lambda: _initial_value(**options))

    def create() -> tf.Variable:
        with tf1.variable_scope(None, default_name=full):
            scope = tf1.get_variable_scope()
            scope.set_partitioner(None)
            if not getattr(primary, "shares_memory", True):
                options["use_resource"] = True
            return tf1.get_variable("", trainable=False, **options)

    slot = obtain_for(owner, create, shared=tf1.get_variable_scope().reuse is True)
    _copy_slice(primary, slot)
    return slot


def _copy_slice(primary: Any, slot: Any) -> None:
    # A slot of one part of a partitioned variable is that part of the partitioned slot: checkpoints join them.
    info = getattr(primary, "_save_slice_info", None)
    if info is not None:
        last = name_of(slot)[len(name_of(primary)) + 1 :]
        sliced = type(info)(
            f"{info.full_name}/{last}", list(info.full_shape), list(info.var_offset), list(info.var_shape)
        )
        slot._set_save_slice_info(sliced)


def _zeros(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> tf.Tensor:
    del partition_info
    return tf.zeros(shape, dtype)


def _initial_value(initializer: Any, shape: Any = None, dtype: Any = None, validate_shape: bool = True) -> Any:
    del validate_shape
    if not callable(initializer):
        return initializer
    return initializer() if shape is None or not shape.is_fully_defined() else initializer(shape, dtype=dtype)


def _plain(name: str, owner: Any, value: Callable[[], Any]) -> tf.Variable:
    # Numbered among the owner's own: nothing else counts names here.
    names = [] if owner is None else _plain_names.setdefault(owner, [])
    number = names.count(name)
    names.append(name)
    with tf.init_scope():
        return tf.Variable(value(), trainable=False, name=f"{name}_{number}/" if number else name + "/")
