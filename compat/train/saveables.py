"""Variables under the names that they have in a checkpoint, written and read with TF1's own kernels."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .. import variables as tf1
from ..variables.replicas import has_replicas
from . import checkpoint_damage
from .checkpoint_reader import object_graph_names
from .slot_creator import name_of


@dataclasses.dataclass(frozen=True)
class Saveable:
    """One variable, or one part of a partitioned one, under its name in checkpoints.

    Attributes:
        name: the name there.
        variable: the eager variable.
        slice_spec: which part of the named tensor it is, in TF1's notation (``"4 10 0,2:-"``); empty for all of it.
    """

    name: str
    variable: tf.Variable
    slice_spec: str = ""


def saveables_of(var_list: Any) -> list[Saveable]:
    """The saveables of a ``Saver``'s ``var_list``: a list, a dict of names, a ``VariableStore``, or None for all.

    Raises:
        TypeError: an item is no variable.
        ValueError: two items have one name, or one item has two.
    """
    if var_list is None:
        var_list = [
            *tf1.global_variables(),
            *tf1.get_collection(tf1.GraphKeys.SAVEABLE_OBJECTS),
        ]
    elif isinstance(var_list, tf1.VariableStore):
        var_list = var_list.members(tf1.GraphKeys.GLOBAL_VARIABLES)
    if isinstance(var_list, Mapping):
        found = [saveable for name, item in sorted(var_list.items()) for saveable in _named(str(name), item)]
    else:
        found = [saveable for item in var_list for saveable in _named(None, item)]
        found.sort(key=lambda saveable: saveable.name)
    _check_distinct(found)
    return found


def save(prefix: str, saveables: Sequence[Saveable]) -> None:
    """Writes one checkpoint in TF1's V2 format.

    Raises:
        tf.errors.FailedPreconditionError: a variable has no value yet.
        tf.errors.ResourceExhaustedError: the disk is full.
    """
    with tf.init_scope():
        for saveable in saveables:
            if not tf1.is_variable_initialized(saveable.variable):
                name = name_of(saveable.variable)
                raise tf.errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {name}")
        with checkpoint_damage.writing(prefix):
            tf.raw_ops.SaveV2(
                prefix=prefix,
                tensor_names=[saveable.name for saveable in saveables],
                shape_and_slices=[saveable.slice_spec for saveable in saveables],
                tensors=[saveable.variable.read_value() for saveable in saveables],
            )


def restore(prefix: str, saveables: Sequence[Saveable], reshape: bool) -> None:
    """Gives the variables the checkpoint's values: all of them, or none when something does not fit.

    Args:
        prefix: the checkpoint's path.
        saveables: what to restore.
        reshape: take a value of another shape and as many elements.

    Raises:
        tf.errors.DataLossError: the checkpoint is damaged.
        tf.errors.NotFoundError: names that the checkpoint lacks.
        tf.errors.InvalidArgumentError: shapes or dtypes that differ.
    """
    with tf.init_scope():
        with checkpoint_damage.reading(prefix):
            reader = tf.train.load_checkpoint(prefix)
        keys = _keys(reader, saveables)
        with checkpoint_damage.reading(prefix):
            values = tf.raw_ops.RestoreV2(
                prefix=prefix,
                tensor_names=keys,
                shape_and_slices=[saveable.slice_spec for saveable in saveables],
                dtypes=[saveable.variable.dtype for saveable in saveables],
            )
        fitting = [_fit(saveable, value, reshape) for saveable, value in zip(saveables, values, strict=True)]
        for saveable, value in zip(saveables, fitting, strict=True):
            if has_replicas(saveable.variable):
                saveable.variable.assign(value)
            else:
                tf.raw_ops.AssignVariableOp(resource=saveable.variable.handle, value=value)


def _named(name: str | None, item: Any) -> Iterable[Saveable]:
    if isinstance(item, tf.Variable):
        info = getattr(item, "_save_slice_info", None)
        if info is None:
            yield Saveable(name or name_of(item), item)
        else:
            yield Saveable(name or info.full_name, item, info.spec)
    elif isinstance(item, (tf1.PartitionedVariable, list, tuple)):
        for part in item:
            yield from _named(name, part)
    else:
        raise TypeError(f"Variable to save is not a Variable: {item}")


def _check_distinct(saveables: Sequence[Saveable]) -> None:
    names: set[tuple[str, str]] = set()
    variables: set[int] = set()
    for saveable in saveables:
        if (saveable.name, saveable.slice_spec) in names:
            raise ValueError(f"At least two variables have the same name: {saveable.name}")
        if id(saveable.variable) in variables:
            raise ValueError(f"The same saveable will be restored with two names: {saveable.name}")
        names.add((saveable.name, saveable.slice_spec))
        variables.add(id(saveable.variable))


def _keys(reader: Any, saveables: Sequence[Saveable]) -> list[str]:
    """The checkpoint's keys for the saveables; object-based checkpoints keep variables' names beside theirs."""
    present = reader.get_variable_to_shape_map()
    missing = [saveable.name for saveable in saveables if saveable.name not in present]
    if not missing:
        return [saveable.name for saveable in saveables]
    names_to_keys = object_graph_names(reader)
    if names_to_keys is None:
        raise tf.errors.NotFoundError(None, None, _missing_message(missing))
    absent = sorted(saveable.name for saveable in saveables if saveable.name not in names_to_keys)
    if absent:
        extra = sorted(set(names_to_keys) - {saveable.name for saveable in saveables})
        raise tf.errors.NotFoundError(
            None,
            None,
            f"Existing variables not in the checkpoint: {', '.join(absent)}. Variables of the object-based checkpoint "
            f"which don't exist now: {', '.join(extra)}.",
        )
    return [names_to_keys[saveable.name] for saveable in saveables]


def _missing_message(missing: Sequence[str]) -> str:
    message = f"Key {missing[0]} not found in checkpoint"
    return message if len(missing) == 1 else f"{message} (and {len(missing) - 1} more: {', '.join(missing[1:])})"


def _fit(saveable: Saveable, value: tf.Tensor, reshape: bool) -> tf.Tensor:
    shape = saveable.variable.shape
    if shape.is_compatible_with(value.shape):
        return value
    if reshape and shape.is_fully_defined() and shape.num_elements() == value.shape.num_elements():
        return tf.reshape(value, shape)
    raise tf.errors.InvalidArgumentError(
        None,
        None,
        f"Assign requires shapes of both tensors to match. lhs shape= {_written(shape)} rhs shape= "
        f"{_written(value.shape)} (variable {name_of(saveable.variable)}, checkpoint tensor {saveable.name})",
    )


def _written(shape: tf.TensorShape) -> str:
    return str(np.array(shape.as_list()).tolist()).replace(" ", "") if shape.rank is not None else "<unknown>"
